import { describe, expect, it } from 'vitest'
import type { Json } from '@/lib/mas/records'
import { fieldsOf, valuesOf } from './schemaFields'

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
      'tags:json',
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

  it('is none for anything but an object with properties', () => {
    const others: Json[] = [null, 'x', [], {}, { type: 'string' }, { properties: [] }]
    for (const other of others) expect(fieldsOf(other)).toBeNull()
  })
})
