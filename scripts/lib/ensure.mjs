// All that must be true before Convene can run, in order: dependencies, pages, bundles.
import { areBundlesFresh, arePagesFresh, ensureBundles, ensurePages } from './build.mjs'
import { ensureInstalled, isInstalled } from './install.mjs'
import { inTurn } from './turn.mjs'

/**
 * Dependencies installed; with `bundled`, also the server and the operator's programs bundled from the sources as they are; with
 * `built`, the pages too. Where all of it is there nothing is written, not even the lock: the folder may be read-only.
 */
export async function ensure({ built, bundled = built }) {
  if (isInstalled() && (!built || arePagesFresh()) && (!bundled || areBundlesFresh())) return
  await inTurn(async () => {
    await ensureInstalled()
    if (built) await ensurePages()
    if (bundled) await ensureBundles()
  })
}
