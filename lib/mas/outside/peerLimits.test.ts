/** What is done for a peer: whose tasks count, and when it may ask again. */
import { describe, expect, it } from 'vitest'
import { minuteUtc } from '@/lib/format/time'
import { sampleShapeOf } from '@/test/samples'
import { having, like, only, sampleWorld } from '@/test/sampleWorld'
import { type AgentId, asId, type PeerId, type TaskId } from '../ids'
import type { TaskRecord, World } from '../records'
import { isOverPeerBudget, openTasksOf, PEER_DAY_MS, PEER_LIMITS, peerLimitsOf, selectPeerOfTask } from './peerLimits'
import type { PeerLimits, PeerRecord, PeerSpent } from './records'

const { peer } = sampleShapeOf('peer.added')
const OTHER = asId<PeerId>('other')
const [clerk, stranger, member] = ['clerk', 'stranger', 'member'].map((id) => asId<AgentId>(id)) as [
  AgentId,
  AgentId,
  AgentId,
]
const { config } = sampleShapeOf('agent.created')
const outside = (id: AgentId, of: PeerId) =>
  like('agent.created', {
    agent: id,
    config: { ...config, id, kind: 'outside', outside: { peer: of, uri: `agent://x.example/${id}` } },
  })
const base = having(
  sampleWorld,
  like('peer.added'),
  outside(clerk, peer),
  outside(stranger, OTHER),
  like('agent.created', { agent: member, config: { ...config, id: member } }),
)
const sample: TaskRecord = only(base.tasks)
const tasks = (all: Record<string, Partial<TaskRecord>>): World => ({
  ...base,
  tasks: Object.fromEntries(
    Object.entries(all).map(([id, more]) => [id, { ...sample, id: asId<TaskId>(id), requestedBy: null, ...more }]),
  ),
})

describe('the open tasks of a peer', () => {
  it('are those that its agents asked for, until they are over', () => {
    const world = tasks({
      one: { requestedBy: clerk, state: 'running' },
      two: { requestedBy: clerk, state: 'init' },
      done: { requestedBy: clerk, state: 'finished' },
      failed: { requestedBy: clerk, state: 'failed' },
      other: { requestedBy: stranger, state: 'running' },
      own: { requestedBy: member, state: 'running' },
      nobodys: { state: 'running' },
      gone: { requestedBy: asId<AgentId>('gone'), state: 'running' },
    })
    expect([openTasksOf(world, peer), openTasksOf(world, OTHER)]).toEqual([2, 1])
  })
})

describe('the peer of a task', () => {
  const peerOf = (world: World, id = 'one') => selectPeerOfTask(world, asId<TaskId>(id))
  it('is that of the agent who asked for it', () => {
    expect(peerOf(tasks({ one: { requestedBy: clerk } }))).toBe(peer)
    expect(peerOf(tasks({ one: { requestedBy: stranger } }))).toBe(OTHER)
    for (const requestedBy of [member, null]) expect(peerOf(tasks({ one: { requestedBy } }))).toBeNull()
    expect(peerOf(base, 'never')).toBeNull()
  })

  it('is that of its conversation, where the task is one', () => {
    const talk = like('conversation.opened', { task: asId<TaskId>('one') })
    const conversations = having(base, talk).conversations
    expect(peerOf({ ...tasks({ one: { conversation: true } }), conversations })).toBe(peer)
    expect(peerOf({ ...tasks({ one: {} }), conversations })).toBeNull()
    expect(peerOf(tasks({ one: { conversation: true } }))).toBeNull()
    // The one who asked for the work comes first.
    expect(peerOf({ ...tasks({ one: { conversation: true, requestedBy: stranger } }), conversations })).toBe(OTHER)
  })
})

describe('[R149] the limits of a day', () => {
  const NOW = 10 * PEER_DAY_MS
  const record: PeerRecord = only(base.peers)
  const over = (limits: Partial<PeerLimits>, ...spent: PeerSpent[]) =>
    isOverPeerBudget({ ...record, limits: { ...PEER_LIMITS, ...limits }, spent }, NOW)
  const used = (agoMs: number, tokens: number, costUsd: number | null = null): PeerSpent => ({
    from: NOW - agoMs,
    tokens,
    costUsd,
  })

  it('are the defaults where none are set: five tasks, and as much as it likes', () => {
    const { limits: _, ...unset } = record
    expect(peerLimitsOf({})).toEqual({ tasks: 5, tokensPerDay: null, costPerDay: null })
    expect(isOverPeerBudget({ ...unset, spent: [used(1, 1e9, 1e6)] }, NOW)).toBeNull()
    expect(isOverPeerBudget({ ...unset, limits: { ...PEER_LIMITS, tokensPerDay: 1 } }, NOW)).toBeNull()
  })

  it('are reached with the last token or cent, tokens before money', () => {
    expect(over({ tokensPerDay: 100, costPerDay: 2 }, used(5, 99, 1.99))).toBeNull()
    expect(over({ tokensPerDay: 100 }, used(5, 60), used(4, 40))).toMatchObject({ what: 'tokensPerDay', limit: 100 })
    expect(over({ costPerDay: 2 }, used(5, 1, 2))).toMatchObject({ what: 'costPerDay', limit: 2 })
    expect(over({ tokensPerDay: 100, costPerDay: 2 }, used(5, 100, 2))?.what).toBe('tokensPerDay')
    expect(over({ tokensPerDay: 100, costPerDay: 2 }, used(5, 99, 2))?.what).toBe('costPerDay')
    // A price that is not known costs nothing.
    expect(over({ costPerDay: 2 }, used(5, 1, null), used(4, 1, 1.5))).toBeNull()
  })

  it('count what was spent in the last 24 hours, to the millisecond', () => {
    expect(over({ tokensPerDay: 100 }, used(PEER_DAY_MS, 100))).toBeNull()
    expect(over({ tokensPerDay: 100 }, used(PEER_DAY_MS - 1, 100))).not.toBeNull()
  })

  it('are over until enough of it is a day old, and no longer', () => {
    const again = (...spent: PeerSpent[]) => over({ tokensPerDay: 100 }, ...spent)?.again
    // Without the first, 90 are left; of the second case both have to go.
    expect(again(used(30, 20), used(20, 90))).toBe(NOW - 30 + PEER_DAY_MS)
    expect(again(used(30, 10), used(20, 100))).toBe(NOW - 20 + PEER_DAY_MS)
    expect(again(used(30, 10), used(20, 90))).toBe(NOW - 30 + PEER_DAY_MS)
    expect(over({ tokensPerDay: 100 }, used(30, 100))?.time).toBe(minuteUtc(NOW - 30 + PEER_DAY_MS))
  })

  it('of nothing at all are over from the start only once something was spent', () => {
    expect(over({ tokensPerDay: 0 })).toBeNull()
    expect(over({ tokensPerDay: 0 }, used(5, 0))).not.toBeNull()
  })
})
