/** What a decision keeps of long texts. */
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
