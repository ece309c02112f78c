/** Of a record that the reader holds only what changed is sent, and the reader then has the whole of it. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isSameValue } from '../json'
import { emptyWorld } from '../mas/records'
import { patchedRow, patchOf } from './recordPatch'
import { recordRow } from './records'

/** As it comes over the wire. */
const copy = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

const names = fc.array(fc.constantFrom('a', 'b'), { maxLength: 1 })
const team = fc
  .record(
    {
      toolGuides: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('x', 'y'), { maxKeys: 1 }),
      models: names,
      model: fc.constantFrom('m', 'n'),
      toolsAllowed: names,
    },
    { requiredKeys: ['toolGuides', 'models'] },
  )
  .map((fields) => recordRow('team', { ...emptyWorld.team, ...fields }))

it('[R630] a change of a record makes the newer state of the older one, whatever fields came, went or became empty', () => {
  let same = 0
  fc.assert(
    fc.property(team, team, (was, is) => {
      const patch = patchOf(was.id, was.record, is.record)
      if (patch === null) same += 1
      expect(isSameValue(patch === null ? was : patchedRow(was, copy(patch)), is)).toBe(true)
    }),
    { numRuns: 1_000 },
  )
  expect(same).toBeGreaterThan(0)
})

it('[R630] a field whose value is the same is not sent, and a record that says the same is not sent at all', () => {
  const was = { goal: 'x'.repeat(1_000), state: 'init', calls: [], held: 'r', gone: 1, never: undefined }
  const is = { goal: 'x'.repeat(1_000), state: 'running', calls: [], held: null }
  expect(patchOf('step:1', was, { ...was, calls: [] })).toBeNull()
  expect(patchOf<object>('step:1', was, is)).toEqual({
    id: 'step:1',
    fields: { state: 'running', held: null },
    without: ['gone'],
  })
})
