/** Whose URI that is, which conversation goes on, what is taken already and what is to be sent: with a second peer, task and agent. */
import { describe, expect, it } from 'vitest'
import { sampleShapeOf } from '@/test/samples'
import { apply, having, like, only, sampleWorld } from '@/test/sampleWorld'
import type { EventShape } from '../events'
import { type AgentId, asId, type ConversationId, type MessageId, type PeerId, type TaskId } from '../ids'
import type { World } from '../records'
import {
  findConversation,
  fitsPattern,
  isPattern,
  selectAskedOutside,
  selectConversation,
  selectConversationsOf,
  selectOpenConversation,
  selectOutgoing,
  selectOutsideAgent,
  selectPeerOf,
  selectTaken,
} from './outside'

const { peer, conversation, task } = sampleShapeOf('conversation.opened')
const outsider = sampleShapeOf('conversation.opened').agent
const { config } = sampleShapeOf('agent.created')
const elsewhere = asId<TaskId>('elsewhere')
const URI = 'agent://other.example/clerk'
const withOutsider = (id: AgentId, uri: string, of: PeerId = peer) =>
  like('agent.created', { agent: id, config: { ...config, id, kind: 'outside', outside: { peer: of, uri } } })
const second = asId<AgentId>('00000000-0000-4000-8000-0000000000dd')
const world = having(sampleWorld, like('peer.added'), withOutsider(outsider, URI), like('conversation.opened'))

describe('a pattern of URIs', () => {
  it.each([
    ['agent://a.example/x', 'agent://a.example/x', true],
    ['agent://a.example/x', 'agent://a.example/xy', false],
    ['agent://a.example', 'agent://a.example/x', true],
    ['agent://a.example/', 'agent://a.example/x', true],
    ['agent://a.example', 'agent://b.example/x', false],
    ['agent://a.example/*', 'agent://a.example/', true],
    ['agent://a.example/*/x', 'agent://a.example/1/x', true],
    ['agent://a.example/*/x', 'agent://a.example/1/y', false],
    ['agent://a.example/*x', 'x-agent://a.example/x', false],
    // What begins and ends it may not be the same letters.
    ['agent://a/aba*aba', 'agent://a/aba', false],
    ['agent://a/aba*aba', 'agent://a/abaaba', true],
    ['agent://a/*b*b', 'agent://a/b', false],
    ['agent://a/*b*b', 'agent://a/bb', true],
    ['agent://a/*b*c*d', 'agent://a/1b2c3d', true],
    ['agent://a/*b*c*d', 'agent://a/1c2b3d', false],
    ['agent://a/*bb*', 'agent://a/b', false],
    ['agent://a/*b*', 'agent://a/b', true],
    ['*b*', 'b', true],
    ['*b*', 'a', false],
  ])('%s and %s: %s', (pattern, uri, fits) => expect(fitsPattern(pattern, uri)).toBe(fits))

  it('is one by its star, or by having no path', () => {
    expect([isPattern('agent://a/*'), isPattern('agent://a'), isPattern('agent://a/x')]).toEqual([true, true, false])
  })
})

describe('whose agent a URI is', () => {
  const named = (uri: string) =>
    having(
      world,
      like('peer.added', { peer: asId<PeerId>('exact'), config: { ...sampleShapeOf('peer.added').config, uri } }),
    )
  it('is the peer that names it most exactly, while it has a say', () => {
    const two = named('agent://other.example/cl*')
    expect(selectPeerOf(world, URI)).toBe(world.peers[peer])
    expect(selectPeerOf(two, URI)?.uri).toBe('agent://other.example/cl*')
    expect(selectPeerOf(two, 'agent://other.example/else')?.uri).toBe('agent://other.example/*')
    expect(selectPeerOf(having(two, like('peer.removed', { peer: asId<PeerId>('exact') })), URI)?.uri).toBe(
      'agent://other.example/*',
    )
    expect(selectPeerOf(world, 'agent://stranger.example/x')).toBeNull()
  })

  it('is the agent with that very URI', () => {
    expect(selectOutsideAgent(world, URI)?.id).toBe(outsider)
    expect(selectOutsideAgent(world, `${URI}x`)).toBeNull()
  })
})

describe('a conversation', () => {
  const another = (change: Partial<EventShape<'conversation.opened'>>) =>
    like('conversation.opened', { conversation: asId<ConversationId>('another'), ...change })

  it('goes on with that agent in that task until it is closed, the newest of several', () => {
    expect(selectOpenConversation(world, task, outsider)?.id).toBe(conversation)
    expect(selectOpenConversation(world, elsewhere, outsider)).toBeNull()
    expect(
      selectOpenConversation(having(world, withOutsider(second, 'agent://other.example/2')), task, second),
    ).toBeNull()
    expect(selectOpenConversation(world, task, sampleShapeOf('step.added').agent)).toBeNull()
    const two = having(world, another({}))
    expect(selectOpenConversation(two, task, outsider)?.id).toBe('another')
    const closed = having(two, like('conversation.closed', { conversation: asId<ConversationId>('another') }))
    expect(selectOpenConversation(closed, task, outsider)?.id).toBe(conversation)
    expect(selectOpenConversation(having(closed, like('conversation.closed')), task, outsider)).toBeNull()
  })

  it('is found by its id, by the id that both know, and by its task', () => {
    const two = having(world, another({ task: elsewhere, shared: 'ours' }))
    expect(findConversation(two, conversation)?.id).toBe(conversation)
    expect(findConversation(two, asId<ConversationId>('none'))).toBeNull()
    expect(selectConversation(two, peer, 'ours')?.id).toBe('another')
    expect(selectConversation(two, peer, 'theirs')).toBeNull()
    expect(selectConversation(two, asId<PeerId>('stranger'), 'ours')).toBeNull()
    expect(selectConversationsOf(two, task).map(({ id }) => id)).toEqual([conversation])
    expect(selectConversationsOf(two, elsewhere).map(({ id }) => id)).toEqual(['another'])
  })
})

describe('an envelope', () => {
  const came = (change: Partial<EventShape<'envelope.taken'>>): World =>
    apply(world, like('envelope.taken', { peer, theirs: 'id 1', outsider, ...change }))
  const taken = (of: World, from = URI, theirs = 'id 1', by = peer) =>
    selectTaken(of, { peer: by, protocol: 'mamp', from, theirs }) !== null

  it('was taken before from that very agent, by that id', () => {
    expect(taken(came({}))).toBe(true)
    expect(taken(came({}), URI, 'id 2')).toBe(false)
    expect(taken(came({}), `${URI}x`)).toBe(false)
    expect(taken(came({}), URI, 'id 1', asId<PeerId>('stranger'))).toBe(false)
    expect(taken(came({ outsider: null }))).toBe(false)
  })
})

describe('what is asked and sent', () => {
  const said = (id: string, change: Partial<EventShape<'message.sent'>> = {}) =>
    like('message.sent', { message: asId<MessageId>(id), receivers: [outsider], ...change })
  const held = (id: string) =>
    like('message.delivery', { message: asId<MessageId>(id), agent: outsider, state: 'queued' })
  const queued = (id: string, of: ConversationId = conversation) =>
    like('envelope.queued', { task, message: asId<MessageId>(id), agent: outsider, peer, conversation: of })
  const due = (of: World) => selectOutgoing(of).map(({ message }) => message)

  it('we wait for what needs a reply and has none, oldest first', () => {
    const asked = having(
      world,
      said('one'),
      said('two', { kind: 'fyi' }),
      said('three'),
      said('four', { receivers: [second] }),
    )
    const ids = (of: World) => selectAskedOutside(of, task, outsider).map(({ id }) => id)
    expect(ids(asked)).toEqual(['one', 'three'])
    const answered = like('message.delivery', { message: asId<MessageId>('one'), agent: outsider, state: 'answered' })
    expect(ids(having(asked, answered))).toEqual(['three'])
    const turned = {
      ...asked,
      messages: { [task]: Object.fromEntries(Object.entries(asked.messages[task] ?? {}).reverse()) },
    }
    expect(ids(turned)).toEqual(['one', 'three'])
  })

  it('of each conversation the first is sent, of each task that goes on, while its message waits', () => {
    const other = asId<ConversationId>('another')
    const base = having(
      world,
      like('conversation.opened', { conversation: other }),
      ...['one', 'two', 'three'].flatMap((id) => [said(id), held(id)]),
      queued('one'),
      queued('two'),
      queued('three', other),
    )
    expect(due(base)).toEqual(['one', 'three'])
    const sent = like('message.delivery', { message: asId<MessageId>('one'), agent: outsider, state: 'delivered' })
    expect(due(having(base, sent))).toEqual(['two', 'three'])
    expect(due(having(base, like('task.paused')))).toEqual([])
    expect(due(having(base, like('task.finished')))).toEqual([])
    expect(due(having(base, like('agent.paused', { agent: outsider })))).toEqual([])
    expect(due(having(base, like('agent.paused')))).toEqual(['one', 'three'])
    expect(due({ ...base, tasks: {} })).toEqual([])
    expect(only(base.outbox[task])).toMatchObject({ attempts: 0 })
  })
})
