/** Addresses at a moment. */
import { describe, expect, it } from 'vitest'
import { asId, type TaskId } from '@/lib/mas/ids'
import { atMoment } from './atMoment'

const TASK = asId<TaskId>('00000000-0000-4000-8000-000000000001')
const moment = { task: TASK, seq: 7 }

describe('an address at a moment', () => {
  it('[R637] within the task names the moment, with its other parameters and its place in the page', () => {
    expect(
      ['', '/tree', '/steps/s1?tab=prompt', '/messages/m1?inspect=Message_m1#x'].map((rest) =>
        atMoment(`/tasks/${TASK}${rest}`, moment),
      ),
    ).toEqual([
      `/tasks/${TASK}?at=7`,
      `/tasks/${TASK}/tree?at=7`,
      `/tasks/${TASK}/steps/s1?tab=prompt&at=7`,
      `/tasks/${TASK}/messages/m1?inspect=Message_m1&at=7#x`,
    ])
  })

  it('[R637] stays as it is elsewhere, with a moment of its own, and without a moment', () => {
    for (const href of ['/tasks', '/tasks/other/tree', '/requests/r1', '#main', `https://else.where/tasks/${TASK}`])
      expect(atMoment(href, moment)).toBe(href)
    expect(atMoment(`/tasks/${TASK}?at=3`, moment)).toBe(`/tasks/${TASK}?at=3`)
    expect(atMoment(`/tasks/${TASK}`, null)).toBe(`/tasks/${TASK}`)
  })
})
