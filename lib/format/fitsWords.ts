/** out: whether a text, in whichever of its parts, holds each of these words; no words fit all */
export function fitsWords(words: string): (...parts: readonly (string | null | undefined)[]) => boolean {
  const wanted = words.toLowerCase().split(/\s+/u).filter(Boolean)
  return (...parts) => {
    const text = parts.join('\n').toLowerCase()
    return wanted.every((word) => text.includes(word))
  }
}
