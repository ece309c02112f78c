import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'

export type ShowRelative = (text: string) => string

/**
 * A function that rewrites absolute paths below the root as relative ones, and the root as `./`.
 *
 * in      the allowed root, as configured; undefined: texts are unchanged
 * out     `open '/srv/ws/a/b.csv'` → `open 'a/b.csv'`; `/srv/ws2` and `/x/srv/ws` are unchanged
 */
export function relativeTo(root: string | undefined): ShowRelative {
  if (root === undefined) return (text) => text
  const spellings = new Set([resolve(root), realPath(root)])
  // Longest first: a root may be a prefix of its own real path.
  const patterns = [...spellings].sort((a, b) => b.length - a.length).map(patternOf)
  return (text) =>
    patterns.reduce((shown, pattern) => shown.replace(pattern, (_all, rest?: string) => rest || './'), text)
}

function patternOf(folder: string): RegExp {
  const escaped = folder.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  // Followed by a separator and a path (kept), or by the path's end.
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
