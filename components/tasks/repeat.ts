/** How often a request is asked again: the choices of the form, as a cron line and back. Pure. */
import * as z from 'zod/mini'

export const EVERY = ['day', 'weekday', 'week', 'month', 'custom'] as const

/** time: HH:MM; weekday: 0 (Sunday) to 6; day: of the month; cron: of 'custom'; zone: '' is the person's own. */
export const repeatShape = z.object({
  name: z.string(),
  every: z.enum(EVERY),
  time: z.string(),
  weekday: z.string(),
  day: z.string(),
  cron: z.string(),
  zone: z.string(),
})
export type Repeat = z.infer<typeof repeatShape>

export const FIRST_REPEAT: Repeat = {
  name: '',
  every: 'week',
  time: '09:00',
  weekday: '1',
  day: '1',
  cron: '',
  zone: '',
}

/** The cron line; null while the form does not say a time. */
export function cronOf({ every, time, weekday, day, cron }: Repeat): string | null {
  if (every === 'custom') return cron.trim() === '' ? null : cron.trim().replace(/\s+/g, ' ')
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(time) ?? []
  if (hour === undefined || minute === undefined) return null
  const at = `${Number(minute)} ${Number(hour)}`
  switch (every) {
    case 'day':
      return `${at} * * *`
    case 'weekday':
      return `${at} * * 1-5`
    case 'week':
      return `${at} * * ${weekday}`
    case 'month':
      return `${at} ${day} * *`
  }
}

/** The choices that make this cron line; what no choice makes is 'custom'. */
export function repeatOf(cron: string): Omit<Repeat, 'name' | 'zone'> {
  const { name: _, zone: __, ...first } = FIRST_REPEAT
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = cron.split(' ')
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  const isTime = /^\d{1,2}$/.test(minute) && /^\d{1,2}$/.test(hour)
  const known = { ...first, time }
  if (isTime && month === '*') {
    if (day === '*' && weekday === '*') return { ...known, every: 'day' }
    if (day === '*' && weekday === '1-5') return { ...known, every: 'weekday' }
    if (day === '*' && /^[0-6]$/.test(weekday)) return { ...known, every: 'week', weekday }
    if (/^([1-9]|[12]\d|3[01])$/.test(day) && weekday === '*') return { ...known, every: 'month', day }
  }
  return { ...first, every: 'custom', cron }
}
