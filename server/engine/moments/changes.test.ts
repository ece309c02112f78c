/** The list of a task's changes: what is private is named with those who know of it. */
import { expect, it } from 'vitest'
import { type Entry, event } from '@/lib/mas/events'
import type { MessageId, TaskId } from '@/lib/mas/ids'
import { idAt, PEOPLE } from '@/test/histories'
import { openTaskChanges } from './changes'

const TASK = idAt<TaskId>(40)
const { ana, ben } = PEOPLE

const sent = (n: number, audience: 'task' | { members: [typeof ana, typeof ben] }) => {
  const message = idAt<MessageId>(n)
  const about = { stage: null, waiting: null, returnWaiting: null, instruction: null } as const
  return event('message.sent', {
    ...{ task: TASK, message, sender: ana, receivers: [ben], text: 't', kind: 'fyi', audience, ...about },
    ...{ dispatch: message, thread: null, answersRequest: null, replyTo: null, attachments: [], mention: false },
    fromStep: null,
  })
}
const delivered = (n: number) =>
  event('message.delivery', { task: TASK, message: idAt<MessageId>(n), agent: ben, state: 'shown', note: null })

it('[R621] a private message, and what becomes of it, is known to its two members alone', async () => {
  const events = [sent(1, 'task'), sent(2, { members: [ana, ben] }), delivered(1), delivered(2)]
  const entries = events.map((made, n): Entry => ({ seq: n + 1, at: n, by: 'x', cause: 'c', event: made }))
  const changes = openTaskChanges({
    archive: { entriesOf: async (_, __, after = 0) => entries.filter(({ seq }) => seq > after) },
    turn: async () => {},
  })
  const { seqs, members } = await changes.of(TASK)
  expect(seqs).toEqual([1, 2, 3, 4])
  expect([...members]).toEqual([
    [1, [ana, ben]],
    [3, [ana, ben]],
  ])
})

it('[R625] a checkpoint is marked with the agent that reports it', async () => {
  const made = event('checkpoint.reported', {
    ...{ checkpoint: 'c1', agent: ben, agentName: 'ben', peer: null, task: TASK, stage: null, label: 'half' },
    ...{ session: null, timestamp: null, metadata: null },
  })
  const entry: Entry = { seq: 1, at: 1, by: 'x', cause: 'c', event: made }
  const changes = openTaskChanges({ archive: { entriesOf: async () => [entry] }, turn: async () => {} })
  expect([...(await changes.of(TASK)).marks]).toEqual([[0, { kind: 'checkpoint', who: ben, whom: [] }]])
})
