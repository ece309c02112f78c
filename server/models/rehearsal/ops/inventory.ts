/** Owns: how many files of which kind. Used by: questions, report. */

import { isReadable, kindOf } from './parse'

export type KindCount = { kind: string; count: number; readable: boolean }

/** Kinds by number of files, most first, then by name; a file without an ending is of kind `text`. */
export function countKinds(paths: readonly string[]): KindCount[] {
  const kinds = new Map<string, KindCount>()
  for (const path of paths) {
    const kind = kindOf(path) || 'text'
    const entry = kinds.get(kind) ?? { kind, count: 0, readable: isReadable(path) }
    entry.count += 1
    kinds.set(kind, entry)
  }
  return [...kinds.values()].sort((one, other) => other.count - one.count || (one.kind < other.kind ? -1 : 1))
}

/** Names of files in a text that are not addresses of the web: `west.csv`, `lists/east.csv`. */
export function filesNamedIn(lines: readonly string[]): { name: string; line: number }[] {
  return lines.flatMap((text, at) =>
    [
      ...text
        .replace(/https?:\/\/\S+/g, ' ')
        .matchAll(
          /(?<![\w@/.-])(?:[\p{L}\p{N}_-][\p{L}\p{N}_.-]*\/)*[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.(?:csv|tsv|md|txt|json|log|png|jpe?g|pdf|xlsx?|docx?)(?![\p{L}\p{N}_-])/giu,
        ),
    ].map(([name]) => ({ name, line: at + 1 })),
  )
}
