// Detects changed sources.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { ROOT } from './paths.mjs'

const isTest = (name) => /\.test\.(ts|tsx)$/.test(name)

/** All files below the given files and folders (relative to the root), sorted; missing places are left out. */
export function filesBelow(places, keep = () => true) {
  const found = []
  const visit = (path) => {
    if (!existsSync(path)) return
    if (!statSync(path).isDirectory()) {
      if (keep(path)) found.push(path)
      return
    }
    for (const name of readdirSync(path)) if (name !== 'node_modules' && !name.startsWith('.')) visit(join(path, name))
  }
  for (const place of places) visit(join(ROOT, place))
  return found.sort()
}

/** SHA-256 of names and contents, without tests, which no build contains. */
export function fingerprint(places, salt = '') {
  const hash = createHash('sha256').update(salt)
  for (const path of filesBelow(places, (file) => !isTest(file))) {
    hash.update(`\0${relative(ROOT, path)}\0`).update(readFileSync(path))
  }
  return hash.digest('hex')
}

export const readStamp = (path) => (existsSync(path) ? readFileSync(path, 'utf8').trim() : '')

export function writeStamp(path, stamp) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${stamp}\n`)
}
