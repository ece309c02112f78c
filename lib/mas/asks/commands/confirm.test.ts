/** Whom a risky call is put to, and what becomes of the question when the call changes or its step ends. */
import { describe, expect, it } from 'vitest'
import { stepIn } from '@/lib/mas/steps/ownSteps'
import { BASE_TASK, openTask, outcomeOf, planned, Story, send, TEAM } from '@/test/worldHistories'
import { bodyOf } from '../../bodies'
import { decide } from '../../commands'
import { DecisionContext } from '../../commands/decisionContext'
import type { AgentId, MessageId, TaskId } from '../../ids'
import type { AgentRecord, BodyRef, RequestRecord, StepRecord, World } from '../../records'
import { type Said, said } from '../../said'
import { approvalWaitsSince, findMissedAlert, requestAlerts } from '../alerts'
import { selectConfirmers, withdrawIfChanged } from './confirm'

const READER = TEAM.reader.id
const argsOf = (text: string): BodyRef => bodyOf(text, 'application/json').ref
const callWith = (args: BodyRef) => ({ kind: 'call', target: 'tool', name: 'write', arguments: args }) as const

/** The reader's call is held, and people are asked. */
function held(title?: Said): { story: Story; task: TaskId; step: StepRecord; request: RequestRecord; args: BodyRef } {
  const story = new Story()
  const task = openTask(story)
  const args = argsOf('{"n":1}')
  story.run(READER, () => outcomeOf({ steps: { insert: [], add: [planned('files', 'tool')] } }))
  story.run(READER, (writer) =>
    outcomeOf({ instruct: writer.boundTo === null ? null : { step: writer.boundTo, instruction: callWith(args) } }),
  )
  const running = story.start(READER)
  if (!task || !running) throw new Error('no tool runs')
  const call = { server: 'files', tool: 'write', arguments: args, digest: args.sha, changes: '' }
  story.put('system:runner', { type: 'holdStep', step: running.id, attempt: 1, call, ...(title && { title }) })
  const step = stepIn(story.world.steps[task]?.[READER], running.id)
  const request = story.openRequests().find(({ kind }) => kind === 'confirm')
  if (!step || !request) throw new Error('nothing is held')
  return { story, task, step, request, args }
}

describe('a confirmation is put to', () => {
  it('the humans of the task', () => {
    const { request } = held()
    expect(request.asked).toEqual([TEAM.ben.id, TEAM.ana.id].filter((id) => request.asked.includes(id)))
    expect(request.asked).toContain(TEAM.ben.id)
    expect(request.asked).not.toContain(TEAM.lee.id)
  })

  it('the operators where the task has no human', () => {
    const { story, task } = held()
    const owner = story.world.tasks[task]
    if (!owner) throw new Error('no task')
    const alone = { ...story.world, tasks: { ...story.world.tasks, [task]: { ...owner, group: [READER] } } }
    expect(selectConfirmers(alone, { task, thread: null })).toEqual([TEAM.ana.id])
  })

  it('the one who began the thread in the base task, where everybody is a member', () => {
    const story = new Story()
    story.put(TEAM.ben.id, send(TEAM.ben.id, [TEAM.manager.id], { text: 'go', kind: 'action' }))
    const thread = Object.keys(story.world.messages[BASE_TASK] ?? {})[0] as MessageId
    expect(selectConfirmers(story.world, { task: BASE_TASK, thread })).toEqual([TEAM.ben.id])
    expect(selectConfirmers(story.world, { task: BASE_TASK, thread: null })).toEqual([TEAM.ana.id])
  })
})

it('[R745] a confirmation asks what the call would do, and keeps it for readers of another language', () => {
  const title = said('writesNew', { path: 'a.md', bytes: 7 })
  expect(held(title).request).toMatchObject({ question: 'Write a.md, new file, 7 B', said: title })
  expect(held().request.question).toBe('Allow files.write?')
})

describe('[R11] a live step that gets other arguments', () => {
  it('withdraws the question about the old ones, lets its agent go, and is held anew by what it runs next', () => {
    const { story, task, step, request } = held()
    const context = new DecisionContext(story.world, { id: 'c', by: 'system:runner' }, 1)
    const other = callWith(argsOf('{"n":2}'))
    withdrawIfChanged(context, step, other)
    context.emit('step.instructed', { task, agent: READER, step: step.id, instruction: other })
    expect(context.world.requests[task]?.[request.id]).toMatchObject({
      state: 'superseded',
      endReason: 'other arguments were written for the call',
      call: { digest: request.call?.digest },
    })
    expect(context.world.work[READER]?.locks).toEqual([])
    // Its agent has nothing to hear: it is asked anew.
    expect(context.events.filter(({ type }) => type === 'message.sent')).toEqual([])
    expect(stepIn(context.world.steps[task]?.[READER], step.id)).toMatchObject({
      held: null,
      approvedBy: null,
      state: 'pending',
    })
  })

  it('withdraws the question when nothing is to be called any more, and touches no delivery', () => {
    const { story, task, step, request } = held()
    const context = new DecisionContext(story.world, { id: 'c', by: 'system:runner' }, 1)
    withdrawIfChanged(context, step, { kind: 'none', reason: 'nothing to write' })
    expect(context.world.requests[task]?.[request.id]?.state).toBe('superseded')
    expect(context.events.filter(({ type }) => type === 'message.delivery')).toEqual([])
  })

  it('stays held when the arguments are the same', () => {
    const { story, task, step, request, args } = held()
    const context = new DecisionContext(story.world, { id: 'c', by: 'system:runner' }, 1)
    withdrawIfChanged(context, step, callWith(args))
    context.emit('step.instructed', { task, agent: READER, step: step.id, instruction: callWith(args) })
    expect(context.world.requests[task]?.[request.id]?.state).toBe('open')
    expect(stepIn(context.world.steps[task]?.[READER], step.id)?.held).toBe(request.id)
  })
})

describe('[R6] a confirmation whose step is over', () => {
  it('is withdrawn with its text kept, and cannot be approved any more', () => {
    const { story, task, step, request, args } = held()
    story.put(TEAM.ana.id, { type: 'cancelStep', step: step.id, reason: 'not needed' })
    expect(story.world.requests[task]?.[request.id]).toMatchObject({ state: 'superseded', call: { arguments: args } })
    const late = story.put(TEAM.ana.id, {
      type: 'answerRequest',
      request: request.id,
      decision: 'approve',
      text: '',
      arguments: null,
      digest: args.sha,
    })
    expect(late).toBeNull()
    expect(stepIn(story.world.steps[task]?.[READER], step.id)).toMatchObject({ state: 'failed', approvedBy: null })
  })
})

describe('a confirmation is put only to people who can give it', () => {
  const without = (story: Story, id: AgentId, change: Partial<AgentRecord>): World => {
    const agent = story.world.agents[id]
    if (!agent) throw new Error('no such agent')
    return { ...story.world, agents: { ...story.world.agents, [id]: { ...agent, ...change } } }
  }
  const where = (task: TaskId) => ({ task, thread: null })

  it('of the task: not to who is removed, may not sign in, or is no person', () => {
    const { story, task } = held()
    const all = selectConfirmers(story.world, where(task))
    expect(all).toContain(TEAM.ben.id)
    expect(all).not.toContain(READER)
    expect(selectConfirmers(without(story, TEAM.ben.id, { removed: true }), where(task))).not.toContain(TEAM.ben.id)
    expect(selectConfirmers(without(story, TEAM.ben.id, { access: 'none' }), where(task))).not.toContain(TEAM.ben.id)
  })

  it('of the team where the task has none: operators who are there, no other person', () => {
    const { story, task } = held()
    const owner = story.world.tasks[task]
    if (!owner) throw new Error('no task')
    const alone = (world: World): World => ({
      ...world,
      tasks: { ...world.tasks, [task]: { ...owner, group: [READER] } },
    })
    expect(selectConfirmers(alone(without(story, TEAM.lee.id, { access: 'operator' })), where(task))).toEqual([
      TEAM.ana.id,
      TEAM.lee.id,
    ])
    expect(selectConfirmers(alone(without(story, TEAM.ana.id, { removed: true })), where(task))).toEqual([])
  })

  it('of the base task: to operators in a thread that the program began, or that is gone', () => {
    const story = new Story()
    story.put(TEAM.ben.id, send(TEAM.ben.id, [TEAM.manager.id], { text: 'go', kind: 'action' }))
    const thread = Object.keys(story.world.messages[BASE_TASK] ?? {})[0] as MessageId
    const message = story.world.messages[BASE_TASK]?.[thread]
    if (!message) throw new Error('no message')
    const begun = {
      ...story.world,
      messages: { [BASE_TASK]: { [thread]: { ...message, sender: 'system:task' as const } } },
    }
    expect(selectConfirmers(begun, { task: BASE_TASK, thread })).toEqual([TEAM.ana.id])
    expect(selectConfirmers(story.world, { task: BASE_TASK, thread: 'none' as MessageId })).toEqual([TEAM.ana.id])
  })
})

describe('[R11] the answer to a confirmation', () => {
  const answer = (story: Story, request: RequestRecord, by: AgentId, more: object) => {
    const command = {
      type: 'answerRequest',
      request: request.id,
      decision: 'approve',
      text: '',
      arguments: null,
      digest: request.call?.digest ?? null,
      ...more,
    } as const
    const decided = decide(story.world, { id: 'a-try', by, command }, story.world.at + 1)
    return decided.ok ? decided : decided.fault.code
  }

  it('is for the call that was shown: another digest is refused', () => {
    const { story, request } = held()
    expect(answer(story, request, TEAM.ben.id, { digest: 'another' })).toBe('DIGEST_CHANGED')
    expect(answer(story, request, TEAM.ben.id, { digest: null })).toBe('DIGEST_CHANGED')
    expect(answer(story, request, TEAM.ben.id, { decision: 'approve_edited' })).toBe('BAD_ARGUMENTS')
    expect(answer(story, request, TEAM.ben.id, { decision: 'refuse', text: '' })).toBe('REASON_MISSING')
  })

  it('[R280] names no arguments that would not run: such an answer is refused, and nothing is settled', () => {
    const { story, request } = held()
    const other = argsOf('{"n":2}')
    expect(answer(story, request, TEAM.ben.id, { arguments: other })).toBe('ARGUMENTS_UNUSED')
    expect(answer(story, request, TEAM.ben.id, { decision: 'refuse', text: 'no', arguments: other })).toBe(
      'ARGUMENTS_UNUSED',
    )
    expect(answer(story, request, TEAM.ben.id, { decision: 'approve_edited', arguments: other })).toMatchObject({
      ok: true,
    })
  })

  it('lets the agent go, and the call runs as it was or as it was edited', () => {
    const { story, task, step, request, args } = held()
    const plain = answer(story, request, TEAM.ben.id, {})
    if (typeof plain === 'string') throw new Error(plain)
    expect(plain.world.work[READER]?.locks).toEqual([])
    expect(stepIn(plain.world.steps[task]?.[READER], step.id)?.approvedBy).toEqual({
      by: TEAM.ben.id,
      edited: false,
      digest: args.sha,
    })
    const other = argsOf('{"n":3}')
    const edited = answer(story, request, TEAM.ben.id, { decision: 'approve_edited', arguments: other })
    if (typeof edited === 'string') throw new Error(edited)
    expect(stepIn(edited.world.steps[task]?.[READER], step.id)).toMatchObject({
      approvedBy: { edited: true, digest: other.sha },
      instruction: { arguments: other },
    })
  })

  it('[R801] that refuses fails the step with the words, and the agent decides what then', () => {
    const { story, task, step, request } = held()
    const refused = answer(story, request, TEAM.ben.id, { decision: 'refuse', text: 'not there' })
    if (typeof refused === 'string') throw new Error(refused)
    expect(stepIn(refused.world.steps[task]?.[READER], step.id)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('not there'),
      failureCause: 'person',
      approvedBy: null,
    })
    expect(refused.world.work[READER]?.locks).toEqual([])
    const next = refused.world.work[READER]?.todo[0]
    expect(next && stepIn(refused.world.steps[task]?.[READER], next.step)?.executor).toBe('tool_decision')
  })
})

it('the release of a call that waits for a decision touches no delivery', () => {
  const { story, request } = held()
  const waiting = story.world.work[READER]?.locks[0]?.id
  if (waiting === undefined) throw new Error('nothing waits')
  const release = { type: 'releaseWait', agent: READER, waiting, reason: 'it is late' } as const
  const { events } = story.put(TEAM.ana.id, release) ?? { events: [] }
  expect(events).toContainEqual(expect.objectContaining({ type: 'request.ended', state: 'released' }))
  expect(events.filter((one) => one.type === 'message.delivery' && one.message === null)).toEqual([])
  expect(story.world.requests[request.task]?.[request.id]?.state).toBe('released')
})

describe('[R740] an approval', () => {
  const asked = (story: Story, { task, id }: RequestRecord): RequestRecord | undefined =>
    story.world.requests[task]?.[id]
  const urgeAt = (story: Story, { task, id: request }: RequestRecord, since: number) =>
    decide(story.world, { id: 'u', by: 'system:notify', command: { type: 'urgeDue', task, request, since } }, since + 1)

  it('alerts nobody by itself, and from the time on at which it became urgent', () => {
    const { story, request } = held()
    expect(request.type).toBe('approval')
    expect(requestAlerts(request)).toBe(false)
    const since = approvalWaitsSince(request)
    expect(since).toBe(request.openedAt)
    story.put('system:notify', { type: 'urgeDue', task: request.task, request: request.id, since: request.openedAt })
    const now = asked(story, request)
    expect(now).toMatchObject({ type: 'urgent', raisedAt: story.world.at })
    expect(now && requestAlerts(now)).toBe(true)
    expect(now && approvalWaitsSince(now)).toBeNull()
  })

  it('waits again from when somebody took it: what was due for the time before comes to nothing', () => {
    const { story, request } = held()
    story.put(TEAM.ben.id, { type: 'claimRequest', request: request.id })
    expect(urgeAt(story, request, request.openedAt)).toMatchObject({ ok: false, fault: { code: 'ALREADY_SO' } })
    const claimed = asked(story, request)?.claimed?.at ?? 0
    expect(claimed).toBeGreaterThan(request.openedAt)
    expect(urgeAt(story, request, claimed)).toMatchObject({ ok: true })
  })

  it('is urgent when a person who may answer it says so, once; nobody else may', () => {
    const { story, task, request } = held()
    const urge = (by: AgentId) =>
      decide(story.world, { id: 'u', by, command: { type: 'urgeRequest', request: request.id } }, story.world.at + 1)
    expect(urge(TEAM.lee.id)).toMatchObject({ ok: false, fault: { code: 'NOT_FOUND' } })
    story.put(TEAM.ben.id, { type: 'urgeRequest', request: request.id })
    expect(asked(story, request)?.type).toBe('urgent')
    expect(urge(TEAM.ana.id)).toMatchObject({ ok: false, fault: { code: 'ALREADY_SO' } })
    const part = story.openRequests().find(({ kind }) => kind === 'part')
    expect(
      decide(
        story.world,
        {
          id: 'u',
          by: part?.asked[0] ?? TEAM.ben.id,
          command: { type: 'urgeRequest', request: part?.id ?? request.id },
        },
        story.world.at + 1,
      ),
    ).toMatchObject({ ok: false, fault: { code: 'ALREADY_SO' } })
    expect(task).toBe(request.task)
  })
})

it('an urgent call that somebody took rings again by its request, and no other request does', () => {
  const { story, task, request } = held()
  const { ben } = TEAM
  story.put(ben.id, { type: 'urgeRequest', request: request.id })
  story.put(ben.id, { type: 'claimRequest', request: request.id })
  const part = story.openRequests().find(({ kind, asked }) => kind === 'part' && asked.includes(ben.id))
  if (part === undefined) throw new Error('Ben has no part')
  story.put(ben.id, { type: 'claimRequest', request: part.id })
  const missed = findMissedAlert(story.world, { task, request: request.id, person: ben.id })
  if (missed === null) throw new Error('nothing is missed')
  const raise = { type: 'raiseAgain', task, request: request.id, person: ben.id, since: missed.since } as const
  expect(story.put('system:notify', raise)?.events).toMatchObject([
    { type: 'request.reopened', because: 'raised', request: request.id },
  ])
  expect(story.world.requests[task]?.[part.id]?.claimed).not.toBeNull()
})
