/** A duration as it is kept and shown: whole ms, never below 0. */
export const wholeMs = (duration: number): number => Math.max(0, Math.round(duration))
