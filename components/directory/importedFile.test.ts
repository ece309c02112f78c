/** What a file from elsewhere is taken for. */
import { expect, it } from 'vitest'
import { importFile, readImportedFile } from './ImportFile'

it('H-26 a list is one by itself and as an export gives it', () => {
  const list = [{ role: 'user', content: 'x' }]
  for (const text of [JSON.stringify(list), JSON.stringify({ messages: list })]) {
    expect(readImportedFile(text)).toEqual({
      is: 'list',
      count: 1,
      path: '/api/harmony/import',
      body: { messages: list },
    })
  }
})

it('H-06 a packet says whom it is for, and anything else is neither', () => {
  const packet = { protocol: 'harmony_handoff_v1', meta: { target_agent: 'reader' } }
  expect(readImportedFile(JSON.stringify(packet))).toEqual({
    is: 'packet',
    to: 'reader',
    path: '/api/harmony/handoff',
    body: packet,
  })
  for (const text of ['', '{', 'null', '7', '{}', '"x"']) expect(readImportedFile(text)).toEqual({ is: 'nothing' })
})

it('H-09 says what it became, and what of it stayed elsewhere', () => {
  const answer = { conversation_id: 't', messages: 3, copied: 0, not_copied: [{ at: 0, part: 0, why: 'gone' }] }
  expect(importFile(answer)).toEqual({ task: 't', messages: 3, notCopied: ['gone'] })
  expect(importFile({ conversation_id: 't' })).toEqual({ task: 't', messages: null, notCopied: [] })
})
