import { describe, expect, it } from 'vitest'
import { cronOf, EVERY, FIRST_REPEAT, type Repeat, repeatOf } from './repeat'

const repeat = (more: Partial<Repeat>): Repeat => ({ ...FIRST_REPEAT, ...more })

describe('how often a request is asked again', () => {
  it('each choice makes a cron line that says the same choice', () => {
    for (const every of EVERY) {
      const one = repeat({ every, time: '07:05', weekday: '3', day: '31', cron: '0 9 * 1,7 *' })
      const cron = cronOf(one) ?? ''
      expect(cronOf({ ...one, ...repeatOf(cron) }), every).toBe(cron)
      expect(repeatOf(cron).every).toBe(every)
    }
    expect(cronOf(repeat({ every: 'week', time: '07:05', weekday: '3' }))).toBe('5 7 * * 3')
    expect(cronOf(repeat({ every: 'month', time: '23:59', day: '31' }))).toBe('59 23 31 * *')
  })

  it('without a time there is no line yet', () => {
    for (const time of ['', '24:00', '9', '9:5']) expect(cronOf(repeat({ time }))).toBeNull()
    expect(cronOf(repeat({ every: 'custom', cron: ' ' }))).toBeNull()
    expect(cronOf(repeat({ every: 'custom', cron: ' 0  9 * * 1 ' }))).toBe('0 9 * * 1')
  })
})
