/** Everything that somebody waits for: a lock with the thread of its step, and an open question without a lock. */
import { expect, it } from 'vitest'
import { sampleShapeOf } from '@/test/samples'
import { only } from '@/test/sampleWorld'
import { ANA, makeRequest, makeStep, READER, TASK, testWorld, withRequest, withSteps } from '@/test/skillWorld'
import { asId, type RequestId, type ThreadId } from '../ids'
import type { RequestRecord, World } from '../records'
import { selectOpenWaits } from './openWaits'

const { lock } = sampleShapeOf('lock.added')
const thread = asId<ThreadId>('thread')
const id = asId<RequestId>('q')
const asking = (change: Partial<RequestRecord>, of: World = testWorld): World =>
  withRequest(of, makeRequest(id, change))

it('an open wait of a lock has the thread of the step that asked, where it has one', () => {
  const step = makeStep(1, { thread })
  const world = withSteps(testWorld, [step])
  const held = { ...lock, task: TASK, step: step.id, request: id, on: null, at: 5 }
  const waits = (due?: number, of = world) =>
    selectOpenWaits(
      asking({ lock: lock.id }, { ...of, work: { [READER]: { todo: [], running: null, locks: [{ ...held, due }] } } }),
    )
  expect(waits(7)).toMatchObject([{ id: lock.id, who: READER, on: [ANA], thread, lock: 'message', due: 7, since: 5 }])
  expect(waits()).toMatchObject([{ due: null }])
  expect(waits(7, testWorld)).toMatchObject([{ thread: null }])
})

it('an open wait without a lock is a question that people can answer, or that an operator has to see to', () => {
  const one = (world: World) => only(selectOpenWaits(world))
  expect(one(asking({ due: 9 }))).toMatchObject({
    id,
    state: 'waiting',
    isBlocked: false,
    why: null,
    lock: null,
    due: 9,
    circle: null,
  })
  expect(one(asking({}))).toMatchObject({ due: null })
  expect(one(asking({ kind: 'limit' }))).toMatchObject({ state: 'deadEnd', isBlocked: true, why: 'limit' })
  expect(one(asking({ kind: 'judge' }))).toMatchObject({ state: 'deadEnd', why: 'noJudge' })
  expect(one({ ...asking({}), agents: {} })).toMatchObject({ state: 'deadEnd', isBlocked: true, why: 'removed' })
  expect(selectOpenWaits(asking({ state: 'answered' }))).toEqual([])
  expect(selectOpenWaits(testWorld)).toEqual([])
})
