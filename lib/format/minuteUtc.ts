/** in: epoch ms; out: `2026-03-04 10:00 UTC`, as sentences name a time whose readers may be anywhere */
export const minuteUtc = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
