import { estimateTokens } from '@/lib/mas/formats'

/** Number of leading texts that fit into the tokens, one per line. */
export function countFitting(texts: readonly string[], tokens: number): number {
  let left = tokens
  const over = texts.findIndex((text) => {
    left -= estimateTokens(text) + 1
    return left < 0
  })
  return over < 0 ? texts.length : over
}
