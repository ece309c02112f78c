import type { Locale } from '../i18n/locale'
import { formatElapsed } from './duration'
import { UNITS_BY_LOCALE, UNKNOWN } from './units'

export type TimeStyle = 'relative' | 'local' | 'utc'
type TimeContext = { locale: Locale; now: number; style: TimeStyle; zone?: string }

const zoneOf = (context: Pick<TimeContext, 'style' | 'zone'>): string | undefined =>
  context.style === 'utc' ? 'UTC' : context.zone

const clocks = new Map<string, Intl.DateTimeFormat>()
/** Cached, as creating one is slow. */
function formatter(key: string, locale: Locale, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = `${locale} ${key} ${options.timeZone ?? ''}`
  const known = clocks.get(name)
  if (known) return known
  const made = new Intl.DateTimeFormat(UNITS_BY_LOCALE[locale].intl, options)
  clocks.set(name, made)
  return made
}

type Parts = { year: string; month: string; day: string; hour: string; minute: string; second: string }

function partsOf(at: number, zone: string | undefined): Parts {
  // Without a formatter: a page's first one takes 12 ms, on a phone four times that.
  if (zone === undefined || zone === 'UTC') return plainPartsOf(at, zone === 'UTC')
  const found = formatter('parts', 'en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at)
  const part = (type: keyof Parts): string => found.find((one) => one.type === type)?.value ?? ''
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
  }
}

/** Local time as if it were UTC. */
function plainPartsOf(at: number, isUtc: boolean): Parts {
  const offset = isUtc ? 0 : new Date(at).getTimezoneOffset() * 60_000
  const [year = '', month = '', day = '', hour = '', minute = '', second = ''] = new Date(at - offset)
    .toISOString()
    .split(/[-T:.]/)
  return { year, month, day, hour, minute, second }
}

const dayOf = (parts: Parts): string => `${parts.year}-${parts.month}-${parts.day}`
const clockOf = (parts: Parts): string => `${parts.hour}:${parts.minute}`
const WEEK_MS = 6 * 24 * 3_600_000

/** Clock time: 10:42 today, Fri 10:42 within a week, else 2026-11-14 10:42. */
export function formatClock(at: number | null, context: TimeContext): string {
  if (at === null || !Number.isFinite(at)) return UNKNOWN
  const zone = zoneOf(context)
  const then = partsOf(at, zone)
  const suffix = context.style === 'utc' ? ' UTC' : ''
  if (dayOf(then) === dayOf(partsOf(context.now, zone))) return `${clockOf(then)}${suffix}`
  if (context.now - at >= 0 && context.now - at < WEEK_MS) {
    const weekday = formatter('weekday', context.locale, { weekday: 'short', timeZone: zone }).format(at)
    return `${weekday} ${clockOf(then)}${suffix}`
  }
  return `${dayOf(then)} ${clockOf(then)}${suffix}`
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
export function formatSeconds(at: number | null, context: Pick<TimeContext, 'style' | 'zone'>): string {
  if (at === null || !Number.isFinite(at)) return UNKNOWN
  const parts = partsOf(at, zoneOf(context))
  return `${clockOf(parts)}:${parts.second}`
}

/** In full, for hover, focus and copy: 2026-11-14 10:42:07.118 GMT+1. */
export function formatFull(at: number | null, context: Pick<TimeContext, 'locale' | 'style' | 'zone'>): string {
  if (at === null || !Number.isFinite(at)) return UNKNOWN
  const zone = zoneOf(context)
  const parts = partsOf(at, zone)
  const ms = String(((at % 1_000) + 1_000) % 1_000).padStart(3, '0')
  const name = formatter('zone', context.locale, { timeZone: zone, timeZoneName: 'short' })
    .formatToParts(at)
    .find((one) => one.type === 'timeZoneName')?.value
  return `${dayOf(parts)} ${clockOf(parts)}:${parts.second}.${ms} ${name ?? ''}`.trimEnd()
}

/** The day as a heading: Today, Yesterday or the date; the caller passes the two words. */
export function formatDay(at: number, context: TimeContext, words: { today: string; yesterday: string }): string {
  const zone = zoneOf(context)
  const day = dayOf(partsOf(at, zone))
  const today = dayOf(partsOf(context.now, zone))
  if (day === today) return words.today
  // The date counts: 24 hours before may be today or two days ago where the clock was changed.
  if (day === dayOf(plainPartsOf(Date.parse(today) - 86_400_000, true))) return words.yesterday
  return formatter('day', context.locale, {
    timeZone: zone,
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
  }).format(at)
}

/** in: epoch ms; out: `2026-03-04 10:00 UTC`, for sentences whose readers may be in any time zone */
export const minuteUtc = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
