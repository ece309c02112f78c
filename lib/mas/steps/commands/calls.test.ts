/** Calls that were written together: each is a step of its own, and one decision follows the last of them. */
import { describe, expect, it } from 'vitest'
import { bodyOf } from '@/lib/mas/bodies'
import { ANA, goals, must, READER, stepNow, stepsOf, storyOf, todo } from '@/test/stories'
import { outcomeOf, planned, type Story } from '@/test/worldHistories'
import type { StepRecord, ToolInstruction } from '../../records'
import type { PlannedCall, StepOutcome } from '../outcome'

const call = (name: string, last = false): ToolInstruction => ({
  kind: 'call',
  target: 'tool',
  name,
  arguments: bodyOf('{}', 'application/json').ref,
  ...(last ? { last: true as const } : {}),
})
const further = (name: string, last = false): PlannedCall => ({
  server: 'files',
  intention: `${name} it`,
  instruction: call(name, last),
})
const succeeds = (): StepOutcome => outcomeOf({ sync: { need_tool_decision: true } })
const fails = (): StepOutcome =>
  outcomeOf({ state: 'failed', reason: 'no such file', sync: { need_tool_decision: true } })

/** Reader has a tool step and a thought to come, and writes the call of the tool with these behind it. */
function written(first: ToolInstruction, ...calls: PlannedCall[]): { story: Story; writer: StepRecord } {
  const { story } = storyOf(goals('read', READER))
  story.run(READER, () => outcomeOf({ steps: { insert: [], add: [planned('files', 'tool'), planned('think')] } }))
  const writer = must(
    story.run(READER, (step) =>
      outcomeOf({ instruct: { step: must(step.boundTo, 'tool'), instruction: first }, calls }),
    ),
    'instruction_generation',
  )
  expect(writer.executor).toBe('instruction_generation')
  return { story, writer: stepNow(story.world, writer) }
}
const toolsOf = (story: Story): StepRecord[] => stepsOf(story.world, READER).filter(({ type }) => type === 'tool')
const decisionsOf = (story: Story): StepRecord[] =>
  stepsOf(story.world, READER).filter(({ executor }) => executor === 'tool_decision')
const runs = (story: Story, outcome: StepOutcome): string => {
  const step = must(
    story.run(READER, () => outcome),
    'step',
  )
  return step.instruction?.kind === 'call' ? step.instruction.name : step.executor
}

describe('[R98] calls that were written together', () => {
  it('become tool steps in their order, each with a step that wrote it and is over without a call of the model', () => {
    const { story, writer } = written(call('one'), further('two'), further('three', true))
    expect(todo(story.world, READER)).toEqual(['files', 'files', 'files', 'think'])
    const [first, second, third] = toolsOf(story)
    expect(first?.boundTo).toBe(writer.id)
    expect(first?.batch).toBeUndefined()
    expect([second?.batch, third?.batch]).toEqual([writer.id, writer.id])
    expect(third).toMatchObject({ intention: 'three it', instruction: { name: 'three', last: true } })
    for (const tool of [second, third]) {
      const wrote = stepsOf(story.world, READER).find(({ id }) => id === tool?.boundTo)
      expect(wrote).toMatchObject({
        executor: 'instruction_generation',
        state: 'finished',
        boundTo: tool?.id,
        calls: [],
        cause: { step: writer.id },
      })
    }
  })

  it('run one behind the other, and one decision follows the last of them', () => {
    const { story } = written(call('one'), further('two'), further('three'))
    expect([1, 2].map(() => runs(story, succeeds()))).toEqual(['one', 'two'])
    expect(decisionsOf(story)).toEqual([])
    expect(runs(story, succeeds())).toBe('three')
    expect(todo(story.world, READER)).toEqual(['tool_decision', 'think'])
  })

  it('go on when one of them fails, and the decision comes after the last', () => {
    const { story } = written(call('one'), further('two'))
    runs(story, fails())
    expect(todo(story.world, READER)).toEqual(['files', 'think'])
    runs(story, succeeds())
    expect(todo(story.world, READER)).toEqual(['tool_decision', 'think'])
  })

  it('are followed by a decision also when the last of them fails in a way that needs none by itself', () => {
    const { story } = written(call('one'), further('two'))
    runs(story, succeeds())
    runs(story, outcomeOf({ state: 'failed', reason: 'the server is gone' }))
    expect(todo(story.world, READER)).toEqual(['tool_decision', 'think'])
  })

  it('are written by a decision as well, before what comes next', () => {
    const { story } = written(call('one'))
    runs(story, succeeds())
    const decision = must(
      story.run(READER, () => outcomeOf({ calls: [further('two'), further('three')] })),
      'tool_decision',
    )
    expect(todo(story.world, READER)).toEqual(['files', 'files', 'think'])
    expect(
      toolsOf(story)
        .slice(1)
        .map(({ batch }) => batch),
    ).toEqual([decision.id, decision.id])
    expect([1, 2].map(() => runs(story, succeeds()))).toEqual(['two', 'three'])
    expect(todo(story.world, READER)).toEqual(['tool_decision', 'think'])
  })

  it('go on behind a tool step for which there was nothing to call', () => {
    const { story } = written({ kind: 'none', reason: 'it is shown' }, further('two'))
    expect(todo(story.world, READER)).toEqual(['files', 'think'])
    expect(runs(story, succeeds())).toBe('two')
    expect(todo(story.world, READER)).toEqual(['tool_decision', 'think'])
  })
})

describe('a call that was said to be the last', () => {
  it('ends the run of the tool when it succeeds: the decision is recorded and not asked for', () => {
    const { story } = written(call('one', true))
    const tool = must(toolsOf(story)[0], 'tool')
    runs(story, succeeds())
    expect(todo(story.world, READER)).toEqual(['think'])
    expect(decisionsOf(story)).toMatchObject([
      { state: 'finished', calls: [], result: { made: { continue: false } }, cause: { step: tool.id } },
    ])
  })

  it('ends it behind others that succeeded too', () => {
    const { story } = written(call('one'), further('two', true))
    runs(story, succeeds())
    runs(story, succeeds())
    expect(todo(story.world, READER)).toEqual(['think'])
    expect(decisionsOf(story)).toMatchObject([{ state: 'finished', result: { made: { continue: false } } }])
  })

  it('does not end it where one of the calls failed', () => {
    const { story } = written(call('one'), further('two', true))
    runs(story, fails())
    runs(story, succeeds())
    expect(todo(story.world, READER)).toEqual(['tool_decision', 'think'])
  })

  it('does not end it when it fails itself, or when its node is gone', () => {
    const { story } = written(call('one', true))
    runs(story, fails())
    expect(todo(story.world, READER)).toEqual(['tool_decision', 'think'])
    const { story: other } = written(call('one', true))
    const tool = must(other.start(READER), 'tool')
    other.put('system:recovery', { type: 'recoverStep', step: tool.id, again: false, reason: 'stopped' })
    expect(todo(other.world, READER)).toEqual(['tool_decision', 'think'])
  })

  it('and is done again by a person ends it no less', () => {
    const { story } = written(call('one', true))
    const tool = must(toolsOf(story)[0], 'tool')
    runs(story, outcomeOf({ state: 'failed', reason: 'the server is gone' }))
    story.put(ANA, { type: 'retryStep', step: tool.id, reason: 'it is back' })
    expect(runs(story, succeeds())).toBe('one')
    expect(todo(story.world, READER)).toEqual(['think'])
  })
})
