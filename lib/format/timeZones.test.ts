/** Time zones that a person chooses, and times in them. */
import { describe, expect, it, vi } from 'vitest'
import { formatClock, formatFull, minutesOfDay, startOfDay } from '.'
import { isTimeZone, timeZones } from './timeZones'

const AT = Date.UTC(2026, 2, 29, 0, 59, 30, 250)
const how = (zone: string | null, style: 'local' | 'utc' = 'local') => ({ locale: 'en', style, zone, now: AT }) as const

describe('a time zone', () => {
  it('[R389] is any name that this machine knows; the names to choose from are all that it lists, or the common ones', () => {
    for (const zone of ['UTC', 'Europe/Berlin', 'Asia/Calcutta', 'Asia/Kolkata'])
      expect([zone, isTimeZone(zone)]).toEqual([zone, true])
    for (const zone of ['', 'Etc/Unknown', 'Nowhere/City']) expect([zone, isTimeZone(zone)]).toEqual([zone, false])
    expect(timeZones()).toEqual(
      expect.arrayContaining(['UTC', 'Asia/Shanghai', 'America/Sao_Paulo', 'Pacific/Chatham']),
    )
    expect(new Set(timeZones()).size).toBe(timeZones().length)
    vi.spyOn(Intl, 'supportedValuesOf').mockImplementation(() => {
      throw new RangeError('not known')
    })
    expect(timeZones()).toEqual(expect.arrayContaining(['UTC', 'Asia/Shanghai', 'Europe/Berlin']))
    expect(timeZones().filter((zone) => !isTimeZone(zone))).toEqual([])
  })

  it('[R389] decides what clocks show, also where the clock is changed and where the offset is no whole hour', () => {
    const clock = (at: number, zone: string) => formatClock(at, { ...how(zone), now: at })
    expect(clock(AT, 'Europe/Berlin')).toBe('01:59')
    expect(clock(AT + 30_000, 'Europe/Berlin')).toBe('03:00')
    expect(clock(AT, 'Asia/Kolkata')).toBe('06:29')
    expect(clock(AT, 'Pacific/Chatham')).toBe('14:44')
    expect(formatFull(AT, how('Asia/Shanghai'))).toBe('2026-03-29 08:59:30.250 GMT+8')
    expect(formatFull(AT, how('Asia/Shanghai', 'utc'))).toBe('2026-03-29 00:59:30.250 UTC')
    expect(formatFull(-1, how('Asia/Shanghai'))).toBe('1970-01-01 07:59:59.999 GMT+8')
    expect([minutesOfDay(AT, 'Asia/Shanghai'), minutesOfDay(AT, 'UTC'), minutesOfDay(-60_000, 'UTC')]).toEqual([
      539, 59, 1_439,
    ])
  })

  it('[R524] a day begins at its own midnight, also when the clocks change, in zones far from UTC, and by a day later', () => {
    const iso = (at: number | null) => at && new Date(at).toISOString().slice(0, 16)
    expect(iso(startOfDay('2026-03-29', 'Europe/Berlin'))).toBe('2026-03-28T23:00')
    expect(iso(startOfDay('2026-03-30', 'Europe/Berlin'))).toBe('2026-03-29T22:00')
    expect(iso(startOfDay('2026-03-29', 'Europe/Berlin', 1))).toBe('2026-03-29T22:00')
    expect(iso(startOfDay('2026-10-25', 'Europe/Berlin'))).toBe('2026-10-24T22:00')
    expect(iso(startOfDay('2026-04-05', 'Australia/Sydney'))).toBe('2026-04-04T13:00')
    expect(iso(startOfDay('2026-12-31', 'Asia/Shanghai', 1))).toBe('2026-12-31T16:00')
    expect(iso(startOfDay('2026-06-01', 'Pacific/Kiritimati'))).toBe('2026-05-31T10:00')
    expect(iso(startOfDay('2026-06-01', 'Pacific/Pago_Pago'))).toBe('2026-06-01T11:00')
    expect(iso(startOfDay('2026-06-01', 'UTC'))).toBe('2026-06-01T00:00')
    for (const no of ['', '2026-13-01', '1.6.2026', '2026-06']) expect(startOfDay(no, 'UTC')).toBeNull()
  })
})
