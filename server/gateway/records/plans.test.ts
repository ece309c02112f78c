/** The stages of a plan as JSON: what people read of it, and what they may write instead. */
import { expect, it } from 'vitest'
import { Fault } from '@/lib/faults'
import type { HeldPlan } from '@/lib/mas/records'
import { ANALYST, goals, READER, storyOf } from '@/test/stories'
import { shownPlan, writtenPlan } from './plans'

const NOTE = '\n<job>{"op":"count","where":["notes"]}</job>'
const { world } = storyOf(goals('read', READER)).story
const plan: HeldPlan = {
  work: { action: 'add_stage' },
  stages: [{ intention: 'count', allocation: { [READER]: `Count it${NOTE}` }, needs: {} }],
  result: { kind: 'text', text: '', body: null, made: null },
  repairs: [],
}
const codeOf = (text: string): string => {
  try {
    writtenPlan(world, plan, text)
    return 'taken'
  } catch (fault) {
    return fault instanceof Fault ? fault.code : String(fault)
  }
}

it('[R831] the stages of a plan are read by names, and without the notes of the built-in model', () => {
  const { json, ran } = shownPlan(world, plan, undefined)
  expect(json).toEqual({ stages: [{ intention: 'count', allocation: { reader: 'Count it' }, needs: {} }] })
  expect(ran).toBeNull()
  expect(shownPlan(world, plan, plan.stages).ran?.json).toEqual(json)
})

it('[R831] what is written instead keeps these notes, also where another agent gets the part', () => {
  const written = (allocation: object): string => JSON.stringify({ stages: [{ intention: 'count', allocation }] })
  expect(writtenPlan(world, plan, written({ reader: 'Count it' }))[0]?.allocation).toEqual({
    [READER]: `Count it${NOTE}`,
  })
  expect(writtenPlan(world, plan, written({ [ANALYST]: 'Count all' }))[0]?.allocation).toEqual({
    [ANALYST]: `Count all${NOTE}`,
  })
})

it('[R831] stages that do not fit are refused by a name that says what is wrong', () => {
  expect(codeOf('{"stages": []}')).toBe('BAD_ARGUMENTS')
  expect(codeOf('no json')).toBe('BAD_ARGUMENTS')
  expect(codeOf('{"stages": [{"intention": "x", "allocation": {"nobody": "y"}}]}')).toBe('NOT_FOUND')
  expect(codeOf('{"stages": [{"intention": "x", "allocation": {"reader": "y"}, "more": 1}]}')).toBe('BAD_ARGUMENTS')
})
