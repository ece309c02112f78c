/** Arguments of a call that are repeated in headers, as its tool declares. */
import { describe, expect, test } from 'vitest'
import { headerFault, paramHeaders } from './paramHeaders'

const schemaOf = (properties: Record<string, unknown>) => ({ type: 'object', properties })
const SCHEMA = schemaOf({
  region: { type: 'string', 'x-mcp-header': 'Region' },
  count: { type: 'integer', 'x-mcp-header': 'Count' },
  deep: schemaOf({ dry: { type: 'boolean', 'x-mcp-header': 'Dry' } }),
  other: { type: 'string' },
})

describe('[R847] an argument that is repeated in a header', () => {
  test('is written as it is, or in Base64 where a header could not carry it', () => {
    expect(paramHeaders(SCHEMA, { region: 'eu west', count: 3, deep: { dry: false }, other: 'x' })).toEqual({
      'Mcp-Param-Region': 'eu west',
      'Mcp-Param-Count': '3',
      'Mcp-Param-Dry': 'false',
    })
    const encoded = (region: string) => paramHeaders(SCHEMA, { region })['Mcp-Param-Region']
    expect(encoded('日本')).toBe('=?base64?5pel5pys?=')
    expect(encoded(' a')).toBe('=?base64?IGE=?=')
    expect(encoded('a\nb')).toBe('=?base64?YQpi?=')
    expect(encoded('')).toBe('=?base64??=')
    expect(encoded('=?base64?YQ==?=')).toBe(`=?base64?${Buffer.from('=?base64?YQ==?=').toString('base64')}?=`)
  })

  test('is left out where it is not given, null, or no plain value', () => {
    expect(paramHeaders(SCHEMA, { region: null, count: 2 ** 60, deep: {} })).toEqual({})
  })

  test.each([
    ['a space', schemaOf({ a: { type: 'string', 'x-mcp-header': 'a b' } })],
    ['an empty name', schemaOf({ a: { type: 'string', 'x-mcp-header': '' } })],
    ['no text', schemaOf({ a: { type: 'string', 'x-mcp-header': 7 } })],
    ['a number', schemaOf({ a: { type: 'number', 'x-mcp-header': 'A' } })],
    [
      'one name twice',
      schemaOf({ a: { type: 'string', 'x-mcp-header': 'A' }, b: { type: 'string', 'x-mcp-header': 'a' } }),
    ],
    ['the items of a list', schemaOf({ a: { type: 'array', items: { type: 'string', 'x-mcp-header': 'A' } } })],
    ['one of several forms', { ...schemaOf({}), oneOf: [schemaOf({ a: { type: 'string', 'x-mcp-header': 'A' } })] }],
    ['the whole', { ...schemaOf({}), 'x-mcp-header': 'A' }],
  ])('may not be declared with %s', (_what, schema) => {
    expect(headerFault(schema)).toContain('x-mcp-header')
    expect(paramHeaders(schema, { a: 'x' })).toEqual({})
  })

  test('may have any name that is allowed, also a property of the name of the declaration', () => {
    expect(headerFault(SCHEMA)).toBeNull()
    expect(headerFault(schemaOf({ 'x-mcp-header': { type: 'string' } }))).toBeNull()
  })
})
