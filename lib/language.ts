/** The languages of the product: what its own sentences, its prompts and its notices are written in. */
export const LANGUAGES = ['en', 'zh'] as const
export type Language = (typeof LANGUAGES)[number]
