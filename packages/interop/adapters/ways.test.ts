/** Which node delivers a message: the one that holds a stream or socket for it. */
import { expect, it, vi } from 'vitest'
import { asId, type ConversationId, type PeerId } from '@/lib/mas/ids'
import type { PeerWay } from '@/server/nodes'
import { connect, openTestNodes } from '@/test/connectedNodes'
import { openWays, type WayTarget } from './ways'

const [EAST, WEST] = [asId<PeerId>('east'), asId<PeerId>('west')]
const [FIRST, SECOND] = [asId<ConversationId>('first'), asId<ConversationId>('second')]
const socket = (peer: PeerId, ...agents: string[]): PeerWay => ({ protocol: 'mamp', peer, agents })
const target = (to: string, more: Partial<WayTarget> = {}): WayTarget => ({
  protocol: 'mamp',
  peer: EAST,
  to,
  conversation: FIRST,
  ...more,
})

async function twoNodes() {
  const [north, south] = [await openTestNodes('north'), await openTestNodes('south')]
  await connect(north, south)
  const at = (nodes: typeof north) => ({ nodes, ways: openWays({ nodes, node: nodes.node }) })
  return { north: at(north), south: at(south) }
}

it('[R274] nothing that is open leads nowhere; a socket leads to its agent, one without agents to all of the peer', () => {
  const ways = openWays({ node: 'north' })
  expect(ways.nodeFor(target('agent://east/a'))).toBeNull()
  const socketOfA = ways.open(() => socket(EAST, 'agent://east/a'))
  expect(ways.nodeFor(target('agent://east/a'))).toBe('north')
  expect(ways.nodeFor(target('agent://east/b'))).toBeNull()
  expect(ways.nodeFor(target('agent://east/a', { peer: WEST }))).toBeNull()
  expect(ways.nodeFor(target('agent://east/a', { protocol: 'envelope' }))).toBeNull()
  ways.open(() => socket(EAST))
  expect(ways.nodeFor(target('agent://east/b'))).toBe('north')
  expect(ways.nodeFor(target('agent://east/b', { peer: WEST }))).toBeNull()
  socketOfA.close()
  expect(ways.isConnected('mamp', 'agent://east/a')).toBe(false)
})

it('[R274] the stream of a conversation leads to its messages only', () => {
  const ways = openWays({ node: 'north' })
  ways.open(() => ({ conversation: SECOND }))
  expect(ways.nodeFor(target('agent://east/a'))).toBeNull()
  expect(ways.nodeFor(target('agent://east/a', { conversation: SECOND }))).toBe('north')
})

it('[R274] all nodes choose the same one: that with the socket of the agent, else the first by name', async () => {
  const { north, south } = await twoNodes()
  const agents: string[] = []
  const way = south.ways.open(() => socket(EAST, ...agents))
  for (const { ways } of [north, south]) await vi.waitUntil(() => ways.nodeFor(target('agent://east/a')) === 'south')
  north.ways.open(() => socket(EAST))
  for (const { ways } of [north, south]) await vi.waitUntil(() => ways.nodeFor(target('agent://east/a')) === 'north')
  agents.push('agent://east/a')
  way.changed()
  for (const { ways } of [north, south]) await vi.waitUntil(() => ways.nodeFor(target('agent://east/a')) === 'south')
  expect([north, south].map(({ ways }) => ways.isConnected('mamp', 'agent://east/a'))).toEqual([true, true])
})

it('[R274] what a node held leads nowhere when it is gone, and its return is heard of', async () => {
  const { north, south } = await twoNodes()
  const changes = vi.fn()
  south.ways.open(() => socket(EAST))
  await vi.waitUntil(() => north.ways.nodeFor(target('agent://east/a')) === 'south')
  north.ways.onChange(changes)
  south.nodes.connect(null)
  await vi.waitUntil(() => north.ways.nodeFor(target('agent://east/a')) === null)
  expect(changes).toHaveBeenCalled()
  south.nodes.connect(north.nodes.address)
  await vi.waitUntil(() => north.ways.nodeFor(target('agent://east/a')) === 'south')
})
