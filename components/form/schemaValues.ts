import { isJsonObject, jsonValueOf } from '@/lib/json'
import type { Json } from '@/lib/mas/records'
import type { Field, Typed } from './schemaFields'

/** Why a text is no value: 'needed', 'number', 'json'. */
type FieldProblem = 'needed' | 'number' | 'json'
/** By path: the field's name, or `edits/0/newText` for a nested one. */
export type FieldProblems = Readonly<Record<string, FieldProblem>>

type Values = { [key: string]: Json }

/** The path of a field, which names its error. */
export const placeOf = (within: string, name: string | number): string =>
  within === '' ? `${name}` : `${within}/${name}`

/**
 * in      fields, and the text of each
 * out     the values, without empty optional fields; or the error of each field that has no value
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

/** undefined: no value; then it is optional, or `troubles` says why. */
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
      // A text that was typed and deleted is ''; one never typed is undefined.
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

/** An empty row is left out. */
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
    // A decimal comma; one that may group thousands is none: 1,000 is not sent as 1.
    const number = Number(text.trim().replace(/,(?!\d{3}$)/, '.'))
    return Number.isFinite(number) && (kind === 'number' || Number.isInteger(number))
      ? { ok: true, value: number }
      : { ok: false, trouble: 'number' }
  }
  if (kind !== 'json' && !areChoicesJson) return { ok: true, value: text }
  const value = jsonValueOf(text)
  return value === undefined ? { ok: false, trouble: 'json' } : { ok: true, value }
}

/** The map in a group's text; empty for no text, null for anything else. */
export function readTyped(text: string): Typed | null {
  if (text === '') return {}
  const value = jsonValueOf(text)
  if (!isJsonObject(value)) return null
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** The row texts in a list's text; a plain value is its own text. */
export function readRows(text: string): string[] | null {
  if (text === '') return []
  const value = jsonValueOf(text)
  if (!Array.isArray(value)) return null
  return value.map((row) => (typeof row === 'string' ? row : JSON.stringify(row)))
}
