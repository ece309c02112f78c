// Where things are.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')
export const inRoot = (...parts) => join(ROOT, ...parts)

export const SERVER_BUNDLE = inRoot('dist', 'server.cjs')
/**
 * Environment of a server's process. The allocator of Linux keeps what is freed: an area for each thread, and blocks up to a limit that
 * it raises by itself. With fixed limits it gives them back: 30 to 80 MiB after a busy time. Only the environment can set them.
 */
export const SERVER_ENVIRONMENT = {
  NODE_ENV: 'production',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
}
/** Reports of the test parts; not committed. */
export const REPORTS = inRoot('out')

/** A program of an installed package, run with this Node (no shell, no npx). */
export const programOf = (packageName, file) => inRoot('node_modules', packageName, file)
