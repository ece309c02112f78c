/** What is known of each person for notifications: browsers, do-not-disturb by their own clock, rules. */
import { expect, it } from 'vitest'
import { memoryData, memoryStore } from '@/test/memoryStore'
import { TEAM } from '@/test/worldHistories'
import { openPeople } from './people'

const [ANA, BEN] = [TEAM.ana.id, TEAM.ben.id]
const browser = (n: number, name = `Browser ${n}`) => ({
  endpoint: `https://push.example/${n}`,
  keys: { p256dh: 'a', auth: 'b' },
  name,
})
const names = (browsers: readonly { name: string }[]): string[] => browsers.map(({ name }) => name).sort()

async function open() {
  let now = 1_000
  const { people: rows } = memoryStore({ data: memoryData(), now: () => now++ })
  return { rows, people: await openPeople(rows, [ANA, BEN]) }
}
const daily = (from: string, to: string, zone?: string) => ({
  rest: {
    isOn: false,
    until: null,
    daily: { from, to, ...(zone === undefined ? {} : { zone }) },
    urgentBreaksThrough: false,
  },
})

it('a browser is registered once, under its last name', async () => {
  const { people } = await open()
  const first = await people.addBrowser(ANA, browser(1))
  const second = await people.addBrowser(ANA, browser(1, 'Renamed'))
  expect(second.id).toBe(first.id)
  expect(second).toMatchObject({ name: 'Renamed', endpoint: 'https://push.example/1' })
  expect(names(people.browsersOf(ANA))).toEqual(['Renamed'])
})

it('a browser in which another person signs in is theirs, the other browsers stay', async () => {
  const { people } = await open()
  await people.addBrowser(ANA, browser(1))
  await people.addBrowser(ANA, browser(2))
  await people.addBrowser(BEN, browser(2))
  expect(names(people.browsersOf(ANA))).toEqual(['Browser 1'])
  expect(names(people.browsersOf(BEN))).toEqual(['Browser 2'])
  await people.dropBrowser(BEN, people.browsersOf(BEN)[0]?.id ?? '')
  expect(people.browsersOf(BEN)).toEqual([])
})

it('ten browsers of a person are kept; of an eleventh on, the one that registered first leaves', async () => {
  const { people } = await open()
  for (let n = 1; n <= 10; n++) await people.addBrowser(ANA, browser(n))
  expect(people.browsersOf(ANA)).toHaveLength(10)
  // Registered anew under another name: the second is the oldest then.
  await people.addBrowser(ANA, browser(1, 'Renamed'))
  expect(people.browsersOf(ANA)).toHaveLength(10)
  await people.addBrowser(ANA, browser(11))
  const kept = names(people.browsersOf(ANA))
  expect(kept).toHaveLength(10)
  expect(kept).not.toContain('Browser 2')
  expect(kept).toEqual(expect.arrayContaining(['Renamed', 'Browser 3', 'Browser 11']))
})

it('[R44] the daily hours of do-not-disturb begin and end by the clock of the person’s zone', async () => {
  const { rows, people } = await open()
  await rows.put(ANA, 'settings', daily('22:00', '06:30', 'Asia/Kolkata'), null)
  await people.readAgain(ANA)
  // 22:00 in India is 16:30 UTC.
  const begin = Date.UTC(2026, 0, 1, 16, 30)
  const end = Date.UTC(2026, 0, 2, 1, 0)
  expect(people.restOf(ANA, begin - 1)).toEqual({ isResting: false, until: null, lets: false })
  expect(people.restOf(ANA, begin)).toEqual({ isResting: true, until: end, lets: false })
  expect(people.restOf(ANA, end - 1)).toMatchObject({ isResting: true })
  expect(people.restOf(ANA, end)).toMatchObject({ isResting: false })
  // Ben has said nothing.
  expect(people.restOf(BEN, begin)).toEqual({ isResting: false, until: null, lets: true })
})

it('[R44] a zone that this machine does not know counts as the server’s own', async () => {
  const { rows, people } = await open()
  await rows.put(ANA, 'settings', daily('13:45', '13:46', 'Mars/Olympus'), null)
  await people.readAgain(ANA)
  const at = (minutes: number): number => new Date(2026, 0, 1, 13, minutes).getTime()
  expect([44, 45, 46].map((minutes) => people.restOf(ANA, at(minutes)).isResting)).toEqual([false, true, false])
})

it('settings of another shape and rows that are no browsers count as none', async () => {
  const { rows, people } = await open()
  await rows.put(ANA, 'settings', { language: 'tlh' }, null)
  await rows.put(ANA, 'push:broken', { name: 'no endpoint' }, null)
  await people.readAgain(ANA)
  expect([people.languageOf(ANA), people.browsersOf(ANA), people.rulesOf(ANA)]).toEqual([null, [], {}])
  await rows.put(BEN, 'settings', { language: 'zh' }, null)
  await people.readAgain(BEN)
  expect(people.languageOf(BEN)).toBe('zh')
})

it('the key pair for pushes is made once', async () => {
  const { rows, people } = await open()
  expect((await openPeople(rows, [])).keys).toEqual(people.keys)
})
