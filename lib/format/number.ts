/** Formats numbers, money and sizes. Unknown is "—", never 0. */
import type { Locale } from '../i18n/locale'
import { groupThrees } from '../i18n/plainFormatters'
import { UNKNOWN } from './units'

const isKnown = (value: number | null): value is number => value !== null && Number.isFinite(value)

/** One decimal below a hundred, none above; "12.0" becomes "12". */
const short = (value: number): string => (value < 99.95 ? String(Number(value.toFixed(1))) : String(Math.round(value)))

/** A whole number: 18,220. */
export const formatCount = (value: number | null): string => (isKnown(value) ? groupThrees(Math.round(value)) : UNKNOWN)

/** Tokens: 1,284, from ten thousand on 12.8k, 128k, 1.2M; in Chinese 1.3 万, 1.2 亿. */
export function formatTokens(value: number | null, locale: Locale): string {
  if (!isKnown(value)) return UNKNOWN
  const whole = Math.round(value)
  if (whole < 10_000) return groupThrees(whole)
  if (locale === 'zh') return whole < 99_995_000 ? `${short(whole / 10_000)} 万` : `${short(whole / 100_000_000)} 亿`
  return whole < 999_500 ? `${short(whole / 1_000)}k` : `${short(whole / 1_000_000)}M`
}

/** US dollars: $1.24; below a cent with two significant digits: $0.0031. */
export function formatCost(usd: number | null): string {
  if (!isKnown(usd)) return UNKNOWN
  if (usd === 0) return '$0'
  // 0.015 is stored as a little less, and must not become $0.01.
  const up = usd * (1 + Number.EPSILON)
  if (usd < 0.01) return `$${up.toFixed(1 - Math.floor(Math.log10(Number(up.toPrecision(2)))))}`
  const [whole, cents] = up.toFixed(2).split('.')
  return `$${groupThrees(Number(whole))}.${cents}`
}

/** Sizes: 840 B, 1.2 MB (by 1,000). */
export function formatBytes(bytes: number | null): string {
  if (!isKnown(bytes)) return UNKNOWN
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = Math.max(0, bytes)
  let at = 0
  while (value >= 999.5 && at < units.length - 1) {
    value /= 1_000
    at += 1
  }
  return `${at === 0 ? Math.round(value) : short(value)} ${units[at]}`
}
