/** Agents of other systems in our world: what they say, what is said to them, and what becomes of it. */

import { describe, expect, it } from 'vitest'
import { stepsIn } from '@/lib/mas/ownSteps'
import { BEN, locksOf, must, says, stepsOf } from '@/test/stories'
import { outcomeOf, planned, Story, send, TEAM, teamConfig } from '@/test/worldHistories'
import { type AgentId, asId, type MessageId, type PeerId, type TaskId } from '../../ids'
import type { ConversationRecord, PeerConfig } from '../../outsideRecords'
import type { AgentRecord, MessageRecord, TaskRecord } from '../../records'
import { archivableAt, selectTaskArchivable } from '../../selectors/archivable'
import { pieceOf } from '../../selectors/branches'
import { selectDeliveries } from '../../selectors/outside'
import { selectRestoredPiece } from '../../selectors/restoredPiece'
import { decide } from '..'
import type { Command, CommandOf } from '../command'
import { MESSAGE_MAX_BYTES } from '../personSends'

const URI = 'agent://other.example/planner'
const PEER: PeerConfig = {
  id: asId<PeerId>('00000000-0000-4000-8000-00000000abcd'),
  uri: 'agent://other.example/*',
  baseUrl: 'https://other.example',
  may: ['mamp'],
  actions: [],
  agents: [TEAM.reader.id, TEAM.manager.id],
  allowPrivate: false,
}

const withPeer = (peers: PeerConfig[] = [PEER]): Story => {
  const story = new Story()
  story.put('system:start', { ...teamConfig(), peers })
  return story
}

const comesIn = (more: Partial<CommandOf<'takeFromOutside'>> = {}): CommandOf<'takeFromOutside'> => ({
  type: 'takeFromOutside',
  peer: PEER.id,
  protocol: 'mamp',
  from: URI,
  to: TEAM.reader.id,
  shared: null,
  theirs: 'msg-1',
  text: 'How long will it take?',
  attachments: [],
  needReply: null,
  inReplyTo: null,
  callback: null,
  status: 200,
  bytes: 100,
  sha: 'a'.repeat(64),
  body: null,
  ...more,
})

const FACE = 'system:face'
const refusal = (story: Story, command: Command): string | null => {
  const decided = decide(story.world, { id: 'a-try', by: FACE, command }, story.world.at + 1)
  return decided.ok ? null : decided.fault.code
}
const outsider = (story: Story): AgentRecord =>
  must(
    Object.values(story.world.agents).find((agent) => agent.kind === 'outside'),
    'agent outside',
  )
const conversations = (story: Story): ConversationRecord[] => Object.values(story.world.conversations[PEER.id] ?? {})
const messagesOf = (story: Story, task: TaskId): MessageRecord[] => Object.values(story.world.messages[task] ?? {})
const reply = (more: Parameters<typeof says>[1] = { need_reply: false, waiting: false }) => says([], more)
const delivered = (story: Story, more: Partial<CommandOf<'finishDelivery'>> = {}) => {
  const { task, message, agent } = must(selectDeliveries(story.world)[0], 'delivery')
  story.put(FACE, { type: 'startDelivery', task, message, agent, node: 'n1' })
  return story.put(FACE, {
    type: 'finishDelivery',
    task,
    message,
    agent,
    verdict: 'delivered',
    status: 200,
    why: null,
    by: 'call',
    bytes: 10,
    sha: 'b'.repeat(64),
    body: null,
    shared: null,
    next: null,
    closes: false,
    ...more,
  })
}

/** Reader, in a task of ours, has asked the agent outside and waits for it. */
function readerWaits(first: (story: Story) => void = () => {}): {
  story: Story
  task: TaskId
  agent: AgentId
  message: MessageId
} {
  const story = withPeer([{ ...PEER, uri: URI }])
  const agent = outsider(story).id
  first(story)
  story.put(TEAM.ana.id, {
    type: 'makeTask',
    name: 'Compare',
    intention: 'compare',
    manager: TEAM.manager.id,
    members: [TEAM.reader.id, agent],
    stages: [{ intention: 'compare', allocation: { [TEAM.reader.id]: 'ask outside' } }],
    reason: 'needed',
  })
  const task = must(
    Object.values(story.world.tasks).find((one: TaskRecord) => one.name === 'Compare'),
    'task',
  ).id
  story.run(TEAM.reader.id, () => outcomeOf({ steps: { insert: [], add: [planned('send_message')] } }))
  story.run(TEAM.reader.id, () => says([agent], { need_reply: true, waiting: true }))
  const message = must(selectDeliveries(story.world)[0], 'delivery').message
  return { story, task, agent, message }
}

describe('what comes in', () => {
  it('[R39] a new conversation is a task of its own that the addressed agent manages; its answer goes out', () => {
    const story = withPeer()
    story.put(FACE, comesIn())
    const [conversation] = conversations(story)
    const task = must(conversation && story.world.tasks[conversation.task], 'task')
    expect(task).toMatchObject({ manager: TEAM.reader.id, state: 'running', conversation: true })
    expect(task.group).toEqual([TEAM.reader.id, outsider(story).id])
    expect(outsider(story)).toMatchObject({ name: 'planner', role: 'other.example', outside: { uri: URI } })
    story.run(TEAM.reader.id, () => reply())
    expect(messagesOf(story, task.id).map((message) => message.sender)).toEqual([outsider(story).id, TEAM.reader.id])
    expect(selectDeliveries(story.world)).toMatchObject([{ conversation: conversation?.id, attempts: 0 }])
  })

  it('[R39] goes on in the same task, and an unknown or foreign conversation is refused', () => {
    const story = withPeer()
    story.put(FACE, comesIn())
    const [first] = conversations(story)
    const shared = must(first?.shared, 'shared id')
    story.put(FACE, comesIn({ theirs: 'msg-2', shared, text: 'And the second?' }))
    expect(conversations(story)).toHaveLength(1)
    expect(messagesOf(story, must(first, 'conversation').task)).toHaveLength(2)
    expect(refusal(story, comesIn({ theirs: 'msg-3', shared: 'conv-none' }))).toBe('CONVERSATION_UNKNOWN')
    const other = comesIn({ theirs: 'msg-4', shared, from: 'agent://other.example/spy' })
    expect(refusal(story, other)).toBe('CONVERSATION_UNKNOWN')
  })

  it('[R40] a repeat has no second effect and hears the same conversation', () => {
    const story = withPeer()
    story.put(FACE, comesIn())
    const before = story.world.seq
    const again = must(story.put(FACE, comesIn()), 'decision')
    expect(again.events).toEqual([])
    expect(again.reply).toMatchObject({ conversation: conversations(story)[0]?.shared, repeat: true })
    expect(story.world.seq).toBe(before)
    for (const other of [{ text: 'changed on the way' }, { needReply: true }, { callback: 'https://x.example' }])
      expect(refusal(story, comesIn(other))).toBe('ENVELOPE_ID_TAKEN')
    // Another agent of that system may happen to use the same id.
    story.put(FACE, comesIn({ from: 'agent://other.example/other' }))
    expect(conversations(story)).toHaveLength(2)
  })

  it('[R41] reaches nobody but whom its peer may address, and nothing when it may not use the face', () => {
    const story = withPeer()
    expect(refusal(story, comesIn({ to: TEAM.analyst.id }))).toBe('RECEIVER_UNKNOWN')
    expect(refusal(story, comesIn({ to: asId<AgentId>('nobody') }))).toBe('RECEIVER_UNKNOWN')
    expect(refusal(story, comesIn({ protocol: 'a2a' }))).toBe('NOT_ALLOWED')
    expect(refusal(story, comesIn({ from: 'agent://stranger.example/x' }))).toBe('NO_PEER')
    const open = withPeer([{ ...PEER, agents: [] }])
    expect(refusal(open, comesIn())).toBe('RECEIVER_UNKNOWN')
    expect(refusal(open, comesIn({ to: TEAM.manager.id }))).toBeNull()
  })

  it('[R41] answers whoever of us began the conversation, although it could not have addressed them', () => {
    const story = withPeer([{ ...PEER, agents: [TEAM.reader.id] }])
    const base = must(story.world.baseTask, 'base task')
    story.put(FACE, {
      ...{ type: 'sendOutside', sender: TEAM.ana.id, task: base, stage: null, step: null, uri: URI },
      ...{ text: 'How many?', attachments: [], conversation: null },
    })
    delivered(story, { shared: 'conv-ana' })
    expect(refusal(story, comesIn({ to: TEAM.ana.id }))).toBe('RECEIVER_UNKNOWN')
    story.put(FACE, comesIn({ to: TEAM.ana.id, shared: 'conv-ana', text: 'Seven.' }))
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

  it('[R42] what cannot be answered is said to whoever asked, without our reasons', () => {
    const story = withPeer()
    story.put(FACE, comesIn())
    story.run(TEAM.reader.id, () => outcomeOf({ state: 'failed', reason: 'the model at 10.0.0.7 is gone' }))
    const { task } = must(conversations(story)[0], 'conversation')
    expect(messagesOf(story, task).at(-1)).toMatchObject({
      sender: TEAM.reader.id,
      receivers: [outsider(story).id],
      text: 'This could not be answered.',
      needReply: false,
    })
    expect(selectDeliveries(story.world)).toHaveLength(1)
  })

  it('a conversation keeps whoever manages it from no wait of their own', () => {
    const { story } = readerWaits((before) => {
      before.put(FACE, comesIn())
      before.run(TEAM.reader.id, () => reply())
      delivered(before)
    })
    expect(locksOf(story.world, TEAM.reader.id)).toHaveLength(1)
  })
})

describe('what goes out', () => {
  it('[R42] is queued until its system has it, and an ordinary lock waits for the answer', () => {
    const { story, task, agent, message } = readerWaits()
    const receipt = () => story.world.receipts[task]?.[agent]?.[message]
    expect(receipt()?.state).toBe('queued')
    expect(locksOf(story.world, TEAM.reader.id)).toMatchObject([{ on: agent, message }])
    delivered(story, { shared: 'conv-theirs' })
    expect(receipt()?.state).toBe('delivered')
    expect(selectDeliveries(story.world)).toEqual([])
    expect(conversations(story)).toMatchObject([{ shared: 'conv-theirs', openedBy: 'us' }])
    story.pass(5 * 3_600_000)
    story.put(FACE, comesIn({ shared: 'conv-theirs', text: 'Three days.' }))
    expect(receipt()?.state).toBe('answered')
    expect(locksOf(story.world, TEAM.reader.id)).toEqual([])
    const taken = stepsOf(story.world, TEAM.reader.id, task).find(({ executor }) => executor === 'process_message')
    expect(taken).toMatchObject({ text: 'Three days.', state: 'finished' })
    expect(story.start(TEAM.reader.id)).toMatchObject({ executor: 'reflection', task })
  })

  it('[R42] a second answer ends nothing twice and asks for no answer', () => {
    const { story, task } = readerWaits()
    delivered(story, { shared: 'conv-theirs' })
    story.put(FACE, comesIn({ shared: 'conv-theirs', text: 'Three days.' }))
    story.put(FACE, comesIn({ shared: 'conv-theirs', theirs: 'msg-2', text: 'No, four.' }))
    const second = messagesOf(story, task).find((message) => message.text === 'No, four.')
    expect(second).toMatchObject({ needReply: false, returnWaiting: null })
  })

  it('[R42] an answer that overtakes the answer of the call names the conversation', () => {
    const { story, task, agent, message } = readerWaits()
    story.put(FACE, { type: 'startDelivery', task, message, agent, node: 'n1' })
    story.put(FACE, comesIn({ shared: 'conv-theirs', text: 'At once.' }))
    expect(locksOf(story.world, TEAM.reader.id)).toEqual([])
    expect(conversations(story)).toMatchObject([{ shared: 'conv-theirs' }])
    expect(selectDeliveries(story.world)).toEqual([])
  })

  it('[R42] one that is tried again keeps its place, and what cannot be delivered fails the wait with the reason', () => {
    const { story, task, agent, message } = readerWaits()
    delivered(story, {
      verdict: 'retry',
      status: 503,
      why: { code: 'answered', status: 503, says: '' },
      next: story.world.at + 60_000,
    })
    expect(selectDeliveries(story.world)).toMatchObject([{ message, attempts: 1, startedBy: null }])
    delivered(story, { verdict: 'failed', status: 403, why: { code: 'answered', status: 403, says: '' } })
    expect(story.world.receipts[task]?.[agent]?.[message]).toMatchObject({ state: 'failed', note: 'it answered 403' })
    expect(locksOf(story.world, TEAM.reader.id)).toEqual([])
    expect(messagesOf(story, task).at(-1)?.text).toContain('it answered 403')
    // For readers in a language other than the team's.
    const reason = { code: 'answered', status: 403, says: '' }
    expect(story.world.exchange[PEER.id]?.at(-1)).toMatchObject({ verdict: 'failed', why: 'it answered 403', reason })
    expect(selectDeliveries(story.world)).toEqual([])
  })

  it('a person writes to it as to anybody, and its answer settles what they asked', () => {
    const { story, task, agent } = readerWaits()
    delivered(story, { shared: 'conv-theirs' })
    story.put(FACE, comesIn({ shared: 'conv-theirs' }))
    story.put(TEAM.ana.id, { type: 'changeParticipants', task, add: [BEN], remove: [], reason: 'he asks' })
    story.put(BEN, send(BEN, [agent], { task, text: 'By when?', needReply: true, waiting: true }))
    const asked = must(
      messagesOf(story, task).find((message) => message.text === 'By when?'),
      'message',
    )
    delivered(story)
    story.put(FACE, comesIn({ shared: 'conv-theirs', theirs: 'msg-7', text: 'Friday.' }))
    expect(story.world.receipts[task]?.[agent]?.[asked.id]?.state).toBe('answered')
    expect(messagesOf(story, task).at(-1)).toMatchObject({ sender: agent, receivers: [BEN], replyTo: asked.id })
  })

  it('one that has a share of a stage is asked for it by the manager, and its answer is the summary', () => {
    const story = withPeer([{ ...PEER, uri: URI }])
    const agent = outsider(story).id
    story.put(TEAM.ana.id, {
      type: 'makeTask',
      name: 'Count',
      intention: 'count',
      manager: TEAM.manager.id,
      members: [agent],
      stages: [{ intention: 'count', allocation: { [agent]: 'count the items' } }],
      reason: 'needed',
    })
    const stageOf = () =>
      Object.values(
        Object.values(story.world.stages).find((all) => Object.values(all).some((one) => agent in one.allocation)) ??
          {},
      )[0]
    expect(stageOf()?.state).toBe('running')
    delivered(story, { shared: 'conv-count' })
    story.put(FACE, comesIn({ shared: 'conv-count', text: 'There are 7.', to: TEAM.manager.id }))
    expect(stageOf()).toMatchObject({ parts: { [agent]: 'finished' }, summaries: { [agent]: 'There are 7.' } })
  })

  it('nothing goes out while the task or the agent outside is paused, nor after the task ended', () => {
    const { story, task, message } = readerWaits()
    story.put(TEAM.ana.id, { type: 'pauseTask', task, reason: 'wait' })
    expect(selectDeliveries(story.world)).toEqual([])
    story.put(TEAM.ana.id, { type: 'resumeTask', task, reason: '' })
    expect(selectDeliveries(story.world)).toMatchObject([{ message }])
    const { agent } = must(selectDeliveries(story.world)[0], 'delivery')
    story.put(TEAM.ana.id, { type: 'pauseAgent', agent, reason: 'not now' })
    expect(selectDeliveries(story.world)).toEqual([])
    story.put(TEAM.ana.id, { type: 'resumeAgent', agent, reason: '' })
    expect(selectDeliveries(story.world)).toMatchObject([{ message }])
    story.put(TEAM.ana.id, { type: 'finishTask', task, state: 'failed', summary: 'off', reason: 'off' })
    expect(selectDeliveries(story.world)).toEqual([])
    expect(conversations(story)[0]?.closedAt).not.toBeNull()
  })
})

describe('a conversation at rest', () => {
  const DAY = 24 * 3_600_000
  const atRest = () => {
    const story = withPeer()
    story.put(FACE, comesIn())
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
    story.put(FACE, { type: 'wakeTask', task, piece: selectRestoredPiece(task, piece) })
    story.put(FACE, comesIn({ theirs: 'msg-2', shared: conversation.shared, text: 'Are you there?' }))
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
    story.put(FACE, comesIn())
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

describe('a task of ours in which somebody outside takes part', () => {
  it('[R41] is joined by nobody because the other side names them, and left for good when an operator says so', () => {
    const { story, task, agent } = readerWaits()
    delivered(story, { shared: 'conv-theirs' })
    story.put(TEAM.ana.id, { type: 'changeManager', task, agent: TEAM.reader.id, reason: 'simpler' })
    story.put(TEAM.ana.id, { type: 'changeParticipants', task, add: [], remove: [TEAM.manager.id], reason: 'simpler' })
    const toManager = comesIn({ shared: 'conv-theirs', to: TEAM.manager.id })
    expect(refusal(story, toManager)).toBe('RECEIVER_UNKNOWN')
    story.put(TEAM.ana.id, { type: 'changeParticipants', task, add: [], remove: [agent], reason: 'no more' })
    expect(locksOf(story.world, TEAM.reader.id)).toEqual([])
    expect(refusal(story, comesIn({ shared: 'conv-theirs' }))).toBe('CONVERSATION_OVER')
    expect(story.world.tasks[task]?.group).not.toContain(agent)
  })
})

describe('send_to_agent', () => {
  const input = (task: TaskId, more: Partial<CommandOf<'sendOutside'>> = {}): CommandOf<'sendOutside'> => ({
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

  it('stays in the task that its sender works in, and goes on in the conversation that it names', () => {
    const { story, task } = readerWaits()
    delivered(story, { shared: 'conv-theirs' })
    const reached = must(story.put(FACE, input(task, { conversation: 'conv-theirs' })), 'decision')
    expect(reached.reply).toMatchObject({ task })
    expect(conversations(story)).toHaveLength(1)
    expect(refusal(story, input(task, { conversation: 'conv-none' }))).toBe('CONVERSATION_UNKNOWN')
    expect(refusal(story, input(task, { uri: 'agent://stranger.example/x' }))).toBe('NO_PEER')
  })

  it('[R58] a conversation of others does not exist for its sender, who would read all of it as a member', () => {
    const { story, task } = readerWaits()
    delivered(story, { shared: 'conv-theirs' })
    const base = must(story.world.baseTask, 'base task')
    const stranger = { sender: TEAM.analyst.id, conversation: 'conv-theirs' }
    expect(refusal(story, input(base, stranger))).toBe('CONVERSATION_UNKNOWN')
    expect(story.world.tasks[task]?.group).not.toContain(TEAM.analyst.id)
  })

  it('from the base task it is a task of its own', () => {
    const story = withPeer()
    const base = must(story.world.baseTask, 'base task')
    story.put(FACE, input(base, { sender: TEAM.manager.id }))
    const [conversation] = conversations(story)
    expect(story.world.tasks[must(conversation, 'conversation').task]).toMatchObject({
      base: false,
      conversation: true,
      manager: TEAM.manager.id,
    })
    expect(story.world.tasks[base]?.group).not.toContain(outsider(story).id)
  })
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
      decide(story.world, { id: 'a-try', by: FACE, command: comesIn({ text: 'x'.repeat(65_537) }) }, 1),
    ).toMatchObject({ fault: { data: { size: '65 KiB' } } })
  })

  it('reaches those who are there: a person as well, nobody who left, no agent of another system', () => {
    const story = withPeer([{ ...PEER, agents: [] }])
    story.put(FACE, comesIn({ to: TEAM.manager.id }))
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
    story.put(FACE, comesIn())
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
    story.put(FACE, comesIn())
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
    story.put(FACE, { type: 'startDelivery', task, message, agent, node: 'n1' })
    expect(refusal(story, answers)).toBeNull()
    expect(refusal(story, { ...answers, from: 'agent://other.example/spy' })).toBe('NO_PEER')
    story.put(FACE, {
      ...{ type: 'sendOutside', sender: TEAM.ana.id, task: must(story.world.baseTask, 'base task') },
      ...{ stage: null, step: null, uri: URI, text: 'And you?', attachments: [], conversation: null },
    })
    expect(conversations(story).filter(({ shared }) => shared === null)).toHaveLength(2)
    expect(refusal(story, answers)).toBe('CONVERSATION_UNKNOWN')
  })

  it('shows that the peer is there once a minute', () => {
    const story = withPeer()
    const seen = (theirs: string, at: number): boolean => {
      const decided = decide(story.world, { id: theirs, by: FACE, command: comesIn({ theirs }) }, at)
      if (!decided.ok) throw decided.fault
      return decided.events.some(({ type }) => type === 'peer.seen')
    }
    expect(seen('first', story.world.at + 1)).toBe(true)
    story.put(FACE, comesIn())
    const since = must(story.world.peers[PEER.id]?.seenAt, 'time')
    expect(seen('msg-2', since + 59_999)).toBe(false)
    expect(seen('msg-2', since + 60_000)).toBe(true)
  })

  it('wants an answer when it says so, or begins something of theirs', () => {
    const needs = (story: Story, more: Partial<CommandOf<'takeFromOutside'>>): boolean | undefined => {
      const reply = must(story.put(FACE, comesIn(more)), 'decision').reply as { task: never; message: never }
      return story.world.messages[reply.task]?.[reply.message]?.needReply
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
    story.put(BEN, send(BEN, [agent], { task, text: 'By when?', needReply: true }))
    delivered(story)
    const answered = (more: Partial<CommandOf<'takeFromOutside'>>): string | undefined => {
      const command = comesIn({ theirs: 'answer', shared: 'conv-theirs', ...more })
      const decided = decide(story.world, { id: 'a-try', by: FACE, command }, story.world.at + 1)
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
    story.put(FACE, comesIn({ shared: 'conv-count', text: 'x'.repeat(4_001), to: TEAM.manager.id }))
    const [stage] = Object.values(story.world.stages[made.task] ?? {})
    expect(stage?.summaries[agent]).toBe('x'.repeat(4_000))
  })

  it('that was refused is noted for a peer that is there, whatever it may', () => {
    const notes = (peer: PeerId): Command => ({
      type: 'noteEnvelope',
      peer,
      protocol: 'a2a',
      direction: 'in',
      theirs: 'msg-9',
      verdict: 'refused',
      status: 403,
      why: 'not allowed',
      bytes: 1,
      sha: 'a'.repeat(64),
      body: null,
    })
    const story = withPeer()
    expect(refusal(story, notes('nobody' as PeerId))).toBe('NOT_ALLOWED')
    const types = (command: Command) => must(story.put(FACE, command), 'decision').events.map(({ type }) => type)
    expect(types(notes(PEER.id))).toEqual(['peer.seen', 'envelope.received'])
    expect(types({ ...notes(PEER.id), direction: 'out' } as Command)).toEqual(['envelope.answered'])
    story.put('system:start', { ...teamConfig(), peers: [] })
    expect(refusal(story, notes(PEER.id))).toBe('NOT_ALLOWED')
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
  const mayRegister: PeerConfig = { ...PEER, may: ['a2a'] }

  it('is kept with it, and the same once more changes nothing', () => {
    const story = withPeer([mayRegister])
    const types = (more: Partial<CommandOf<'registerOutside'>> = {}) =>
      must(story.put(FACE, registers(more)), 'decision').events.map(({ type }) => type)
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
    story.put(FACE, registers({ uri }))
    expect(outsider(story)).toMatchObject({ name, role, outside: { uri } })
  })
})

describe('a try to deliver', () => {
  it('begins while there is something to send, and counts', () => {
    const { story, task, agent, message } = readerWaits()
    const starts: Command = { type: 'startDelivery', task, message, agent, node: 'n1' }
    expect(must(story.put(FACE, starts), 'decision').reply).toEqual({ attempt: 1 })
    expect(refusal(story, { ...starts, message: 'none' as MessageId })).toBe('ALREADY_SO')
    delivered(story, { verdict: 'retry', next: story.world.at })
    expect(must(story.put(FACE, starts), 'decision').reply).toEqual({ attempt: 3 })
    delivered(story)
    expect(refusal(story, starts)).toBe('ALREADY_SO')
  })

  it('that closes ends the conversation, and a name that it has already stays', () => {
    const { story } = readerWaits()
    delivered(story, { shared: 'conv-theirs' })
    expect(conversations(story)).toMatchObject([{ shared: 'conv-theirs', closedAt: null }])
    const { story: other, task } = readerWaits()
    delivered(other, { verdict: 'failed', closes: true, shared: 'conv-late', why: { code: 'noWay' } })
    expect(conversations(other)).toMatchObject([{ shared: null, closedAt: expect.any(Number) }])
    expect(other.world.exchange[PEER.id]?.at(-1)?.why).toBeTruthy()
    expect(messagesOf(other, task).at(-1)).toMatchObject({ sender: 'system:task', receivers: [TEAM.reader.id] })
  })

  it('that fails is told to an agent that asked without waiting, and not to a person', () => {
    const { story, task, agent } = readerWaits()
    delivered(story)
    story.put(FACE, comesIn({ shared: null, theirs: 'x' }))
    const told = () => messagesOf(story, task).filter(({ sender }) => sender === 'system:task').length
    story.put(TEAM.ana.id, send(TEAM.ana.id, [agent], { task, text: 'Hello' }))
    const before = told()
    delivered(story, { verdict: 'failed', why: { code: 'noWay' } })
    expect(told()).toBe(before)
  })
})

describe('send_to_agent is refused', () => {
  const base = (story: Story): TaskId => must(story.world.baseTask, 'base task')
  const input = (task: TaskId, more: Partial<CommandOf<'sendOutside'>> = {}): CommandOf<'sendOutside'> => ({
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

  it('without words or a file, and for somebody who left', () => {
    const story = withPeer()
    expect(refusal(story, input(base(story)))).toBeNull()
    expect(refusal(story, input(base(story), { text: ' ' }))).toBe('EMPTY_TEXT')
    const file = {
      name: 'a.txt',
      savedAs: null,
      body: { sha: 'c'.repeat(64), bytes: 1, mime: 'text/plain', preview: 'a' },
    }
    expect(refusal(story, input(base(story), { text: '', attachments: [file] }))).toBeNull()
    expect(refusal(story, input(base(story), { sender: 'nobody' as AgentId }))).toBe('RECEIVER_UNKNOWN')
    const { agents } = teamConfig()
    story.put('system:start', {
      ...teamConfig(),
      agents: agents.filter(({ id }) => id !== TEAM.reader.id),
      peers: [PEER],
    })
    expect(refusal(story, input(base(story)))).toBe('RECEIVER_UNKNOWN')
  })

  it('in a conversation that is over, or asleep', () => {
    const { story, task } = readerWaits()
    delivered(story, { shared: 'conv-theirs' })
    const goesOn = input(task, { conversation: 'conv-theirs' })
    expect(refusal(story, goesOn)).toBeNull()
    expect(refusal(story, { ...goesOn, conversation: must(conversations(story)[0], 'conversation').id })).toBeNull()
    story.put(TEAM.ana.id, { type: 'finishTask', task, state: 'finished', summary: 'done', reason: 'done' })
    expect(refusal(story, goesOn)).toBe('CONVERSATION_OVER')
  })

  it('never: from a task that is over it begins a conversation of its own, with the stage left out', () => {
    const { story, task } = readerWaits()
    const stage = Object.values(story.world.stages[task] ?? {})[0]?.id ?? null
    const sent = (command: Command): MessageRecord => {
      const reply = must(story.put(FACE, command), 'decision').reply as { task: never; message: never }
      return must(story.world.messages[reply.task]?.[reply.message], 'message')
    }
    expect(sent(input(task, { stage }))).toMatchObject({ task, stage, needReply: true })
    expect(sent(input(task, { stage, needReply: false }))).toMatchObject({ needReply: false })
    story.put(TEAM.ana.id, { type: 'finishTask', task, state: 'finished', summary: 'done', reason: 'done' })
    const late = sent(input(task, { stage }))
    expect(late.task).not.toBe(task)
    expect(late.stage).toBeNull()
  })
})

describe('a message to an agent outside', () => {
  it('that nobody waits for and that cannot be delivered is told to the agent that sent it', () => {
    const { story, task, agent } = readerWaits()
    delivered(story, { shared: 'conv-theirs' })
    story.put(FACE, comesIn({ shared: 'conv-theirs' }))
    story.run(TEAM.reader.id, () => outcomeOf({ steps: { insert: [planned('send_message')], add: [] } }))
    story.run(TEAM.reader.id, () => says([agent], { waiting: false }))
    delivered(story, { verdict: 'failed', why: { code: 'noWay' } })
    expect(messagesOf(story, task).at(-1)).toMatchObject({ sender: 'system:task', receivers: [TEAM.reader.id] })
  })

  it('whose system was taken out is not sent, and its receipt says so', () => {
    const { story, task, agent } = readerWaits()
    const { world } = story
    const gone = { ...must(world.peers[PEER.id], 'peer'), removed: true }
    story.world = { ...world, peers: { [PEER.id]: gone } }
    const before = selectDeliveries(story.world).length
    story.put(TEAM.ana.id, send(TEAM.ana.id, [agent], { task, text: 'Hello' }))
    const { id } = must(
      messagesOf(story, task).find(({ text }) => text === 'Hello'),
      'message',
    )
    expect(story.world.receipts[task]?.[agent]?.[id]).toMatchObject({ state: 'failed', note: expect.any(String) })
    expect(selectDeliveries(story.world)).toHaveLength(before)
  })

  it('that arrives gives its conversation the name that was said, and none where none was', () => {
    const { story } = readerWaits()
    const types = (more: Partial<CommandOf<'finishDelivery'>>) =>
      must(delivered(story, more), 'decision').events.map(({ type }) => type)
    expect(types({})).not.toContain('conversation.named')
    const { story: other } = readerWaits()
    expect(must(delivered(other, { shared: 'conv-theirs' }), 'decision').events.map(({ type }) => type)).toContain(
      'conversation.named',
    )
  })

  it('in a conversation that is closed already closes nothing twice', () => {
    const { story, task } = readerWaits()
    delivered(story, { verdict: 'failed', closes: true, why: { code: 'noWay' } })
    const ends: Command = { type: 'finishTask', task, state: 'failed', summary: 'off', reason: 'off' }
    const events = must(story.put(TEAM.ana.id, ends), 'decision').events.map(({ type }) => type)
    expect(events).not.toContain('conversation.closed')
  })

  it('of a repeat that had no conversation has none either', () => {
    const story = withPeer()
    story.put(FACE, comesIn())
    const before = conversations(story)[0]?.shared
    expect(must(story.put(FACE, comesIn()), 'decision').reply).toMatchObject({ conversation: before, repeat: true })
  })
})

describe('a delivery that fails', () => {
  it.each([
    [{ code: 'noAddress' }, 'address'],
    [{ code: 'notConnected' }, 'connected'],
    [{ code: 'noWay' }, 'way'],
    [{ code: 'toBeFetched' }, 'fetched'],
    [{ code: 'answered', status: 403, says: '' }, '403'],
  ] as const)('says why in words: %j', (why, word) => {
    const { story } = readerWaits()
    delivered(story, { verdict: 'failed', why })
    expect(story.world.exchange[PEER.id]?.at(-1)?.why).toContain(word)
  })

  it('names the agent that it was for', () => {
    const { story, task } = readerWaits()
    delivered(story, { verdict: 'failed', why: { code: 'noWay' } })
    expect(messagesOf(story, task).at(-1)?.text).toContain('planner')
  })

  it('leaves the waits of others as they are', () => {
    const { story, task } = readerWaits()
    const other = readerWaits((before) => {
      before.put(TEAM.ana.id, {
        type: 'makeTask',
        name: 'Other',
        intention: 'x',
        manager: TEAM.manager.id,
        members: [TEAM.analyst.id, BEN],
        stages: [{ intention: 'x', allocation: { [TEAM.analyst.id]: 'ask Ben' } }],
        reason: 'needed',
      })
      before.run(TEAM.analyst.id, () => outcomeOf({ steps: { insert: [], add: [planned('send_message')] } }))
      before.run(TEAM.analyst.id, () => says([BEN]))
    })
    expect(task).toBeDefined()
    delivered(other.story, { verdict: 'failed', why: { code: 'noWay' } })
    expect(locksOf(other.story.world, TEAM.analyst.id)).toHaveLength(1)
    expect(locksOf(other.story.world, TEAM.reader.id)).toEqual([])
    expect(locksOf(story.world, TEAM.reader.id)).toHaveLength(1)
  })

  it('does not change the name of a conversation that has one', () => {
    const { story } = readerWaits()
    story.put(FACE, comesIn({ theirs: 'early', from: 'agent://other.example/other' }))
    delivered(story, { shared: 'conv-theirs' })
    story.run(TEAM.reader.id, () => outcomeOf({}))
    const { task, agent } = must(conversations(story)[0], 'conversation')
    story.put(TEAM.ana.id, { type: 'changeParticipants', task, add: [BEN], remove: [], reason: 'he asks' })
    story.put(BEN, send(BEN, [agent], { task, text: 'And?', needReply: true }))
    delivered(story, { shared: 'conv-another' })
    expect(conversations(story)[0]?.shared).toBe('conv-theirs')
  })
})

describe('an answer in a conversation that they began', () => {
  it('asks for none, when we asked them there', () => {
    const story = withPeer()
    story.put(FACE, comesIn())
    const { shared, task } = must(conversations(story)[0], 'conversation')
    story.run(TEAM.reader.id, () => reply({ need_reply: true, waiting: false }))
    delivered(story)
    story.put(FACE, comesIn({ theirs: 'msg-2', shared, text: 'The first.' }))
    expect(messagesOf(story, task).at(-1)).toMatchObject({ text: 'The first.', needReply: false })
  })

  it('is for one of ours: no agent of another system is reached through us', () => {
    const story = withPeer()
    story.put(FACE, comesIn())
    const other = outsider(story).id
    story.put('system:start', { ...teamConfig(), peers: [{ ...PEER, agents: [TEAM.reader.id, other] }] })
    expect(refusal(story, comesIn({ theirs: 'msg-2' }))).toBeNull()
    expect(refusal(story, comesIn({ theirs: 'msg-2', to: other }))).toBe('RECEIVER_UNKNOWN')
  })
})

describe('an agent outside with a share of a stage', () => {
  const shared = () => {
    const story = withPeer([{ ...PEER, uri: URI }])
    const agent = outsider(story).id
    const { task } = must(
      story.put(TEAM.ana.id, {
        type: 'makeTask',
        name: 'Count',
        intention: 'count',
        manager: TEAM.manager.id,
        members: [agent, TEAM.reader.id],
        stages: [{ intention: 'count', allocation: { [agent]: 'count', [TEAM.reader.id]: 'read' } }],
        reason: 'needed',
      }),
      'decision',
    ).reply as { task: never }
    const judged = () => Object.values(story.world.stages[task] ?? {})[0]?.judging
    return { story, task: task as TaskId, agent, judged }
  }

  it('holds its stage while it is asked, though the other share failed', () => {
    const { story, judged } = shared()
    story.run(TEAM.reader.id, () => outcomeOf({ state: 'failed', reason: 'no format' }))
    expect(judged()).toBe(false)
    delivered(story, { shared: 'conv-count' })
    story.put(FACE, comesIn({ shared: 'conv-count', text: 'Seven.', to: TEAM.manager.id }))
    expect(judged()).toBe(true)
  })

  it('and asked about something else, holds it by its share alone', () => {
    const { story, task, agent, judged } = shared()
    story.run(TEAM.reader.id, () => outcomeOf({ state: 'failed', reason: 'no format' }))
    story.put(TEAM.ana.id, send(TEAM.ana.id, [agent], { task, text: 'And the weather?', needReply: true }))
    delivered(story, { verdict: 'failed', why: { code: 'noWay' } })
    expect(judged()).toBe(true)
  })
})

describe('what is queued for an agent outside', () => {
  it('is queued once, though it or its task is paused and goes on meanwhile', () => {
    const { story, task, agent } = readerWaits()
    const resumed = (pause: Command, resume: Command) => {
      story.put(TEAM.ana.id, pause)
      return must(story.put(TEAM.ana.id, resume), 'decision').events.map(({ type }) => type)
    }
    const reason = 'wait'
    for (const events of [
      resumed({ type: 'pauseAgent', agent, reason }, { type: 'resumeAgent', agent, reason: '' }),
      resumed({ type: 'pauseTask', task, reason }, { type: 'resumeTask', task, reason: '' }),
    ])
      expect(events).not.toContain('envelope.queued')
    expect(selectDeliveries(story.world)).toHaveLength(1)
  })

  it('has a next try only when this one is to be repeated', () => {
    const next = (verdict: 'delivered' | 'retry' | 'failed') => {
      const { story } = readerWaits()
      const why = verdict === 'delivered' ? null : ({ code: 'noWay' } as const)
      const decided = must(delivered(story, { verdict, why, next: 5_000 }), 'decision')
      return decided.events.flatMap((event) => (event.type === 'envelope.sent' ? [event.next] : []))
    }
    expect([next('delivered'), next('retry'), next('failed')]).toEqual([[null], [5_000], [null]])
  })

  it('fails in other words for each reason', () => {
    const codes = ['noAddress', 'notConnected', 'noWay', 'toBeFetched'] as const
    const said = codes.map((code) => {
      const { story } = readerWaits()
      delivered(story, { verdict: 'failed', why: { code } })
      return story.world.exchange[PEER.id]?.at(-1)?.why
    })
    expect(new Set(said).size).toBe(codes.length)
  })
})

describe('a conversation that is named', () => {
  const wish = (task: TaskId, more: Partial<CommandOf<'sendOutside'>> = {}): CommandOf<'sendOutside'> => ({
    ...{ type: 'sendOutside', sender: TEAM.reader.id, task, stage: null, step: null, uri: URI },
    ...{ text: 'Please look at it.', attachments: [], conversation: null },
    ...more,
  })

  it('is one with that very agent, and is not closed', () => {
    const story = withPeer()
    story.put(FACE, comesIn())
    const { shared, task } = must(conversations(story)[0], 'conversation')
    story.put(FACE, comesIn({ from: 'agent://other.example/other', theirs: 'm2' }))
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
    story.put(FACE, comesIn())
    story.put(FACE, comesIn({ from: 'agent://other.example/other', theirs: 'm2' }))
    const base = must(story.world.baseTask, 'base task')
    story.put(FACE, wish(base, { uri: 'agent://other.example/other', sender: TEAM.ana.id }))
    story.put(FACE, wish(base, { sender: TEAM.ana.id }))
    const deliveries = selectDeliveries(story.world)
    for (const { task, message, agent } of deliveries)
      story.put(FACE, { type: 'startDelivery', task, message, agent, node: 'n1' })
    expect(deliveries).toHaveLength(2)
    expect(conversations(story).filter(({ shared }) => shared === null)).toHaveLength(2)
    const answers = comesIn({ shared: 'conv-new', theirs: 'm4', to: TEAM.ana.id })
    expect(refusal(story, answers)).toBeNull()
    story.put(FACE, answers)
    const called = conversations(story).filter(({ shared }) => shared === 'conv-new')
    expect(called).toMatchObject([
      { agent: story.world.agents[called[0]?.agent ?? ('' as AgentId)]?.id, ours: TEAM.ana.id },
    ])
  })
})
