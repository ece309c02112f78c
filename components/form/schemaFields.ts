/** A JSON schema as form fields; what no field can hold is edited as JSON. Pure. */
import { isJsonObject, type JsonObject } from '@/lib/json'
import type { Json } from '@/lib/mas/records'

export type Field = {
  name: string
  title: string
  hint: string
  isNeeded: boolean
  /** group: an object. list: an array. json: anything that has no field of its own, as JSON text. */
  kind: 'text' | 'long' | 'number' | 'whole' | 'yesNo' | 'choice' | 'group' | 'list' | 'json'
  choices: { value: string; label: string }[]
  /** The choices are not strings: each value is JSON. */
  areChoicesJson: boolean
  /** The format that the schema names: date, email, uri… */
  format: string
  fields: Field[]
  item: Field | null
  /** Its first value, as text. */
  start: string
}

/** Deepest nesting of groups; deeper values are JSON. */
const DEEPEST = 4

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

/** The fields of an object schema, required ones first; null when it is no object with properties. */
export function fieldsOf(schema: Json): Field[] | null {
  if (!isJsonObject(schema)) return null
  // No properties, and none are allowed: there is nothing to fill in.
  if (schema.properties === undefined && schema.type === 'object' && !schema.additionalProperties) return []
  return isJsonObject(schema.properties) ? propertiesOf(schema, schema, 0) : null
}

function propertiesOf(schema: JsonObject, root: JsonObject, depth: number): Field[] {
  const needed = Array.isArray(schema.required) ? schema.required : []
  const properties = isJsonObject(schema.properties) ? Object.entries(schema.properties) : []
  const fields = properties.map(([name, value]) => fieldOf(name, value, needed.includes(name), root, depth))
  return [...fields.filter(({ isNeeded }) => isNeeded), ...fields.filter(({ isNeeded }) => !isNeeded)]
}

function fieldOf(name: string, value: Json, isNeeded: boolean, root: JsonObject, depth: number): Field {
  const property = plain(value, root)
  const { choices, areChoicesJson } = choicesOf(property)
  const simple = kindOf(property, choices.length > 0)
  const fields = depth < DEEPEST && simple === 'group' ? propertiesOf(property, root, depth + 1) : []
  const item = depth < DEEPEST && simple === 'list' ? fieldOf('', property.items ?? null, true, root, depth + 1) : null
  const isDeep = (simple === 'group' && fields.length === 0) || (simple === 'list' && (item?.kind ?? 'json') === 'json')
  const field: Field = {
    name,
    title: textOf(property.title) || name,
    hint: textOf(property.description),
    isNeeded,
    kind: isDeep ? 'json' : simple,
    choices,
    areChoicesJson,
    format: textOf(property.format),
    fields,
    item,
    start: '',
  }
  return { ...field, start: startOf(field, property.default) }
}

/** The effective schema: references resolved, the one alternative that is not null. */
function plain(value: Json, root: JsonObject, hops = 0): JsonObject {
  if (!isJsonObject(value) || hops > 8) return {}
  const { $ref: ref, ...own } = value
  if (typeof ref === 'string') return { ...plain(at(root, ref), root, hops + 1), ...own }
  for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
    const several = own[key]
    if (!Array.isArray(several)) continue
    const real = several.filter((one) => !(isJsonObject(one) && one.type === 'null'))
    if (real.length !== 1) continue
    const { [key]: _, ...rest } = own
    return { ...plain(real[0] ?? null, root, hops + 1), ...rest }
  }
  if (!Array.isArray(own.type)) return own
  const types = own.type.filter((type) => type !== 'null')
  return { ...own, type: types.length === 1 ? (types[0] ?? null) : null }
}

function at(root: JsonObject, ref: string): Json {
  if (!ref.startsWith('#')) return null
  let found: Json = root
  for (const part of ref.slice(1).split('/').filter(Boolean)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    found = isJsonObject(found) && Object.hasOwn(found, key) ? (found[key] ?? null) : null
  }
  return found
}

function choicesOf(property: JsonObject): Pick<Field, 'choices' | 'areChoicesJson'> {
  const { enum: values, enumNames, oneOf } = property
  const fixed = property.const === undefined ? values : [property.const]
  if (Array.isArray(fixed)) {
    const real = fixed.filter((value) => value !== null)
    const areChoicesJson = !real.every((value) => typeof value === 'string')
    const choices = real.map((value, place) => {
      const text = areChoicesJson ? JSON.stringify(value) : textOf(value)
      return { value: text, label: textOf(Array.isArray(enumNames) ? enumNames[place] : '') || text }
    })
    return { choices, areChoicesJson }
  }
  if (!Array.isArray(oneOf)) return { choices: [], areChoicesJson: false }
  const named = oneOf.flatMap((one) =>
    isJsonObject(one) && typeof one.const === 'string'
      ? [{ value: one.const, label: textOf(one.title) || one.const }]
      : [],
  )
  return { choices: named.length === oneOf.length ? named : [], areChoicesJson: false }
}

function kindOf({ type, format, maxLength, properties, items }: JsonObject, hasChoices: boolean): Field['kind'] {
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
    case 'object':
      return isJsonObject(properties) ? 'group' : 'json'
    case 'array':
      return isJsonObject(items) ? 'list' : 'json'
    default:
      return 'json'
  }
}

/** The text of a required list: one empty row. */
function startOf(field: Field, value: Json | undefined): string {
  if (value === undefined || value === null) {
    return field.kind === 'list' && field.isNeeded && field.item ? JSON.stringify([field.item.start]) : ''
  }
  return textFrom(field, value) ?? ''
}

/** The field's text for this value; null: the field cannot hold it. */
function textFrom(field: Field, value: Json): string | null {
  switch (field.kind) {
    case 'text':
    case 'long':
      return typeof value === 'string' ? value : null
    case 'number':
    case 'whole':
      return typeof value === 'number' ? String(value) : null
    case 'yesNo':
      return typeof value === 'boolean' ? String(value) : null
    case 'choice': {
      const text = field.areChoicesJson ? JSON.stringify(value) : value
      return typeof text === 'string' && field.choices.some((one) => one.value === text) ? text : null
    }
    case 'group': {
      const typed = typedFrom(field.fields, value)
      return typed && JSON.stringify(typed)
    }
    case 'list': {
      const { item } = field
      if (item === null || !Array.isArray(value)) return null
      const rows = value.map((one) => textFrom(item, one))
      return rows.includes(null) ? null : JSON.stringify(rows)
    }
    case 'json':
      return typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : JSON.stringify(value)
  }
}

/** Typed text by field. The text of a group is such a map as JSON, that of a list a JSON array of its rows' texts. */
export type Typed = Readonly<Record<string, string>>

/** The text of a form for these values; null when the form has no field for one of them. */
export function typedFrom(fields: readonly Field[], values: Json): Typed | null {
  if (!isJsonObject(values)) return null
  const typed: Record<string, string> = {}
  for (const [name, value] of Object.entries(values)) {
    const field = fields.find((one) => one.name === name)
    const text = field ? textFrom(field, value) : null
    if (text === null) return null
    typed[name] = text
  }
  // A field with a default that has no value here stays empty; it does not get its default back.
  for (const { name, start, kind } of fields) {
    if (typed[name] === undefined && start !== '') typed[name] = kind === 'list' ? '[]' : ''
  }
  return typed
}
