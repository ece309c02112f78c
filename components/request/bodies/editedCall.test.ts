import { describe, expect, it } from 'vitest'
import { fieldsOf } from '@/components/form/schemaFields'
import { argumentsOf, switched } from '@/components/tools/toolDraft'
import { isSameValue } from '@/lib/json'
import { changedArguments, readEdited, writeEdited } from './editedCall'

const fields =
  fieldsOf({
    type: 'object',
    required: ['path', 'content'],
    properties: { path: { type: 'string' }, content: { type: 'string' }, mode: { type: 'integer' } },
  }) ?? []
const PROPOSED = { path: 'a.md', content: 'one\ntwo' }
const BLANK = { text: '', more: {} }

describe('the edited arguments of a confirmation', () => {
  it('are the proposed ones until somebody edits them: a field each, JSON where there is no form', () => {
    expect(readEdited(BLANK, PROPOSED, fields)).toMatchObject({ as: 'form', typed: PROPOSED })
    expect(readEdited(BLANK, PROPOSED, null)).toMatchObject({ as: 'json', json: JSON.stringify(PROPOSED, null, 2) })
    expect(readEdited(BLANK, { ...PROPOSED, other: 1 }, fields)).toMatchObject({ as: 'json' })
  })

  it('come back from the draft with what is unfinished, in the form and in the JSON', () => {
    const form = readEdited(BLANK, PROPOSED, fields)
    const half = { ...form, typed: { ...form.typed, path: 'b.md', mode: 'many' } }
    const kept = writeEdited(half, fields)
    // What others show of the draft is JSON.
    expect(JSON.parse(kept.text)).toEqual({ path: 'b.md', content: 'one\ntwo' })
    expect(readEdited(kept, PROPOSED, fields)).toMatchObject({ as: 'form', typed: half.typed })
    const json = switched(half, fields, 'json')
    if (json === null) throw new Error('no JSON')
    const again = readEdited(writeEdited({ ...json, json: '{ "path"' }, fields), PROPOSED, fields)
    expect(again).toMatchObject({ as: 'json', json: '{ "path"' })
    expect(argumentsOf(again, fields)).toMatchObject({ ok: false, badJson: { kind: 'comma' } })
    // Emptied, it stays empty.
    expect(readEdited(writeEdited({ ...json, json: '' }, fields), PROPOSED, fields).json).toBe('')
  })

  it('come back to the form from unchanged JSON with what was unfinished there', () => {
    const form = readEdited(BLANK, PROPOSED, fields)
    const half = { ...form, typed: { ...form.typed, mode: 'many' } }
    const json = switched(half, fields, 'json')
    if (json === null) throw new Error('no JSON')
    const kept = readEdited(writeEdited(json, fields), PROPOSED, fields)
    expect(switched(kept, fields, 'form')).toMatchObject({ as: 'form', typed: half.typed })
  })
})

describe('what a call would change', () => {
  it('is told argument by argument, whatever their order', () => {
    expect(isSameValue({ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 })).toBe(true)
    expect(isSameValue({ a: 1 }, { a: 1, b: null })).toBe(false)
    expect(changedArguments(PROPOSED, { content: 'one\ntwo', path: 'b.md' })).toEqual([
      { name: 'path', before: 'a.md', after: 'b.md' },
    ])
    expect(changedArguments({ a: 1 }, { b: { c: 2 } }).map(({ name }) => name)).toEqual(['b', 'a'])
    expect(changedArguments('x', 'x')).toEqual([])
  })
})
