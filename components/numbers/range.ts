/** The days and filters of the page of numbers, in its address. Pure. */

export const RANGES = ['7', '30', '90', '365'] as const
export type Range = (typeof RANGES)[number]
export const readRange = (text: string | null): Range => RANGES.find((one) => one === text) ?? '30'

/** How often the numbers on screen are fetched again. */
export const NUMBERS_EVERY_MS = 15_000
const DAY_MS = 24 * 3_600_000

export type NumbersFilter = { task: string | null; agent: string | null; model: string | null }

/** The last days of a range. in: today: such as 2026-11-30. out: in order, today included */
export function daysOf(today: string, range: Range): string[] {
  const end = Date.parse(`${today}T00:00:00Z`)
  return Array.from({ length: Number(range) }, (_, n) =>
    new Date(end - (Number(range) - 1 - n) * DAY_MS).toISOString().slice(0, 10),
  )
}

/** The address that answers it. */
export function numbersPath(days: readonly string[], zone: string, filter: NumbersFilter): string {
  const wish = new URLSearchParams({ from: days[0] ?? '', to: days.at(-1) ?? '', zone })
  for (const [name, value] of Object.entries(filter)) if (value !== null) wish.set(name, value)
  return `/api/numbers?${wish}`
}
