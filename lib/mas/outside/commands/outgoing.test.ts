/** What is said to agents of other systems: where it goes, how it is delivered, and what is refused. */
import { describe, expect, it } from 'vitest'
import { BEN, locksOf, must, says, stepsOf } from '@/test/stories'
import { outcomeOf, planned, type Story, send, TEAM, teamConfig } from '@/test/worldHistories'
import type { Command, CommandOf } from '../../commands/command'
import type { AgentId, MessageId, TaskId } from '../../ids'
import type { MessageRecord } from '../../records'
import { selectOutgoing } from '../outside'
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
  URI,
  withPeer,
} from './test/outsideStories'

describe('what goes out', () => {
  it('[R42] is queued until its system has it, and an ordinary lock waits for the answer', () => {
    const { story, task, agent, message } = readerWaits()
    const delivery = () => story.world.deliveries[task]?.[agent]?.[message]
    expect(delivery()?.state).toBe('queued')
    expect(locksOf(story.world, TEAM.reader.id)).toMatchObject([{ on: agent, message }])
    delivered(story, { shared: 'conv-theirs' })
    expect(delivery()?.state).toBe('delivered')
    expect(selectOutgoing(story.world)).toEqual([])
    expect(conversations(story)).toMatchObject([{ shared: 'conv-theirs', openedBy: 'us' }])
    story.pass(5 * 3_600_000)
    story.put(ADAPTER, comesIn({ shared: 'conv-theirs', text: 'Three days.' }))
    expect(delivery()?.state).toBe('answered')
    expect(locksOf(story.world, TEAM.reader.id)).toEqual([])
    const taken = stepsOf(story.world, TEAM.reader.id, task).find(({ executor }) => executor === 'process_message')
    expect(taken).toMatchObject({ text: 'Three days.', state: 'finished' })
    expect(story.start(TEAM.reader.id)).toMatchObject({ executor: 'reflection', task })
  })

  it('[R42] a second answer ends nothing twice and asks for no answer', () => {
    const { story, task } = readerWaits()
    delivered(story, { shared: 'conv-theirs' })
    story.put(ADAPTER, comesIn({ shared: 'conv-theirs', text: 'Three days.' }))
    story.put(ADAPTER, comesIn({ shared: 'conv-theirs', theirs: 'msg-2', text: 'No, four.' }))
    const second = messagesOf(story, task).find((message) => message.text === 'No, four.')
    expect(second).toMatchObject({ type: 'fyi', returnWaiting: null })
  })

  it('[R42] an answer that overtakes the answer of the call names the conversation', () => {
    const { story, task, agent, message } = readerWaits()
    story.put(ADAPTER, { type: 'startSending', task, message, agent, node: 'n1' })
    story.put(ADAPTER, comesIn({ shared: 'conv-theirs', text: 'At once.' }))
    expect(locksOf(story.world, TEAM.reader.id)).toEqual([])
    expect(conversations(story)).toMatchObject([{ shared: 'conv-theirs' }])
    expect(selectOutgoing(story.world)).toEqual([])
  })

  it('[R42] one that is tried again keeps its place, and what cannot be delivered fails the wait with the reason', () => {
    const { story, task, agent, message } = readerWaits()
    delivered(story, {
      verdict: 'retry',
      status: 503,
      why: { code: 'answered', status: 503, says: '' },
      next: story.world.at + 60_000,
    })
    expect(selectOutgoing(story.world)).toMatchObject([{ message, attempts: 1 }])
    delivered(story, { verdict: 'failed', status: 403, why: { code: 'answered', status: 403, says: '' } })
    expect(story.world.deliveries[task]?.[agent]?.[message]).toMatchObject({ state: 'failed', note: 'it returned 403' })
    expect(locksOf(story.world, TEAM.reader.id)).toEqual([])
    expect(messagesOf(story, task).at(-1)?.text).toContain('it returned 403')
    // For readers in a language other than the team's.
    const reason = { code: 'answered', status: 403, says: '' }
    expect(story.exchange.at(-1)).toMatchObject({ verdict: 'failed', why: 'it returned 403', reason })
    expect(selectOutgoing(story.world)).toEqual([])
  })

  it('a person writes to it as to anybody, and its answer settles what they asked', () => {
    const { story, task, agent } = readerWaits()
    delivered(story, { shared: 'conv-theirs' })
    story.put(ADAPTER, comesIn({ shared: 'conv-theirs' }))
    story.put(TEAM.ana.id, { type: 'changeParticipants', task, add: [BEN], remove: [], reason: 'he asks' })
    story.put(BEN, send(BEN, [agent], { task, text: 'By when?', kind: 'urgent' }))
    const asked = must(
      messagesOf(story, task).find((message) => message.text === 'By when?'),
      'message',
    )
    delivered(story)
    story.put(ADAPTER, comesIn({ shared: 'conv-theirs', theirs: 'msg-7', text: 'Friday.' }))
    expect(story.world.deliveries[task]?.[agent]?.[asked.id]?.state).toBe('answered')
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
    story.put(ADAPTER, comesIn({ shared: 'conv-count', text: 'There are 7.', to: TEAM.manager.id }))
    expect(stageOf()).toMatchObject({ parts: { [agent]: 'finished' }, summaries: { [agent]: 'There are 7.' } })
  })

  it('nothing goes out while the task or the agent outside is paused, nor after the task ended', () => {
    const { story, task, message } = readerWaits()
    story.put(TEAM.ana.id, { type: 'pauseTask', task, reason: 'wait' })
    expect(selectOutgoing(story.world)).toEqual([])
    story.put(TEAM.ana.id, { type: 'resumeTask', task, reason: '' })
    expect(selectOutgoing(story.world)).toMatchObject([{ message }])
    const { agent } = must(selectOutgoing(story.world)[0], 'outgoing')
    story.put(TEAM.ana.id, { type: 'pauseAgent', agent, reason: 'not now' })
    expect(selectOutgoing(story.world)).toEqual([])
    story.put(TEAM.ana.id, { type: 'resumeAgent', agent, reason: '' })
    expect(selectOutgoing(story.world)).toMatchObject([{ message }])
    story.put(TEAM.ana.id, { type: 'finishTask', task, state: 'failed', summary: 'off', reason: 'off' })
    expect(selectOutgoing(story.world)).toEqual([])
    expect(conversations(story)[0]?.closedAt).not.toBeNull()
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

describe('what is said to all of ours', () => {
  it('[R191] is one message to those whom the peer may reach, and in a task of ours to its members alone', () => {
    const { story, task, agent } = readerWaits()
    delivered(story, { shared: 'conv-theirs' })
    const also = [TEAM.reader.id, TEAM.manager.id, TEAM.analyst.id, agent]
    const toAll = (theirs: string) => {
      story.put(ADAPTER, comesIn({ shared: 'conv-theirs', theirs, text: theirs, needReply: false, also }))
      return messagesOf(story, task).find(({ text }) => text === theirs)?.receivers
    }
    expect(toAll('to all')).toEqual([TEAM.reader.id, TEAM.manager.id])
    story.put(TEAM.ana.id, { type: 'changeManager', task, agent: TEAM.reader.id, reason: 'simpler' })
    story.put(TEAM.ana.id, { type: 'changeParticipants', task, add: [], remove: [TEAM.manager.id], reason: 'simpler' })
    expect(toAll('to all again')).toEqual([TEAM.reader.id])
    expect(story.world.tasks[task]?.group).not.toContain(TEAM.manager.id)
    // A conversation of its own is joined by all.
    story.put(ADAPTER, comesIn({ theirs: 'new', text: 'news', needReply: false, also }))
    const news = must(conversations(story).at(-1), 'conversation')
    expect(messagesOf(story, news.task)[0]?.receivers).toEqual([TEAM.reader.id, TEAM.manager.id])
    expect(story.world.tasks[news.task]?.group).toContain(TEAM.manager.id)
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
    const reached = must(story.put(ADAPTER, input(task, { conversation: 'conv-theirs' })), 'decision')
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
    story.put(ADAPTER, input(base, { sender: TEAM.manager.id }))
    const [conversation] = conversations(story)
    expect(story.world.tasks[must(conversation, 'conversation').task]).toMatchObject({
      base: false,
      conversation: true,
      manager: TEAM.manager.id,
    })
    expect(story.world.tasks[base]?.group).not.toContain(outsider(story).id)
  })
})

describe('a conversation in the memory of the agent that holds it', () => {
  const notes = (story: Story, agent = TEAM.reader.id) => story.world.memory[agent] ?? []
  const asks = (story: Story, sender = TEAM.reader.id, conversation: string | null = null) => {
    const reply = must(
      story.put(ADAPTER, {
        type: 'sendOutside',
        sender,
        task: must(story.world.baseTask, 'base task'),
        stage: null,
        step: null,
        uri: URI,
        text: 'Please look at it.',
        attachments: [],
        conversation,
      }),
      'decision',
    ).reply
    return (reply as { task: TaskId }).task
  }

  it('[R190] is one note, by the id that stands for it, from the first message on; people have none', () => {
    const story = withPeer()
    const task = asks(story)
    const { id } = must(conversations(story)[0], 'conversation')
    expect(notes(story)).toMatchObject([{ task: null, conversation: id, text: expect.stringContaining(id) }])
    expect(notes(story)[0]?.text).toContain(URI)
    delivered(story, { shared: 'conv-theirs' })
    expect(notes(story)).toMatchObject([{ conversation: id, text: expect.stringContaining('conv-theirs') }])
    expect(notes(story)[0]?.text).not.toContain(id)
    expect(asks(story, TEAM.reader.id, 'conv-theirs')).toBe(task)
    delivered(story)
    expect(notes(story)).toHaveLength(1)
    asks(story, TEAM.ana.id)
    expect(notes(story, TEAM.ana.id)).toEqual([])
  })

  it('[R190] is named when the answer overtakes the answer of the call, and forgotten when it is closed', () => {
    const story = withPeer()
    asks(story)
    const { task, message, agent } = must(selectOutgoing(story.world)[0], 'outgoing')
    story.put(ADAPTER, { type: 'startSending', task, message, agent, node: 'n1' })
    story.put(ADAPTER, comesIn({ shared: 'conv-theirs', text: 'At once.' }))
    expect(notes(story)).toMatchObject([{ text: expect.stringContaining('conv-theirs') }])
    story.put(TEAM.ana.id, { type: 'finishTask', task, state: 'finished', summary: 'done', reason: 'done' })
    expect(notes(story)).toEqual([])
  })

  it('[R190] leaves the notes of its agent, and of other conversations, as they are', () => {
    const story = withPeer()
    const first = asks(story)
    story.pass(1_000)
    asks(story)
    expect(new Set(notes(story).map(({ conversation }) => conversation)).size).toBe(2)
    story.put(TEAM.ana.id, { type: 'finishTask', task: first, state: 'finished', summary: 'done', reason: 'done' })
    expect(notes(story)).toHaveLength(1)
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
      const reply = must(story.put(ADAPTER, command), 'decision').reply as { task: never; message: never }
      return must(story.world.messages[reply.task]?.[reply.message], 'message')
    }
    expect(sent(input(task, { stage }))).toMatchObject({ task, stage, type: 'action' })
    expect(sent(input(task, { stage, needReply: false }))).toMatchObject({ type: 'fyi' })
    story.put(TEAM.ana.id, { type: 'finishTask', task, state: 'finished', summary: 'done', reason: 'done' })
    const late = sent(input(task, { stage }))
    expect(late.task).not.toBe(task)
    expect(late.stage).toBeNull()
  })
})

describe('a try to deliver', () => {
  it('begins while there is something to send, and counts', () => {
    const { story, task, agent, message } = readerWaits()
    const starts: Command = { type: 'startSending', task, message, agent, node: 'n1' }
    expect(must(story.put(ADAPTER, starts), 'decision').reply).toEqual({ attempt: 1 })
    expect(refusal(story, { ...starts, message: 'none' as MessageId })).toBe('ALREADY_SO')
    delivered(story, { verdict: 'retry', next: story.world.at })
    expect(must(story.put(ADAPTER, starts), 'decision').reply).toEqual({ attempt: 3 })
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
    expect(other.exchange.at(-1)?.why).toBeTruthy()
    expect(messagesOf(other, task).at(-1)).toMatchObject({ sender: 'system:task', receivers: [TEAM.reader.id] })
  })

  it('that fails is told to an agent that asked without waiting, and not to a person', () => {
    const { story, task, agent } = readerWaits()
    delivered(story)
    story.put(ADAPTER, comesIn({ shared: null, theirs: 'x' }))
    const told = () => messagesOf(story, task).filter(({ sender }) => sender === 'system:task').length
    story.put(TEAM.ana.id, send(TEAM.ana.id, [agent], { task, text: 'Hello' }))
    const before = told()
    delivered(story, { verdict: 'failed', why: { code: 'noWay' } })
    expect(told()).toBe(before)
  })
})

describe('a message to an agent outside', () => {
  it('that nobody waits for and that cannot be delivered is told to the agent that sent it', () => {
    const { story, task, agent } = readerWaits()
    delivered(story, { shared: 'conv-theirs' })
    story.put(ADAPTER, comesIn({ shared: 'conv-theirs' }))
    story.run(TEAM.reader.id, () => outcomeOf({ steps: { insert: [planned('send_message')], add: [] } }))
    story.run(TEAM.reader.id, () => says([agent], { waiting: false }))
    delivered(story, { verdict: 'failed', why: { code: 'noWay' } })
    expect(messagesOf(story, task).at(-1)).toMatchObject({ sender: 'system:task', receivers: [TEAM.reader.id] })
  })

  it('whose system was taken out is not sent, and its delivery says so', () => {
    const { story, task, agent } = readerWaits()
    const { world } = story
    const gone = { ...must(world.peers[PEER.id], 'peer'), removed: true }
    story.world = { ...world, peers: { [PEER.id]: gone } }
    const before = selectOutgoing(story.world).length
    story.put(TEAM.ana.id, send(TEAM.ana.id, [agent], { task, text: 'Hello' }))
    const { id } = must(
      messagesOf(story, task).find(({ text }) => text === 'Hello'),
      'message',
    )
    expect(story.world.deliveries[task]?.[agent]?.[id]).toMatchObject({ state: 'failed', note: expect.any(String) })
    expect(selectOutgoing(story.world)).toHaveLength(before)
  })

  it('that arrives gives its conversation the name that was said, and none where none was', () => {
    const { story } = readerWaits()
    const types = (more: Partial<CommandOf<'finishSending'>>) =>
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
    story.put(ADAPTER, comesIn())
    const before = conversations(story)[0]?.shared
    expect(must(story.put(ADAPTER, comesIn()), 'decision').reply).toMatchObject({ conversation: before, repeat: true })
  })
})

describe('a delivery that fails', () => {
  it.each([
    [{ code: 'noAddress' }, 'address'],
    [{ code: 'notConnected' }, 'connected'],
    [{ code: 'noWay' }, 'route'],
    [{ code: 'toBeFetched' }, 'fetched'],
    [{ code: 'answered', status: 403, says: '' }, '403'],
  ] as const)('says why in words: %j', (why, word) => {
    const { story } = readerWaits()
    delivered(story, { verdict: 'failed', why })
    expect(story.exchange.at(-1)?.why).toContain(word)
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
    story.put(ADAPTER, comesIn({ theirs: 'early', from: 'agent://other.example/other' }))
    delivered(story, { shared: 'conv-theirs' })
    story.run(TEAM.reader.id, () => outcomeOf({}))
    const { task, agent } = must(conversations(story)[0], 'conversation')
    story.put(TEAM.ana.id, { type: 'changeParticipants', task, add: [BEN], remove: [], reason: 'he asks' })
    story.put(BEN, send(BEN, [agent], { task, text: 'And?', kind: 'action' }))
    delivered(story, { shared: 'conv-another' })
    expect(conversations(story)[0]?.shared).toBe('conv-theirs')
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
    story.put(ADAPTER, comesIn({ shared: 'conv-count', text: 'Seven.', to: TEAM.manager.id }))
    expect(judged()).toBe(true)
  })

  it('and asked about something else, holds it by its share alone', () => {
    const { story, task, agent, judged } = shared()
    story.run(TEAM.reader.id, () => outcomeOf({ state: 'failed', reason: 'no format' }))
    story.put(TEAM.ana.id, send(TEAM.ana.id, [agent], { task, text: 'And the weather?', kind: 'action' }))
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
    expect(selectOutgoing(story.world)).toHaveLength(1)
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
      return story.exchange.at(-1)?.why
    })
    expect(new Set(said).size).toBe(codes.length)
  })
})

it('an action is asked for only where the other side takes actions', () => {
  const asks = (story: Story, task: TaskId): string | null =>
    refusal(story, {
      type: 'sendOutside',
      sender: TEAM.reader.id,
      task,
      stage: null,
      step: null,
      uri: URI,
      text: 'Quote it',
      attachments: [],
      conversation: null,
      action: { name: 'quote', parameters: {} },
    } as Command)
  const base = (story: Story): TaskId => must(story.world.baseTask, 'base task')
  const [envelope, mamp] = [withPeer([{ ...PEER, may: ['envelope'] }]), withPeer()]
  expect([asks(envelope, base(envelope)), asks(mamp, base(mamp))]).toEqual([null, 'NO_ACTIONS'])
  // A conversation that goes on is in the protocol in which it began.
  const { story, task } = readerWaits()
  story.put('system:start', { ...teamConfig(), peers: [{ ...PEER, uri: URI, may: ['envelope', 'mamp'] }] })
  expect(asks(story, task)).toBe('NO_ACTIONS')
})

it('a conversation that one of ours opens is theirs, and an action is kept with its message', () => {
  const { story } = readerWaits()
  expect(conversations(story)).toMatchObject([{ ours: TEAM.reader.id, openedBy: 'us' }])
  const envelope = withPeer([{ ...PEER, may: ['envelope'] }])
  const action = { name: 'quote', parameters: { n: 1 } }
  const reply = must(
    envelope.put(ADAPTER, {
      type: 'sendOutside',
      sender: TEAM.reader.id,
      stage: null,
      step: null,
      uri: URI,
      text: 'Quote it',
      task: must(envelope.world.baseTask, 'base task'),
      attachments: [],
      conversation: null,
      action,
    }),
    'decision',
  ).reply as { task: TaskId; message: MessageId }
  expect(envelope.world.messages[reply.task]?.[reply.message]?.action).toEqual(action)
})
