/** The lines of a comparison with their numbers on both sides. Pure. */

export type DiffLine = {
  /** gap: lines that are the same are left out here. */
  kind: 'added' | 'removed' | 'same' | 'gap'
  text: string
  /** Its number before and after; null: it is not there. */
  before: number | null
  after: number | null
}

type Hunk = { oldStart: number; newStart: number; lines: readonly string[] }

/** in: hunks of a unified comparison, whose lines begin with `+`, `-`, a space, or `\` for what is said about the line before */
export function diffLines(hunks: readonly Hunk[]): DiffLine[] {
  return hunks.flatMap(({ oldStart, newStart, lines }, at) => {
    let [before, after] = [oldStart, newStart]
    const shown: DiffLine[] = at === 0 ? [] : [{ kind: 'gap', text: '…', before: null, after: null }]
    for (const line of lines) {
      const text = line.slice(1)
      if (line.startsWith('+')) shown.push({ kind: 'added', text, before: null, after: after++ })
      else if (line.startsWith('-')) shown.push({ kind: 'removed', text, before: before++, after: null })
      else if (!line.startsWith('\\')) shown.push({ kind: 'same', text, before: before++, after: after++ })
    }
    return shown
  })
}
