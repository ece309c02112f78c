// All that must be true before Convene can run. Owns: the order. Used by: start, dev, test, bench, load, hash-password.

import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { inTurn } from './turn.mjs'

/** Dependencies installed; with `built`, also pages and server built from the sources as they are. */
export const ensure = ({ built }) =>
  inTurn(async () => {
    await ensureInstalled()
    if (built) await ensureBuilt()
  })
