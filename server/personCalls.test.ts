/** Calls of models that are people at two nodes, over real connections. */
import { expect, it, vi } from 'vitest'
import { connect, openTestNodes } from '@/test/connectedNodes'
import { handClock } from '@/test/handClock'
import { openPersonCalls, SETTLE_WITHIN_MS } from './personCalls'

async function openAt(node: string, at = 0) {
  const nodes = await openTestNodes(node)
  const clock = handClock()
  let count = 0
  const newId = (): string => {
    count += 1
    return `${node}-${count}`
  }
  const calls = openPersonCalls({ now: () => at, newId, schedule: clock.schedule, nodes })
  const asks = (step: string, signal = new AbortController().signal) =>
    calls.queue.ask(
      { model: 'hand', agent: 'Reader', skill: 'think', step, turns: [{ role: 'user', content: 'Think.' }] },
      signal,
    )
  return { nodes, calls, clock, asks, ids: () => calls.list().map(({ id }) => id) }
}
type TestNode = Awaited<ReturnType<typeof openAt>>

async function twoNodes(): Promise<{ north: TestNode; south: TestNode }> {
  const [north, south] = [await openAt('north', 1), await openAt('south', 2)]
  await connect(north.nodes, south.nodes)
  return { north, south }
}

it('[R35] a call waits at each node, the oldest first, and leaves all lists when it is over', async () => {
  const { north, south } = await twoNodes()
  const stop = new AbortController()
  const later = south.asks('later', stop.signal)
  const first = north.asks('first')
  for (const { ids } of [north, south]) await vi.waitUntil(() => ids().join() === 'first.1,later.1')
  expect(south.calls.list()[0]).toEqual({
    id: 'first.1',
    model: 'hand',
    agent: 'Reader',
    skill: 'think',
    step: 'first',
    since: 1,
    parts: [{ role: 'user', name: 'user', text: 'Think.' }],
  })
  stop.abort()
  await expect(later).rejects.toThrow()
  expect(await south.calls.settle('first.1', { text: '3.20', by: 'Ana' })).toBe(true)
  expect(await first).toEqual({ text: '3.20', by: 'Ana' })
  for (const { ids } of [north, south]) await vi.waitUntil(() => ids().length === 0)
})

it('[R35] the first answer counts, whichever node it is given at', async () => {
  const { north, south } = await twoNodes()
  const asked = north.asks('s')
  await vi.waitUntil(() => south.ids().length === 1)
  const answers = [
    south.calls.settle('s.1', { text: 'from the south', by: 'Ben' }),
    north.calls.settle('s.1', { refused: 'from the north', by: 'Ana' }),
  ]
  expect((await Promise.all(answers)).sort()).toEqual([false, true])
  expect(await asked).toEqual({ refused: 'from the north', by: 'Ana' })
  expect(await south.calls.settle('unknown', { text: 'x', by: 'Ben' })).toBe(false)
})

it('[R35] a node that joins hears of the calls that wait', async () => {
  const north = await openAt('north')
  void north.asks('s')
  const south = await openAt('south')
  south.nodes.connect(north.nodes.address)
  await vi.waitUntil(() => south.ids().join() === 's.1')
})

it('[R35] the calls of a node that is gone wait nowhere, and an answer on its way is not acknowledged', async () => {
  const { north, south } = await twoNodes()
  void south.asks('s')
  await vi.waitUntil(() => north.ids().length === 1)
  const answer = north.calls.settle('s.1', { text: 'x', by: 'Ana' })
  await south.nodes.close()
  await expect(answer).rejects.toMatchObject({ code: 'STORE_BROKEN' })
  await vi.waitUntil(() => north.ids().length === 0)
})

it('[R35] an answer to a node that says nothing for 5 s is not acknowledged', async () => {
  const { north, south } = await twoNodes()
  north.nodes.tell({ is: 'personCalls', calls: [{ ...CALL, id: 'of-nobody' }] })
  await vi.waitUntil(() => south.ids().length === 1)
  vi.spyOn(south.nodes, 'tell').mockImplementation(() => {})
  const answer = south.calls.settle('of-nobody', { text: 'x', by: 'Ana' })
  let isOver = false
  answer
    .catch(() => {})
    .finally(() => {
      isOver = true
    })
  south.clock.pass(SETTLE_WITHIN_MS - 1)
  await Promise.resolve()
  expect(isOver).toBe(false)
  south.clock.pass(1)
  await expect(answer).rejects.toMatchObject({ code: 'STORE_BROKEN' })
})

const CALL = { model: 'hand', agent: 'Reader', skill: 'think', step: null, since: 1, parts: [] }
