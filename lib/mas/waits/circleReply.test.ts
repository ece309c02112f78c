/** Which step an agent runs although it waits: the reply by which a circle of waits opens, and what that reply needs first. */
import { describe, expect, it } from 'vitest'
import { sampleShapeOf } from '@/test/samples'
import {
  MANAGER,
  makeMessage,
  makeStep,
  READER,
  stepId,
  TASK,
  testWorld,
  withMessage,
  withSteps,
} from '@/test/skillWorld'
import { asId, type MessageId, type WaitingId } from '../ids'
import type { LockRecord, StepRecord, World } from '../records'
import { selectCircleReplyStep } from './circleReply'

const waiting = asId<WaitingId>('their wait')
const lock = (change: Partial<LockRecord>): LockRecord => ({
  ...sampleShapeOf('lock.added').lock,
  task: TASK,
  at: 1,
  ...change,
})
const answers = { to: MANAGER, message: asId<MessageId>('asked'), stage: null, waiting }
const reply = makeStep(1, { executor: 'send_message', answers, bypassesLock: true })
/** The Manager waits for the reply; the Reader waits for something of another step. */
const worldOf = (...steps: StepRecord[]): World => {
  const world = withSteps(testWorld, steps)
  const own = world.work[READER] ?? { todo: [], running: null, locks: [] }
  const theirs = { todo: [], running: null, locks: [lock({ id: waiting, on: READER })] }
  return {
    ...world,
    work: { [READER]: { ...own, locks: [lock({ id: asId<WaitingId>('own'), step: stepId(50) })] }, [MANAGER]: theirs },
  }
}
const next = (world: World) => selectCircleReplyStep(world, READER)?.number ?? null
const done = (made: unknown): Partial<StepRecord> => ({
  state: 'finished',
  result: { kind: 'text', text: '', body: null, made: made as { again: true } },
})

describe('an agent that waits runs', () => {
  it('the reply that passes its wait, while somebody waits for it', () => {
    expect(next(worldOf(reply))).toBe(1)
    expect(next(worldOf(makeStep(1, { answers })))).toBeNull()
    expect(next(worldOf({ ...reply, answers: null }))).toBeNull()
    expect(next(worldOf({ ...reply, answers: { ...answers, waiting: null } }))).toBeNull()
    expect(next(worldOf({ ...reply, answers: { ...answers, waiting: asId<WaitingId>('over') } }))).toBeNull()
    expect(next(testWorld)).toBeNull()
  })

  it('nothing of a task that is paused', () => {
    const world = worldOf(reply)
    const task = world.tasks[TASK]
    if (!task) throw new Error('there is no task')
    expect(next({ ...world, tasks: { [TASK]: { ...task, paused: { by: READER, reason: '', at: 1 } } } })).toBeNull()
  })

  it('what the reply planned first, until the reply was given', () => {
    const planned = makeStep(2, { cause: { message: null, step: reply.id } })
    expect(next(worldOf({ ...reply, ...done({ again: true }) }, planned))).toBe(2)
    expect(next(worldOf({ ...reply, ...done({ again: false }) }, planned))).toBeNull()
    expect(next(worldOf({ ...reply, ...done(null) }, planned))).toBeNull()
    expect(next(worldOf({ ...reply, ...done('again') }, planned))).toBeNull()
    expect(next(worldOf({ ...reply, ...done([]) }, planned))).toBeNull()
    expect(next(worldOf({ ...reply, state: 'failed' }, planned))).toBeNull()
    expect(next(worldOf(makeStep(2, { cause: { message: null, step: stepId(9) } })))).toBeNull()
  })

  it('what came back to a question that the reply asked', () => {
    const [question, back] = [asId<MessageId>('question'), asId<MessageId>('back')]
    const takes = makeStep(2, { executor: 'process_message', cause: { message: back, step: null } })
    const world = worldOf({ ...reply, ...done({ again: true }) }, takes)
    const asked = (fromStep: StepRecord['id'] | null) =>
      [makeMessage(question, { sender: READER, fromStep }), makeMessage(back, { replyTo: question })].reduce(
        withMessage,
        world,
      )
    expect([next(asked(reply.id)), next(asked(null)), next(asked(stepId(9)))]).toEqual([2, null, null])
    expect(next(withMessage(world, makeMessage(back)))).toBeNull()
    expect(next(world)).toBeNull()
  })

  it('nothing while the reply itself waits for what it asked', () => {
    const planned = makeStep(2, { cause: { message: null, step: reply.id } })
    const world = worldOf({ ...reply, ...done({ again: true }) }, planned)
    const own = world.work[READER]
    if (!own) throw new Error('there is no work')
    const held = { ...own, locks: [lock({ id: asId<WaitingId>('own'), step: reply.id })] }
    expect(next({ ...world, work: { ...world.work, [READER]: held } })).toBeNull()
  })
})
