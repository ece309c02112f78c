/** What the console shows of an agent of another system that answers after hours, twice, or never. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { CommandOf } from '@/lib/mas/commands/command'
import { type AgentId, asId, type MessageId, type PeerId, type TaskId } from '@/lib/mas/ids'
import { selectOutgoing, selectOutsideAgent } from '@/lib/mas/outside/outside'
import type { PeerConfig } from '@/lib/mas/outside/records'
import type { DeliveryState } from '@/lib/mas/records'
import { must, says } from '@/test/stories'
import { outcomeOf, planned, Story, TEAM, teamConfig } from '@/test/worldHistories'
import { waitsFor } from '.'

const HOUR = 3_600_000
const ADAPTER = 'system:mamp'
const URI = 'agent://other.example/planner'
const PEER: PeerConfig = {
  id: asId<PeerId>('00000000-0000-4000-8000-00000000abcd'),
  uri: URI,
  baseUrl: 'https://other.example',
  may: ['mamp'],
  actions: [],
  agents: [TEAM.reader.id],
  allowPrivate: false,
}

let [story, task, agent, message] = [new Story(), '' as TaskId, '' as AgentId, '' as MessageId]

/** Reader has asked the agent outside, in a task of ours, and waits; their system has the question. */
beforeEach(() => {
  story = new Story()
  story.put('system:start', { ...teamConfig(), peers: [PEER] })
  agent = must(selectOutsideAgent(story.world, URI), 'agent outside').id
  story.put(TEAM.ana.id, {
    type: 'makeTask',
    name: 'Compare',
    intention: 'compare',
    manager: TEAM.manager.id,
    members: [TEAM.reader.id, agent],
    stages: [{ intention: 'compare', allocation: { [TEAM.reader.id]: 'ask outside' } }],
    reason: 'needed',
  })
  story.run(TEAM.reader.id, () => outcomeOf({ steps: { insert: [], add: [planned('send_message')] } }))
  story.run(TEAM.reader.id, () => says([agent], { need_reply: true, waiting: true }))
  ;({ task, message } = must(selectOutgoing(story.world)[0], 'outgoing'))
})

function sent(more: Partial<CommandOf<'finishSending'>> = {}): void {
  story.put(ADAPTER, { type: 'startSending', task, message, agent, node: 'n1' })
  story.put(ADAPTER, {
    type: 'finishSending',
    task,
    message,
    agent,
    verdict: 'delivered',
    status: 200,
    why: null,
    by: 'call',
    bytes: 1,
    sha: '',
    body: null,
    shared: 'conv-1',
    next: null,
    closes: false,
    ...more,
  })
}
function answers(theirs: string): void {
  story.put(ADAPTER, {
    type: 'takeFromOutside',
    peer: PEER.id,
    protocol: 'mamp',
    from: URI,
    to: TEAM.reader.id,
    shared: 'conv-1',
    theirs,
    text: 'Forty.',
    attachments: [],
    needReply: false,
    inReplyTo: null,
    callback: null,
    status: 200,
    bytes: 1,
    sha: '',
    body: null,
  })
}
const waits = () => waitsFor(story.world, TEAM.ana.id).rows
const delivery = (): DeliveryState | undefined => story.world.deliveries[task]?.[agent]?.[message]?.state
const heard = () => Object.values(story.world.messages[task] ?? {}).filter(({ sender }) => sender === agent)

describe('[R42] an agent of another system', () => {
  it('that never answers is waited for by name and since when, until an operator lets go', () => {
    expect(delivery()).toBe('queued')
    sent()
    const asked = must(waits()[0], 'wait').since
    story.pass(10 * HOUR)
    expect(waits()).toMatchObject([
      { who: { name: 'Reader' }, forWhom: [{ id: agent, kind: 'outside' }], since: asked, state: 'waiting', message },
    ])
    expect(delivery()).toBe('delivered')
    const { id: waiting } = must(waits()[0], 'wait')
    story.put(TEAM.ana.id, { type: 'releaseWait', agent: TEAM.reader.id, waiting: asId(waiting), reason: 'too late' })
    expect([waits(), delivery()]).toEqual([[], 'released'])
  })

  it('that answers after hours ends the wait then, and not before', () => {
    sent()
    story.pass(7 * HOUR)
    expect(waits()).toHaveLength(1)
    answers('late-1')
    expect([waits(), delivery()]).toEqual([[], 'answered'])
    expect(must(heard()[0], 'answer').at - must(story.world.messages[task]?.[message], 'question').at).toBeGreaterThan(
      7 * HOUR,
    )
  })

  it('that answers after it was let go is heard, and the question stays released', () => {
    sent()
    const { id: waiting } = must(waits()[0], 'wait')
    story.put(TEAM.ana.id, { type: 'releaseWait', agent: TEAM.reader.id, waiting: asId(waiting), reason: 'too late' })
    answers('late-1')
    expect([heard().length, waits(), delivery()]).toEqual([1, [], 'released'])
  })

  it('that answers twice is heard twice when it says two things, once when it repeats one, and answers once', () => {
    sent()
    answers('first')
    answers('first')
    answers('second')
    expect(heard().map(({ replyTo }) => replyTo)).toEqual([message, null])
    expect([waits(), delivery()]).toEqual([[], 'answered'])
  })

  it('whose system cannot be reached is said so beside the question, and nobody waits on', () => {
    sent({
      verdict: 'retry',
      why: { code: 'answered', status: 503, says: '' },
      next: story.world.at + HOUR,
      shared: null,
    })
    expect([waits().length, delivery()]).toEqual([1, 'queued'])
    sent({ verdict: 'failed', why: { code: 'answered', status: 403, says: '' }, shared: null })
    expect([waits(), delivery()]).toEqual([[], 'failed'])
    expect(story.world.deliveries[task]?.[agent]?.[message]?.note).toBe('it returned 403')
  })
})
