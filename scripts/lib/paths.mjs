// Where things are.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')
export const inRoot = (...parts) => join(ROOT, ...parts)

export const SERVER_BUNDLE = inRoot('dist', 'server.cjs')
/** Reports of the test parts; not committed. */
export const REPORTS = inRoot('out')

/** A program of an installed package, run with this Node (no shell, no npx). */
export const programOf = (packageName, file) => inRoot('node_modules', packageName, file)
