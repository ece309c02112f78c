/** Unit words of durations and large numbers, by language. Not in messages/, since the server formats durations too. */
import type { Locale } from '../i18n/locale'

type Units = {
  /** BCP 47 tag for Intl; the pseudo-language counts as English. */
  intl: string
  ms: string
  second: string
  minute: string
  hour: string
  day: string
  /** For screen readers: singular, plural. */
  spoken: { second: [string, string]; minute: [string, string]; hour: [string, string]; day: [string, string] }
}

const ENGLISH: Units = {
  intl: 'en-US',
  ms: 'ms',
  second: 's',
  minute: 'm',
  hour: 'h',
  day: 'd',
  spoken: {
    second: ['second', 'seconds'],
    minute: ['minute', 'minutes'],
    hour: ['hour', 'hours'],
    day: ['day', 'days'],
  },
}

const CHINESE: Units = {
  intl: 'zh-CN',
  ms: '毫秒',
  second: '秒',
  minute: '分',
  hour: '小时',
  day: '天',
  spoken: { second: ['秒', '秒'], minute: ['分钟', '分钟'], hour: ['小时', '小时'], day: ['天', '天'] },
}

export const UNITS_BY_LOCALE: Record<Locale, Units> = { en: ENGLISH, zh: CHINESE, 'en-XA': ENGLISH }

/** Shown for an unknown number. */
export const UNKNOWN = '—'
