/** The two live regions of announce(). Drawn once, in app/layout.tsx, before anything else. */
import { REGION_IDS } from './announce'

export function Announcer() {
  return (
    <>
      <div id={REGION_IDS.polite} aria-live="polite" className="sr-only" />
      <div id={REGION_IDS.assertive} aria-live="assertive" className="sr-only" />
    </>
  )
}
