/** What is left in a row once the personal texts of its event are taken. */
import { expect, it } from 'vitest'
import { SAMPLES } from '@/test/samples'
import { takeTexts } from './texts'

it('[R165] no row of a sample holds words once its texts are taken', () => {
  const wordsIn = (value: unknown, at: string): string[] => {
    if (typeof value === 'string') return /\s|\p{Script=Han}/u.test(value) ? [at] : []
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).flatMap(([name, one]) => wordsIn(one, `${at}/${name}`))
  }
  const left = SAMPLES.flatMap((event) => wordsIn(JSON.parse(takeTexts(event, () => 'salt').event), event.type))
  expect(left).toEqual(['schedule.saved/cron'])
})
