// Preconditions of every program, in order: dependencies, pages, bundles.
import { areBundlesFresh, arePagesFresh, ensureBundles, ensurePages } from './build.mjs'
import { ensureInstalled, isInstalled } from './install.mjs'
import { listPackages } from './packages.mjs'
import { inTurn } from './turn.mjs'

/**
 * Ensures installed dependencies; with `bundled`, also up-to-date bundles of the server and the operator's programs; with `built`,
 * also the pages. Writes nothing, not even the lock, when all is up to date: the folder may be read-only.
 */
export async function ensure({ built, bundled = built }) {
  listPackages()
  if (isInstalled() && (!built || arePagesFresh()) && (!bundled || areBundlesFresh())) return
  await inTurn(async () => {
    await ensureInstalled()
    if (built) await ensurePages()
    if (bundled) await ensureBundles()
  })
}
