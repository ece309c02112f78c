import type { Locale } from '../i18n/locale'
import { formatElapsed } from './duration'
import { UNITS_BY_LOCALE, UNKNOWN } from './units'

export type TimeStyle = 'relative' | 'local' | 'utc'
/** zone: the IANA name of the reader's time zone; null: that of this machine. */
export type TimeContext = { locale: Locale; now: number; style: TimeStyle; zone: string | null }
type Zone = Pick<TimeContext, 'style' | 'zone'>

/** The zone to format in; undefined: that of this machine. */
const zoneOf = ({ style, zone }: Zone): string | undefined => (style === 'utc' ? 'UTC' : (zone ?? undefined))

const formatters = new Map<string, Intl.DateTimeFormat>()

/** Cached, as creating one is slow. */
function formatter(locale: Locale, context: Zone, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const timeZone = zoneOf(context)
  const name = JSON.stringify([locale, timeZone, options])
  const kept = formatters.get(name) ?? new Intl.DateTimeFormat(UNITS_BY_LOCALE[locale].intl, { ...options, timeZone })
  formatters.set(name, kept)
  return kept
}

/** 2026-11-14T10:42:07.118Z; local time as if it were UTC. Without a formatter: a page's first one takes 12 ms, on a phone 48. */
const isoOf = (at: number, context: Zone): string => new Date(at + offsetOf(at, zoneOf(context))).toISOString()

/** ms that a zone is ahead of UTC at a moment */
function offsetOf(at: number, timeZone: string | undefined): number {
  if (timeZone === undefined) return -new Date(at).getTimezoneOffset() * 60_000
  if (timeZone === 'UTC') return 0
  return wallTime(at, timeZone) - (at - (((at % 1_000) + 1_000) % 1_000))
}

/** The time that clocks of a zone show, as if they showed UTC; whole seconds, epoch ms. */
function wallTime(at: number, zone: string): number {
  const options = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
  const parts = formatter(
    'en',
    { style: 'local', zone },
    { ...options, second: 'numeric', hourCycle: 'h23' },
  ).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((one) => one.type === type)?.value ?? 0)
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
}

const DAY_MINUTES = 24 * 60

/** The day in a zone (IANA), such as 2026-11-30. */
export const dayIn = (at: number, zone: string): string => dayPart(isoOf(at, { style: 'local', zone }))

/** Minutes after midnight in a zone; null: that of this machine. */
export const minutesOfDay = (at: number, zone: string | null): number =>
  ((Math.floor((at + offsetOf(at, zone ?? undefined)) / 60_000) % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES

/**
 * in   day: "2026-11-30"; zone: null: that of this machine
 * out  when that day, or with `later` one so many days later, begins there, epoch ms; null: it is no day
 */
export function startOfDay(day: string, zone: string | null, later = 0): number | null {
  const utc = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) + later * DAY_MINUTES * 60_000 : Number.NaN
  if (Number.isNaN(utc)) return null
  // The clocks may have changed between midnight there and midnight UTC.
  return utc - offsetOf(utc - offsetOf(utc, zone ?? undefined), zone ?? undefined)
}
const dayPart = (iso: string): string => iso.slice(0, -14)
const clockIn = (iso: string): string => iso.slice(-13, -8)
const WEEK_MS = 6 * 24 * 3_600_000

/** Clock time: 10:42 today, Fri 10:42 within a week, else 2026-11-14 10:42. */
export function formatClock(at: number | null, context: TimeContext): string {
  if (at === null || !Number.isFinite(at)) return UNKNOWN
  const then = isoOf(at, context)
  const suffix = context.style === 'utc' ? ' UTC' : ''
  if (dayPart(then) === dayPart(isoOf(context.now, context))) return `${clockIn(then)}${suffix}`
  if (context.now - at >= 0 && context.now - at < WEEK_MS) {
    const weekday = formatter(context.locale, context, { weekday: 'short' }).format(at)
    return `${weekday} ${clockIn(then)}${suffix}`
  }
  return `${dayPart(then)} ${clockIn(then)}${suffix}`
}

/** Short: under an hour "8 s", "12 m" (style relative only), else clock time. */
export function formatTime(at: number | null, context: TimeContext): string {
  if (at === null || !Number.isFinite(at)) return UNKNOWN
  const passed = context.now - at
  if (context.style === 'relative' && passed < 3_600_000 && passed > -60_000)
    return formatElapsed(passed, context.locale)
  return formatClock(at, context)
}

/** Hours, minutes and seconds: 10:42:07. */
export function formatSeconds(at: number | null, context: Zone): string {
  if (at === null || !Number.isFinite(at)) return UNKNOWN
  return isoOf(at, context).slice(-13, -5)
}

/** In full, for hover, focus and copy: 2026-11-14 10:42:07.118 GMT+1. */
export function formatFull(at: number | null, context: Omit<TimeContext, 'now'>): string {
  if (at === null || !Number.isFinite(at)) return UNKNOWN
  const iso = isoOf(at, context)
  const name = formatter(context.locale, context, { timeZoneName: 'short' })
    .formatToParts(at)
    .find((one) => one.type === 'timeZoneName')?.value
  return `${dayPart(iso)} ${iso.slice(-13, -1)} ${name ?? ''}`.trimEnd()
}

/** The day as a heading: Today, Yesterday or the date; the caller passes the two words. */
export function formatDay(at: number, context: TimeContext, words: { today: string; yesterday: string }): string {
  const day = dayPart(isoOf(at, context))
  const today = dayPart(isoOf(context.now, context))
  if (day === today) return words.today
  // The date counts: 24 hours before may be today or two days ago where the clock was changed.
  if (day === dayPart(isoOf(Date.parse(today) - 86_400_000, { style: 'utc', zone: null }))) return words.yesterday
  return formatter(context.locale, context, {
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
  }).format(at)
}

/** in: epoch ms; out: `2026-03-04 10:00 UTC`, for sentences whose readers may be in any time zone */
export const minuteUtc = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** A day of a calendar, without its year: 30 Nov. in: such as 2026-11-30; empty: none */
export const formatShortDay = (day: string, locale: Locale): string =>
  day === ''
    ? ''
    : formatter(locale, { style: 'utc', zone: null }, { day: 'numeric', month: 'short' }).format(
        Date.parse(`${day}T00:00:00Z`),
      )
