/** Changes of an agent's steps: in their order, and none of what was there before. */
import { expect, it } from 'vitest'
import { makeStep } from '@/test/skillWorld'
import { asId, type StepId } from '../ids'
import type { StepRecord } from '../records'
import { stepIn, stepsIn, stepsOfAll, withChangedSteps } from './ownSteps'

const finished = (step: StepRecord): StepRecord => (step.state === 'finished' ? step : { ...step, state: 'finished' })
const own = Object.fromEntries([1, 2, 3].map((n) => makeStep(n)).map((step) => [step.id, step]))
const [one, two, three] = Object.keys(own).map((id) => asId<StepId>(id))

it('[R2] steps that change keep their place, and the state from before is as it was', () => {
  const before = structuredClone(own)
  const next = withChangedSteps(
    own,
    [three, asId<StepId>('none'), one].flatMap((id) => id ?? []),
    finished,
  )
  expect(stepsIn(next).map(({ id, state }) => [id, state])).toEqual([
    [one, 'finished'],
    [two, 'init'],
    [three, 'finished'],
  ])
  expect(own).toEqual(before)
  expect(stepIn(next, asId<StepId>('none'))).toBeUndefined()
})

it('steps are the same object when nothing changes', () => {
  const over = withChangedSteps(own, one === undefined ? [] : [one], finished)
  expect(over).not.toBe(own)
  expect(withChangedSteps(over, one === undefined ? [] : [one], finished)).toBe(over)
  expect(withChangedSteps(own, [asId<StepId>('none')], finished)).toBe(own)
})

it('nobody’s steps are none', () => {
  expect([stepsIn(undefined), stepsOfAll(undefined), stepIn(undefined, asId<StepId>('x'))]).toEqual([[], [], undefined])
})
