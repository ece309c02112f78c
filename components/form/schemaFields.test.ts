import { describe, expect, it } from 'vitest'
import type { Json } from '@/lib/mas/records'
import { fieldsOf, typedFrom } from './schemaFields'
import { valuesOf } from './schemaValues'

const schema: Json = {
  type: 'object',
  required: ['path', 'count'],
  properties: {
    mode: { type: 'string', enum: ['fast', 'slow'], enumNames: ['Quick', 'Careful'], default: 'slow' },
    path: { type: 'string', title: 'Where', description: 'A file' },
    count: { type: 'integer' },
    share: { type: 'number' },
    isDry: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    size: { oneOf: [{ const: 's', title: 'Small' }, { const: 'l' }] },
  },
}
const fields = fieldsOf(schema) ?? []

describe('a schema as a form', () => {
  it('has the needed fields first, each with the box that fits', () => {
    expect(fields.map(({ name, kind }) => `${name}:${kind}`)).toEqual([
      'path:long',
      'count:whole',
      'mode:choice',
      'share:number',
      'isDry:yesNo',
      'tags:list',
      'size:choice',
    ])
    expect(fields[0]).toMatchObject({ title: 'Where', hint: 'A file', isNeeded: true })
    expect(fields[2]?.choices).toEqual([
      { value: 'fast', label: 'Quick' },
      { value: 'slow', label: 'Careful' },
    ])
    expect(fields[6]?.choices.map(({ label }) => label)).toEqual(['Small', 'l'])
  })

  it('becomes values; what is empty and not needed is left out, defaults are taken', () => {
    expect(valuesOf(fields, { path: 'a b', count: '3', share: '1,5', isDry: 'true', tags: '["x"]' })).toEqual({
      ok: true,
      values: { path: 'a b', count: 3, mode: 'slow', share: 1.5, isDry: true, tags: ['x'] },
    })
  })

  it('says of each field what is wrong with it', () => {
    expect(valuesOf(fields, { path: 'a', count: '1.5', share: 'many', tags: '[x' })).toEqual({
      ok: false,
      troubles: { count: 'number', share: 'number', tags: 'json' },
    })
    expect(valuesOf(fields, {})).toMatchObject({ ok: false, troubles: { count: 'needed' } })
  })

  it('[R319] asks again for a number with a comma that may group thousands, which is never sent as another number', () => {
    expect(valuesOf(fields, { path: 'a', count: '1,000', share: '12,500' })).toEqual({
      ok: false,
      troubles: { count: 'number', share: 'number' },
    })
    expect(valuesOf(fields, { path: 'a', count: '3', share: ' 1,0005' })).toMatchObject({ values: { share: 1.0005 } })
  })

  it('[R323] asks again for a number with more digits than are kept, which is never sent as another number', () => {
    expect(valuesOf(fields, { path: 'a', count: '9007199254740993', share: '1e999' })).toEqual({
      ok: false,
      troubles: { count: 'digits', share: 'number' },
    })
    expect(valuesOf(fields, { path: 'a', count: '9007199254740992', tags: '["12345678901234567890"]' })).toMatchObject({
      values: { count: 9_007_199_254_740_992, tags: ['12345678901234567890'] },
    })
  })

  it('holds objects in objects and lists of anything, and comes back from its values', () => {
    const deep: Json = {
      type: 'object',
      required: ['edits', 'paths'],
      properties: {
        paths: { type: 'array', items: { type: 'string' } },
        edits: {
          type: 'array',
          items: {
            type: 'object',
            required: ['oldText'],
            properties: { oldText: { type: 'string' }, times: { type: 'integer' } },
          },
        },
        where: { $ref: '#/$defs/Place' },
        size: { type: 'integer', enum: [1, 2] },
        since: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }], default: null },
        isDry: { type: 'boolean', default: true },
      },
      $defs: {
        Place: { type: 'object', properties: { room: { type: ['string', 'null'] }, next: { $ref: '#/$defs/Place' } } },
      },
    }
    const all = fieldsOf(deep) ?? []
    expect(all.map(({ name, kind }) => `${name}:${kind}`)).toEqual([
      'paths:list',
      'edits:list',
      'where:group',
      'size:choice',
      'since:text',
      'isDry:yesNo',
    ])
    const values: { [key: string]: Json } = {
      paths: ['a', 'b c'],
      edits: [{ oldText: '' }, { oldText: 'x', times: 2 }],
      where: { room: 'R', next: { room: 'S' } },
      size: 2,
      since: '2026-11-21',
      isDry: false,
    }
    const typed = typedFrom(all, values)
    expect(typed && valuesOf(all, typed)).toEqual({ ok: true, values })
    // What the form has no box for stays JSON.
    expect(typedFrom(all, { ...values, more: 1 })).toBeNull()
    expect(typedFrom(all, { ...values, size: 3 })).toBeNull()
    expect(valuesOf(all, {})).toEqual({ ok: false, troubles: { 'edits/0/oldText': 'needed' } })
    const wrong = { ...typed, edits: JSON.stringify([JSON.stringify({ oldText: 'a', times: 'many' })]) }
    expect(valuesOf(all, wrong)).toEqual({ ok: false, troubles: { 'edits/0/times': 'number' } })
  })

  it('gives up a default that is taken away, and is nothing to fill in where a tool takes nothing', () => {
    const withDefault =
      fieldsOf({
        type: 'object',
        properties: { tags: { type: 'array', items: { type: 'string' }, default: ['x'] } },
      }) ?? []
    expect(valuesOf(withDefault, {})).toEqual({ ok: true, values: { tags: ['x'] } })
    expect(valuesOf(withDefault, typedFrom(withDefault, {}) ?? {})).toEqual({ ok: true, values: { tags: [] } })
    expect(fieldsOf({ type: 'object' })).toEqual([])
    expect(fieldsOf({ type: 'object', additionalProperties: { type: 'string' } })).toBeNull()
  })

  it('is none for anything but an object with properties', () => {
    const others: Json[] = [null, 'x', [], {}, { type: 'string' }, { properties: [] }]
    for (const other of others) expect(fieldsOf(other)).toBeNull()
  })
})
