/** Work that an agent of another system asks for: what it hears of it, what it does not, and how much it may ask for. */
import { expect, it } from 'vitest'
import { sampleShapeOf } from '@/test/samples'
import { goals, must, says, saysFyi, stepNow, tell } from '@/test/stories'
import { outcomeOf, planned, type Story, send, TEAM, teamConfig } from '@/test/worldHistories'
import { decide } from '../../commands'
import type { TaskId } from '../../ids'
import type { MessageRecord, ModelCall, TaskRecord } from '../../records'
import { stepsIn } from '../../steps/ownSteps'
import { selectOutgoing } from '../outside'
import { selectVoice, selectWorkReport } from '../outsideWork'
import type { PeerConfig } from '../records'
import {
  ADAPTER,
  comesIn,
  conversations,
  delivered,
  messagesOf,
  outsider,
  PEER,
  refusal,
  URI,
  withPeer,
} from './test/outsideStories'

const ask = (story: Story, theirs = 'msg-1'): void => {
  story.put(ADAPTER, comesIn({ to: TEAM.manager.id, text: 'Compare the lists', theirs }))
}
const workOf = (story: Story): TaskRecord[] =>
  Object.values(story.world.tasks).filter((task: TaskRecord) => task.requestedBy === outsider(story).id)
const begin = (story: Story): void => {
  story.run(TEAM.manager.id, () =>
    tell({
      action: 'add_task',
      task_name: 'Compare',
      task_intention: 'Find the secret reserve price',
      members: [TEAM.reader.id, outsider(story).id],
      stages: [goals('read', TEAM.reader.id)],
    }),
  )
}

/** The manager has begun what the agent outside asked for; Reader works on it. */
function asked(peer: Partial<PeerConfig> = {}, tokensPerTask?: number): { story: Story; work: TaskId; home: TaskId } {
  const peers = [{ ...PEER, ...peer }]
  const story = withPeer(peers)
  const { team, ...config } = teamConfig()
  if (tokensPerTask !== undefined)
    story.put('system:start', { ...config, peers, team: { ...team, limits: { ...team.limits, tokensPerTask } } })
  ask(story)
  begin(story)
  return {
    story,
    work: must(workOf(story)[0], 'work').id,
    home: must(conversations(story)[0], 'conversation').task,
  }
}

/** All that is on its way to the agent outside or was sent to it. */
const sent = (story: Story): MessageRecord[] =>
  Object.values(story.world.messages)
    .flatMap((all): MessageRecord[] => Object.values(all))
    .filter(({ receivers }) => receivers.includes(outsider(story).id))
    .sort((a, b) => a.seq - b.seq)
const states = (story: Story): string[] =>
  sent(story).flatMap((message) => selectWorkReport(story.world, message, outsider(story).id)?.state ?? [])
const readerAsks = (story: Story): void => {
  story.run(TEAM.reader.id, () => outcomeOf({ steps: { insert: [], add: [planned('send_message')] } }))
  story.run(TEAM.reader.id, () => says([outsider(story).id], { message: 'Which price?' }))
}

it('[R147] the work is a task of its own, in whose group the agent outside is not although the manager names it', () => {
  const { story, work, home } = asked()
  const { group, requestedBy, requestedIn } = must(story.world.tasks[work], 'work')
  expect(requestedBy).toBe(outsider(story).id)
  expect(group).toEqual([TEAM.manager.id, TEAM.reader.id])
  expect(requestedIn).toEqual({ task: home, thread: messagesOf(story, home)[0]?.id })
  expect(conversations(story).map(({ task }) => task)).toEqual([home])
})

it('[R147] the requester gets no part of a stage', () => {
  const { story, work } = asked()
  story.put(ADAPTER, comesIn({ to: TEAM.manager.id, theirs: 'msg-2', needReply: true }))
  story.run(TEAM.manager.id, () =>
    tell({ action: 'add_stage', task_id: work, stages: [goals('check', outsider(story).id)] }),
  )
  expect(story.world.tasks[work]?.stageOrder).toHaveLength(1)
  expect(story.world.tasks[work]?.group).not.toContain(outsider(story).id)
})

it('[R147] a message that is sent to the requester by its address leaves it out of the group too', () => {
  const { story, work } = asked()
  story.put(ADAPTER, {
    type: 'sendOutside',
    sender: TEAM.reader.id,
    task: work,
    stage: null,
    step: null,
    uri: URI,
    text: 'Which price?',
    attachments: [],
    conversation: null,
  })
  expect(sent(story).at(-1)).toMatchObject({ task: work, text: 'Which price?' })
  expect(states(story)).toEqual(['working', 'input_required'])
  expect(story.world.tasks[work]?.group).toEqual([TEAM.manager.id, TEAM.reader.id])
})

it('[R147] nothing of the goals, the members or what they say to each other is sent', () => {
  const { story, work } = asked()
  story.run(TEAM.reader.id, () => outcomeOf({ steps: { insert: [], add: [planned('send_message')] } }))
  story.run(TEAM.reader.id, () => saysFyi([TEAM.manager.id], 'The reserve price is 4.'))
  story.put(TEAM.ana.id, { type: 'pauseTask', task: work, reason: 'the reserve price leaked' })
  story.put(TEAM.ana.id, { type: 'resumeTask', task: work, reason: '' })
  expect(states(story)).toEqual(['working', 'paused', 'working'])
  const text = sent(story)
    .map((message) => message.text)
    .join('\n')
  expect(text).not.toContain('reserve')
  expect(text).not.toContain('Reader')
})

it('[R180] a reply to the request says that the work is under way, until it has ended', () => {
  const { story, home } = asked()
  const request = must(messagesOf(story, home)[0], 'request')
  const begun = must(sent(story).at(-1), 'reply')
  expect(begun).toMatchObject({ task: home, replyTo: request.id })
  expect(states(story)).toEqual(['working'])
  const { id: agent } = outsider(story)
  // Also when it is delivered after the end.
  const [work] = workOf(story)
  story.put(TEAM.ana.id, {
    type: 'finishTask',
    task: must(work, 'work').id,
    state: 'finished',
    summary: 'It is 7.',
    reason: 'done',
  })
  expect(selectWorkReport(story.world, begun, agent)).toMatchObject({ state: 'working', request: request.id })
  expect(states(story).at(0)).toBe('working')
  expect(states(story).at(-1)).toBe('finished')
})

it('[R148] a question of a member goes out in the conversation, in the voice of its partner', () => {
  const { story, work } = asked()
  readerAsks(story)
  const [conversation] = conversations(story)
  const question = must(sent(story).at(-1), 'question')
  expect(question.task).toBe(work)
  expect(states(story).at(-1)).toBe('input_required')
  expect(selectOutgoing(story.world).map((one) => one.conversation)).toEqual([conversation?.id])
  expect(selectVoice(question, must(conversation, 'conversation'))).toBe(TEAM.manager.id)
})

it('[R148] the next message answers it: the wait ends in the task, with the answer there', () => {
  const { story, work, home } = asked()
  readerAsks(story)
  delivered(story)
  expect(story.world.work[TEAM.reader.id]?.locks).toHaveLength(1)
  const { shared } = must(conversations(story)[0], 'conversation')
  story.put(ADAPTER, comesIn({ to: TEAM.manager.id, shared, theirs: 'msg-2', text: '3.50' }))
  expect(story.world.work[TEAM.reader.id]?.locks).toEqual([])
  expect(messagesOf(story, work).at(-1)).toMatchObject({ text: '3.50', receivers: [TEAM.reader.id], type: 'fyi' })
  expect(messagesOf(story, home).some(({ text }) => text === '3.50')).toBe(false)
  expect(story.world.tasks[work]?.group).not.toContain(outsider(story).id)
})

it('[R148] a person of the task asks the requester: it sees that message alone, and its answer comes to the person', () => {
  const { story, work } = asked()
  const before = sent(story).length
  story.put(TEAM.ana.id, { type: 'changeParticipants', task: work, add: [TEAM.ana.id], remove: [], reason: 'to ask' })
  story.put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.reader.id], { task: work, text: 'The reserve price is 4.' }))
  story.put(TEAM.ana.id, send(TEAM.ana.id, [outsider(story).id], { task: work, text: 'Which price?', kind: 'action' }))
  const question = must(sent(story).at(-1), 'question')
  expect(
    sent(story)
      .slice(before)
      .map(({ text }) => text),
  ).toEqual(['Which price?'])
  const conversation = must(conversations(story)[0], 'conversation')
  expect(selectVoice(question, conversation)).toBe(TEAM.manager.id)
  expect(states(story).at(-1)).toBe('input_required')
  story.put(ADAPTER, comesIn({ to: TEAM.manager.id, shared: conversation.shared, theirs: 'msg-2', text: '3.50' }))
  expect(messagesOf(story, work).at(-1)).toMatchObject({ text: '3.50', receivers: [TEAM.ana.id], replyTo: question.id })
  expect(story.world.tasks[work]?.group).not.toContain(outsider(story).id)
})

it('[R148] who has nothing to do with the task is still no receiver in it', () => {
  const { story, work } = asked()
  story.put(TEAM.ana.id, { type: 'changeParticipants', task: work, add: [TEAM.ana.id], remove: [], reason: 'to ask' })
  story.put(ADAPTER, comesIn({ from: 'agent://other.example/buyer', theirs: 'msg-2' }))
  const buyer = must(
    Object.values(story.world.agents).find(({ outside }) => outside?.uri.endsWith('buyer')),
    'buyer',
  )
  const command = send(TEAM.ana.id, [buyer.id], { task: work, text: 'Hello' })
  const decided = decide(story.world, { id: 'a-try', by: TEAM.ana.id, command }, story.world.at + 1)
  expect(decided.ok ? null : decided.fault.code).toBe('NOT_A_MEMBER')
})

it('[R148] what was said to the requester is sent although the task has ended since, and then the end', () => {
  const { story, work } = asked()
  story.run(TEAM.reader.id, () => outcomeOf({ steps: { insert: [], add: [planned('send_message')] } }))
  story.run(TEAM.reader.id, () => saysFyi([outsider(story).id], 'The total is 7.'))
  story.put(ADAPTER, comesIn({ to: TEAM.manager.id, theirs: 'msg-2', needReply: true }))
  story.run(TEAM.manager.id, () =>
    tell({ action: 'finish_task', task_id: work, state: 'finished', task_summary: 'It is 7.' }),
  )
  expect(story.world.tasks[work]?.state).toBe('finished')
  const texts: string[] = []
  for (let next = selectOutgoing(story.world)[0]; next !== undefined; next = selectOutgoing(story.world)[0]) {
    texts.push(must(story.world.messages[next.task]?.[next.message], 'message').text)
    delivered(story)
  }
  const end = texts.findIndex((text) => text.includes('It is 7.'))
  expect(texts.indexOf('The total is 7.')).toBeGreaterThanOrEqual(0)
  expect(texts.indexOf('The total is 7.')).toBeLessThan(end)
})

it('[R148] a question that nobody answered ends with the task: the next message is no answer to it', () => {
  const { story, work } = asked()
  readerAsks(story)
  delivered(story)
  story.put(ADAPTER, comesIn({ to: TEAM.manager.id, theirs: 'msg-2', needReply: true }))
  story.run(TEAM.manager.id, () =>
    tell({ action: 'finish_task', task_id: work, state: 'failed', task_summary: 'Not possible.' }),
  )
  expect(states(story).at(-1)).toBe('failed')
  const { shared, task } = must(conversations(story)[0], 'conversation')
  story.put(ADAPTER, comesIn({ to: TEAM.manager.id, shared, theirs: 'msg-3', text: 'And now?' }))
  expect(messagesOf(story, task).at(-1)).toMatchObject({ text: 'And now?', type: 'action' })
})

it('[R189] a conversation is not ended while work that it carries goes on, by a person or by its manager', () => {
  const { story, work, home } = asked()
  const ends = (task: TaskId) => ({
    type: 'finishTask' as const,
    task,
    state: 'finished' as const,
    summary: '',
    reason: 'done',
  })
  const faultOf = (task: TaskId) => {
    const decided = decide(story.world, { id: 'a-try', by: TEAM.ana.id, command: ends(task) }, story.world.at + 1)
    return decided.ok ? null : decided.fault.message
  }
  expect(faultOf(home)).toContain('Finish Compare first')
  story.put(ADAPTER, comesIn({ to: TEAM.manager.id, theirs: 'msg-2', needReply: true }))
  const step = must(
    story.run(TEAM.manager.id, () =>
      tell({ action: 'finish_task', task_id: home, state: 'finished', task_summary: 'Over.' }),
    ),
    'step',
  )
  expect(story.world.tasks[home]?.state).not.toBe('finished')
  const { reason, result } = stepNow(story.world, step)
  expect(`${reason} ${result?.text}`).toContain('Finish Compare first')
  story.put(TEAM.ana.id, ends(work))
  expect(states(story).at(-1)).toBe('finished')
  expect(faultOf(home)).toBeNull()
})

it('[R189] nobody ends a conversation that carries work by refusing it more than its limit', () => {
  const { story, work, home } = asked({}, 1_000)
  const { shared } = must(conversations(story)[0], 'conversation')
  story.put(ADAPTER, comesIn({ to: TEAM.manager.id, shared, theirs: 'msg-2', needReply: true }))
  story.run(TEAM.manager.id, () => outcomeOf({ call: { ...sampleShapeOf('model.called').call, promptTokens: 1_100 } }))
  const { id: request } = must(
    Object.values(story.world.requests[home] ?? {}).find(({ kind }) => kind === 'limit'),
    'limit',
  )
  const refuses = {
    type: 'answerRequest' as const,
    request,
    decision: 'refuse' as const,
    text: 'it costs too much',
    arguments: null,
    digest: null,
  }
  const decided = decide(story.world, { id: 'a-try', by: TEAM.ana.id, command: refuses }, story.world.at + 1)
  expect(decided.ok ? null : decided.fault.code).toBe('WORK_GOES_ON')
  story.put(TEAM.ana.id, { type: 'finishTask', task: work, state: 'failed', summary: '', reason: 'it is over' })
  expect(states(story).at(-1)).toBe('failed')
  story.put(TEAM.ana.id, refuses)
  expect(story.world.tasks[home]?.state).toBe('failed')
})

it('[R149] a peer at its tasks gets no further one, and the manager is told why', () => {
  const { story } = asked({ limits: { tasks: 1, tokensPerDay: null, costPerDay: null } })
  ask(story, 'msg-2')
  begin(story)
  expect(workOf(story)).toHaveLength(1)
  const said = Object.values(story.world.steps)
    .flatMap((all) => stepsIn(all[TEAM.manager.id]))
    .map(({ result, reason }) => `${result?.text ?? ''}${reason ?? ''}`)
  expect(said.some((text) => text.includes('may have 1 task at once'))).toBe(true)
})

it('[R149] a peer whose tokens of the day are used is refused, and still answers what it was asked', () => {
  const { story } = asked({ limits: { tasks: 5, tokensPerDay: 1_000, costPerDay: null } })
  readerAsks(story)
  delivered(story)
  const request = comesIn({ to: TEAM.manager.id, theirs: 'msg-2', needReply: true })
  expect(refusal(story, request)).toBeNull()
  story.put(ADAPTER, request)
  story.run(TEAM.manager.id, () => outcomeOf({ call: { ...sampleShapeOf('model.called').call, promptTokens: 1_100 } }))
  expect(refusal(story, { ...request, theirs: 'msg-3' })).toBe('PEER_LIMIT')
  // What says that it wants no answer is read by an agent all the same.
  expect(refusal(story, { ...request, theirs: 'msg-5', needReply: false })).toBe('PEER_LIMIT')
  const { shared } = must(conversations(story)[0], 'conversation')
  expect(refusal(story, comesIn({ to: TEAM.manager.id, shared, theirs: 'msg-4', text: '3.50' }))).toBeNull()
})

/** The work made these files, of so many bytes each; then it ends with that summary. out: the message to the requester */
function endsWith(files: [path: string, bytes: number, kept?: boolean][], summary: string): MessageRecord {
  const { story, work } = asked()
  const step = must(
    story.run(TEAM.reader.id, () => outcomeOf({})),
    'step',
  )
  story.put('system:run', {
    type: 'recordFiles',
    step: step.id,
    more: 0,
    complete: true,
    keep: 10,
    changes: files.map(([path, bytes, kept = true]) => ({
      path,
      change: 'made' as const,
      before: null,
      shared: false,
      now: { sha: kept ? 'd'.repeat(64) : null, bytes, kept },
    })),
  })
  story.put(TEAM.ana.id, { type: 'finishTask', task: work, state: 'finished', summary, reason: 'done' })
  return must(sent(story).at(-1), 'end')
}
const namesOf = ({ attachments }: MessageRecord): (string | null)[] => attachments.map(({ savedAs }) => savedAs)

it('[R147] a file is released where its whole path is named, not where another path only holds its name', () => {
  const summary = 'See old-report.md, data.md and prices/total.md; ./notes.md. 报告在result.md中'
  const files = ['report.md', 'a.md', 'total.md', 'notes.md', 'result.md', 'prices/total.md']
  expect(
    namesOf(
      endsWith(
        files.map((path) => [path, 1]),
        summary,
      ),
    ).sort(),
  ).toEqual(['notes.md', 'prices/total.md', 'result.md'])
})

it('[R147] the end says which named files were not sent, and one that does not fit takes no room from the others', () => {
  const end = endsWith(
    [
      ['small.md', 1_000],
      ['gone.md', 10, false],
      ['large.md', 7 * 1024 * 1024],
    ],
    'See small.md, gone.md and large.md.',
  )
  expect(namesOf(end)).toEqual(['small.md'])
  expect(end.text).toContain('Not sent, because they are too large, too many or not kept: gone.md, large.md.')
})

it.each([
  ['envelope', true],
  ['mamp', false],
] as const)('[R147] that the work has begun is told in %s by a message of its own: %s', (protocol, isTold) => {
  const story = withPeer([{ ...PEER, may: [protocol] }])
  story.put(ADAPTER, comesIn({ protocol, to: TEAM.manager.id, text: 'Compare the lists' }))
  begin(story)
  expect(sent(story).some(({ text }) => text === 'The work on Compare has started.')).toBe(isTold)
})

it('[R147] no more of its tasks are begun at once than its limit allows, and one less may be', () => {
  const limits = { tasks: 2, tokensPerDay: null, costPerDay: null }
  const story = withPeer([{ ...PEER, limits } as PeerConfig])
  const asks = (theirs: string) => comesIn({ to: TEAM.manager.id, text: 'Compare', theirs, begins: true })
  const tried = (theirs: string): string | null => refusal(story, asks(theirs))
  for (const theirs of ['msg-1', 'msg-2']) {
    expect(tried(theirs)).toBeNull()
    story.put(ADAPTER, asks(theirs))
    begin(story)
  }
  expect(workOf(story)).toHaveLength(2)
  expect(tried('msg-3')).toBe('PEER_LIMIT')
})

it('[R147] a question of the work that was not sent yet is withdrawn with its end', () => {
  const { story, work } = asked()
  readerAsks(story)
  const question = must(
    messagesOf(story, work).find(({ text }) => text === 'Which price?'),
    'question',
  )
  const stateOf = () => story.world.deliveries[work]?.[outsider(story).id]?.[question.id]?.state
  expect(stateOf()).toBe('queued')
  story.put(TEAM.ana.id, { type: 'finishTask', task: work, state: 'failed', summary: 'enough', reason: 'enough' })
  expect(stateOf()).toBe('superseded')
})

it('[R147] the work that the last message of a conversation asks for is named by it, no matter who of ours spoke last', () => {
  const story = withPeer()
  const says = (theirs: string, text: string): void => {
    const [open] = conversations(story)
    story.put(ADAPTER, comesIn({ to: TEAM.manager.id, theirs, text, needReply: false, shared: open?.shared ?? null }))
  }
  says('msg-1', 'Hello')
  says('msg-2', 'Compare the lists')
  begin(story)
  const home = must(conversations(story)[0], 'conversation').task
  const last = messagesOf(story, home).find(({ text }) => text === 'Compare the lists')
  expect(workOf(story)[0]).toMatchObject({ requestedIn: { task: home, thread: last?.id } })
})

it('[R147] a limit that stops the work is told to who asked for it, and that it goes on again', () => {
  const { story } = asked({}, 100)
  const call: ModelCall = {
    id: 'call',
    attempt: 1,
    model: 'm',
    modelVersion: null,
    prompt: { sha: '', bytes: 0 },
    answer: null,
    outcome: 'taken',
    error: null,
    promptTokens: 100,
    completionTokens: 0,
    estimated: false,
    costUsd: null,
    firstTokenMs: null,
    totalMs: 1,
    at: 0,
  }
  story.run(TEAM.reader.id, () => outcomeOf({ call }))
  const request = must(
    story.openRequests().find(({ kind }) => kind === 'limit'),
    'request',
  )
  expect(sent(story).at(-1)?.text).toMatch(/^The work on Compare has reached its limit\./)
  story.put(TEAM.ana.id, {
    type: 'answerRequest',
    request: request.id,
    decision: 'approve',
    text: '1000',
    arguments: null,
    digest: null,
  })
  expect(sent(story).at(-1)?.text).toBe('The work on Compare continues.')
})
