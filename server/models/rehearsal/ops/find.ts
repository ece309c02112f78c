type Hit = { line: number; text: string; times: number }

/** Lines that hold the phrase, whatever its case, with how often each does. */
export function findPhrase(lines: readonly string[], phrase: string): Hit[] {
  const wanted = phrase.toLowerCase()
  if (wanted === '') return []
  return lines.flatMap((text, at) => {
    const times = text.toLowerCase().split(wanted).length - 1
    return times > 0 ? [{ line: at + 1, text: text.trim(), times }] : []
  })
}
