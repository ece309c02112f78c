import { describe, expect, it } from 'vitest'
import { fieldsOf } from '@/components/form/schemaFields'
import {
  argumentsOf,
  draftKey,
  EMPTY_TOOL_DRAFT,
  editedDraft,
  filledDraft,
  readToolDraft,
  switched,
  writeToolDraft,
} from './toolDraft'

const fields =
  fieldsOf({
    type: 'object',
    required: ['path'],
    properties: { path: { type: 'string' }, head: { type: 'number' }, isDry: { type: 'boolean' } },
  }) ?? []

describe('what is filled in for a tool', () => {
  it('comes back from its text, and is empty for any other text', () => {
    const draft = { ...EMPTY_TOOL_DRAFT, typed: { path: 'a' }, task: 't', stage: '' }
    expect(readToolDraft(writeToolDraft(draft))).toEqual(draft)
    for (const text of ['', '7', 'null', '{"as":"x","typed":[1],"task":3}', '{'])
      expect(readToolDraft(text)).toEqual(EMPTY_TOOL_DRAFT)
  })

  it('lies under a key that the server takes, its own for each tool and for what it was filled from', () => {
    expect(draftKey('files', 'read_file', null)).toBe('tool:files.read_file')
    expect(draftKey('far/away', 'do it', 'abc-1')).toBe('tool:far-away.do-it.abc-1')
    expect(draftKey('s', 'x'.repeat(300), null)).toMatch(/^tool:[0-9A-Za-z_.-]{1,200}$/)
  })

  it('goes from form to JSON and back without loss', () => {
    const form = { ...EMPTY_TOOL_DRAFT, typed: { path: 'a', head: '3' } }
    const json = switched(form, fields, 'json')
    expect(json && JSON.parse(json.json)).toEqual({ path: 'a', head: 3 })
    const back = json && switched(json, fields, 'form')
    expect(back && argumentsOf(back, fields)).toEqual({ ok: true, args: { path: 'a', head: 3 } })
  })

  it('takes along to JSON what is whole, and stays JSON where the form has no box', () => {
    const json = switched({ ...EMPTY_TOOL_DRAFT, typed: { head: '3' } }, fields, 'json')
    expect(json && JSON.parse(json.json)).toEqual({ head: 3 })
    expect(switched({ ...EMPTY_TOOL_DRAFT, as: 'json', json: '{"path":"a","more":1}' }, fields, 'form')).toBeNull()
    expect(switched({ ...EMPTY_TOOL_DRAFT, as: 'json', json: '{"path"' }, fields, 'form')).toBeNull()
  })

  it('goes to JSON and back with what is unfinished in the form, unless the JSON was changed', () => {
    const form = { ...EMPTY_TOOL_DRAFT, typed: { path: 'a', head: 'many' } }
    const json = switched(form, fields, 'json')
    expect(json && switched(json, fields, 'form')).toMatchObject({ as: 'form', typed: form.typed })
    expect(json && switched({ ...json, json: '{"path":"b"}' }, fields, 'form')?.typed).toEqual({ path: 'b' })
  })

  it('comes to arguments, or says what is wrong', () => {
    expect(argumentsOf(EMPTY_TOOL_DRAFT, fields)).toMatchObject({
      ok: false,
      troubles: { path: 'needed' },
      badJson: null,
    })
    expect(argumentsOf({ ...EMPTY_TOOL_DRAFT, as: 'json', json: '' }, fields)).toEqual({ ok: true, args: {} })
    expect(argumentsOf({ ...EMPTY_TOOL_DRAFT, as: 'json', json: '[1]' }, fields)).toMatchObject({
      ok: false,
      badJson: { kind: 'notObject' },
    })
    expect(argumentsOf({ ...EMPTY_TOOL_DRAFT, json: '{"a":1}' }, null)).toEqual({ ok: true, args: { a: 1 } })
  })

  it('is filled from a call that was made, in the form where that holds it', () => {
    expect(filledDraft({ path: 'a', isDry: false }, fields)).toMatchObject({ as: 'form', typed: { path: 'a' } })
    expect(filledDraft({ path: 'a', other: 1 }, fields)).toMatchObject({ as: 'json' })
    expect(filledDraft({ path: 'a' }, null)).toMatchObject({ as: 'json' })
  })
})

describe('arguments as somebody had edited them', () => {
  it('are filled in; what is no JSON yet stands there as it was typed', () => {
    expect(editedDraft('{"limit": 5}', null)).toMatchObject({ as: 'json', json: '{\n  "limit": 5\n}' })
    expect(editedDraft('{"limit": ', null)).toMatchObject({ as: 'json', json: '{"limit": ' })
  })
})
