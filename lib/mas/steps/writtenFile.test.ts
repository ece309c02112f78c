import { expect, it } from 'vitest'
import type { Json } from '../records'
import { writtenFile } from './writtenFile'

it('a call writes a file where its arguments name one and its new text', () => {
  const text = 'one\ntwo'
  expect(writtenFile({ path: 'a.md', content: text })).toEqual({ path: 'a.md', field: 'content', text })
  const none: Json[] = [{ path: 'a.md' }, { content: 'x' }, { path: '', content: 'x' }, [], null, 'x']
  for (const args of none) expect(writtenFile(args)).toBeNull()
})
