/** An agent's steps in two maps are the same as in one, whatever was set aside. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { flatSteps } from '@/test/plainWorld'
import { makeStep } from '@/test/skillWorld'
import { asId, type StepId } from './ids'
import {
  countSteps,
  NO_STEPS,
  onlySteps,
  pastStepsIn,
  recentStepsIn,
  stepIn,
  stepsIn,
  withChangedSteps,
  withFlatSteps,
  withNewStep,
  withoutSteps,
} from './ownSteps'
import type { OwnSteps, StepRecord } from './records'

const idOf = (n: number): StepId => asId<StepId>(`step-${n}`)
const finished = (step: StepRecord): StepRecord => (step.state === 'finished' ? step : { ...step, state: 'finished' })
const retired = (step: StepRecord): StepRecord => (step.retired ? step : { ...step, retired: true })

/** What is done to a pair of maps and to one list: `pick` says to which step. */
type Act = { kind: 'add' | 'finish' | 'retire' | 'remove'; pick: number }
const acts = fc.array(
  fc.record({
    // Mostly steps come and end, as they do.
    kind: fc.constantFrom<Act['kind']>('add', 'add', 'add', 'finish', 'finish', 'finish', 'retire', 'remove'),
    pick: fc.nat(400),
  }),
  { minLength: 150, maxLength: 600 },
)

type Both = { own: OwnSteps; list: StepRecord[]; made: number }

function act({ own, list, made }: Both, { kind, pick }: Act): Both {
  if (kind === 'add') {
    const step = { ...makeStep(1), id: idOf(made), state: 'init' as const }
    return { own: withNewStep(own, step), list: [...list, step], made: made + 1 }
  }
  // The oldest that is not over ends, as it does where one step follows the other; now and then another.
  const live = list.findIndex((step) => step.state !== 'finished')
  const at = kind === 'finish' && pick % 10 > 0 ? live : pick % Math.max(1, list.length)
  const step = list[at]
  if (step === undefined) return { own, list, made }
  if (kind === 'remove')
    return pick % 8 > 0
      ? { own, list, made }
      : { own: withoutSteps(own, [step.id]), list: list.filter((one) => one !== step), made }
  const change = kind === 'finish' ? finished : retired
  return { own: withChangedSteps(own, [step.id], change), list: list.with(at, change(step)), made }
}

const startOf = (): Both => ({ own: NO_STEPS, list: [], made: 0 })

describe('an agent’s steps', () => {
  it('[R2] are the same in two maps as in one list, in the order they were made, however they change', () => {
    let setAside = 0
    fc.assert(
      fc.property(acts, (all) => {
        const { own, list } = all.reduce(act, startOf())
        expect(stepsIn(own)).toEqual(list)
        expect([...pastStepsIn(own), ...recentStepsIn(own)]).toEqual(list)
        expect(Object.values(flatSteps(own))).toEqual(list)
        expect(countSteps(own)).toBe(list.length)
        for (const step of list) expect(stepIn(own, step.id)).toEqual(step)
        expect(stepIn(own, idOf(-1))).toBeUndefined()
        if (pastStepsIn(own).length > 0) setAside += 1
      }),
      { numRuns: 30 },
    )
    // Else nothing of the above said anything about what is set aside.
    expect(setAside).toBeGreaterThan(5)
  })

  it('[R2] leave every state from before as it was', () => {
    fc.assert(
      fc.property(acts, fc.nat(200), (all, cut) => {
        const before = all.slice(0, cut).reduce(act, startOf())
        const copy = structuredClone(before.own)
        all.slice(cut).reduce(act, before)
        expect(before.own).toEqual(copy)
        expect(stepsIn(before.own)).toEqual(before.list)
      }),
      { numRuns: 30 },
    )
  })

  it('are the same object when nothing changes', () => {
    const { own, list } = Array.from({ length: 120 }, (_, pick): Act[] => [
      { kind: 'add', pick },
      { kind: 'finish', pick: pick * 10 + 1 },
    ])
      .flat()
      .reduce(act, startOf())
    expect(pastStepsIn(own).length).toBeGreaterThan(50)
    expect(pastStepsIn(own)).toBe(pastStepsIn(own))
    expect(
      withChangedSteps(
        own,
        list.map(({ id }) => id),
        finished,
      ),
    ).toBe(own)
    expect(withoutSteps(own, [idOf(-1)])).toBe(own)
    expect(onlySteps(own, () => true)).toBe(own)
    expect(stepsIn(onlySteps(own, ({ id }) => id === idOf(3)))).toEqual([list[3]])
  })

  it('come back behind those that are there', () => {
    const { own, list } = Array.from({ length: 3 }, (_, pick): Act => ({ kind: 'add', pick })).reduce(act, startOf())
    const [one, two, three] = list
    if (!one || !two || !three) throw new Error('too few')
    const back = withFlatSteps(withoutSteps(own, [one.id, two.id]), { [one.id]: one, [two.id]: two })
    expect(stepsIn(back)).toEqual([three, one, two])
  })
})
