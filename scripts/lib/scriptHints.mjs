// Makes Chromium parse the bodies of the pages' functions in the background, not at their first call. That is faster on a phone.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const HINT = '//# allFunctionsCalledOnLoad\n'
const SHELLS = ['index.html', 'login.html']
/** The polyfill script, which modern browsers ignore. */
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
