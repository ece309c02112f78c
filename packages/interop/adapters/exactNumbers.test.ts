/** Numbers in what other systems send. */
import { describe, expect, it } from 'vitest'
import { tagsOfObject } from '@/lib/mas/formats/objectAnswer'
import { readRpc } from '../protocols/map/jsonRpc'
import { parseJson } from './http'

describe('[R404] a number of more digits than are kept', () => {
  it('is a text with the same digits in a message over HTTP and on a socket', () => {
    expect(parseJson(Buffer.from('{"order":1234567890123456789,"n":3}'))).toEqual({
      order: '1234567890123456789',
      n: 3,
    })
    expect(readRpc('{"jsonrpc":"2.0","id":1,"method":"map/send","params":{"order":1234567890123456789}}')).toEqual({
      kind: 'request',
      request: { id: 1, method: 'map/send', params: { order: '1234567890123456789' } },
    })
  })

  it('is a text with the same digits in a model’s answer that is one object', () => {
    const answer = '{"tool_instruction": {"tool_name": "echo", "arguments": {"id": 1234567890123456789}}}'
    expect(tagsOfObject(answer)).toContain('"id":"1234567890123456789"')
  })
})
