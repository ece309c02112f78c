import { expect, test } from 'vitest'
import { nearestNames } from './nearestNames'

test('the nearest come first, a part of a name counts as near', () => {
  expect(nearestNames('raed_file', ['write_file', 'read_file', 'search'], 2)).toEqual(['read_file', 'write_file'])
  expect(nearestNames('tree', ['move', 'directory_tree', 'type'], 1)).toEqual(['directory_tree'])
  expect(nearestNames('x', [])).toEqual([])
})

test('a name that contains the other counts as one letter away, the shorter first; one or two letters are no part', () => {
  expect(nearestNames('tree', ['tre', 'directory_tree', 'tree_of_all', 'trap'], 4)).toEqual([
    'tre',
    'tree_of_all',
    'directory_tree',
    'trap',
  ])
  expect(nearestNames('re', ['xyz', 'a_long_record'], 1)).toEqual(['xyz'])
  expect(nearestNames('rec', ['abc', 'a_long_record'], 1)).toEqual(['a_long_record'])
})

test('three are told where no number is said, those at the same distance by the alphabet', () => {
  expect(nearestNames('xa', ['xd', 'xc', 'xb', 'xe'])).toEqual(['xb', 'xc', 'xd'])
})

test('the first 2,000 names are compared, and the first 100 letters of each', () => {
  const names = (count: number) => [...Array.from({ length: count }, () => 'zzzzzzzz'), 'read']
  expect(nearestNames('read', names(1_999), 1)).toEqual(['read'])
  expect(nearestNames('read', names(2_000), 1)).toEqual(['zzzzzzzz'])
  const long = 'n'.repeat(100)
  expect(nearestNames(`${long}x`, [`${long.slice(1)}x`, `${long}yyyy`], 1)).toEqual([`${long}yyyy`])
})
