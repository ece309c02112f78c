import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  formatBytes,
  formatClock,
  formatCost,
  formatCount,
  formatDay,
  formatDuration,
  formatElapsed,
  formatFull,
  formatSeconds,
  formatTime,
  formatTokens,
  speakElapsed,
} from './index'

describe('lengths of time', () => {
  it('a duration has its two largest units', () => {
    const read = [840, 3_210, 9_970, 42_400, 59_700, 250_000, 7_500_000, 273_600_000].map((ms) =>
      formatDuration(ms, 'en'),
    )
    expect(read).toEqual(['840 ms', '3.2 s', '10 s', '42 s', '1 m 00 s', '4 m 10 s', '2 h 05 m', '3 d 4 h'])
  })

  it('a duration just below the next unit has one of it, not none', () => {
    const read = [59_970, 3_599_600, 86_399_600].map((ms) => formatDuration(ms, 'en'))
    expect(read).toEqual(['1 m 00 s', '1 h 00 m', '1 d 0 h'])
  })

  it('elapsed time counts up without jumping ahead', () => {
    const times = [0, 8_999, 59_999, 60_000, 725_000, 3_599_999, 7_199_999, 7_500_000]
    expect(times.map((ms) => formatElapsed(ms, 'en'))).toEqual([
      '0 s',
      '8 s',
      '59 s',
      '1 m',
      '12 m',
      '59 m',
      '1 h 59 m',
      '2 h 05 m',
    ])
    expect(formatElapsed(-4_000, 'en')).toBe('0 s')
  })

  it('durations have Chinese units', () => {
    expect([formatElapsed(725_000, 'zh'), formatDuration(3_200, 'zh'), formatDuration(7_500_000, 'zh')]).toEqual([
      '12 分',
      '3.2 秒',
      '2 小时 05 分',
    ])
  })

  it('durations for screen readers are in full words', () => {
    expect([
      speakElapsed(60_000, 'en'),
      speakElapsed(725_000, 'en'),
      speakElapsed(7_500_000, 'en'),
      speakElapsed(725_000, 'zh'),
    ]).toEqual(['1 minute', '12 minutes', '2 hours 5 minutes', '12 分钟'])
  })
})

describe('moments', () => {
  const now = Date.UTC(2026, 10, 20, 10, 54, 0)
  const at = (back: number): number => now - back
  const base = { locale: 'en' as const, zone: null, now }

  beforeEach(() => void vi.stubEnv('TZ', 'UTC'))
  afterEach(() => void vi.unstubAllEnvs())

  it('times are relative when near and exact when far', () => {
    const context = { ...base, style: 'relative' as const }
    expect(formatTime(at(8_000), context)).toBe('8 s')
    expect(formatTime(at(12 * 60_000), context)).toBe('12 m')
    expect(formatTime(at(2 * 3_600_000), context)).toBe('08:54')
    expect(formatTime(at(2 * 86_400_000), context)).toBe('Wed 10:54')
    expect(formatTime(at(9 * 86_400_000), context)).toBe('2026-11-11 10:54')
  })

  it('times follow the chosen style and zone', () => {
    expect(formatClock(at(8_000), { ...base, style: 'relative' })).toBe('10:53')
    vi.stubEnv('TZ', 'Asia/Shanghai')
    expect(formatTime(at(8_000), { ...base, style: 'local' })).toBe('18:53')
    expect(formatTime(at(8_000), { ...base, style: 'utc' })).toBe('10:53 UTC')
  })

  it('full times have milliseconds and the zone', () => {
    expect(formatFull(now + 118, { locale: 'en', zone: null, style: 'utc' })).toBe('2026-11-20 10:54:00.118 UTC')
    vi.stubEnv('TZ', 'Asia/Shanghai')
    expect(formatSeconds(now, { zone: null, style: 'local' })).toBe('18:54:00')
  })

  it.each(['UTC', 'Europe/Berlin', 'Asia/Kolkata'])(
    'times in the zone %s equal those of an Intl formatter',
    (timeZone) => {
      vi.stubEnv('TZ', timeZone)
      const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
      for (const back of [9 * 86_400_000, 150 * 86_400_000, 400 * 86_400_000]) {
        const [day, time] = clock.format(at(back)).split(' ')
        expect(formatClock(at(back), { ...base, style: 'local' })).toBe(`${day} ${time?.slice(0, 5)}`)
        expect(formatSeconds(at(back), { zone: null, style: 'local' })).toBe(time)
      }
    },
  )

  it('a day is today, yesterday or its date, in the language of the page', () => {
    const words = { today: 'Today', yesterday: 'Yesterday' }
    const context = { ...base, style: 'local' as const }
    expect([0, 86_400_000].map((back) => formatDay(at(back), context, words))).toEqual(['Today', 'Yesterday'])
    expect(formatDay(at(9 * 86_400_000), { ...context, locale: 'zh' }, words)).toContain('2026年11月11日')
  })

  it('yesterday is the day before, also if it had 23 or 25 hours', () => {
    const words = { today: 'Today', yesterday: 'Yesterday' }
    vi.stubEnv('TZ', 'Europe/Berlin')
    const days = (now: string, ...times: string[]): string[] =>
      times.map((time) =>
        formatDay(Date.parse(time), { ...base, style: 'local', now: Date.parse(now) }, words).slice(0, 9),
      )
    // 29 March 2026 has 23 hours there, 25 October 25.
    expect(days('2026-03-30T00:30+02:00', '2026-03-29T12:00+02:00', '2026-03-28T23:45+01:00')).toEqual([
      'Yesterday',
      'Sat, Mar ',
    ])
    expect(days('2026-10-25T23:30+01:00', '2026-10-25T00:15+02:00', '2026-10-24T12:00+02:00')).toEqual([
      'Today',
      'Yesterday',
    ])
  })
})

describe('numbers', () => {
  it('token counts are shortened as the language counts', () => {
    expect([1_284, 9_999, 12_840, 128_000, 1_240_000].map((count) => formatTokens(count, 'en'))).toEqual([
      '1,284',
      '9,999',
      '12.8k',
      '128k',
      '1.2M',
    ])
    expect([1_284, 12_840, 128_000_000].map((count) => formatTokens(count, 'zh'))).toEqual([
      '1,284',
      '1.3 万',
      '1.3 亿',
    ])
  })

  it('costs show cents, and two significant digits below a cent', () => {
    expect([1.239, 0.42, 0.0031, 0.00091, 0].map(formatCost)).toEqual(['$1.24', '$0.42', '$0.0031', '$0.00091', '$0'])
  })

  it('costs equal those of an Intl formatter, in both languages', () => {
    const cents = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
    const digits = { minimumSignificantDigits: 2, maximumSignificantDigits: 2 }
    for (const usd of [
      1.2e-7, 4.15e-7, 0.001, 0.00505, 0.00994, 0.00996, 0.01, 0.015, 0.42, 1.005, 1.239, 999.999, 11_356.355,
    ])
      for (const locale of ['en-US', 'zh-CN'])
        expect(formatCost(usd)).toBe(`$${usd.toLocaleString(locale, usd < 0.01 ? digits : cents)}`)
  })

  it('an unknown number is —, never 0', () => {
    expect([
      formatCount(null),
      formatTokens(null, 'zh'),
      formatCost(null),
      formatBytes(null),
      formatDuration(null, 'en'),
    ]).toEqual(Array(5).fill('—'))
  })

  it('sizes use factors of 1,000', () => {
    expect([840, 1_240_000, 999_600].map((bytes) => formatBytes(bytes))).toEqual(['840 B', '1.2 MB', '1 MB'])
  })
})
