/** JSON-RPC 2.0 on the socket: every text is a call, an answer, or gets the code that the standard has for it. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRpc, writeError, writeNotification, writeResult } from './jsonRpc'

const codeOf = (text: string) => {
  const incoming = readRpc(text)
  return incoming.kind === 'broken' ? incoming.error.code : incoming.kind
}

describe('a text on the socket', () => {
  it('T-33 the keys of a message tell whether it is a request, a notification or an answer', () => {
    expect(readRpc('{"jsonrpc":"2.0","id":1,"method":"map/connect","params":{"a":1}}')).toEqual({
      kind: 'request',
      request: { id: 1, method: 'map/connect', params: { a: 1 } },
    })
    expect(codeOf('{"jsonrpc":"2.0","method":"map/event"}')).toBe('notification')
    expect(codeOf('{"jsonrpc":"2.0","id":"x","result":null}')).toBe('answer')
    expect(codeOf('{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}')).toBe('answer')
  })

  it('T-33 is answered -32700 when it is no JSON and -32600 when it is no call', () => {
    expect(codeOf('{"jsonrpc":')).toBe(-32700)
    expect(codeOf('')).toBe(-32700)
    for (const text of [
      '[]',
      '7',
      '"x"',
      'null',
      '{}',
      '{"id":1}',
      '{"method":"x"}',
      '{"jsonrpc":"1.0","id":1,"method":"x"}',
    ])
      expect(codeOf(text), text).toBe(-32600)
    expect(codeOf('{"jsonrpc":"2.0","id":{},"method":"x"}')).toBe(-32600)
    expect(codeOf('[{"jsonrpc":"2.0","id":1,"method":"x"}]')).toBe(-32600)
  })

  it('T-33 keeps the id of a call whose params are wrong, for -32602', () => {
    expect(readRpc('{"jsonrpc":"2.0","id":9,"method":"x","params":[1]}')).toMatchObject({
      id: 9,
      error: { code: -32602 },
    })
  })

  it('T-33 comes back as it was written, with no key that it does not mean', () => {
    const id = fc.oneof(fc.integer(), fc.string())
    // A key of that name is left out on reading: nothing of a peer's may reach an object's prototype.
    const params = fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      fc.jsonValue(),
    )
    fc.assert(
      fc.property(id, fc.string({ minLength: 1 }), params, (id, method, written) => {
        const params: Record<string, unknown> = JSON.parse(JSON.stringify(written))
        expect(readRpc(JSON.stringify({ jsonrpc: '2.0', id, method, params }))).toEqual({
          kind: 'request',
          request: { id: JSON.parse(JSON.stringify(id)), method, params },
        })
        const note = writeNotification({ method, params })
        expect(JSON.parse(note)).toEqual({ jsonrpc: '2.0', method, params })
        expect(readRpc(note)).toEqual({ kind: 'notification' })
        const said = JSON.parse(JSON.stringify(id))
        expect(JSON.parse(writeResult(id, params))).toEqual({ jsonrpc: '2.0', id: said, result: params })
        expect(readRpc(writeResult(id, params))).toEqual({ kind: 'answer' })
        const error = { code: 13001, message: 'x', data: { category: 'trajectory' } }
        expect(JSON.parse(writeError(id, error))).toEqual({ jsonrpc: '2.0', id: said, error })
        expect(readRpc(writeError(id, error))).toEqual({ kind: 'answer' })
      }),
    )
  })

  it('throws at nothing', () => {
    const runs = process.env.CONVENE_ALL === '1' ? 50_000 : 1_500
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc
            .dictionary(fc.constantFrom('jsonrpc', 'id', 'method', 'params', 'result', 'error'), fc.jsonValue())
            .map((value) => JSON.stringify(value)),
        ),
        (text) => {
          expect(readRpc(text).kind).toBeDefined()
        },
      ),
      { numRuns: runs },
    )
  })
})
