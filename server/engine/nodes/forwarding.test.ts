/** How long a command waits for a node that decides it. */
import { expect, it } from 'vitest'
import type { Envelope } from '@/lib/mas/commands/command'
import { handClock } from '@/test/handClock'
import type { ForwardedAnswer } from '../../nodes'
import type { CommitAnswer } from '../port'
import { createForwarding } from './forwarding'

const envelope = (id: string, by: string): Envelope => ({ id, by, command: { type: 'startNode', node: 'x', epoch: 1 } })
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Nobody decides until `answer` is set. */
function forwardings() {
  const clock = handClock()
  const way: { answer: ForwardedAnswer } = { answer: null }
  const told: Record<string, CommitAnswer> = {}
  const forwarding = createForwarding({
    nodes: { forward: async () => way.answer },
    seq: () => 10,
    clock: clock.now,
    schedule: clock.schedule,
  })
  const put = (id: string, by: string): void =>
    forwarding.put({
      envelope: envelope(id, by),
      since: 0,
      settle: (answer) => void Object.assign(told, { [id]: answer }),
    })
  const pass = async (ms: number): Promise<void> => {
    for (const end = clock.now() + ms; clock.now() < end; ) {
      await turn()
      clock.pass(50)
    }
    await turn()
  }
  return { forwarding, way, told, put, pass }
}

it('[R257] without a node that decides a command of a person is refused after 15 s; what a runner says waits for one', async () => {
  const { way, told, put, pass } = forwardings()
  put('person', 'ana')
  put('runner', 'system:runner')
  await pass(14_000)
  expect(told).toEqual({})
  await pass(2_000)
  expect(Object.keys(told)).toEqual(['person'])
  await pass(60_000)
  way.answer = { ok: true, seq: 5, reply: 1 }
  await pass(100)
  expect(told.runner).toEqual({ ok: true, seq: 5, reply: 1 })
})

it('[R257] while the store cannot be read here, what a runner says is kept; at the end nothing is', async () => {
  const { forwarding, told, put } = forwardings()
  put('person', 'ana')
  put('runner', 'system:runner')
  forwarding.refuse('STORE_BROKEN', ({ by }) => by === 'system:runner')
  expect(Object.keys(told)).toEqual(['person'])
  forwarding.refuse('STOPPING', () => false)
  expect(told.runner).toMatchObject({ ok: false, fault: { code: 'STOPPING' } })
})

it('[R262] at a node that stops a command waits for no node that decides: it is refused where none takes it at once', async () => {
  const { forwarding, way, told, put, pass } = forwardings()
  put('before', 'system:runner')
  await pass(100)
  forwarding.stopWaiting()
  put('after', 'system:runner')
  await pass(100)
  for (const id of ['before', 'after']) expect(told[id]).toMatchObject({ ok: false, fault: { code: 'STOPPING' } })
  way.answer = { ok: true, seq: 5, reply: 1 }
  put('taken', 'system:runner')
  await pass(100)
  expect(told.taken).toEqual({ ok: true, seq: 5, reply: 1 })
})
