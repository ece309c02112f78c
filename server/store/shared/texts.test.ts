/** What is left in a row once the personal texts of its event are taken. */
import { expect, it } from 'vitest'
import { SAMPLES } from '@/test/samples'
import { putTexts, takeTexts } from './texts'

it('[R165] no row of a sample holds words once its texts are taken', () => {
  const wordsIn = (value: unknown, at: string): string[] => {
    if (typeof value === 'string') return /\s|\p{Script=Han}/u.test(value) ? [at] : []
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).flatMap(([name, one]) => wordsIn(one, `${at}/${name}`))
  }
  const left = SAMPLES.flatMap((event) => wordsIn(JSON.parse(takeTexts(event, () => 'salt').event), event.type))
  expect(left).toEqual(['schedule.saved/cron'])
})

it('[R165] each text is taken with its pointer, elements of lists too, and putting them back gives the event', () => {
  for (const sample of SAMPLES) {
    const { event, texts, count } = takeTexts(sample, () => 'salt')
    const row = JSON.parse(event)
    expect(texts === null ? 0 : putTexts(row, JSON.parse(texts))).toBe(count)
    expect(row).toEqual(JSON.parse(JSON.stringify(sample)))
  }
  const changes = [{ path: 'a b' }, { path: '' }, { path: 'c' }]
  const { event, texts } = takeTexts({ type: 'files.changed', v: 1, changes }, () => 'salt')
  expect(JSON.parse(texts ?? '')).toEqual({ '/changes/0/path': 'a b', '/changes/2/path': 'c', salt: 'salt' })
  expect(JSON.parse(event).changes).toMatchObject([{ path: { bytes: 3, kind: 'name' } }, { path: '' }, { path: {} }])
})
