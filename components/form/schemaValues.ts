/** What was typed into a form, as the values that are sent. Pure. */
import type { Json } from '@/lib/mas/records'
import type { Field, Typed } from './schemaFields'

/** Why a field's text is no value: 'needed', 'number', 'json'. */
export type FieldProblem = 'needed' | 'number' | 'json'
/** By the field's place: its name, `edits/0/newText` for one inside. */
export type FieldProblems = Readonly<Record<string, FieldProblem>>

type Values = { [key: string]: Json }

/** Where a field stands among all: what troubles are named by. */
export const placeOf = (within: string, name: string | number): string =>
  within === '' ? `${name}` : `${within}/${name}`

/**
 * in      fields and what was typed into each
 * out     the values, fields that are empty and not needed left out; or what is wrong with each field that has no value
 */
export function valuesOf(
  fields: readonly Field[],
  typed: Typed,
): { ok: true; values: Values } | { ok: false; troubles: Record<string, FieldProblem> } {
  const troubles: Record<string, FieldProblem> = {}
  const values = readFields(fields, typed, '', troubles)
  return Object.keys(troubles).length > 0 ? { ok: false, troubles } : { ok: true, values }
}

function readFields(
  fields: readonly Field[],
  typed: Typed,
  within: string,
  troubles: Record<string, FieldProblem>,
): Values {
  const values: Values = {}
  for (const field of fields) {
    const value = readField(field, typed[field.name], placeOf(within, field.name), troubles)
    if (value !== undefined) values[field.name] = value
  }
  return values
}

/** undefined: it has no value, and either needs none or says why in `troubles`. */
function readField(
  field: Field,
  given: string | undefined,
  place: string,
  troubles: Record<string, FieldProblem>,
): Json | undefined {
  const { kind, isNeeded } = field
  const text = given ?? field.start
  switch (kind) {
    case 'yesNo':
      return text !== '' || isNeeded ? text === 'true' : undefined
    case 'group': {
      if (given === undefined && !isNeeded)
        return field.start === '' ? undefined : readField(field, text, place, troubles)
      const inner = readTyped(text)
      if (inner !== null) return readFields(field.fields, inner, place, troubles)
      troubles[place] = 'json'
      return undefined
    }
    case 'list': {
      const rows = text === '' ? [] : readRows(text)
      if (rows === null || field.item === null) {
        troubles[place] = 'json'
        return undefined
      }
      if (rows.length === 0 && !isNeeded && field.start === '') return undefined
      return readItems(field.item, rows, place, troubles)
    }
    case 'long':
      // Written and taken away again is a text of no letters; never written is nothing.
      if (text === '' && given === undefined && isNeeded) troubles[place] = 'needed'
      return text === '' && (!isNeeded || given === undefined) ? undefined : text
    default: {
      if (text.trim() === '') {
        if (isNeeded) troubles[place] = 'needed'
        return undefined
      }
      const read = readText(field, text)
      if (read.ok) return read.value
      troubles[place] = read.trouble
      return undefined
    }
  }
}

/** A row that was left empty is none. */
function readItems(
  item: Field,
  rows: readonly string[],
  place: string,
  troubles: Record<string, FieldProblem>,
): Json[] {
  return rows.flatMap((row, index) => {
    if (item.kind !== 'group' && item.kind !== 'yesNo' && row.trim() === '') return []
    const value = readField(item, row, placeOf(place, index), troubles)
    return value === undefined ? [] : [value]
  })
}

function readText(
  { kind, areChoicesJson }: Field,
  text: string,
): { ok: true; value: Json } | { ok: false; trouble: FieldProblem } {
  if (kind === 'number' || kind === 'whole') {
    const number = Number(text.trim().replace(',', '.'))
    return Number.isFinite(number) && (kind === 'number' || Number.isInteger(number))
      ? { ok: true, value: number }
      : { ok: false, trouble: 'number' }
  }
  if (kind !== 'json' && !areChoicesJson) return { ok: true, value: text }
  try {
    return { ok: true, value: JSON.parse(text) as Json }
  } catch {
    return { ok: false, trouble: 'json' }
  }
}

/** The map that a group's text holds; empty for no text, null for anything else. */
export function readTyped(text: string): Typed | null {
  if (text === '') return {}
  const value = parsed(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** The rows' texts that a list's text holds; what stands there as a plain value is its text. */
export function readRows(text: string): string[] | null {
  if (text === '') return []
  const value = parsed(text)
  if (!Array.isArray(value)) return null
  return value.map((row) => (typeof row === 'string' ? row : JSON.stringify(row)))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
