/** Sums of figures of which some are not known, such as the price of a call that failed: what is known counts. */

type Figure = number | null | undefined

/** out: null: neither is known */
export const plusKnown = (a: Figure, b: Figure): number | null => (a == null ? (b ?? null) : b == null ? a : a + b)

/** out: null: none is known */
export const sumKnown = (figures: readonly Figure[]): number | null => figures.reduce<number | null>(plusKnown, null)
