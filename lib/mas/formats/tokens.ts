/**
 * A rule of thumb for how many tokens a text is, for budgets; never for costs.
 */

const WIDE = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/g

/** Characters / 4; Chinese, Japanese and Korean characters / 1.5. */
export function estimateTokens(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0
  return Math.ceil((text.length - wide) / 4 + wide / 1.5)
}
