/** Refusals of unknown senders, counted over all nodes. */
import { expect, it, vi } from 'vitest'
import { connect, openTestNodes } from '@/test/connectedNodes'
import { handClock } from '@/test/handClock'
import { openRefusedSenders, TELL_MS } from './refusedSenders'

async function openAt(node: string) {
  const [nodes, { schedule, pass }] = [await openTestNodes(node), handClock()]
  return { nodes, pass, ...openRefusedSenders({ nodes, schedule }) }
}

it('[R275] a list holds the refusals of all nodes, within a second, however many there are, also of a node that has left', async () => {
  const [north, south] = [await openAt('north'), await openAt('south')]
  const told = vi.fn()
  south.nodes.onNote(({ is }) => is === 'refusedSenders' && told())
  await connect(north.nodes, south.nodes)
  await vi.waitUntil(() => told.mock.calls.length === 1)
  for (let n = 0; n < 100; n++) north.add('mamp', 'unauthorized')
  south.add('mamp', 'unauthorized')
  south.add('envelope', 'unauthenticated')
  north.pass(TELL_MS - 1)
  expect(north.list()).toEqual([{ protocol: 'mamp', code: 'unauthorized', count: 100 }])
  for (const { pass } of [north, south]) pass(TELL_MS)
  const all = [
    { protocol: 'mamp', code: 'unauthorized', count: 101 },
    { protocol: 'envelope', code: 'unauthenticated', count: 1 },
  ]
  for (const { list } of [north, south])
    await vi.waitFor(() => expect(list().toSorted((a, b) => b.count - a.count)).toEqual(all))
  expect(told).toHaveBeenCalledTimes(2)
  await south.nodes.close()
  await vi.waitUntil(() => north.nodes.isAlone())
  expect(north.list()).toEqual(all)
})

it('[R275] a node that joins receives them', async () => {
  const [north, south] = [await openAt('north'), await openAt('south')]
  north.add('map', 'unauthenticated')
  await connect(north.nodes, south.nodes)
  await vi.waitFor(() => expect(south.list()).toEqual([{ protocol: 'map', code: 'unauthenticated', count: 1 }]))
})
