import { expect, it } from 'vitest'
import { repeatsWithDrafts, requestsWithDrafts, tasksWithDrafts } from './OrphanedDrafts'

const TASK = '0b6ff6a5-8f2c-4c3e-9a51-0d8f0f0f0f0f'
const PLACES = [
  'request:r1',
  'request:r1.reason',
  'request:r2.hand-over',
  `task:${TASK}`,
  'task:new-work',
  'act:save_group',
]

it('drafts of a request are one request, whatever its field', () => {
  expect(requestsWithDrafts(PLACES)).toEqual(['r1', 'r2'])
})

it('[R221] a draft belongs to a task when it is a message in it, not when it is a new request', () => {
  expect(tasksWithDrafts([...PLACES, `task:new-work-${TASK}`])).toEqual([TASK])
})

it('[R221] a request that is asked again has its own draft, named by what is repeated', () => {
  const repeated = [`task:new-work-${TASK}`, `task:new-work-${TASK}-pasted`]
  expect(repeatsWithDrafts([...PLACES, ...repeated])).toEqual([TASK])
})
