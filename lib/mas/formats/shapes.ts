/** Brings a value that does not fit its schema into that form if only one meaning is possible; never inside `arguments`. */
import type * as z from 'zod/mini'
import { exactJsonOf, isJsonObject } from '../../json'
import type { Json } from '../records'
import type { AnswerTag } from './escape'
import type { Fixup } from './fixups'
import { TAG_FORMATS } from './schemas'

type Record_ = { [key: string]: Json }

const definitionOf = (schema: z.core.$ZodType): z.core.$ZodTypes['_zod']['def'] => (schema as z.core.$ZodTypes)._zod.def

/** Whether the tag holds a list, so that several values beside each other mean one. */
export const holdsList = (tag: AnswerTag): boolean => definitionOf(TAG_FORMATS[tag].schema).type === 'array'

type Kind = 'text' | 'word' | 'number' | 'truth' | 'texts' | 'goals' | 'records' | 'arguments'

/** What a field holds by its schema; undefined: nothing that is brought into another form. */
function kindOf(schema: z.core.$ZodType): Kind | undefined {
  const definition = definitionOf(schema)
  switch (definition.type) {
    case 'optional':
    case 'default':
    case 'nullable':
      return kindOf(definition.innerType)
    case 'string':
      return 'text'
    case 'number':
      return 'number'
    case 'boolean':
      return 'truth'
    case 'enum':
      return 'word'
    case 'literal':
      return typeof definition.values[0] === 'boolean' ? 'truth' : 'word'
    case 'array':
      return definitionOf(definition.element).type === 'string' ? 'texts' : 'records'
    case 'record':
      return definitionOf(definition.valueType).type === 'string' ? 'goals' : 'arguments'
    default:
      return undefined
  }
}

/** Every field of the objects that a schema holds, at any depth. */
function fieldsOf(schema: z.core.$ZodType): [key: string, field: z.core.$ZodType][] {
  const definition = definitionOf(schema)
  if (definition.type === 'array') return fieldsOf(definition.element)
  if (definition.type === 'union') return definition.options.flatMap(fieldsOf)
  if (definition.type !== 'object') return []
  return Object.entries(definition.shape).flatMap(([key, field]) => [[key, field], ...fieldsOf(field)])
}

const FIELDS = Object.values(TAG_FORMATS).flatMap(({ schema }) => fieldsOf(schema))

/** Every key of a tag, and its value. */
const KINDS = new Map(FIELDS.map(([key, field]) => [key, kindOf(field)]))

/** Optional keys: null or an empty text means the same as absent. */
const mayBeMissing = (field: z.core.$ZodType): boolean => ['optional', 'default'].includes(definitionOf(field).type)
const NEEDED = new Set(FIELDS.flatMap(([key, field]) => (mayBeMissing(field) ? [] : [key])))
const OPTIONAL = new Set(FIELDS.flatMap(([key]) => (NEEDED.has(key) ? [] : [key])))
const TRUTHS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  是: true,
  false: false,
  no: false,
  否: false,
}

const plain = (key: string): string => key.toLowerCase().replace(/[\s_-]/g, '')
const KNOWN_KEYS = new Map([...KINDS.keys()].map((key) => [plain(key), key]))

/** The value in the form of its tag as far as it shows one, and the kinds of fixups; the schema decides whether that was enough. */
export function shapeValue(tag: AnswerTag, value: Json): { value: Json; fixups: Fixup[] } {
  const fixups = new Set<Fixup>()
  let shaped = unwrap(tag, value, fixups)
  if (holdsList(tag)) {
    if (isJsonObject(shaped)) {
      shaped = [shaped]
      // A single call is the usual form.
      if (tag !== 'tool_instruction') fixups.add('list_missing')
    }
    if (Array.isArray(shaped)) shaped = shaped.map((item) => shapeItem(tag, item, fixups))
  } else {
    if (Array.isArray(shaped) && shaped.length === 1 && isJsonObject(shaped[0] ?? null)) {
      shaped = unwrap(tag, shaped[0] ?? null, fixups)
      fixups.add('list_unneeded')
    }
    if (isJsonObject(shaped)) shaped = implied(tag, shapeRecord(shaped, fixups), fixups)
  }
  return { value: shaped, fixups: [...fixups] }
}

function shapeItem(tag: AnswerTag, item: Json, fixups: Set<Fixup>): Json {
  if (!isJsonObject(item)) return item
  const shaped = shapeRecord(item, fixups)
  return tag === 'tool_instruction' ? asCall(shaped) : shaped
}

/** `{"planned_step": …}`, and for a list any one key with a list of objects: `{"steps": […]}`. */
function unwrap(tag: AnswerTag, value: Json, fixups: Set<Fixup>): Json {
  if (!isJsonObject(value)) return value
  const [entry, other] = Object.entries(value)
  if (entry === undefined || other !== undefined) return value
  const [key, inside] = entry
  const isNamed = plain(key) === plain(tag) || plain(key) === `${plain(tag)}s`
  const isList =
    holdsList(tag) && Array.isArray(inside) && inside.length > 0 && inside.every((item) => isJsonObject(item))
  if (inside === null || typeof inside !== 'object' || !(isNamed || isList)) return value
  fixups.add('wrapper')
  return inside
}

function shapeRecord(record: Record_, fixups: Set<Fixup>): Record_ {
  const shaped = new Map<string, Json>()
  for (const [written, value] of Object.entries(record)) {
    const known = KINDS.has(written) ? written : KNOWN_KEYS.get(plain(written))
    const key = known !== undefined && (known === written || !Object.hasOwn(record, known)) ? known : written
    if (key !== written) fixups.add('key_spelling')
    const kind = KINDS.get(key)
    if (key === 'stage_relative' && value === null) shaped.set(key, fixed('no_relative', 'value_type', fixups))
    else if ((value === null || value === '') && OPTIONAL.has(key)) fixups.add('value_type')
    else shaped.set(key, kind === undefined ? value : shapeAs(kind, value, fixups))
  }
  return Object.fromEntries(shaped)
}

function shapeAs(kind: Kind, value: Json, fixups: Set<Fixup>): Json {
  switch (kind) {
    case 'text':
      return asText(value, fixups)
    case 'word': {
      const word = typeof value === 'string' ? value.trim().toLowerCase().replace(/[\s-]/g, '_') : value
      return word === value ? value : fixed(word, 'value_spelling', fixups)
    }
    case 'number':
      return asNumber(value, fixups)
    case 'truth': {
      if (value === 0 || value === 1) return fixed(value === 1, 'value_type', fixups)
      const word = typeof value === 'string' ? value.trim().toLowerCase() : ''
      const truth = Object.hasOwn(TRUTHS, word) ? TRUTHS[word] : undefined
      return truth === undefined ? value : fixed(truth, 'value_type', fixups)
    }
    case 'texts':
      if (typeof value === 'string') return fixed([value], 'list_missing', fixups)
      return Array.isArray(value) ? value.map((item) => asText(item, fixups)) : value
    case 'goals':
      return shapeGoals(value, fixups)
    case 'records': {
      const records = isJsonObject(value) ? fixed([value], 'list_missing', fixups) : value
      if (!Array.isArray(records)) return records
      return records.map((record) => (isJsonObject(record) ? shapeRecord(record, fixups) : record))
    }
    case 'arguments':
      return shapeArguments(value, fixups)
  }
}

function fixed<Value extends Json>(value: Value, fixup: Fixup, fixups: Set<Fixup>): Value {
  fixups.add(fixup)
  return value
}

const asText = (value: Json, fixups: Set<Fixup>): Json =>
  typeof value === 'number' || typeof value === 'boolean' ? fixed(String(value), 'value_type', fixups) : value

const asNumber = (value: Json, fixups: Set<Fixup>): Json =>
  typeof value === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(value) ? fixed(Number(value), 'value_type', fixups) : value

/** A list of `{"agent_id": …, "goal": …}`, or of one-key objects, as one object; never two goals for one agent. */
function shapeGoals(value: Json, fixups: Set<Fixup>): Json {
  if (!Array.isArray(value)) return value
  const goals = new Map<string, string>()
  for (const item of value) {
    const pair = isJsonObject(item) ? pairOf(item) : null
    if (pair === null || goals.has(pair[0])) return value
    goals.set(...pair)
  }
  return fixed(Object.fromEntries(goals), 'list_unneeded', fixups)
}

function pairOf(item: Record_): [string, string] | null {
  const entries = Object.entries(item)
  const agent = item.agent_id ?? item.agent ?? item.id
  const goal = item.goal ?? item.agent_goal ?? item.stage_goal ?? item.agent_stage_goal
  if (entries.length === 2 && typeof agent === 'string' && typeof goal === 'string') return [agent, goal]
  const [only] = entries
  return entries.length === 1 && only !== undefined && typeof only[1] === 'string' ? [only[0], only[1]] : null
}

/** Some models write the arguments as a text that holds JSON. */
function shapeArguments(value: Json, fixups: Set<Fixup>): Json {
  if (typeof value !== 'string') return value
  const inside = exactJsonOf(value)
  return isJsonObject(inside) ? fixed(inside, 'value_type', fixups) : value
}

/** A call says what it is by the name of what it calls. */
function asCall(record: Record_): Record_ {
  const names = [record.tool_name, record.resource_name, record.prompt_name].filter((name) => name !== undefined)
  if (record.instruction_type !== undefined || names.length !== 1) return record
  return { ...record, instruction_type: 'function_call' }
}

/** Actions that add stages: a single one may be given without a list. */
const STAGED: readonly Json[] = ['add_task', 'add_stage', 'retry_stage']

/** Adds what the other keys imply. */
function implied(tag: AnswerTag, record: Record_, fixups: Set<Fixup>): Record_ {
  if (tag === 'tool_decision') {
    const { call, ...rest } = record
    const written = record.calls ?? (call === undefined ? undefined : fixed([call], 'key_spelling', fixups))
    if (!Array.isArray(written)) return record
    return { ...rest, calls: written.map((one) => (isJsonObject(one) ? asCall(one) : one)) }
  }
  if (tag === 'task_instruction' && STAGED.includes(record.action ?? null) && record.stages === undefined) {
    const { stage_name, stage_intention, agent_allocation, needs, ...rest } = record
    if (stage_intention === undefined || agent_allocation === undefined) return record
    const also = { ...(stage_name === undefined ? {} : { stage_name }), ...(needs === undefined ? {} : { needs }) }
    const stage = { stage_intention, agent_allocation, ...also }
    return { ...fixed(rest, 'list_missing', fixups), stages: [stage] }
  }
  return record
}
