import { expect, test } from 'vitest'
import { hintFor, nearest } from './nearest'

test('a slip of the finger finds its word', () => {
  expect(nearest('tols', ['tools', 'model', 'role'])).toBe('tools')
  expect(nearest('mangaer', ['manager', 'may_wait'])).toBe('manager')
})

test('a word that is nothing like the others gets the whole list instead', () => {
  expect(nearest('colour', ['tools', 'model'])).toBeNull()
  expect(hintFor('colour', ['tools', 'model'])).toBe('Known here: tools, model')
})
