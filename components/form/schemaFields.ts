/**
 * A JSON schema as fields that a person fills in. Pure.
 *
 * Owns: which schemas are a form, and how each field's text becomes a value. What is deeper than a form is written as JSON.
 * Not here: whether the values fit (the server checks them against the schema), drawing (SchemaForm.tsx).
 */
import type { Json } from '@/lib/mas/records'

export type Field = {
  name: string
  title: string
  hint: string
  isNeeded: boolean
  /** json: anything that has no box of its own, as JSON text. */
  kind: 'text' | 'long' | 'number' | 'whole' | 'yesNo' | 'choice' | 'json'
  choices: { value: string; label: string }[]
  /** What stands in it at first, as text. */
  start: string
}

const isObject = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

/** The fields of an object schema, needed ones first; null when it is no object with properties. */
export function fieldsOf(schema: Json): Field[] | null {
  if (!isObject(schema) || !isObject(schema.properties)) return null
  const needed = Array.isArray(schema.required) ? schema.required : []
  const fields = Object.entries(schema.properties).map(([name, value]): Field => {
    const property = isObject(value) ? value : {}
    const choices = choicesOf(property)
    const kind = kindOf(property, choices.length > 0)
    return {
      name,
      title: textOf(property.title) || name,
      hint: textOf(property.description),
      isNeeded: needed.includes(name),
      kind,
      choices,
      start: property.default === undefined ? '' : startOf(property.default, kind),
    }
  })
  return [...fields.filter(({ isNeeded }) => isNeeded), ...fields.filter(({ isNeeded }) => !isNeeded)]
}

function choicesOf(property: { [key: string]: Json }): Field['choices'] {
  const { enum: values, enumNames, oneOf } = property
  if (Array.isArray(values) && values.every((value) => typeof value === 'string')) {
    return values.map((value, at) => ({ value, label: textOf(Array.isArray(enumNames) ? enumNames[at] : '') || value }))
  }
  if (!Array.isArray(oneOf)) return []
  const named = oneOf.flatMap((one) =>
    isObject(one) && typeof one.const === 'string' ? [{ value: one.const, label: textOf(one.title) || one.const }] : [],
  )
  return named.length === oneOf.length ? named : []
}

function kindOf({ type, format, maxLength }: { [key: string]: Json }, hasChoices: boolean): Field['kind'] {
  if (hasChoices) return 'choice'
  switch (type) {
    case 'string':
      return format === undefined && maxLength === undefined ? 'long' : 'text'
    case 'number':
      return 'number'
    case 'integer':
      return 'whole'
    case 'boolean':
      return 'yesNo'
    default:
      return 'json'
  }
}

const startOf = (value: Json, kind: Field['kind']): string =>
  kind === 'json' || typeof value !== 'string' ? JSON.stringify(value) : value

/** What was typed, by field. */
export type Typed = Readonly<Record<string, string>>
/** Why a field's text is no value: 'needed', 'number', 'json'. */
export type Trouble = 'needed' | 'number' | 'json'

/**
 * in      fields and what was typed into each
 * out     the values, fields that are empty and not needed left out; or what is wrong with each field that has no value
 */
export function valuesOf(
  fields: readonly Field[],
  typed: Typed,
): { ok: true; values: { [key: string]: Json } } | { ok: false; troubles: Record<string, Trouble> } {
  const values: { [key: string]: Json } = {}
  const troubles: Record<string, Trouble> = {}
  for (const field of fields) {
    const text = typed[field.name] ?? field.start
    if (field.kind === 'yesNo') {
      if (text !== '' || field.isNeeded) values[field.name] = text === 'true'
      continue
    }
    if (text.trim() === '' && field.kind !== 'long') {
      if (field.isNeeded) troubles[field.name] = 'needed'
      continue
    }
    if (text === '' && !field.isNeeded) continue
    const read = readText(field.kind, text)
    if (read.ok) values[field.name] = read.value
    else troubles[field.name] = read.trouble
  }
  return Object.keys(troubles).length > 0 ? { ok: false, troubles } : { ok: true, values }
}

function readText(kind: Field['kind'], text: string): { ok: true; value: Json } | { ok: false; trouble: Trouble } {
  if (kind === 'number' || kind === 'whole') {
    const number = Number(text.trim().replace(',', '.'))
    return Number.isFinite(number) && (kind === 'number' || Number.isInteger(number))
      ? { ok: true, value: number }
      : { ok: false, trouble: 'number' }
  }
  if (kind !== 'json') return { ok: true, value: text }
  try {
    return { ok: true, value: JSON.parse(text) as Json }
  } catch {
    return { ok: false, trouble: 'json' }
  }
}
