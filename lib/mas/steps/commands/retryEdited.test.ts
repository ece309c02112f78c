/** A failed call that a person has done again with other arguments: who may, what it makes, and what it is no approval of. */
import { describe, expect, it } from 'vitest'
import {
  ANA,
  actsOf,
  BEN,
  failed,
  goals,
  LEE,
  linesOf,
  MANAGER,
  must,
  plans,
  READER,
  requestOf,
  stepNow,
  stepsOf,
  storyOf,
  todo,
  workTask,
} from '@/test/stories'
import { outcomeOf, planned, type Story } from '@/test/worldHistories'
import { bodyOf } from '../../bodies'
import { decide } from '../../commands'
import type { Command } from '../../commands/command'
import type { AgentId } from '../../ids'
import { selectNextStep } from '../../members'
import type { StepRecord, ToolInstruction, World } from '../../records'

const reason = 'the path was wrong'
const argsOf = (path: string) => bodyOf(JSON.stringify({ path }), 'application/json').ref
const GIVEN = argsOf('a.md')
const EDITED = argsOf('b.md')
const callWith = (args = GIVEN, target: 'tool' | 'resource' = 'tool') =>
  ({ kind: 'call', target, name: 'write', arguments: args }) as const

const refusal = (world: World, by: AgentId, command: Command): string => {
  const decided = decide(world, { id: 'refused', by, command }, world.at)
  return decided.ok ? 'done' : decided.fault.code
}

/** The reader's tool call, which failed unless told otherwise. */
function withCall({
  instruction = callWith(),
  fails = true,
}: {
  instruction?: ToolInstruction
  fails?: boolean
} = {}): {
  story: Story
  tool: StepRecord
  writer: StepRecord
  again: (change?: Partial<StepRecord>) => Command & { type: 'retryStep' }
} {
  const { story } = storyOf(goals('read', READER, BEN))
  story.run(READER, () =>
    outcomeOf({ steps: { insert: [], add: [planned('files', 'tool'), planned('think'), planned('reflection')] } }),
  )
  const tool = must(
    stepsOf(story.world, READER).find((step) => step.type === 'tool'),
    'tool',
  )
  const writer = must(
    stepsOf(story.world, READER).find((step) => step.id === tool.boundTo),
    'writer',
  )
  story.run(READER, () => outcomeOf({ instruct: { step: tool.id, instruction } }))
  if (fails) story.run(READER, () => failed('no such path'))
  const again = ({ id = tool.id }: Partial<StepRecord> = {}) =>
    ({ type: 'retryStep', step: id, reason, arguments: EDITED }) as const
  return { story, tool, writer, again }
}

describe('[R540] a failed call that a person has done again with other arguments', () => {
  it('is a new step with these arguments before the next one, and says whose copy it is and who changed them', () => {
    const { story, tool, again } = withCall()
    story.put(ANA, again())
    const next = must(selectNextStep(story.world, READER), 'step')
    expect(next).toMatchObject({
      executor: 'files',
      instruction: callWith(EDITED),
      retryOf: tool.id,
      editedBy: ANA,
      approvedBy: null,
      stage: tool.stage,
    })
    // The failed step is unchanged, and the rest of the list follows the new one.
    expect(stepNow(story.world, tool)).toMatchObject({ state: 'failed', instruction: callWith() })
    expect(todo(story.world, READER)).toEqual(['files', 'think', 'reflection'])
    expect(refusal(story.world, ANA, again())).toBe('ALREADY_SO')
  })

  it('is recorded with its reason, and told in the chat as a change of the arguments', () => {
    const { story, tool, again } = withCall()
    story.put(ANA, again())
    expect(actsOf(story).at(-1)).toMatchObject({ act: 'retryStep', on: tool.id, agent: ANA, reason })
    const line = `Ana changed the arguments and had Reader retry a step: ${tool.intention}`
    expect(linesOf(story.world).at(-1)).toContain(line)
  })

  it('keeps who changed them when it fails and is done again as it was', () => {
    const { story, again } = withCall()
    story.put(ANA, again())
    const second = must(
      story.run(READER, () => failed('no such path')),
      'step',
    )
    story.put(ANA, { type: 'retryStep', step: second.id, reason })
    const third = must(selectNextStep(story.world, READER), 'step')
    expect(third).toMatchObject({ retryOf: second.id, instruction: callWith(EDITED), editedBy: ANA })
  })

  it('is a plain retry when the arguments are what they were', () => {
    const { story, again } = withCall()
    story.put(ANA, { ...again(), arguments: GIVEN })
    const next = must(selectNextStep(story.world, READER), 'step')
    expect([next.instruction, next.editedBy]).toEqual([callWith(), undefined])
    expect(linesOf(story.world).at(-1)).toContain('Ana had Reader retry a step')
  })

  it('is for an operator and the manager of the task; others change nothing', () => {
    const { story, again } = withCall()
    expect(refusal(story.world, ANA, again())).toBe('done')
    expect(refusal(story.world, BEN, again())).toBe('NOT_MANAGER')
    expect(refusal(story.world, LEE, again())).toBe('NOT_FOUND')
    story.put(ANA, { type: 'changeManager', task: workTask(story.world).id, agent: BEN, reason })
    expect(refusal(story.world, BEN, again())).toBe('done')
  })

  it('is refused while it is not over, and when it was done', () => {
    const { story, tool, again } = withCall({ fails: false })
    expect(refusal(story.world, ANA, again())).toBe('STEP_NOT_FAILED')
    story.run(READER, () => outcomeOf({}))
    expect(stepNow(story.world, tool).state).toBe('finished')
    expect(refusal(story.world, ANA, again())).toBe('STEP_NOT_FAILED')
  })

  it('is refused for a step that called no tool', () => {
    for (const instruction of [{ kind: 'get_description' } as const, callWith(GIVEN, 'resource')]) {
      const { story, again } = withCall({ instruction })
      expect(refusal(story.world, ANA, again())).toBe('NO_TOOL_CALL')
    }
    const { story } = storyOf(goals('read', READER))
    plans(story, READER, 'think', 'reflection')
    const thought = must(
      story.run(READER, () => failed('it broke')),
      'step',
    )
    const wish = { type: 'retryStep', step: thought.id, reason } as const
    expect(refusal(story.world, ANA, { ...wish, arguments: EDITED })).toBe('NO_TOOL_CALL')
    expect(refusal(story.world, ANA, wish)).toBe('done')
  })

  it('is refused once its task is over, and without a reason', () => {
    const { story, again } = withCall()
    expect(refusal(story.world, ANA, { ...again(), reason: ' ' })).toBe('REASON_MISSING')
    const task = workTask(story.world).id
    story.put(ANA, { type: 'finishTask', task, state: 'failed', summary: '', reason })
    expect(refusal(story.world, ANA, again())).toBe('TASK_OVER')
  })
})

describe('[R542] a retry with other arguments is no approval', () => {
  it('of a call that asks: it is held, and whoever may confirm it is asked, also who retried it', () => {
    const { story, again } = withCall()
    story.put(ANA, again())
    const running = must(story.start(READER), 'step')
    const call = { server: 'files', tool: 'write', arguments: EDITED, digest: EDITED.sha, changes: '' }
    story.put('system:runner', { type: 'holdStep', step: running.id, attempt: 1, call })
    expect(stepNow(story.world, running)).toMatchObject({ approvedBy: null, editedBy: ANA, state: 'pending' })
    const request = must(requestOf(story, 'confirm'), 'request')
    expect(request).toMatchObject({ step: running.id, asker: READER, call: { digest: EDITED.sha } })
    expect(request.asked).toContain(BEN)
    expect(request.asked).not.toContain(MANAGER)
    story.put(BEN, {
      type: 'answerRequest',
      request: request.id,
      decision: 'approve',
      text: '',
      arguments: null,
      digest: EDITED.sha,
    })
    // Who changed the call and who approved it are two facts.
    expect(stepNow(story.world, running)).toMatchObject({
      held: null,
      editedBy: ANA,
      approvedBy: { by: BEN, edited: false, digest: EDITED.sha },
    })
  })
})
