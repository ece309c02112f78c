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
