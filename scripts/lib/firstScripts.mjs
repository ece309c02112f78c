// Tells browsers to read the first scripts of a page as a whole. Owns: that one line in each. Used by: build.mjs, after Next's build.
//
// A browser reads a script on a thread of its own, but passes over what stands inside of functions until they are called, and then reads
// it on the page's thread. Nearly all of these scripts runs at once, so that costs a phone a third of its time to the first picture.
// Chromium knows the line; for the others it is a comment.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const HINT = '//# allFunctionsCalledOnLoad\n'
const SHELLS = ['index.html', 'login.html']
/** A script that a browser of today does not take is not named by this. */
const SCRIPT = /<script src="\/_next\/(static\/chunks\/[^"]+\.js)"(?![^>]*nomodule)/gi

/** `folder`: Next's. */
export function hintFirstScripts(folder) {
  const pages = SHELLS.map((name) => readFileSync(join(folder, 'server', 'app', name), 'utf8'))
  const scripts = new Set(pages.flatMap((html) => [...html.matchAll(SCRIPT)].map(([, path]) => path)))
  if (scripts.size === 0) throw new Error('the pages name no scripts any more: scripts/lib/firstScripts.mjs')
  for (const path of scripts) {
    const file = join(folder, path)
    const text = readFileSync(file, 'utf8')
    if (!text.startsWith(HINT)) writeFileSync(file, HINT + text)
  }
}
