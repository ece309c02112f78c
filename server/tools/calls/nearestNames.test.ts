import { expect, test } from 'vitest'
import { nearestNames } from './nearestNames'

test('the nearest come first, a part of a name counts as near', () => {
  expect(nearestNames('raed_file', ['write_file', 'read_file', 'search'], 2)).toEqual(['read_file', 'write_file'])
  expect(nearestNames('tree', ['move', 'directory_tree', 'type'], 1)).toEqual(['directory_tree'])
  expect(nearestNames('x', [])).toEqual([])
})
