import { describe, expect, test } from 'vitest'
import { paintTool } from '@/test/toolPools'
import type { ToolInfo } from '../types'
import { checkArguments } from './checkArguments'

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
