/** Names and kinds of files, and their names in texts. */

export const fileNameIn = (path: string): string => path.split('/').at(-1) ?? path

const TEXT_KINDS = new Set(['', 'txt', 'text', 'md', 'markdown', 'csv', 'tsv', 'json', 'log'])

/** The extension in lower case; '' without one. */
export function fileKindOf(path: string): string {
  return /.\.([A-Za-z0-9]+)$/.exec(fileNameIn(path))?.[1]?.toLowerCase() ?? ''
}

export const isReadable = (path: string): boolean => TEXT_KINDS.has(fileKindOf(path))

export const looksLikeFile = (path: string): boolean => fileKindOf(path) !== ''

type KindCount = { kind: string; count: number; readable: boolean }

/** Kinds of files with their counts, most first, then by name; a file without extension is of kind `text`. */
export function countKinds(paths: readonly string[]): KindCount[] {
  const kinds = new Map<string, KindCount>()
  for (const path of paths) {
    const kind = fileKindOf(path) || 'text'
    const entry = kinds.get(kind) ?? { kind, count: 0, readable: isReadable(path) }
    entry.count += 1
    kinds.set(kind, entry)
  }
  return [...kinds.values()].sort((one, other) => other.count - one.count || (one.kind < other.kind ? -1 : 1))
}

const ENDING = /\.(?:csv|tsv|md|txt|json|log|png|jpe?g|pdf|xlsx?|docx?)(?![\p{L}\p{N}_-])/giu
const IN_A_NAME = /[\p{L}\p{N}_./-]/u
const LONGEST_NAME = 120

/** File names in a text, except web addresses: `west.csv`, `lists/east.csv`. */
export function filesNamedIn(lines: readonly string[]): { name: string; line: number }[] {
  return lines.flatMap((text, at) =>
    [...text.replace(/https?:\/\/\S+/g, ' ').matchAll(ENDING)].flatMap((ending) => {
      // Searched backwards from the extension: one pattern for the whole would try every start in a long line.
      let from = ending.index
      while (from > 0 && ending.index - from < LONGEST_NAME && IN_A_NAME.test(ending.input.charAt(from - 1))) from -= 1
      const name = ending.input.slice(from, ending.index + ending[0].length).replace(/^[./-]+/, '')
      return name.startsWith(ending[0].slice(1)) || ending.input.charAt(from - 1) === '@'
        ? []
        : [{ name, line: at + 1 }]
    }),
  )
}

const ESCAPED = /[.*+?^${}()|[\]\\]/g

/** Does a sentence name a file, by its name or stem as a whole word? "leave out b" means b.csv, not lemb.csv. */
export function namesFile(sentence: string, path: string): boolean {
  const name = fileNameIn(path)
  const stem = name.replace(/\.[^.]+$/, '')
  return [name, stem].some(
    (one) =>
      one !== '' &&
      new RegExp(`(?<![A-Za-z0-9_.-])${one.replace(ESCAPED, '\\$&')}(?![A-Za-z0-9_-])`, 'i').test(sentence),
  )
}
