/** How much a peer may have done in 24 hours, each limit reached and passed, and what belongs to another peer. */
import { expect, it } from 'vitest'
import { minuteUtc } from '@/lib/format/time'
import { sampleShapeOf } from '@/test/samples'
import { must } from '@/test/stories'
import { outcomeOf, type Story, TEAM } from '@/test/worldHistories'
import { decide } from '../../commands'
import { DecisionContext } from '../../commands/decisionContext'
import { asId, type PeerId } from '../../ids'
import type { PeerConfig, PeerLimits } from '../records'
import { whyPeerIsAtLimit } from './peerLimits'
import { ADAPTER, comesIn, outsider, PEER, refusal, withPeer } from './test/outsideStories'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const OTHER: PeerConfig = {
  ...PEER,
  id: asId<PeerId>('00000000-0000-4000-8000-00000000beef'),
  uri: 'agent://third.example/*',
}
const asks = (theirs: string) => comesIn({ to: TEAM.manager.id, theirs, needReply: true })
const asksElse = { ...asks('msg-9'), peer: OTHER.id, from: 'agent://third.example/planner' }

/** The manager spent so much on a first request of the peer. */
function spent(limits: Partial<PeerLimits>, call: { promptTokens: number; costUsd: number }): Story {
  const limited = { tasks: 5, tokensPerDay: null, costPerDay: null, ...limits }
  const story = withPeer([
    { ...PEER, limits: limited },
    { ...OTHER, limits: limited },
  ])
  story.put(ADAPTER, asks('msg-1'))
  story.run(TEAM.manager.id, () =>
    outcomeOf({ call: { ...sampleShapeOf('model.called').call, completionTokens: 0, ...call } }),
  )
  return story
}

it.each([
  ['costPerDay', 2, { promptTokens: 10, costUsd: 1.99 }, { promptTokens: 10, costUsd: 2 }],
  ['tokensPerDay', 1_000, { promptTokens: 999, costUsd: 1 }, { promptTokens: 1_000, costUsd: 1 }],
] as const)(
  '[R149] %s: below it a request is taken, at it none, and what another peer asks is',
  (limit, most, less, all) => {
    const [below, reached] = [spent({ [limit]: most }, less), spent({ [limit]: most }, all)]
    expect(refusal(below, asks('msg-2'))).toBeNull()
    expect(refusal(reached, asks('msg-2'))).toBe('PEER_LIMIT')
    expect(refusal(reached, asksElse)).toBeNull()
  },
)

const faultAt = (story: Story, at: number) => {
  const decided = decide(story.world, { id: 'a-try', by: ADAPTER, command: asks('msg-2') }, at)
  return decided.ok ? null : decided.fault
}

it('[R149] what was spent counts for 24 hours, and no longer', () => {
  const story = spent({ costPerDay: 2 }, { promptTokens: 10, costUsd: 3 })
  const { from } = must(story.world.peers[PEER.id]?.spent?.[0], 'spent')
  expect(faultAt(story, from + DAY_MS - 1)?.code).toBe('PEER_LIMIT')
  expect(faultAt(story, from + DAY_MS)).toBeNull()
})

it('[R149] a call counts when it was paid, also for a conversation that began long before', () => {
  const story = spent({ tokensPerDay: 1_000 }, { promptTokens: 600, costUsd: 0 })
  const first = must(story.world.peers[PEER.id]?.spent?.[0], 'spent').from
  story.pass(20 * HOUR_MS)
  story.put(ADAPTER, asks('msg-3'))
  story.run(TEAM.manager.id, () =>
    outcomeOf({ call: { ...sampleShapeOf('model.called').call, completionTokens: 0, promptTokens: 600, costUsd: 0 } }),
  )
  const second = must(story.world.peers[PEER.id]?.spent?.[1], 'second').from
  expect(second).toBeGreaterThan(first + 19 * HOUR_MS)
  // Both count for now. It may ask again when the first is a day old, and has the second against it until then.
  const fault = must(faultAt(story, second + 1), 'refusal')
  expect(fault.data).toMatchObject({ again: first + DAY_MS, afterS: Math.ceil((first + DAY_MS - second - 1) / 1_000) })
  expect(fault.message).toContain(minuteUtc(first + DAY_MS))
  expect(faultAt(story, first + DAY_MS)).toBeNull()
  expect(must(story.world.peers[PEER.id]?.spent, 'spent')).toHaveLength(2)
})

it('[R149] calls of a few minutes are one record, and those of yesterday are dropped', () => {
  const story = spent({}, { promptTokens: 10, costUsd: 1 })
  const call = { ...sampleShapeOf('model.called').call, completionTokens: 0, promptTokens: 5, costUsd: null }
  const again = (theirs: string): void => {
    story.put(ADAPTER, asks(theirs))
    story.run(TEAM.manager.id, () => outcomeOf({ call }))
  }
  again('msg-2')
  expect(story.world.peers[PEER.id]?.spent).toMatchObject([{ tokens: 15, costUsd: 1 }])
  story.pass(25 * HOUR_MS)
  again('msg-3')
  expect(story.world.peers[PEER.id]?.spent).toMatchObject([{ tokens: 5, costUsd: null }])
  expect(story.world.peers[OTHER.id]?.spent).toBeUndefined()
})

it('[R149] a manager that is asked for more is told of the limit of the day', () => {
  const story = spent({ tokensPerDay: 10 }, { promptTokens: 10, costUsd: 0 })
  const context = new DecisionContext(story.world, { id: 'a-try', by: ADAPTER }, story.world.at)
  expect(whyPeerIsAtLimit(context, outsider(story).id)).toContain('10 tokens per 24 hours. It can ask again at')
})
