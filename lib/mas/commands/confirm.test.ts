/** Whom a risky call is put to, and what becomes of the question when the call changes or its step ends. */

import { describe, expect, it } from 'vitest'
import { stepIn } from '@/lib/mas/ownSteps'
import { BASE_TASK, openTask, outcomeOf, planned, Story, send, TEAM } from '@/test/worldHistories'
import { bodyOf } from '../bodies'
import type { MessageId, TaskId } from '../ids'
import type { BodyRef, RequestRecord, StepRecord } from '../records'
import { selectConfirmers, withdrawIfChanged } from './confirm'
import { Draft } from './draft'

const READER = TEAM.reader.id
const argsOf = (text: string): BodyRef => bodyOf(text, 'application/json').ref
const callWith = (args: BodyRef) => ({ kind: 'call', target: 'tool', name: 'write', arguments: args }) as const

/** The reader's call is held, and people are asked. */
function held(): { story: Story; task: TaskId; step: StepRecord; request: RequestRecord; args: BodyRef } {
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
  story.put('system:runner', { type: 'holdStep', step: running.id, attempt: 1, call })
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

  it('whoever began the thread in the base task, where everybody is a member', () => {
    const story = new Story()
    story.put(TEAM.ben.id, send(TEAM.ben.id, [TEAM.manager.id], { text: 'go', needReply: true }))
    const thread = Object.keys(story.world.messages[BASE_TASK] ?? {})[0] as MessageId
    expect(selectConfirmers(story.world, { task: BASE_TASK, thread })).toEqual([TEAM.ben.id])
    expect(selectConfirmers(story.world, { task: BASE_TASK, thread: null })).toEqual([TEAM.ana.id])
  })
})

describe('[R11] a live step that gets other arguments', () => {
  it('withdraws the question about the old ones, lets its agent go, and is held anew by what it runs next', () => {
    const { story, task, step, request } = held()
    const draft = new Draft(
      story.world,
      { id: 'c', by: 'system:runner', command: { type: 'claimRequest', request: request.id } },
      1,
    )
    const other = callWith(argsOf('{"n":2}'))
    withdrawIfChanged(draft, step, other)
    draft.emit('step.instructed', { task, agent: READER, step: step.id, instruction: other })
    expect(draft.world.requests[task]?.[request.id]).toMatchObject({
      state: 'superseded',
      endReason: 'other arguments were written for the call',
      call: { digest: request.call?.digest },
    })
    expect(draft.world.work[READER]?.locks).toEqual([])
    expect(stepIn(draft.world.steps[task]?.[READER], step.id)).toMatchObject({
      held: null,
      approvedBy: null,
      state: 'pending',
    })
  })

  it('stays held when the arguments are the same', () => {
    const { story, task, step, request, args } = held()
    const draft = new Draft(
      story.world,
      { id: 'c', by: 'system:runner', command: { type: 'claimRequest', request: request.id } },
      1,
    )
    withdrawIfChanged(draft, step, callWith(args))
    draft.emit('step.instructed', { task, agent: READER, step: step.id, instruction: callWith(args) })
    expect(draft.world.requests[task]?.[request.id]?.state).toBe('open')
    expect(stepIn(draft.world.steps[task]?.[READER], step.id)?.held).toBe(request.id)
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
