import type { Parsed } from './parse'

export const COUNT_UNITS = ['lines', 'words', 'rows', 'characters', 'matches', 'files'] as const
export type Unit = (typeof COUNT_UNITS)[number]

/** A word is a run of letters and digits; each Chinese character is one. */
export function countWords(text: string): number {
  return (text.match(/\p{Script=Han}|[\p{L}\p{N}](?:[\p{L}\p{N}'’_-](?<!\p{Script=Han}))*/gu) ?? []).length
}

export function countIn({ lines, tables, text }: Parsed, unit: Unit, phrase: string | null): number {
  switch (unit) {
    case 'lines':
      return lines.length
    case 'words':
      return countWords(text)
    case 'rows':
      return tables.reduce((sum, table) => sum + table.rows.length, 0)
    case 'characters':
      return [...text].length
    case 'matches':
      return phrase === null ? 0 : findPhrase(lines, phrase).reduce((sum, hit) => sum + hit.times, 0)
    case 'files':
      return 1
  }
}

type Hit = { line: number; text: string; times: number }

/** Lines that contain the phrase, in any case, with the number of times. */
export function findPhrase(lines: readonly string[], phrase: string): Hit[] {
  const wanted = phrase.toLowerCase()
  if (wanted === '') return []
  return lines.flatMap((text, at) => {
    const times = text.toLowerCase().split(wanted).length - 1
    return times > 0 ? [{ line: at + 1, text: text.trim(), times }] : []
  })
}
