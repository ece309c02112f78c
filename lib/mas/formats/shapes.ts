/** Brings a value that does not fit its schema into that form if only one meaning is possible; never inside `arguments`. */
import type * as z from 'zod/mini'
import { isJsonObject } from '../../json'
import type { Json } from '../records'
import type { AnswerTag } from './escape'
import type { Fixup } from './fixups'
import { TAG_FORMATS } from './schemas'
import { readValue } from './values'

type Record_ = { [key: string]: Json }

const definitionOf = (schema: z.core.$ZodType): z.core.$ZodTypes['_zod']['def'] => (schema as z.core.$ZodTypes)._zod.def

/** Whether the tag holds a list, so that several values beside each other mean one. */
export const holdsList = (tag: AnswerTag): boolean => definitionOf(TAG_FORMATS[tag].schema).type === 'array'

type Kind = 'text' | 'word' | 'number' | 'truth' | 'texts' | 'goals' | 'needs' | 'records' | 'arguments'

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
      return KINDS_OF_MAPS[definitionOf(definition.valueType).type] ?? 'arguments'
    default:
      return undefined
  }
}

const KINDS_OF_MAPS: Readonly<Record<string, Kind>> = { string: 'goals', array: 'needs' }

/** Every field of the objects that a schema holds, at any depth. */
function fieldsOf(schema: z.core.$ZodType): [key: string, field: z.core.$ZodType][] {
  const definition = definitionOf(schema)
  if (definition.type === 'array') return fieldsOf(definition.element)
  // A list that may be left out; an object that may be, as a handoff, is taken as it is written.
  if (definition.type === 'optional' && definitionOf(definition.innerType).type === 'array')
    return fieldsOf(definition.innerType)
  if (definition.type === 'union') return definition.options.flatMap(fieldsOf)
  if (definition.type !== 'object') return []
  return Object.entries(definition.shape).flatMap(([key, field]) => [[key, field], ...fieldsOf(field)])
}

const FIELDS = Object.values(TAG_FORMATS).flatMap(({ schema }) => fieldsOf(schema))

/** Every key of a tag, and what it holds. */
const KINDS = new Map(FIELDS.map(([key, field]) => [key, kindOf(field)]))

/** Every key that an answer may have, in any tag. */
export const FORMAT_KEYS: ReadonlySet<string> = new Set(KINDS.keys())

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
    if (tag === 'tool_decision' && Array.isArray(shaped)) shaped = { calls: shaped }
    if (isJsonObject(shaped)) shaped = implied(tag, shapeRecord(shaped, fixups), fixups)
  }
  return { value: shaped, fixups: [...fixups] }
}

function shapeItem(tag: AnswerTag, item: Json, fixups: Set<Fixup>): Json {
  if (!isJsonObject(item)) return item
  const shaped = shapeRecord(item, fixups)
  return tag === 'tool_instruction' ? asCall(shaped, fixups) : shaped
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
    case 'needs':
      return shapeNeeds(value, fixups)
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

/** A list of `{"agent": …, "goal": …}`, or of one-key objects, as one object; never two goals for one agent. */
function shapeGoals(value: Json, fixups: Set<Fixup>): Json {
  return Array.isArray(value) ? mapFrom(value, GOAL_KEYS, (goal) => typeof goal === 'string', fixups) : value
}

/** The same for `{"agent": …, "needs": […]}`, where one name may stand for a list of them. */
function shapeNeeds(value: Json, fixups: Set<Fixup>): Json {
  const map = Array.isArray(value) ? mapFrom(value, ['needs'], isNames, fixups) : value
  if (!isJsonObject(map)) return map
  return Object.fromEntries(
    Object.entries(map).map(([agent, needed]) => [
      agent,
      typeof needed === 'string' ? fixed([needed], 'list_missing', fixups) : needed,
    ]),
  )
}

const AGENT_KEYS = ['agent', 'agent_id', 'id', 'name']
const GOAL_KEYS = ['goal', 'agent_goal', 'stage_goal', 'agent_stage_goal']
const isNames = (value: Json): boolean =>
  typeof value === 'string' || (Array.isArray(value) && value.every((name) => typeof name === 'string'))

/** The list as it is where an item says nothing of an agent, or two say something of the same. */
function mapFrom(list: Json[], keys: readonly string[], fits: (value: Json) => boolean, fixups: Set<Fixup>): Json {
  const found = new Map<string, Json>()
  for (const item of list) {
    const pair = isJsonObject(item) ? pairOf(item, keys) : null
    if (pair === null || !fits(pair[1]) || found.has(pair[0])) return list
    found.set(...pair)
  }
  const map = Object.fromEntries(found)
  // Where an object is asked for in place of tags, its form is this list.
  const isAsked = list.every(
    (item) => isJsonObject(item) && item.agent !== undefined && item[keys[0] ?? ''] !== undefined,
  )
  return isAsked ? map : fixed(map, 'list_unneeded', fixups)
}

function pairOf(item: Record_, keys: readonly string[]): [string, Json] | null {
  const [first, second, third] = Object.entries(item)
  if (first === undefined || third !== undefined) return null
  if (second === undefined) return first
  const agent = AGENT_KEYS.map((key) => item[key]).find((value) => typeof value === 'string')
  const said = keys.map((key) => item[key]).find((value) => value !== undefined)
  return typeof agent === 'string' && said !== undefined ? [agent, said] : null
}

/** Some models write the arguments as a text that holds JSON. */
function shapeArguments(value: Json, fixups: Set<Fixup>): Json {
  if (typeof value !== 'string') return value
  const inside = readValue(value, false, null)
  return inside.ok && isJsonObject(inside.value) ? fixed(inside.value, 'value_type', fixups) : value
}

/** Keys under which a call stands in native forms of calls, and other names of its own keys. */
const CALL_WRAPPERS = ['function', 'function_call', 'tool_call', 'tool_use', 'call']
const NAME_KEYS = ['name', 'tool', 'function', 'function_name', 'recipient_name']
const ARGUMENT_KEYS = ['parameters', 'args', 'input', 'params', 'tool_input', 'tool_args', 'tool_arguments']
const TARGETS = ['tool_name', 'resource_name', 'prompt_name'] as const

/** A call in its form, also from a native one; it says what it is by the name of what it calls. */
function asCall(written: Record_, fixups: Set<Fixup>): Record_ {
  if (written.instruction_type === 'get_description' || written.instruction_type === 'none') return written
  const record = nativeCall(written, fixups)
  const isCall = record.arguments !== undefined || TARGETS.some((key) => record[key] !== undefined)
  if (record.instruction_type !== undefined || !isCall) return record
  return { ...record, instruction_type: 'function_call' }
}

function nativeCall(written: Record_, fixups: Set<Fixup>): Record_ {
  if (TARGETS.some((key) => written[key] !== undefined)) return renamed(written, 'arguments', ARGUMENT_KEYS, fixups)
  const wrapper = CALL_WRAPPERS.find((key) => isJsonObject(written[key]))
  const inner = wrapper === undefined ? undefined : written[wrapper]
  if (isJsonObject(inner)) {
    const { last } = written
    return asCall(
      fixed({ ...shapeRecord(inner, fixups), ...(last === undefined ? {} : { last }) }, 'wrapper', fixups),
      fixups,
    )
  }
  return renamed(renamed(written, 'tool_name', NAME_KEYS, fixups), 'arguments', ARGUMENT_KEYS, fixups)
}

/** The record with the one of these keys that it has under the key that is read. */
function renamed(record: Record_, key: string, others: readonly string[], fixups: Set<Fixup>): Record_ {
  const [other, another] = others.filter((name) => record[name] !== undefined && record[name] !== null)
  if (record[key] !== undefined || other === undefined || another !== undefined) return record
  const { [other]: value, ...rest } = record
  if (key === 'tool_name' && typeof value !== 'string') return record
  const kind = KINDS.get(key)
  return fixed(
    { ...rest, [key]: kind === undefined ? (value ?? null) : shapeAs(kind, value ?? null, fixups) },
    'key_spelling',
    fixups,
  )
}

const isCallItself = (record: Record_): boolean =>
  record.arguments !== undefined || TARGETS.some((key) => record[key] !== undefined)

/** Actions that add stages: a single one may be given without a list. */
const STAGED: readonly Json[] = ['add_task', 'add_stage', 'retry_stage']

/** A decision with its calls in their form. Calls alone, or a single one, mean to go on; a result alone means to end. */
function asDecision(record: Record_, fixups: Set<Fixup>): Record_ {
  if (record.continue === undefined && record.calls === undefined) {
    const call = asCall(record, fixups)
    if (isCallItself(call)) return fixed({ continue: true, calls: [call] }, 'key_spelling', fixups)
    if (typeof record.result === 'string') return fixed({ ...record, continue: false }, 'key_spelling', fixups)
  }
  const { call, ...rest } = record
  const written = record.calls ?? (call === undefined ? undefined : fixed([call], 'key_spelling', fixups))
  if (!Array.isArray(written)) return record
  const goesOn = record.continue === undefined ? fixed({ continue: true }, 'key_spelling', fixups) : {}
  return { ...rest, ...goesOn, calls: written.map((one) => (isJsonObject(one) ? asCall(one, fixups) : one)) }
}

/** Adds what the other keys imply. */
function implied(tag: AnswerTag, record: Record_, fixups: Set<Fixup>): Record_ {
  if (tag === 'tool_decision') return asDecision(record, fixups)
  if (tag === 'task_instruction' && STAGED.includes(record.action ?? null) && record.stages === undefined) {
    const { stage_name, stage_intention, agent_allocation, needs, ...rest } = record
    if (stage_intention === undefined || agent_allocation === undefined) return record
    const also = { ...(stage_name === undefined ? {} : { stage_name }), ...(needs === undefined ? {} : { needs }) }
    const stage = { stage_intention, agent_allocation, ...also }
    return { ...fixed(rest, 'list_missing', fixups), stages: [stage] }
  }
  return record
}
