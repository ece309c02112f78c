// Tells browsers to read the scripts of the pages as a whole. A browser reads a script on a thread of its own, but
// passes over what stands inside of functions until they are called, and then reads it on the page's thread. Nearly all
// of the first scripts runs at once, so that costs a phone a third of its time to the first picture; what comes later
// is fetched while the page has nothing else to do, and each first press of something new would pay for it. Chromium
// knows the line; for the others it is a comment.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const HINT = '//# allFunctionsCalledOnLoad\n'
const SHELLS = ['index.html', 'login.html']
/** A script for browsers of long ago: those of today do not take it. */
const OLD_SCRIPT = /<script src="\/_next\/static\/chunks\/([^"]+\.js)"[^>]*nomodule/gi

/** `folder`: Next's. */
export function hintScripts(folder) {
  const pages = SHELLS.map((name) => readFileSync(join(folder, 'server', 'app', name), 'utf8'))
  const old = new Set(pages.flatMap((html) => [...html.matchAll(OLD_SCRIPT)].map(([, name]) => name)))
  const chunks = join(folder, 'static', 'chunks')
  const scripts = readdirSync(chunks).filter((name) => name.endsWith('.js') && !old.has(name))
  if (scripts.length === 0) throw new Error('the pages have no scripts any more: scripts/lib/scriptHints.mjs')
  for (const name of scripts) {
    const file = join(chunks, name)
    const text = readFileSync(file, 'utf8')
    if (!text.startsWith(HINT)) writeFileSync(file, HINT + text)
  }
}
