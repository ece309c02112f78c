import { expect, test } from 'vitest'
import { uuidOf } from './identity'

test('a configured id keeps its uuid for ever: journals hold it', () => {
  expect(uuidOf('agent', 'ana')).toBe('017fcc4a-48c2-807b-a63d-f57f5309f489')
  expect(uuidOf('task', 'base')).toBe('9c940c47-1c8c-88de-84e6-22cdb5a3df2c')
})

test('kind and id both count', () => {
  const ids = [uuidOf('agent', 'x'), uuidOf('task', 'x'), uuidOf('agent', 'y')]
  expect(new Set(ids).size).toBe(3)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})
