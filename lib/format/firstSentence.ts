/** The first sentence of a description. */
export const firstSentence = (text: string): string => text.trim().split(/(?<=[.!?])\s|(?<=。)/)[0] ?? ''
