/** Answers on the sockets of peers: each is for the message that was sent to that peer. */
import { expect, it } from 'vitest'
import { asId, type PeerId } from '@/lib/mas/ids'
import { handClock } from '@/test/handClock'
import { openConnections, type PeerConnection } from './connections'
import { openWays } from './ways'

const connection = (peer: string): PeerConnection => ({
  peer: asId<PeerId>(peer),
  agents: new Set(),
  send: () => true,
  deliver: async () => true,
})

it('one message to agents of two peers is answered by each of them alone', async () => {
  const { schedule } = handClock()
  const connections = openConnections<string>('mamp', { schedule, reached: () => {}, ways: openWays({ node: 'here' }) })
  const [south, west] = [connection('south'), connection('west')]
  for (const one of [south, west]) connections.open(one)
  const { signal } = new AbortController()
  const offered = [south, west].map(({ peer }) =>
    connections.offer({ peer: { id: peer }, to: `agent://${peer}.example/a`, signal }, '{}', 'm-1'),
  )
  connections.answered(south.peer, 'm-1', 'of south')
  connections.answered(west.peer, 'm-1', 'of west')
  expect(await Promise.all(offered)).toEqual(['of south', 'of west'])
})
