import type { Locale } from '../i18n/locale'
import { UNITS_BY_LOCALE, UNKNOWN } from './units'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const two = (value: number): string => String(value).padStart(2, '0')

/** A measured duration: 840 ms, 3.2 s, 42 s, 4 m 10 s, 2 h 05 m, 3 d 4 h. */
export function formatDuration(ms: number | null, locale: Locale): string {
  if (ms === null || !Number.isFinite(ms)) return UNKNOWN
  const unit = UNITS_BY_LOCALE[locale]
  const whole = Math.max(0, Math.round(ms))
  if (whole < SECOND) return `${whole} ${unit.ms}`
  // Rounding to tenths first keeps 9.97 s from reading as "10.0 s".
  const tenths = Math.round(whole / 100)
  if (tenths < 100) return `${(tenths / 10).toFixed(1)} ${unit.second}`
  const seconds = Math.round(whole / SECOND)
  if (seconds < 60) return `${seconds} ${unit.second}`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} ${unit.minute} ${two(seconds % 60)} ${unit.second}`
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return `${hours} ${unit.hour} ${two(minutes % 60)} ${unit.minute}`
  return `${Math.floor(hours / 24)} ${unit.day} ${hours % 24} ${unit.hour}`
}

/** Elapsed time: 8 s, 12 m, 2 h 05 m, 3 d 4 h. Never below 0. */
export function formatElapsed(ms: number | null, locale: Locale): string {
  if (ms === null || !Number.isFinite(ms)) return UNKNOWN
  const unit = UNITS_BY_LOCALE[locale]
  const passed = Math.max(0, ms)
  if (passed < MINUTE) return `${Math.floor(passed / SECOND)} ${unit.second}`
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} ${unit.minute}`
  return formatDuration(passed - (passed % MINUTE), locale)
}

/** The same for a screen reader: "8 seconds", "12 minutes", "2 hours 5 minutes". */
export function speakElapsed(ms: number | null, locale: Locale): string {
  if (ms === null || !Number.isFinite(ms)) return UNKNOWN
  const { spoken } = UNITS_BY_LOCALE[locale]
  const say = (count: number, words: [string, string]): string => `${count} ${words[count === 1 ? 0 : 1]}`
  const passed = Math.max(0, ms)
  if (passed < MINUTE) return say(Math.floor(passed / SECOND), spoken.second)
  if (passed < HOUR) return say(Math.floor(passed / MINUTE), spoken.minute)
  const [big, small] =
    passed < DAY
      ? [say(Math.floor(passed / HOUR), spoken.hour), say(Math.floor((passed % HOUR) / MINUTE), spoken.minute)]
      : [say(Math.floor(passed / DAY), spoken.day), say(Math.floor((passed % DAY) / HOUR), spoken.hour)]
  return `${big} ${small}`
}
