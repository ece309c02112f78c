/** Estimates how many tokens a text is, for budgets; never for costs. */

const WIDE = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/g

/** Characters / 4; Chinese, Japanese and Korean characters / 1.5. */
export const estimateTokens = (text: string): number => tokensOf(text.length, countWide(text))

/** How many of its characters are Chinese, Japanese or Korean. */
export const countWide = (text: string): number => text.match(WIDE)?.length ?? 0

/** The estimate from counts of characters and of wide ones among them, for a text that is assembled from counted parts. */
export const tokensOf = (characters: number, wide: number): number => Math.ceil((characters - wide) / 4 + wide / 1.5)
