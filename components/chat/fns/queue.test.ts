/** Where a message stands in an agent's queue. */
import { describe, expect, it } from 'vitest'
import { placeInQueue } from '@/components/chat/message/QueuedFor'
import { event } from '@/lib/mas/events'
import type { MessageId, StepId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { AGENTS, apply, beginning, entriesOf, idAt, TASKS } from '@/test/histories'

const [first, second] = [idAt<MessageId>(70_001), idAt<MessageId>(70_002)]
const step = (at: number, message: MessageId | null) =>
  event('step.added', {
    task: TASKS.build,
    agent: AGENTS.coder,
    step: idAt<StepId>(71_000 + at),
    number: at,
    stage: null,
    thread: null,
    intention: 'read',
    kind: 'skill',
    executor: 'process_message',
    text: '',
    cause: { message, step: null },
    answers: null,
    boundTo: null,
    retryOf: null,
    byHand: false,
    last: false,
  })
const play = (...events: Parameters<typeof entriesOf>[1]): World => {
  const { world } = beginning()
  return apply(world, entriesOf(world, events))
}

describe('the place of a message in the queue', () => {
  it('the place of a message counts from the next step of the queue', () => {
    const world = play(step(1, null), step(2, first), step(3, second))
    expect(placeInQueue(world, AGENTS.coder, first)?.position).toBe(2)
    expect(placeInQueue(world, AGENTS.coder, second)?.position).toBe(3)
  })

  it('a message that was prioritised is the first of the queue', () => {
    const prioritized = event('step.prioritized', {
      task: TASKS.build,
      agent: AGENTS.coder,
      step: idAt<StepId>(71_003),
    })
    const world = play(step(1, null), step(2, first), step(3, second), prioritized)
    expect([first, second].map((message) => placeInQueue(world, AGENTS.coder, message))).toEqual([
      { position: 3, isNext: false },
      { position: 1, isNext: true },
    ])
  })

  it('a message has no place once its step runs, or if it makes none', () => {
    const started = event('step.started', {
      task: TASKS.build,
      agent: AGENTS.coder,
      step: idAt<StepId>(71_001),
      node: 'n1',
      epoch: 1,
      attempt: 1,
    })
    const world = play(step(1, first), started)
    expect(placeInQueue(world, AGENTS.coder, first)).toBeNull()
    expect(placeInQueue(world, AGENTS.coder, second)).toBeNull()
    expect(placeInQueue(world, AGENTS.tester, first)).toBeNull()
  })
})
