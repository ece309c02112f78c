import { isJsonObject, jsonValueOf } from '@/lib/json'
import { changedNumberIn, isNumberChanged } from '@/lib/jsonNumbers'
import type { Json } from '@/lib/mas/records'
import type { Field, Typed } from './schemaFields'

/** Why a text is no value. digits: a number with more digits than are kept */
type FieldProblem = 'needed' | 'number' | 'digits' | 'json'
/** By path: the field's name, or `edits/0/newText` for a nested one. */
export type FieldProblems = Readonly<Record<string, FieldProblem>>

type Values = { [key: string]: Json }

/** The path of a field, which names its error. */
export const placeOf = (within: string, name: string | number): string =>
  within === '' ? `${name}` : `${within}/${name}`

/** No value: it is optional and left out, or `troubles` says why. */
type Read = { value?: Json; troubles?: FieldProblems }

/**
 * in      fields, and the text of each
 * out     the values, without empty optional fields; or the error of each field that has no value
 */
export function valuesOf(
  fields: readonly Field[],
  typed: Typed,
): { ok: true; values: Values } | { ok: false; troubles: FieldProblems } {
  const { values, troubles } = readFields(fields, typed, '')
  return Object.keys(troubles).length > 0 ? { ok: false, troubles } : { ok: true, values }
}

function readFields(
  fields: readonly Field[],
  typed: Typed,
  within: string,
): { values: Values; troubles: FieldProblems } {
  const values: Values = {}
  const troubles: Record<string, FieldProblem> = {}
  for (const field of fields) {
    const read = readField(field, typed[field.name], placeOf(within, field.name))
    if (read.value !== undefined) values[field.name] = read.value
    Object.assign(troubles, read.troubles)
  }
  return { values, troubles }
}

function readField(field: Field, given: string | undefined, place: string): Read {
  const { kind, isNeeded } = field
  const text = given ?? field.start
  const failed = (trouble: FieldProblem): Read => ({ troubles: { [place]: trouble } })
  switch (kind) {
    case 'yesNo':
      return text !== '' || isNeeded ? { value: text === 'true' } : {}
    case 'group': {
      if (given === undefined && !isNeeded) return field.start === '' ? {} : readField(field, text, place)
      const inner = readTyped(text)
      if (inner === null) return failed('json')
      const { values: value, troubles } = readFields(field.fields, inner, place)
      return { value, troubles }
    }
    case 'list': {
      const rows = readRows(text)
      if (rows === null || field.item === null) return failed('json')
      return rows.length === 0 && !isNeeded && field.start === '' ? {} : readItems(field.item, rows, place)
    }
    case 'long':
      // A text that was typed and deleted is ''; one never typed is undefined.
      if (text !== '' || (isNeeded && given !== undefined)) return { value: text }
      return isNeeded ? failed('needed') : {}
    default: {
      if (text.trim() === '') return isNeeded ? failed('needed') : {}
      return readPlain(field, text, failed)
    }
  }
}

/** An empty row is left out. */
function readItems(item: Field, rows: readonly string[], place: string): Read {
  const isBlank = (row: string): boolean => item.kind !== 'group' && item.kind !== 'yesNo' && row.trim() === ''
  const reads = rows.map((row, index) => (isBlank(row) ? {} : readField(item, row, placeOf(place, index))))
  return {
    value: reads.flatMap(({ value }) => (value === undefined ? [] : [value])),
    troubles: Object.assign({}, ...reads.map(({ troubles }) => troubles)),
  }
}

/** A comma may be the decimal one; where it may group thousands it stays, and the text is no number: 1,000 is not taken for 1. */
export const withDecimalPoint = (text: string): string => text.trim().replace(/,(?!\d{3}$)/, '.')

function readPlain({ kind, areChoicesJson }: Field, text: string, failed: (problem: FieldProblem) => Read): Read {
  if (kind === 'number' || kind === 'whole') {
    const written = withDecimalPoint(text)
    const value = Number(written)
    if (!Number.isFinite(value) || (kind === 'whole' && !Number.isInteger(value))) return failed('number')
    return isNumberChanged(written) ? failed('digits') : { value }
  }
  if (kind !== 'json' && !areChoicesJson) return { value: text }
  const value = jsonValueOf(text)
  if (value === undefined) return failed('json')
  return changedNumberIn(text) === null ? { value } : failed('digits')
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
