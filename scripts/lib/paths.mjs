// Where things are.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')
export const inRoot = (...parts) => join(ROOT, ...parts)

export const SERVER_BUNDLE = inRoot('dist', 'server.cjs')
/**
 * Environment of server processes. glibc's allocator keeps freed memory: an arena for each thread, and blocks up to a threshold that it
 * raises by itself. Fixed limits return 30 to 80 MiB after a busy period. They can only be set by the environment.
 */
export const SERVER_ENVIRONMENT = {
  NODE_ENV: 'production',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
}
/** Reports of the test parts; not committed. */
export const REPORTS = inRoot('out')

/** A program of an installed package, for this Node (no shell, no npx). */
export const programOf = (packageName, file) => inRoot('node_modules', packageName, file)
