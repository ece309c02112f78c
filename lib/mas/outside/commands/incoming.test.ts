/** What agents of other systems say: whom it reaches, where, and what is refused. */
import { describe, expect, it } from 'vitest'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { BEN, locksOf, must } from '@/test/stories'
import { outcomeOf, Story, send, TEAM, teamConfig } from '@/test/worldHistories'
import { archivableAt, selectTaskArchivable } from '../../archive/archivable'
import { pieceOf } from '../../archive/branches'
import { selectRestoredPiece } from '../../archive/restoredPiece'
import type { Command, CommandOf } from '../../commands/command'
import { decide } from '../../commands/index'
import { MESSAGE_MAX_BYTES } from '../../commands/texts'
import { type AgentId, asId, type MessageId, type PeerId, type TaskId } from '../../ids'
import type { MessageRecord } from '../../records'
import { selectOutgoing } from '../outside'
import type { PeerConfig } from '../records'
import { contentShaOf } from './takeFromOutside'
import {
  ADAPTER,
  comesIn,
  conversations,
  delivered,
  messagesOf,
  outsider,
  PEER,
  readerWaits,
  refusal,
  reply,
  URI,
  withPeer,
} from './test/outsideStories'

describe('what comes in', () => {
  it('[R39] a new conversation is a task of its own that the addressed agent manages; its answer goes out', () => {
    const story = withPeer()
    story.put(ADAPTER, comesIn())
    const [conversation] = conversations(story)
    const task = must(conversation && story.world.tasks[conversation.task], 'task')
    expect(task).toMatchObject({ manager: TEAM.reader.id, state: 'running', conversation: true })
    expect(task.group).toEqual([TEAM.reader.id, outsider(story).id])
    expect(outsider(story)).toMatchObject({ name: 'planner', role: 'other.example', outside: { uri: URI } })
    story.run(TEAM.reader.id, () => reply())
    expect(messagesOf(story, task.id).map((message) => message.sender)).toEqual([outsider(story).id, TEAM.reader.id])
    expect(selectOutgoing(story.world)).toMatchObject([{ conversation: conversation?.id, attempts: 0 }])
  })

  it('[R39] goes on in the same task, and an unknown or foreign conversation is refused', () => {
    const story = withPeer()
    story.put(ADAPTER, comesIn())
    const [first] = conversations(story)
    const shared = must(first?.shared, 'shared id')
    story.put(ADAPTER, comesIn({ theirs: 'msg-2', shared, text: 'And the second?' }))
    expect(conversations(story)).toHaveLength(1)
    expect(messagesOf(story, must(first, 'conversation').task)).toHaveLength(2)
    expect(refusal(story, comesIn({ theirs: 'msg-3', shared: 'conv-none' }))).toBe('CONVERSATION_UNKNOWN')
    const other = comesIn({ theirs: 'msg-4', shared, from: 'agent://other.example/spy' })
    expect(refusal(story, other)).toBe('CONVERSATION_UNKNOWN')
  })

  it('[R40] a repeat has no second effect and hears the same conversation', () => {
    const story = withPeer()
    story.put(ADAPTER, comesIn())
    const before = story.world.seq
    const again = must(story.put(ADAPTER, comesIn()), 'decision')
    expect(again.events).toEqual([])
    expect(again.reply).toMatchObject({ conversation: conversations(story)[0]?.shared, repeat: true })
    expect(story.world.seq).toBe(before)
    for (const other of [{ text: 'changed on the way' }, { needReply: true }, { callback: 'https://x.example' }])
      expect(refusal(story, comesIn(other))).toBe('ENVELOPE_ID_TAKEN')
    // Another agent of that system may happen to use the same id.
    story.put(ADAPTER, comesIn({ from: 'agent://other.example/other' }))
    expect(conversations(story)).toHaveLength(2)
  })

  it('[R41] reaches nobody but whom its peer may address, and nothing when it may not use the face', () => {
    const story = withPeer()
    expect(refusal(story, comesIn({ to: TEAM.analyst.id }))).toBe('RECEIVER_UNKNOWN')
    expect(refusal(story, comesIn({ to: asId<AgentId>('nobody') }))).toBe('RECEIVER_UNKNOWN')
    expect(refusal(story, comesIn({ protocol: 'envelope' }))).toBe('NOT_ALLOWED')
    expect(refusal(story, comesIn({ from: 'agent://stranger.example/x' }))).toBe('NO_PEER')
    const open = withPeer([{ ...PEER, agents: [] }])
    expect(refusal(open, comesIn())).toBe('RECEIVER_UNKNOWN')
    expect(refusal(open, comesIn({ to: TEAM.manager.id }))).toBeNull()
  })

  it('[R41] answers the one of us who began the conversation, although it could not have addressed them', () => {
    const story = withPeer([{ ...PEER, agents: [TEAM.reader.id] }])
    const base = must(story.world.baseTask, 'base task')
    story.put(ADAPTER, {
      type: 'sendOutside',
      sender: TEAM.ana.id,
      task: base,
      stage: null,
      step: null,
      uri: URI,
      text: 'How many?',
      attachments: [],
      conversation: null,
    })
    delivered(story, { shared: 'conv-ana' })
    expect(refusal(story, comesIn({ to: TEAM.ana.id }))).toBe('RECEIVER_UNKNOWN')
    story.put(ADAPTER, comesIn({ to: TEAM.ana.id, shared: 'conv-ana', text: 'Seven.' }))
    const { task } = must(conversations(story)[0], 'conversation')
    expect(messagesOf(story, task).at(-1)).toMatchObject({ receivers: [TEAM.ana.id], text: 'Seven.' })
    expect(refusal(story, comesIn({ to: TEAM.analyst.id, shared: 'conv-ana', theirs: 'm' }))).toBe('RECEIVER_UNKNOWN')
  })

  it('[R41] a peer that is gone from the configuration may nothing, and nothing of it stays open', () => {
    const { story, agent } = readerWaits()
    story.put('system:start', { ...teamConfig(), peers: [] })
    expect(locksOf(story.world, TEAM.reader.id)).toEqual([])
    expect(story.world.agents[agent]?.removed).toBe(true)
    expect(refusal(story, comesIn())).toBe('NOT_ALLOWED')
    story.put('system:start', { ...teamConfig(), peers: [{ ...PEER, uri: URI }] })
    expect(story.world.agents[agent]?.removed).toBe(false)
  })

  it('[R42] what cannot be answered is said to the one who asked, without our reasons', () => {
    const story = withPeer()
    story.put(ADAPTER, comesIn())
    story.run(TEAM.reader.id, () => outcomeOf({ state: 'failed', reason: 'the model at 10.0.0.7 is gone' }))
    const { task } = must(conversations(story)[0], 'conversation')
    expect(messagesOf(story, task).at(-1)).toMatchObject({
      sender: TEAM.reader.id,
      receivers: [outsider(story).id],
      text: 'This could not be answered.',
      type: 'fyi',
    })
    expect(selectOutgoing(story.world)).toHaveLength(1)
  })

  it('a conversation keeps the one who manages it from no wait of their own', () => {
    const { story } = readerWaits((before) => {
      before.put(ADAPTER, comesIn())
      before.run(TEAM.reader.id, () => reply())
      delivered(before)
    })
    expect(locksOf(story.world, TEAM.reader.id)).toHaveLength(1)
  })
})

it('[R356] a file that another system sends has a name without folders and hidden characters', () => {
  const story = withPeer()
  const file = {
    name: '../\u202Egpj.exe',
    savedAs: null,
    body: { sha: 'c'.repeat(64), bytes: 1, mime: 'text/plain', preview: 'a' },
  }
  story.put(ADAPTER, comesIn({ attachments: [file] }))
  const files = Object.values(story.world.messages).flatMap((some) =>
    Object.values(some).flatMap(({ attachments }) => attachments.map(({ name }) => name)),
  )
  expect(files).toEqual(['gpj.exe'])
})

describe('limits and rights of what comes in', () => {
  it('has a text or a file, and is 64 KiB at most, counted in bytes', () => {
    const story = withPeer()
    const text = (text: string) => refusal(story, comesIn({ text }))
    expect(text(' \n')).toBe('EMPTY_TEXT')
    const file = {
      name: 'a.txt',
      savedAs: null,
      body: { sha: 'c'.repeat(64), bytes: 1, mime: 'text/plain', preview: 'a' },
    }
    expect(refusal(story, comesIn({ text: '', attachments: [file] }))).toBeNull()
    expect(text('x'.repeat(MESSAGE_MAX_BYTES))).toBeNull()
    expect(text('x'.repeat(MESSAGE_MAX_BYTES + 1))).toBe('TOO_LARGE')
    expect(text(`${'ü'.repeat(MESSAGE_MAX_BYTES / 2)}x`)).toBe('TOO_LARGE')
    expect(
      decide(story.world, { id: 'a-try', by: ADAPTER, command: comesIn({ text: 'x'.repeat(65_537) }) }, 1),
    ).toMatchObject({ fault: { data: { size: '65 KiB' } } })
  })

  it('reaches those who are there: a person as well, nobody who left, no agent of another system', () => {
    const story = withPeer([{ ...PEER, agents: [] }])
    story.put(ADAPTER, comesIn({ to: TEAM.manager.id }))
    const other = outsider(story).id
    const reach = withPeer([{ ...PEER, agents: [BEN, TEAM.lee.id, other] }])
    expect(refusal(reach, comesIn({ to: BEN }))).toBeNull()
    expect(refusal(reach, comesIn({ to: other }))).toBe('RECEIVER_UNKNOWN')
    expect(refusal(reach, comesIn({ to: TEAM.manager.id }))).toBe('RECEIVER_UNKNOWN')
    const file = teamConfig()
    const agents = file.agents.filter(({ id }) => id !== TEAM.lee.id)
    reach.put('system:start', { ...file, agents, peers: [{ ...PEER, agents: [BEN, TEAM.lee.id] }] })
    expect(refusal(reach, comesIn({ to: TEAM.lee.id }))).toBe('RECEIVER_UNKNOWN')
  })

  it('draws another one whom the peer may address into a conversation, but into no other task of ours', () => {
    const story = withPeer()
    story.put(ADAPTER, comesIn())
    const shared = must(conversations(story)[0]?.shared, 'shared id')
    expect(refusal(story, comesIn({ theirs: 'msg-2', shared, to: TEAM.manager.id }))).toBeNull()
    const { story: ours } = readerWaits((before) => {
      before.put('system:start', { ...teamConfig(), peers: [{ ...PEER, uri: URI, agents: [TEAM.lee.id] }] })
    })
    delivered(ours, { shared: 'conv-theirs' })
    expect(refusal(ours, comesIn({ shared: 'conv-theirs', to: TEAM.lee.id }))).toBe('RECEIVER_UNKNOWN')
    expect(refusal(ours, comesIn({ shared: 'conv-theirs', to: TEAM.reader.id }))).toBeNull()
  })

  it('is of the agent that the conversation is with, and of none that is over', () => {
    const story = withPeer()
    story.put(ADAPTER, comesIn())
    const { shared, task } = must(conversations(story)[0], 'conversation')
    expect(refusal(story, comesIn({ theirs: 'msg-2', shared }))).toBeNull()
    expect(refusal(story, comesIn({ theirs: 'msg-2', shared, from: 'agent://other.example/spy' }))).toBe(
      'CONVERSATION_UNKNOWN',
    )
    story.put(TEAM.ana.id, { type: 'finishTask', task, state: 'finished', summary: 'done', reason: 'done' })
    expect(refusal(story, comesIn({ theirs: 'msg-2', shared }))).toBe('CONVERSATION_OVER')
  })

  it('names an unnamed conversation only when its first message is under way, and there is no other', () => {
    const { story, task, agent, message } = readerWaits()
    const answers = comesIn({ shared: 'conv-theirs', text: 'At once.' })
    // Nothing was sent yet: nobody can have answered.
    expect(refusal(story, answers)).toBe('CONVERSATION_UNKNOWN')
    story.put(ADAPTER, { type: 'startSending', task, message, agent, node: 'n1' })
    expect(refusal(story, answers)).toBeNull()
    expect(refusal(story, { ...answers, from: 'agent://other.example/spy' })).toBe('NO_PEER')
    story.put(ADAPTER, {
      type: 'sendOutside',
      sender: TEAM.ana.id,
      task: must(story.world.baseTask, 'base task'),
      stage: null,
      step: null,
      uri: URI,
      text: 'And you?',
      attachments: [],
      conversation: null,
    })
    expect(conversations(story).filter(({ shared }) => shared === null)).toHaveLength(2)
    expect(refusal(story, answers)).toBe('CONVERSATION_UNKNOWN')
  })

  it('shows that the peer is there once a minute', () => {
    const story = withPeer()
    const seen = (theirs: string, at: number): boolean => {
      const decided = decide(story.world, { id: theirs, by: ADAPTER, command: comesIn({ theirs }) }, at)
      if (!decided.ok) throw decided.fault
      return decided.events.some(({ type }) => type === 'peer.seen')
    }
    expect(seen('first', story.world.at + 1)).toBe(true)
    story.put(ADAPTER, comesIn())
    const since = must(story.world.peers[PEER.id]?.seenAt, 'time')
    expect(seen('msg-2', since + 59_999)).toBe(false)
    expect(seen('msg-2', since + 60_000)).toBe(true)
  })

  it('wants an answer when it says so, or begins something of theirs', () => {
    const needs = (story: Story, more: Partial<CommandOf<'takeFromOutside'>>): boolean | undefined => {
      const reply = must(story.put(ADAPTER, comesIn(more)), 'decision').reply as { task: never; message: never }
      return story.world.messages[reply.task]?.[reply.message]?.type !== 'fyi'
    }
    const story = withPeer()
    expect(needs(story, { theirs: 'm1' })).toBe(true)
    expect(needs(story, { theirs: 'm2', needReply: false })).toBe(false)
    const shared = must(conversations(story)[0]?.shared, 'shared id')
    expect(needs(story, { theirs: 'm3', shared })).toBe(true)
    expect(needs(story, { theirs: 'm4', shared, inReplyTo: 'something' })).toBe(false)
    const { story: ours } = readerWaits()
    delivered(ours, { shared: 'conv-theirs' })
    // That asks, so it does not answer; this one does.
    expect(needs(ours, { theirs: 'm5', shared: 'conv-theirs', needReply: true })).toBe(true)
    expect(locksOf(ours.world, TEAM.reader.id)).toHaveLength(1)
    expect(needs(ours, { theirs: 'm6', shared: 'conv-theirs' })).toBe(false)
    expect(locksOf(ours.world, TEAM.reader.id)).toEqual([])
    expect(needs(ours, { theirs: 'm7', shared: 'conv-theirs' })).toBe(false)
  })

  it('answers what it names, else what its receiver asked, else the oldest', () => {
    const { story, task, agent } = readerWaits()
    delivered(story, { shared: 'conv-theirs' })
    story.put(TEAM.ana.id, { type: 'changeParticipants', task, add: [BEN], remove: [], reason: 'he asks' })
    story.put(BEN, send(BEN, [agent], { task, text: 'By when?', kind: 'action' }))
    delivered(story)
    const answered = (more: Partial<CommandOf<'takeFromOutside'>>): string | undefined => {
      const command = comesIn({ theirs: 'answer', shared: 'conv-theirs', ...more })
      const decided = decide(story.world, { id: 'a-try', by: ADAPTER, command }, story.world.at + 1)
      if (!decided.ok) throw decided.fault
      const sent = decided.events.find((event) => event.type === 'message.sent')
      return sent?.replyTo ? story.world.messages[task]?.[sent.replyTo]?.text : undefined
    }
    const byBen = must(
      messagesOf(story, task).find(({ text }) => text === 'By when?'),
      'message',
    )
    expect(answered({ to: BEN })).toBe('By when?')
    expect(answered({ to: TEAM.reader.id })).toBe('Which?')
    expect(answered({ to: TEAM.manager.id })).toBe('Which?')
    expect(answered({ to: TEAM.reader.id, inReplyTo: byBen.id })).toBe('By when?')
    expect(answered({ inReplyTo: 'something' })).toBeUndefined()
    expect(answered({ needReply: true })).toBeUndefined()
  })

  it('as the summary of a share is 4,000 characters at most', () => {
    const story = withPeer([{ ...PEER, uri: URI }])
    const agent = outsider(story).id
    const made = must(
      story.put(TEAM.ana.id, {
        type: 'makeTask',
        name: 'Count',
        intention: 'count',
        manager: TEAM.manager.id,
        members: [agent],
        stages: [{ intention: 'count', allocation: { [agent]: 'count the items' } }],
        reason: 'needed',
      }),
      'decision',
    ).reply as { task: never }
    delivered(story, { shared: 'conv-count' })
    story.put(ADAPTER, comesIn({ shared: 'conv-count', text: 'x'.repeat(4_001), to: TEAM.manager.id }))
    const [stage] = Object.values(story.world.stages[made.task] ?? {})
    expect(stage?.summaries[agent]).toBe('x'.repeat(4_000))
  })

  it('that was refused lets its peer be seen once a minute, whatever it may, where it is there', () => {
    const sees = (peer: PeerId): Command => ({ type: 'seePeer', peer })
    const story = withPeer()
    expect(refusal(story, sees('nobody' as PeerId))).toBe('NOT_ALLOWED')
    const types = () => must(story.put(ADAPTER, sees(PEER.id)), 'decision').events.map(({ type }) => type)
    expect([types(), types()]).toEqual([['peer.seen'], []])
    story.put('system:start', { ...teamConfig(), peers: [] })
    expect(refusal(story, sees(PEER.id))).toBe('NOT_ALLOWED')
  })

  it('[R601] is logged with the decision that takes it, once, and not again for a repeat', () => {
    const story = withPeer()
    const first = must(story.put(ADAPTER, comesIn()), 'decision')
    expect(first.envelopes).toMatchObject([{ peer: PEER.id, direction: 'in', verdict: 'taken', status: 200 }])
    expect(must(story.put(ADAPTER, comesIn()), 'decision')).toMatchObject({ events: [], envelopes: [] })
  })
})

describe('an answer in a conversation that they began', () => {
  it('asks for none, when we asked them there', () => {
    const story = withPeer()
    story.put(ADAPTER, comesIn())
    const { shared, task } = must(conversations(story)[0], 'conversation')
    story.run(TEAM.reader.id, () => reply({ need_reply: true, waiting: false }))
    delivered(story)
    story.put(ADAPTER, comesIn({ theirs: 'msg-2', shared, text: 'The first.' }))
    expect(messagesOf(story, task).at(-1)).toMatchObject({ text: 'The first.', type: 'fyi' })
  })

  it('is for one of ours: no agent of another system is reached through us', () => {
    const story = withPeer()
    story.put(ADAPTER, comesIn())
    const other = outsider(story).id
    story.put('system:start', { ...teamConfig(), peers: [{ ...PEER, agents: [TEAM.reader.id, other] }] })
    expect(refusal(story, comesIn({ theirs: 'msg-2' }))).toBeNull()
    expect(refusal(story, comesIn({ theirs: 'msg-2', to: other }))).toBe('RECEIVER_UNKNOWN')
  })
})

describe('a conversation that is named', () => {
  const wish = (task: TaskId, more: Partial<CommandOf<'sendOutside'>> = {}): CommandOf<'sendOutside'> => ({
    type: 'sendOutside',
    sender: TEAM.reader.id,
    task,
    stage: null,
    step: null,
    uri: URI,
    text: 'Please look at it.',
    attachments: [],
    conversation: null,
    ...more,
  })

  it('is one with that very agent, and is not closed', () => {
    const story = withPeer()
    story.put(ADAPTER, comesIn())
    const { shared, task } = must(conversations(story)[0], 'conversation')
    story.put(ADAPTER, comesIn({ from: 'agent://other.example/other', theirs: 'm2' }))
    const named = { conversation: shared }
    expect(refusal(story, wish(task, named))).toBeNull()
    expect(refusal(story, wish(task, { ...named, uri: 'agent://other.example/other' }))).toBe('CONVERSATION_UNKNOWN')
    story.run(TEAM.reader.id, () => reply())
    delivered(story, { verdict: 'failed', closes: true, why: { code: 'noWay' } })
    expect(conversations(story)[0]?.closedAt).not.toBeNull()
    expect(story.world.tasks[task]?.state).toBe('running')
    expect(refusal(story, wish(task, named))).toBe('CONVERSATION_OVER')
    expect(refusal(story, comesIn({ theirs: 'm3', shared }))).toBe('CONVERSATION_OVER')
  })

  it('by their answer is the only one without a name: one that has a name, or is of another agent, is no other', () => {
    const story = withPeer()
    story.put(ADAPTER, comesIn())
    story.put(ADAPTER, comesIn({ from: 'agent://other.example/other', theirs: 'm2' }))
    const base = must(story.world.baseTask, 'base task')
    story.put(ADAPTER, wish(base, { uri: 'agent://other.example/other', sender: TEAM.ana.id }))
    story.put(ADAPTER, wish(base, { sender: TEAM.ana.id }))
    const outgoing = selectOutgoing(story.world)
    for (const { task, message, agent } of outgoing)
      story.put(ADAPTER, { type: 'startSending', task, message, agent, node: 'n1' })
    expect(outgoing).toHaveLength(2)
    expect(conversations(story).filter(({ shared }) => shared === null)).toHaveLength(2)
    const answers = comesIn({ shared: 'conv-new', theirs: 'm4', to: TEAM.ana.id })
    expect(refusal(story, answers)).toBeNull()
    story.put(ADAPTER, answers)
    const called = conversations(story).filter(({ shared }) => shared === 'conv-new')
    expect(called).toMatchObject([
      { agent: story.world.agents[called[0]?.agent ?? ('' as AgentId)]?.id, ours: TEAM.ana.id },
    ])
  })
})

describe('an agent that says what it can', () => {
  const registers = (more: Partial<CommandOf<'registerOutside'>> = {}): CommandOf<'registerOutside'> => ({
    type: 'registerOutside',
    peer: PEER.id,
    uri: URI,
    name: null,
    capabilities: ['plan'],
    ...more,
  })
  const mayRegister: PeerConfig = { ...PEER, may: ['envelope'] }

  it('is kept with it, and the same once more changes nothing', () => {
    const story = withPeer([mayRegister])
    const types = (more: Partial<CommandOf<'registerOutside'>> = {}) =>
      must(story.put(ADAPTER, registers(more)), 'decision').events.map(({ type }) => type)
    expect(types()).toEqual(['agent.created', 'agent.changed'])
    expect(outsider(story)).toMatchObject({ name: 'planner', outside: { capabilities: ['plan'] } })
    expect(types()).toEqual([])
    expect(types({ name: 'planner' })).toEqual([])
    expect(types({ name: 'The planner' })).toEqual(['agent.changed'])
    expect(outsider(story).name).toBe('The planner')
    expect(types({ capabilities: [] })).toEqual(['agent.changed'])
    expect(outsider(story)).toMatchObject({ name: 'The planner', outside: { capabilities: [] } })
    // One that says nothing of itself has no capabilities.
    expect(types({ uri: 'agent://other.example/other', capabilities: [] })).toEqual(['agent.created'])
  })

  it('is said by a peer that may, and only of its own agents', () => {
    expect(refusal(withPeer([mayRegister]), registers())).toBeNull()
    expect(refusal(withPeer(), registers())).toBe('NOT_ALLOWED')
    expect(refusal(new Story(), registers())).toBe('NOT_ALLOWED')
    const two = withPeer([
      mayRegister,
      { ...mayRegister, id: asId<PeerId>('00000000-0000-4000-8000-00000000abce'), uri: 'agent://third.example/*' },
    ])
    expect(refusal(two, registers({ uri: 'agent://third.example/x' }))).toBe('NOT_ALLOWED')
    expect(refusal(two, registers({ uri: 'agent://fourth.example/x' }))).toBe('NO_PEER')
    two.put('system:start', { ...teamConfig(), peers: [] })
    expect(refusal(two, registers())).toBe('NOT_ALLOWED')
  })

  it.each([
    ['agent://other.example/planner', 'planner', 'other.example'],
    ['agent://other.example/a/b', 'a/b', 'other.example'],
    [`agent://other.example/${'x'.repeat(81)}`, 'x'.repeat(80), 'other.example'],
  ])('by the URI %s has a name of 80 characters at most', (uri, name, role) => {
    const story = withPeer([mayRegister])
    story.put(ADAPTER, registers({ uri }))
    expect(outsider(story)).toMatchObject({ name, role, outside: { uri } })
  })
})

describe('a conversation at rest', () => {
  const DAY = 24 * 3_600_000
  const atRest = () => {
    const story = withPeer()
    story.put(ADAPTER, comesIn())
    story.run(TEAM.reader.id, () => reply())
    delivered(story)
    const conversation = must(conversations(story)[0], 'conversation')
    story.pass(DAY)
    return { story, conversation, task: conversation.task, piece: pieceOf(story.world, conversation.task) }
  }

  it('[R46] is archived after a day without having ended, and stays the same conversation', () => {
    const { story, task, conversation } = atRest()
    expect(
      archivableAt(must(selectTaskArchivable(story.world, must(story.world.tasks[task], 'task')), 'rest'), 'task'),
    ).toBeLessThanOrEqual(story.world.at + DAY + 1_000)
    story.put('system:timer', { type: 'archiveTask', task })
    expect(story.world.tasks[task]).toBeUndefined()
    expect(conversations(story)).toEqual([conversation])
    expect(refusal(story, comesIn({ theirs: 'msg-2', shared: conversation.shared }))).toBe('CONVERSATION_ASLEEP')
  })

  it('[R46] is woken by its next message, with what was said before', () => {
    const { story, task, conversation, piece } = atRest()
    story.put('system:timer', { type: 'archiveTask', task })
    story.put(ADAPTER, { type: 'wakeTask', task, piece: selectRestoredPiece(task, piece) })
    story.put(ADAPTER, comesIn({ theirs: 'msg-2', shared: conversation.shared, text: 'Are you there?' }))
    expect(messagesOf(story, task).map((message) => message.text)).toEqual([
      'How long will it take?',
      'Which?',
      'Are you there?',
    ])
    expect(stepsIn(story.world.steps[task]?.[TEAM.reader.id])).toHaveLength(2)
    expect(refusal(story, { type: 'wakeTask', task, piece })).toBe('ALREADY_SO')
    expect(story.start(TEAM.reader.id)).toMatchObject({ task, executor: 'send_message' })
  })

  it('[R46] does not rest while something of it is open, and is gone for good when it was closed', () => {
    const story = withPeer()
    story.put(ADAPTER, comesIn())
    const { task } = must(conversations(story)[0], 'conversation')
    const rest = () => selectTaskArchivable(story.world, must(story.world.tasks[task], 'task'))
    expect(rest()).toBeNull()
    story.run(TEAM.reader.id, () => reply())
    expect(rest()).toBeNull()
    delivered(story)
    expect(rest()).not.toBeNull()
    story.put(TEAM.ana.id, { type: 'finishTask', task, state: 'finished', summary: 'done', reason: 'done' })
    story.pass(8 * DAY)
    story.put('system:timer', { type: 'archiveTask', task })
    expect(conversations(story)).toEqual([])
  })

  it('[R46] brings back no more than an entry may hold, the newest of it', () => {
    const { task, piece } = atRest()
    const [message] = Object.values(piece.messages ?? {}) as MessageRecord[]
    const many = Array.from({ length: 300 }, (_, n) => ({
      ...must(message, 'message'),
      id: asId<MessageId>(`m-${n}`),
      seq: n,
      text: 'x'.repeat(10_000),
    }))
    const woken = selectRestoredPiece(task, {
      ...piece,
      messages: Object.fromEntries(many.map((one) => [one.id, one])),
    })
    expect(JSON.stringify(woken).length).toBeLessThan(600_000)
    expect(Object.keys(woken.messages ?? {}).at(-1)).toBe('m-299')
  })
})

it('an agent of another system has no rights among ours', () => {
  const story = withPeer()
  story.put(ADAPTER, comesIn())
  const none = { manager: false, mayWait: false, access: 'none', skills: [], tools: [], groups: [] }
  expect(outsider(story)).toMatchObject({ kind: 'outside', ...none })
})

it('[R42] a message that came in is answered with its place, and a repeat as one', () => {
  const story = withPeer()
  const first = must(story.put(ADAPTER, comesIn()), 'decision').reply
  expect(first).toMatchObject({ repeat: false, message: expect.any(String) })
  const again = must(story.put(ADAPTER, comesIn()), 'decision').reply
  expect(again).toEqual({ ...(first as object), repeat: true })
})

it('[R40] what was fetched from an address is not what a message says: the address is', () => {
  const file = (sha: string, copiedFrom?: string) => ({
    name: 'a.md',
    savedAs: null,
    body: { sha: sha.repeat(64), bytes: 3, mime: 'text/plain', preview: '' },
    ...(copiedFrom === undefined ? {} : { copiedFrom }),
  })
  const shaOf = (...attachments: ReturnType<typeof file>[]) => contentShaOf(comesIn({ attachments }))
  const at = 'https://other.example/a.md'
  expect(shaOf(file('a', at))).toBe(shaOf(file('b', at)))
  expect(shaOf(file('a'))).not.toBe(shaOf(file('b')))
})
