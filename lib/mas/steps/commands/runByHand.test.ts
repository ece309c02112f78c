/** What a person may run by hand, in whose task and stage, and what it is and is not like a step of an agent. */
import { describe, expect, it } from 'vitest'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { BASE_TASK, openTask, outcomeOf, runTool, Story, TEAM } from '@/test/worldHistories'
import type { FaultCode } from '../../../faults'
import { decide } from '../../commands'
import type { Command } from '../../commands/command'
import type { AgentId, StageId, TaskId } from '../../ids'
import type { StepRecord } from '../../records'

const [ANA, BEN, LEE] = [TEAM.ana.id, TEAM.ben.id, TEAM.lee.id]

function opened(): { story: Story; task: TaskId } {
  const story = new Story()
  const task = openTask(story)
  if (!task) throw new Error('no task')
  return { story, task }
}

const refusal = (story: Story, by: AgentId, command: Command): FaultCode | null => {
  const decided = decide(story.world, { id: 'probe', by, command }, story.world.at)
  return decided.ok ? null : decided.fault.code
}
const stepsOf = (story: Story, task: TaskId, who: AgentId): StepRecord[] =>
  stepsIn(story.world.steps[task]?.[who]).filter((step) => step.type === 'tool')
const lines = (story: Story, task: TaskId): string[] =>
  Object.values(story.world.messages[task] ?? {}).map((message) => message.text)

describe('[R37] a tool run by hand', () => {
  it('is a step of the person in the stage that runs, with its call written, and runs as any other', () => {
    const { story, task } = opened()
    story.put(BEN, runTool(story.world, task))
    const step = story.start(BEN)
    expect(step).toMatchObject({ byHand: true, type: 'tool', executor: 'files', state: 'running', agent: BEN })
    expect(step?.instruction).toMatchObject({ kind: 'call', name: 'count' })
    expect(step?.stage).toBe(Object.values(story.world.stages[task] ?? {})[0]?.id)
    if (step) story.finish(step, outcomeOf({ sync: { need_tool_decision: true } }))
    expect(stepsOf(story, task, BEN)).toMatchObject([{ state: 'finished' }])
  })

  it('is followed by nothing: no decision of an agent, no reflection, and their part stays open', () => {
    const { story, task } = opened()
    for (const state of ['finished', 'failed'] as const) {
      story.put(BEN, runTool(story.world, task))
      story.run(BEN, () => outcomeOf({ state, reason: 'no', sync: { need_tool_decision: true } }))
    }
    expect(story.world.work[BEN]).toMatchObject({ todo: [], running: null })
    expect(stepsOf(story, task, BEN).map(({ state }) => state)).toEqual(['finished', 'failed'])
    const stage = Object.values(story.world.stages[task] ?? {})[0]
    expect(stage?.parts[BEN]).toBe('working')
  })

  it('runs one after the other, each person in their own line', () => {
    const { story, task } = opened()
    story.put(BEN, runTool(story.world, task))
    story.put(BEN, runTool(story.world, task))
    story.put(ANA, runTool(story.world, task))
    expect(story.start(BEN)?.state).toBe('running')
    expect(story.start(BEN)).toBeNull()
    expect(story.start(ANA)?.state).toBe('running')
  })

  it('is for members with that tool; an operator may in any task, and beside its stage', () => {
    const { story, task } = opened()
    const input = runTool(story.world, task)
    expect(refusal(story, LEE, input)).toBe('NOT_FOUND')
    expect(refusal(story, ANA, input)).toBeNull()
    expect(refusal(story, BEN, { ...input, server: 'mail' })).toBe('NOT_YOUR_TOOL')
    expect(refusal(story, TEAM.reader.id, input)).toBe('NOT_ALLOWED')
    expect(refusal(story, BEN, { ...input, stage: null })).toBe('STAGE_MISSING')
    expect(refusal(story, ANA, { ...input, stage: null })).toBeNull()
    expect(refusal(story, LEE, runTool(story.world, BASE_TASK))).toBeNull()
  })

  it('begins in no stage that does not run, in no task that is over, and leaves nothing for the end of a pause', () => {
    const { story, task } = opened()
    const later = Object.values(story.world.stages[task] ?? {})[1]?.id ?? null
    expect(refusal(story, ANA, { ...runTool(story.world, task), stage: later })).toBe('STAGE_NOT_RUNNING')
    story.put(ANA, { type: 'pauseTask', task, reason: 'lunch' })
    expect(refusal(story, BEN, runTool(story.world, task))).toBe('TASK_PAUSED')
    story.put(ANA, { type: 'resumeTask', task, reason: '' })
    story.put(ANA, { type: 'finishTask', task, state: 'failed', summary: 'no', reason: 'no' })
    expect(refusal(story, ANA, runTool(story.world, task))).toBe('TASK_OVER')
  })

  it('that was confirmed says so in the step and, with the reason, in the chat; one that only reads is quiet', () => {
    const { story, task } = opened()
    const before = lines(story, task).length
    story.put(BEN, runTool(story.world, task))
    expect(lines(story, task)).toHaveLength(before)
    story.put(BEN, runTool(story.world, task, { reason: 'the list is short' }))
    expect(lines(story, task).at(-1)).toBe('Ben ran files.count manually · the list is short')
    const [quiet, confirmed] = stepsOf(story, task, BEN)
    expect(quiet?.approvedBy).toBeNull()
    expect(confirmed?.approvedBy).toMatchObject({ by: BEN, edited: false })
  })

  it('is cancelled by the one who ran it without a reason, by an operator with one, by nobody else', () => {
    const { story, task } = opened()
    story.put(BEN, runTool(story.world, task))
    story.put(BEN, runTool(story.world, task))
    const [first, second] = stepsOf(story, task, BEN)
    if (!first || !second) throw new Error('no steps')
    expect(refusal(story, LEE, { type: 'cancelStep', step: first.id, reason: 'x' })).toBe('NOT_FOUND')
    expect(refusal(story, ANA, { type: 'cancelStep', step: first.id, reason: '' })).toBe('REASON_MISSING')
    story.put(BEN, { type: 'cancelStep', step: first.id, reason: '' })
    story.put(ANA, { type: 'cancelStep', step: second.id, reason: 'not now' })
    expect(stepsOf(story, task, BEN).map(({ reason }) => reason)).toEqual([
      'cancelled by Ben: no longer needed',
      'cancelled by Ana: not now',
    ])
  })

  it('ends with its stage, and with the node that it was set going on, begun or not', () => {
    const { story, task } = opened()
    story.put(BEN, runTool(story.world, task))
    story.start(BEN)
    story.put(BEN, runTool(story.world, task))
    for (const { id } of stepsOf(story, task, BEN)) {
      story.put('system:recovery', { type: 'recoverStep', step: id, again: false, reason: 'stopped' })
    }
    expect(stepsOf(story, task, BEN).map(({ state, reason }) => [state, reason])).toEqual([
      ['failed', 'stopped'],
      ['failed', 'stopped'],
    ])
    story.put(BEN, runTool(story.world, task))
    story.put(ANA, { type: 'finishTask', task, state: 'failed', summary: 'no', reason: 'no' })
    expect(story.world.work[BEN]?.todo).toEqual([])
  })

  it('asks the one who ran it, and nobody else, what its server wants to know', () => {
    const { story, task } = opened()
    story.put(BEN, runTool(story.world, task))
    const step = story.start(BEN)
    if (!step) throw new Error('nothing runs')
    const tool = { server: 'files', tool: 'count', asks: 'form', schema: {}, url: null, body: null } as const
    story.put('system:runner', { type: 'openToolRequest', step: step.id, attempt: 1, message: 'Which?', tool })
    expect(story.openRequests().find(({ kind }) => kind === 'tool')?.asked).toEqual([BEN])
  })
})

describe('[R37] where a tool is run by hand', () => {
  const withStage = (story: Story, task: TaskId, stage: StageId | null): Command => ({
    ...runTool(story.world, task),
    stage,
  })
  const stagesOf = (story: Story, task: TaskId): StageId[] => story.world.tasks[task]?.stageOrder ?? []

  it('is not a task that they left, unless they are an operator', () => {
    const { story, task } = opened()
    const [stage = null] = stagesOf(story, task)
    story.put(ANA, { type: 'changeParticipants', task, add: [], remove: [BEN], reason: 'he goes' })
    expect(refusal(story, BEN, withStage(story, task, stage))).toBe('NOT_A_MEMBER')
    story.put(ANA, { type: 'changeParticipants', task, add: [], remove: [ANA], reason: 'she goes' })
    expect(refusal(story, ANA, withStage(story, task, stage))).toBeNull()
  })

  it('is no stage that failed, and none at all only while none runs', () => {
    const { story, task } = opened()
    const [stage = null] = stagesOf(story, task)
    if (stage === null) throw new Error('no stage')
    expect(refusal(story, BEN, withStage(story, task, null))).toBe('STAGE_MISSING')
    const better = { intention: 'better', allocation: { [TEAM.reader.id]: 'again' } }
    story.put(ANA, { type: 'retryStage', stage, better, reason: 'not reached' })
    expect(story.world.stages[task]?.[stage]?.state).toBe('failed')
    expect(refusal(story, BEN, withStage(story, task, stage))).toBe('STAGE_OVER')
    for (const id of stagesOf(story, task)) story.put(ANA, { type: 'finishStage', stage: id, reason: 'good' })
    for (const id of stagesOf(story, task)) story.put(ANA, { type: 'finishStage', stage: id, reason: 'good' })
    expect(refusal(story, BEN, withStage(story, task, null))).toBeNull()
    const finished = stagesOf(story, task).find((id) => story.world.stages[task]?.[id]?.state === 'finished') ?? null
    expect(finished).not.toBeNull()
    expect(refusal(story, BEN, withStage(story, task, finished))).toBe('STAGE_OVER')
  })
})
