/** Steps whose node is gone, and the calls to the outside that they had begun. */
import { describe, expect, it } from 'vitest'
import { ANA, BEN, goals, locksOf, must, plans, READER, says, stepNow, stepsOf, storyOf, todo } from '@/test/stories'
import { outcomeOf, planned, runTool, type Story } from '@/test/worldHistories'
import { decide } from '../../commands'
import type { Command } from '../../commands/command'
import type { StepId } from '../../ids'
import type { ModelCall, StepRecord } from '../../records'

const RUNNER = 'system:runner'
const refusal = (story: Story, by: string, command: Command): string | null => {
  const decided = decide(story.world, { id: 'a-try', by, command }, story.world.at + 1)
  return decided.ok ? null : decided.fault.code
}
const recovers = (step: StepId, again = false): Command => ({ type: 'recoverStep', step, again, reason: 'it stopped' })
const begins = (step: StepId, key: string, attempt = 1): Command => ({
  type: 'startEffect',
  step,
  attempt,
  key,
  node: 'n1',
})
const effectsOf = (story: Story, { task }: StepRecord): string[] => Object.keys(story.world.effects[task] ?? {})

/** A step of Reader runs. */
function running(...executors: string[]): { story: Story; step: StepRecord } {
  const { story } = storyOf(goals('read', READER, BEN))
  plans(story, READER, ...executors)
  return { story, step: must(story.start(READER), 'step') }
}
/** The tool of Reader runs, with its call begun. */
function toolRuns(): { story: Story; step: StepRecord } {
  const { story } = storyOf(goals('read', READER, BEN))
  story.run(READER, () => outcomeOf({ steps: { insert: [], add: [planned('files', 'tool'), planned('think')] } }))
  const tool = must(
    stepsOf(story.world, READER).find(({ type }) => type === 'tool'),
    'tool',
  )
  story.run(READER, () => outcomeOf({ instruct: { step: tool.id, instruction: { kind: 'get_description' } } }))
  const step = must(story.start(READER), 'tool that runs')
  story.put(RUNNER, begins(step.id, 'call'))
  return { story, step }
}

describe('a step whose node is gone', () => {
  it('runs again as the next try where a repeat does no harm', () => {
    const { story, step } = running('think', 'quick_think')
    story.put(RUNNER, recovers(step.id, true))
    expect(stepNow(story.world, step).state).not.toBe('running')
    const again = must(story.start(READER), 'step')
    expect(again).toMatchObject({ id: step.id, attempt: { number: 2 } })
    // What the first try still brings is late.
    expect(story.finish(step, outcomeOf({}))?.reply).toEqual({ late: true })
    expect(story.finish(again, outcomeOf({}))?.reply).toEqual({ late: false })
  })

  it('[R256] whose call goes out while it is judged does not run again; neither is another try of it ended', () => {
    const recoversUnlessCalled = (step: StepId, attempt: number): Command => ({
      type: 'recoverStep',
      step,
      attempt,
      again: 'unlessCalled',
      reason: 'it stopped',
    })
    const called = toolRuns()
    called.story.put(RUNNER, recoversUnlessCalled(called.step.id, 1))
    expect(stepNow(called.story.world, called.step)).toMatchObject({ state: 'failed', reason: 'it stopped' })
    const { story, step } = running('think', 'quick_think')
    expect(refusal(story, RUNNER, recoversUnlessCalled(step.id, 2))).toBe('STEP_OVER')
    story.put(RUNNER, recoversUnlessCalled(step.id, 1))
    expect(must(story.start(READER), 'step')).toMatchObject({ id: step.id, attempt: { number: 2 } })
    expect(refusal(story, RUNNER, recoversUnlessCalled(step.id, 1))).toBe('STEP_OVER')
  })

  it('else fails with the reason, and its agent goes on', () => {
    const { story, step } = running('think', 'quick_think')
    story.put(RUNNER, recovers(step.id))
    expect(stepNow(story.world, step)).toMatchObject({ state: 'failed', reason: 'it stopped' })
    expect(todo(story.world, READER)).toEqual(['quick_think'])
  })

  it('that was a tool is followed by the decision of its agent, and its call is over', () => {
    const { story, step } = toolRuns()
    expect(effectsOf(story, step)).toEqual(['call'])
    story.put(RUNNER, recovers(step.id))
    expect(todo(story.world, READER)).toEqual(['tool_decision', 'think'])
    expect(effectsOf(story, step)).toEqual([])
  })

  it('that was the last of its agent is followed by the reflection', () => {
    const { story, step } = running('think')
    story.put(RUNNER, recovers(step.id))
    expect(todo(story.world, READER)).toEqual(['reflection'])
  })

  it('keeps its calls while it is to run again, and those of others in any case', () => {
    const { story, step } = toolRuns()
    story.put(BEN, runTool(story.world, step.task))
    const mine = must(story.start(BEN), 'step of Ben')
    story.put(RUNNER, begins(mine.id, 'other'))
    expect(effectsOf(story, step)).toEqual(['call', 'other'])
    story.put(RUNNER, recovers(step.id))
    expect(effectsOf(story, step)).toEqual(['other'])
    story.finish(mine, outcomeOf({}))
    expect(effectsOf(story, step)).toEqual([])
  })

  it('is recovered while it runs; one of a person also before it began, none that is over', () => {
    const { story, step } = running('think', 'quick_think')
    const waits = must(
      stepsOf(story.world, READER).find(({ executor }) => executor === 'quick_think'),
      'step to come',
    )
    expect(refusal(story, RUNNER, recovers(waits.id))).toBe('STEP_OVER')
    expect(refusal(story, RUNNER, recovers('none' as StepId))).toBe('STEP_OVER')
    story.put(BEN, runTool(story.world, step.task))
    const own = must(stepsOf(story.world, BEN).at(-1), 'step of Ben')
    story.put(RUNNER, recovers(own.id))
    expect(stepNow(story.world, own)).toMatchObject({ state: 'failed', reason: 'it stopped' })
    // A person decides themselves how they go on.
    expect(todo(story.world, BEN)).toEqual([])
    expect(refusal(story, RUNNER, recovers(own.id))).toBe('STEP_OVER')
    story.put(RUNNER, recovers(step.id))
    expect(refusal(story, RUNNER, recovers(step.id))).toBe('STEP_OVER')
  })

  it('that owed a reply leaves nobody waiting', () => {
    const { story } = storyOf(goals('read', READER, BEN))
    plans(story, READER, 'send_message', 'think')
    story.run(READER, () => says(['00000000-0000-4000-8000-000000000003']))
    expect(locksOf(story.world, READER)).toHaveLength(1)
    const analyst = must(locksOf(story.world, READER)[0]?.on, 'asked')
    const reply = must(story.start(analyst), 'reply')
    story.put(RUNNER, recovers(reply.id, true))
    expect(locksOf(story.world, READER)).toHaveLength(1)
    const again = must(story.start(analyst), 'reply')
    story.put(RUNNER, recovers(again.id))
    expect(locksOf(story.world, READER)).toEqual([])
  })
})

describe('a call to the outside', () => {
  it('is begun by the try that runs, and by no other', () => {
    const { story, step } = running('think', 'quick_think')
    expect(refusal(story, RUNNER, begins(step.id, 'call'))).toBeNull()
    expect(refusal(story, RUNNER, begins(step.id, 'call', 2))).toBe('STEP_OVER')
    expect(refusal(story, ANA, begins(step.id, 'call'))).toBe('NOT_ALLOWED')
    story.finish(step, outcomeOf({}))
    expect(refusal(story, RUNNER, begins(step.id, 'call'))).toBe('STEP_OVER')
  })

  it('to a model is recorded for a step that there is, however it ended', () => {
    const { story, step } = running('think', 'quick_think')
    const call: ModelCall = {
      id: 'call-1',
      attempt: 1,
      model: 'm',
      modelVersion: null,
      prompt: { sha: '', bytes: 0 },
      answer: null,
      outcome: 'taken',
      error: null,
      promptTokens: 1,
      completionTokens: null,
      estimated: false,
      costUsd: null,
      firstTokenMs: null,
      totalMs: 1,
      at: 1,
    }
    const records = (id: StepId): Command => ({ type: 'recordCall', step: id, call })
    expect(refusal(story, RUNNER, records('none' as StepId))).toBe('NOT_FOUND')
    story.finish(step, outcomeOf({}))
    expect(refusal(story, RUNNER, records(step.id))).toBeNull()
    // An outcome that comes twice is paid for twice, and causes nothing.
    const late = must(story.finish(step, outcomeOf({ call })), 'decision')
    expect(late.events.map(({ type }) => type)).toEqual(['effect.lateOutcome', 'model.called'])
    const silent = must(story.finish(step, outcomeOf({})), 'decision')
    expect(silent.events.map(({ type }) => type)).toEqual(['effect.lateOutcome'])
  })

  it('is held only by the try that runs', () => {
    const { story, step } = toolRuns()
    const sha = 'a'.repeat(64)
    const holds = (attempt: number): Command => ({
      type: 'holdStep',
      step: step.id,
      attempt,
      call: {
        server: 'files',
        tool: 'write',
        arguments: { sha, bytes: 2, preview: '{}', mime: 'application/json' },
        digest: sha,
        changes: '',
      },
    })
    expect(must(story.put(RUNNER, holds(2)), 'decision').reply).toEqual({ request: null })
    expect(story.openRequests().map(({ kind }) => kind)).not.toContain('confirm')
    expect(must(story.put(RUNNER, holds(1)), 'decision').reply).toMatchObject({ request: expect.any(String) })
    expect(story.openRequests().map(({ kind }) => kind)).toContain('confirm')
  })
})

describe('a node', () => {
  it('that decides from now on says that the one before it left, each once', () => {
    const { story } = running('think')
    const starts = (node: string, epoch: number): string[] =>
      must(story.put('system:start', { type: 'startNode', node, epoch }), 'decision').events.map((event) =>
        event.type === 'node.left' || event.type === 'node.started' ? `${event.type} ${event.node}` : event.type,
      )
    expect(starts('n1', 1)).toEqual(['node.started n1'])
    expect(starts('n2', 2)).toEqual(['node.left n1', 'node.started n2'])
    expect(starts('n2', 3)).toEqual(['node.left n2', 'node.started n2'])
  })
})
