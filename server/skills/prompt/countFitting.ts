import { estimateTokens } from '@/lib/mas/formats'

/** How many of these texts fit into so many tokens, from the first on, a line each. */
export function countFitting(texts: readonly string[], tokens: number): number {
  let left = tokens
  const over = texts.findIndex((text) => {
    left -= estimateTokens(text) + 1
    return left < 0
  })
  return over < 0 ? texts.length : over
}
