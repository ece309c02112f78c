import { describe, expect, it } from 'vitest'
import { BASE, makeMessage, makeStep, stepId, TASK, testWorld, withMessage, withSteps } from '@/test/skillWorld'
import { asId, type MessageId, type StageId, type ThreadId } from '../ids'
import type { Json, StepRecord, World } from '../records'
import { historyMarkOf, selectCauseMessage, selectHistoryRecords, selectToolHistory } from './history'

const ids = (world: World, step: StepRecord): string[] => {
  const { over, coming } = selectHistoryRecords(world, step)
  return [...over, ...coming].map((one) => `${Number(one.id.slice(-4))} ${historyMarkOf(one)}`)
}

describe('a history', () => {
  it('shows what is over in the order it ran, then what is to come in list order, never the step itself', () => {
    const now = makeStep(9, { state: 'running', startedSeq: 9 })
    const world = withSteps(testWorld, [
      makeStep(3, { state: 'finished', startedSeq: 8 }),
      makeStep(1, { state: 'failed', startedSeq: 2 }),
      makeStep(2, { state: 'failed', startedSeq: null, endedSeq: 5 }),
      now,
      makeStep(20),
      makeStep(12),
    ])
    expect(ids(world, now)).toEqual(['1 failed', '2 failed', '3 finished', '20 to come', '12 to come'])
  })

  it('is the same for those who looked before and for those who never did, also where an early step ends late or changes', () => {
    const now = makeStep(50, { state: 'running', startedSeq: 99 })
    const over = (n: number, seq: number, more: Partial<StepRecord> = {}): StepRecord =>
      makeStep(n, { state: 'finished', startedSeq: seq, ...more })
    const grown: StepRecord[][] = [
      [over(1, 1), over(2, 2), makeStep(3), now],
      [over(3, 7), over(4, 5)],
      [over(5, 8, { stage: asId<StageId>('other') }), over(6, 9)],
      [over(2, 2, { state: 'failed' })],
      [over(7, 10)],
    ]
    let world = testWorld
    for (const steps of grown) {
      world = withSteps(world, steps)
      // Copies are records that nobody has looked at.
      expect(ids(world, now)).toEqual(ids(structuredClone(world), now))
    }
    expect(ids(world, now)).toEqual(
      ['1', '2', '4', '3', '5', '6', '7'].map((n) => `${n} ${n === '2' ? 'failed' : 'finished'}`),
    )
  })

  it('shows a held step before the list, as one to come', () => {
    const now = makeStep(9, { state: 'running' })
    const held = makeStep(30, { type: 'tool', executor: 'files', state: 'pending' })
    const world = withSteps(testWorld, [now, makeStep(10), held])
    const running = {
      ...world,
      work: { ...world.work, [now.agent]: { todo: [{ task: TASK, step: stepId(10) }], running: null, locks: [] } },
    }
    expect(ids(running, now)).toEqual(['30 to come', '10 to come'])
  })

  it('has the steps of all stages of its task, and those without one', () => {
    const other = asId<StageId>('other')
    const inStage = makeStep(9, { state: 'running' })
    const world = withSteps(testWorld, [
      makeStep(1, { state: 'finished' }),
      makeStep(2, { state: 'finished', stage: other }),
      makeStep(3, { state: 'finished', stage: null }),
      makeStep(4, { task: BASE, stage: null, state: 'finished' }),
      inStage,
    ])
    expect(ids(world, inStage)).toEqual(['1 finished', '2 finished', '3 finished'])
  })

  it('keeps to one thread in the base task', () => {
    const thread = (id: string) => asId<ThreadId>(id)
    const now = makeStep(9, { task: BASE, stage: null, thread: thread('a'), state: 'running' })
    const world = withSteps(testWorld, [
      makeStep(1, { task: BASE, stage: null, thread: thread('a'), state: 'finished' }),
      makeStep(2, { task: BASE, stage: null, thread: thread('b'), state: 'finished' }),
      now,
    ])
    expect(ids(world, now)).toEqual(['1 finished'])
  })
})

describe('the order of a history', () => {
  const over = (n: number, seq: number, more: Partial<StepRecord> = {}): StepRecord =>
    makeStep(n, { state: 'finished', startedSeq: seq, ...more })
  const now = makeStep(50, { state: 'running', startedSeq: 99 })

  it('is that in which its steps ran, whatever the order in which they were made', () => {
    const other = over(3, 2, { stage: asId<StageId>('other') })
    const world = withSteps(testWorld, [over(1, 3), over(2, 1), other, over(4, 9), now])
    expect(ids(world, now)).toEqual(['2 finished', '3 finished', '1 finished', '4 finished'])
    const inOrder = withSteps(testWorld, [over(1, 1), over(2, 2), over(4, 9), now])
    expect(ids(inOrder, now)).toEqual(['1 finished', '2 finished', '4 finished'])
  })

  it('never has the step itself, though it is over', () => {
    const second = over(2, 2)
    expect(ids(withSteps(testWorld, [over(1, 1), second, over(4, 9)]), second)).toEqual(['1 finished', '4 finished'])
  })
})

describe('the history of a tool', () => {
  const tool = (n: number, executor = 'files') => makeStep(n, { type: 'tool', executor, state: 'finished' })
  const skill = (n: number, executor: string, made: StepRecord['result'] = null) =>
    makeStep(n, { executor, state: 'finished', ...(made ? { result: made } : {}) })
  const decided = (n: number, goesOn: boolean) =>
    skill(n, 'tool_decision', { kind: 'text', text: '', body: null, made: { continue: goesOn } })
  const chain = (...steps: StepRecord[]): number[] => {
    const calls = steps.filter((step) => step.type === 'tool')
    const now = makeStep(99, {
      executor: 'tool_decision',
      state: 'running',
      cause: { message: null, step: calls.at(-1)?.id ?? null },
    })
    return selectToolHistory(withSteps(testWorld, [...steps, now]), now).map((step) => Number(step.id.slice(-4)))
  }

  it('goes back through pairs of call and decision, passing over what lies between them', () => {
    expect(
      chain(
        tool(1),
        decided(2, true),
        skill(3, 'instruction_generation'),
        tool(4),
        skill(5, 'send_message'),
        decided(6, true),
        skill(7, 'instruction_generation'),
        tool(8),
      ),
    ).toEqual([1, 2, 4, 6, 8])
  })

  it('ends at anything else', () => {
    expect(chain(tool(1), decided(2, true), skill(3, 'think'), tool(4))).toEqual([4])
    expect(chain(tool(1), skill(2, 'process_message'), decided(3, true), tool(4))).toEqual([4])
    expect(chain(tool(1), tool(2))).toEqual([2])
    expect(chain(tool(1, 'search'), decided(2, true), tool(3))).toEqual([3])
  })

  it('ends at a call of another tool that is named like a skill', () => {
    expect(chain(tool(1), decided(2, true), tool(3, 'send_message'), tool(4))).toEqual([4])
  })

  it('has calls that were written together, also before a decision', () => {
    const together = (n: number, by: number) => ({ ...tool(n), batch: stepId(by) })
    expect(chain(together(1, 90), together(2, 90), decided(3, true), together(4, 91), together(5, 91))).toEqual([
      1, 2, 3, 4, 5,
    ])
    expect(chain(together(1, 90), together(2, 91))).toEqual([2])
  })

  it('leaves an earlier run of the same tool out: its purpose was another', () => {
    expect(
      chain(tool(1), decided(2, true), tool(3), decided(4, false), skill(5, 'instruction_generation'), tool(6)),
    ).toEqual([6])
  })

  it('is of the tool whose call is decided on, not of another that was called since', () => {
    const world = withSteps(testWorld, [tool(1), tool(2, 'search')])
    const decides = (cause: StepRecord['cause']) => {
      const now = makeStep(99, { executor: 'tool_decision', state: 'running', cause })
      return selectToolHistory(withSteps(world, [now]), now).map((step) => Number(step.id.slice(-4)))
    }
    expect(decides({ message: null, step: stepId(1) })).toEqual([1])
    expect(decides({ message: null, step: stepId(2) })).toEqual([2])
    expect(decides({ message: null, step: null })).toEqual([2])
  })

  it('goes on over a decision that says nothing of an end', () => {
    const says = (made: StepRecord['result']) => chain(tool(1), skill(2, 'tool_decision', made), tool(3))
    const text = { kind: 'text', text: '', body: null } as const
    expect(chain(tool(1), skill(2, 'tool_decision'), tool(3))).toEqual([1, 2, 3])
    const open: Json[] = [null, 'no', [], { continue: true }, {}]
    for (const made of open) expect(says({ ...text, made })).toEqual([1, 2, 3])
    expect(says({ ...text, made: { continue: false } })).toEqual([3])
  })

  it('is empty when nothing was called', () => {
    expect(chain(skill(1, 'think'))).toEqual([])
  })
})

describe('the message that a step stands for', () => {
  it('is that of its first run when it runs again', () => {
    const message = makeMessage('m1')
    const first = makeStep(1, {
      executor: 'task_manager',
      state: 'finished',
      cause: { message: asId<MessageId>('m1'), step: null },
    })
    const again = makeStep(3, { executor: 'task_manager', cause: { message: null, step: first.id } })
    const other = makeStep(4, { executor: 'decision', cause: { message: null, step: first.id } })
    const world = withMessage(withSteps(testWorld, [first, again, other]), message)
    expect(selectCauseMessage(world, again)).toBe(message)
    expect(selectCauseMessage(world, other)).toBeNull()
  })

  it('[R207] is found alike whichever of the steps that were planned together is asked about first', () => {
    const message = makeMessage('m1')
    const first = makeStep(2, { executor: 'task_manager', cause: { message: message.id, step: null } })
    for (const asked of ['task_manager', 'decision']) {
      const cause = { message: null, step: first.id }
      const together = [makeStep(3, { executor: 'task_manager', cause }), makeStep(4, { executor: 'decision', cause })]
      const world = withMessage(withSteps(testWorld, [first, ...together]), message)
      const found = (executor: string): unknown =>
        together.filter((step) => step.executor === executor).map((step) => selectCauseMessage(world, step)?.id)
      found(asked)
      expect([found('task_manager'), found('decision')]).toEqual([[message.id], [undefined]])
    }
  })
})
