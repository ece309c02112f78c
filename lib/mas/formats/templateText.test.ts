/** Blanks of a template. */
import { describe, expect, it } from 'vitest'
import type { TemplateField } from '../records'
import { blanksOf, filledText, templateFieldsOf, unfitValue } from './templateText'

const field = (name: string, more: Partial<TemplateField> = {}): TemplateField => ({
  name,
  kind: 'text',
  choices: [],
  required: true,
  ...more,
})

describe('the text of a template', () => {
  it('holds its blanks as names in braces; other braces are text', () => {
    expect(blanksOf('Report for {Month} by {月份}, {Month} again')).toEqual(['Month', '月份'])
    expect(blanksOf('{"a": 1} {} { x } {a{b}} {x/y}')).toEqual(['b'])
    expect(blanksOf(`{${'x'.repeat(40)}} {${'y'.repeat(41)}}`)).toEqual(['x'.repeat(40)])
  })

  it('keeps what is known of a blank, and drops fields that it no longer names', () => {
    const month = field('Month', { kind: 'choice', choices: ['May'] })
    expect(templateFieldsOf('{Month} {Team}', [month, field('Old')])).toEqual([month, field('Team')])
  })

  it('takes values that are there where they must be, and one of the choices', () => {
    const fields = [field('Month', { kind: 'choice', choices: ['May'] }), field('Note', { required: false })]
    expect(unfitValue(fields, { Month: ' May ' })).toBeNull()
    expect(unfitValue(fields, { Month: ' ' })).toEqual({ field: 'Month', why: 'missing' })
    expect(unfitValue(fields, { Month: 'June' })).toEqual({ field: 'Month', why: 'choice' })
    expect(unfitValue([field('constructor')], {})).toEqual({ field: 'constructor', why: 'missing' })
  })

  it('is filled once: a value is not read for blanks', () => {
    expect(filledText('{A} and {B}', { A: '{B}', B: '$1' })).toBe('{B} and $1')
    expect(filledText('{A}!', {})).toBe('!')
  })
})
