/** How much a peer may have done in 24 hours, each limit reached and passed, and what belongs to another peer. */
import { expect, it } from 'vitest'
import { sampleShapeOf } from '@/test/samples'
import { must } from '@/test/stories'
import { outcomeOf, type Story, TEAM } from '@/test/worldHistories'
import { asId, type PeerId } from '../../ids'
import type { PeerConfig, PeerLimits } from '../../outsideRecords'
import { decide } from '..'
import { comesIn, conversations, FACE, PEER, refusal, withPeer } from './test/outsideStories'

const DAY_MS = 86_400_000
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
  story.put(FACE, asks('msg-1'))
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

it('[R149] what was spent counts for 24 hours, and no longer', () => {
  const story = spent({ costPerDay: 2 }, { promptTokens: 10, costUsd: 3 })
  const { task } = must(conversations(story)[0], 'conversation')
  const { createdAt } = must(story.world.tasks[task], 'task')
  const refusalAt = (at: number): string | null => {
    const decided = decide(story.world, { id: 'a-try', by: FACE, command: asks('msg-2') }, at)
    return decided.ok ? null : decided.fault.code
  }
  expect(refusalAt(createdAt + DAY_MS - 1)).toBe('PEER_LIMIT')
  expect(refusalAt(story.world.at + DAY_MS + 1)).toBeNull()
})
