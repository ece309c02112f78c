/** What a decision keeps of long texts, and the ids that it makes. */
import { expect, it } from 'vitest'
import { previewOf } from '../bodies'
import { emptyWorld } from '../records'
import { DecisionContext } from './decisionContext'

it('a result of 400 characters stands in its record, and a longer one is a body that comes with the decision', () => {
  const context = new DecisionContext(emptyWorld, { id: 'c', by: 'system:test' }, 1)
  const [short, long] = ['x'.repeat(400), 'y'.repeat(401)]
  expect(context.result('text', short)).toMatchObject({ text: short, body: null })
  expect(context.bodies).toEqual([])
  const kept = context.result('text', long)
  expect(kept).toMatchObject({ text: previewOf(long), body: { bytes: 401, preview: '' } })
  expect(context.bodies.map(({ sha }) => sha)).toEqual([kept.body?.sha])
})

it('[R217] a step that is made later has an id that comes later in order, whoever made it', () => {
  const made: string[] = []
  for (const [seq, id] of [
    [5, 'c'],
    [9, 'a'],
    [300, 'b'],
  ] as const) {
    const context = new DecisionContext({ ...emptyWorld, seq }, { id, by: 'system:test' }, 1)
    made.push(context.stepId())
    context.emit('node.left', { node: 'other' })
    made.push(context.stepId())
  }
  expect(made).toEqual(made.toSorted())
  expect(new Set(made).size).toBe(6)
  for (const id of made) expect(id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
})

it('[R217] ids of steps are a pure function of the command and the world, of one form in a journal of any length', () => {
  const idAt = (seq: number): string =>
    new DecisionContext({ ...emptyWorld, seq }, { id: 'c', by: 'system:test' }, 1).stepId()
  expect(idAt(7)).toBe(idAt(7))
  expect(idAt(7)).toMatch(/^00000008-/)
  expect(idAt(0x1_0000_0007)).toBe(idAt(7))
})
