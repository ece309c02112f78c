import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'

export type ShowRelative = (text: string) => string

/**
 * A function that writes absolute paths under the root relative to it, and the root itself as `./`.
 *
 * in      the allowed root, as configured; undefined leaves texts as they are
 * out     `open '/srv/ws/a/b.csv'` → `open 'a/b.csv'`; `/srv/ws2` and `/x/srv/ws` are other folders and stay
 */
export function relativeTo(root: string | undefined): ShowRelative {
  if (root === undefined) return (text) => text
  const spellings = new Set([resolve(root), realPath(root)])
  // Longest first, or a root that is a prefix of its own real path would cut that path in the middle.
  const patterns = [...spellings].sort((a, b) => b.length - a.length).map(patternOf)
  return (text) =>
    patterns.reduce((shown, pattern) => shown.replace(pattern, (_all, rest?: string) => rest || './'), text)
}

function patternOf(folder: string): RegExp {
  const escaped = folder.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  // What follows is a separator with a path behind it (kept), or the end of the path.
  return new RegExp(
    `(?<![\\p{L}\\p{N}_./\\\\-])(?:file://)?${escaped}(?:[\\\\/]+([^\\s'"\`]*)|(?![\\p{L}\\p{N}_\\\\/-]|\\.[\\p{L}\\p{N}_]))`,
    'gu',
  )
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return resolve(folder)
  }
}
