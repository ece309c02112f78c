import { describe, expect, test } from 'vitest'
import { paintTool } from '@/test/toolPools'
import type { ToolInfo } from '../types'
import { checkArguments, checkForm, checkStructured } from './checkArguments'

describe('arguments', () => {
  const info = paintTool(
    {
      properties: {
        colour: { enum: ['red', 'blue'] },
        layers: {
          type: 'array',
          items: { type: 'object', properties: { depth: { type: 'integer' } }, required: ['depth'] },
        },
        size: { anyOf: [{ type: 'number' }, { type: 'null' }] },
        title: { type: 'string', minLength: 3 },
      },
      additionalProperties: false,
    },
    ['colour'],
  )

  test.each<[unknown, string]>([
    [{}, 'paint: colour is missing'],
    [{ colour: 'green' }, 'paint: colour must be one of "red", "blue"'],
    [
      { colour: 'red', layers: [{ depth: 1 }, { depth: 'deep' }] },
      'paint: layers[1].depth must be an integer, not a string',
    ],
    [{ colour: 'red', layers: [{}] }, 'paint: layers[0].depth is missing'],
    [{ colour: 'red', layer: [] }, 'paint: layer is not known (did you mean layers?)'],
    [{ colour: 'red', size: 'big' }, 'paint: size has none of the allowed forms'],
    [{ colour: 'red', title: 'ab' }, 'paint: title must NOT have fewer than 3 characters'],
    [null, 'paint: the arguments must be an object, not null'],
    [['red'], 'paint: the arguments must be an object, not an array'],
    ['red', 'paint: the arguments must be an object, not a string'],
  ])('%j is refused in words', async (args, message) => {
    expect(await checkArguments(info, args)).toEqual({ ok: false, message })
  })

  test('a name that a schema would let pass is told where another one is missing', async () => {
    const open = paintTool({ properties: { path: { type: 'string' }, mode: { type: 'string' } } }, ['path'])
    const message = async (args: object) => {
      const checked = await checkArguments(open, args)
      return checked.ok ? null : checked.message
    }
    expect(await message({ file_path: 'a.md', mode: 'x' })).toBe('paint: path is missing; file_path is not known')
    expect(await message({ file_path: 'a.md', place: 'b' })).toBe('paint: path is missing')
    expect(await message({ path: 'a.md', more: 1 })).toBeNull()
    expect(await checkArguments(info, { color: 'red' })).toEqual({
      ok: false,
      message: 'paint: colour is missing; color is not known (did you mean colour?)',
    })
  })

  const refusal = async (schema: Record<string, unknown>, args: unknown, required: string[] = []) => {
    const checked = await checkArguments(paintTool(schema, required), args)
    return checked.ok ? null : checked.message
  }
  const NAMES = ['a', 'b', 'c', 'd', 'e', 'f']

  test('up to five reasons are told, each once', async () => {
    const strict = { additionalProperties: false, properties: {} }
    const said = (names: string[]) => refusal(strict, Object.fromEntries(names.map((name) => [name, 1])))
    expect(await said(NAMES.slice(0, 5))).toBe(
      'paint: a is not known; b is not known; c is not known; d is not known; e is not known',
    )
    expect(await said(NAMES)).toBe(await said(NAMES.slice(0, 5)))
  })

  test('up to 50 allowed values are listed, and a sign says that there are more', async () => {
    const values = (count: number) => Array.from({ length: count }, (_, n) => n)
    const said = (count: number) => refusal({ properties: { n: { enum: values(count) } } }, { n: 'x' })
    expect(await said(50)).toBe(`paint: n must be one of ${values(50).join(', ')}`)
    expect(await said(51)).toBe(`paint: n must be one of ${values(50).join(', ')}, …`)
  })

  test.each<[Record<string, unknown>, unknown, string | null]>([
    [{ properties: { a: { const: 'x' } } }, { a: 'y' }, 'paint: a must be "x"'],
    [{ properties: { a: { type: 'string' } } }, { a: null }, 'paint: a must be a string, not null'],
    [{ properties: { a: { type: 'null' } } }, { a: [] }, 'paint: a must be null, not an array'],
    [{ properties: { a: { type: ['object', 'null'] } } }, { a: 1 }, 'paint: a must be an object or null, not a number'],
    [{ properties: { 'a/b~': { type: 'string' } } }, { 'a/b~': 1 }, 'paint: a/b~ must be a string, not a number'],
    [{ properties: { a: { type: 'integer' } } }, { a: 1.5 }, 'paint: a must be an integer, not a number'],
    [{ oneOf: [{ required: ['a'] }, { required: ['b'] }] }, {}, null],
    [
      { unevaluatedProperties: false, properties: { size: {} } },
      { sise: 1 },
      'paint: sise is not known (did you mean size?)',
    ],
    [
      { properties: { a: { additionalProperties: false, properties: { size: {} } } } },
      { a: { sise: 1 } },
      'paint: a.sise is not known',
    ],
  ])('%j tells what is wrong with %j', async (schema, args, message) => {
    if (message === null) expect(await refusal(schema, args)).toMatch(/the value has none of the allowed forms/)
    else expect(await refusal(schema, args)).toBe(message)
  })

  test('where nobody can read the schema, only what is missing is told', async () => {
    const unreadable = { type: 'no such type' }
    expect(await refusal(unreadable, {}, ['a', 'b'])).toBe('paint: a is missing; b is missing')
    expect(await refusal(unreadable, { a: undefined, b: 1 }, ['a', 'b'])).toBeNull()
  })

  test('what the schema allows passes', async () => {
    expect(await checkArguments(info, { colour: 'red', layers: [{ depth: 1 }], size: null, title: 'abc' })).toEqual({
      ok: true,
    })
  })

  test('schemas of the older and the newest draft are read as such, and two of one $id do not meet', async () => {
    const older = paintTool({
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'same',
      properties: { pair: { type: 'array', items: [{ type: 'string' }] } },
    })
    const newest = paintTool({
      $id: 'same',
      properties: { pair: { type: 'array', prefixItems: [{ type: 'number' }] } },
    })
    const isFit = async (info: ToolInfo, pair: unknown) => (await checkArguments(info, { pair })).ok
    for (let round = 0; round < 2; round += 1) {
      expect([await isFit(older, ['a']), await isFit(older, [1])]).toEqual([true, false])
      expect([await isFit(newest, ['a']), await isFit(newest, [1])]).toEqual([false, true])
    }
  })
})

test('a structured result is held to the schema that announces it, and to none where there is none', async () => {
  const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
  const announced = { ...paintTool({}), outputSchema } as ToolInfo
  expect(await checkStructured(announced, { n: 1 })).toEqual({ ok: true })
  expect(await checkStructured(announced, {})).toEqual({ ok: false, message: 'n is missing' })
  for (const value of [undefined, 7]) expect(await checkStructured(paintTool({}), value)).toEqual({ ok: true })
})

test('a form is an object of fields that matches its schema; without a readable one any object is', async () => {
  const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
  expect(await checkForm(schema, { n: 1 })).toBeNull()
  expect(await checkForm(schema, { n: 'x' })).toBe('n must be a number, not a string')
  for (const content of [null, [], 'n']) expect(await checkForm(schema, content)).toBe('it must be an object of fields')
  for (const none of [null, 'schema']) expect(await checkForm(none, { n: 'x' })).toBeNull()
})
