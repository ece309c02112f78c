/**
 * Brings a JSON value into the form that its tag holds, where only one thing can be meant.
 *
 * Nothing inside `arguments` is touched: a tool gets exactly what was written. A value that fits its schema never comes
 * here.
 */

import type { Json } from '../records'
import type { AnswerTag } from './escape'
import type { Fixup } from './fixups'

type Record_ = { [key: string]: Json }

const LISTS: readonly AnswerTag[] = ['planned_step', 'reflection_step', 'decision_step', 'persistent_memory']

/** Whether the tag holds a list, so that several values beside each other mean one. */
export const holdsList = (tag: AnswerTag): boolean => LISTS.includes(tag)

type Kind = 'text' | 'word' | 'truth' | 'texts' | 'goals' | 'stages' | 'arguments'

/** Every key that a tag can hold, and what stands there. */
const KINDS: Readonly<Record<string, Kind>> = {
  step_intention: 'text',
  type: 'word',
  executor: 'text',
  text_content: 'text',
  receiver: 'texts',
  message: 'text',
  stage_relative: 'text',
  need_reply: 'truth',
  waiting: 'truth',
  choices: 'texts',
  action: 'word',
  task_name: 'text',
  task_intention: 'text',
  members: 'texts',
  task_id: 'text',
  stages: 'stages',
  stage_intention: 'text',
  agent_allocation: 'goals',
  stage_id: 'text',
  state: 'word',
  task_summary: 'text',
  config_id: 'text',
  agents: 'texts',
  instruction_type: 'word',
  tool_name: 'text',
  resource_name: 'text',
  prompt_name: 'text',
  arguments: 'arguments',
  reason: 'text',
  continue: 'truth',
  result: 'text',
  add: 'text',
  delete: 'text',
}

/** Keys that may be missing: null or an empty text there means the same. */
const OPTIONAL = ['choices', 'tool_name', 'resource_name', 'prompt_name', 'arguments']
const TRUTHS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  是: true,
  false: false,
  no: false,
  否: false,
}

const plain = (key: string): string => key.toLowerCase().replace(/[\s_-]/g, '')
const KNOWN_KEYS = new Map(Object.keys(KINDS).map((key) => [plain(key), key]))

/**
 * The form that the tag holds, as far as the value shows it.
 *
 * in      the tag; a value that does not fit its schema
 * out     the value with what can be told mended, and the kinds of mend; the schema decides whether that was enough
 */
export function shapeValue(tag: AnswerTag, value: Json): { value: Json; mends: Fixup[] } {
  const mends = new Set<Fixup>()
  let shaped = unwrap(tag, value, mends)
  if (holdsList(tag)) {
    if (isRecord(shaped)) {
      shaped = [shaped]
      mends.add('list_missing')
    }
    if (Array.isArray(shaped)) shaped = shaped.map((item) => (isRecord(item) ? shapeRecord(item, mends) : item))
  } else {
    if (Array.isArray(shaped) && shaped.length === 1 && isRecord(shaped[0] ?? null)) {
      shaped = unwrap(tag, shaped[0] ?? null, mends)
      mends.add('list_unneeded')
    }
    if (isRecord(shaped)) shaped = implied(tag, shapeRecord(shaped, mends), mends)
  }
  return { value: shaped, mends: [...mends] }
}

const isRecord = (value: Json): value is Record_ => value !== null && typeof value === 'object' && !Array.isArray(value)

/** `{"planned_step": …}`, and for a list any one key with a list of objects: `{"steps": […]}`. */
function unwrap(tag: AnswerTag, value: Json, mends: Set<Fixup>): Json {
  if (!isRecord(value)) return value
  const [entry, other] = Object.entries(value)
  if (entry === undefined || other !== undefined) return value
  const [key, inside] = entry
  const isNamed = plain(key) === plain(tag) || plain(key) === `${plain(tag)}s`
  const isList = holdsList(tag) && Array.isArray(inside) && inside.length > 0 && inside.every((item) => isRecord(item))
  if (inside === null || typeof inside !== 'object' || !(isNamed || isList)) return value
  mends.add('wrapper')
  return inside
}

function shapeRecord(record: Record_, mends: Set<Fixup>): Record_ {
  const shaped = new Map<string, Json>()
  for (const [written, value] of Object.entries(record)) {
    const known = Object.hasOwn(KINDS, written) ? written : KNOWN_KEYS.get(plain(written))
    const key = known !== undefined && (known === written || !Object.hasOwn(record, known)) ? known : written
    if (key !== written) mends.add('key_spelling')
    const kind = Object.hasOwn(KINDS, key) ? KINDS[key] : undefined
    if ((value === null || value === '') && OPTIONAL.includes(key)) mends.add('value_type')
    else shaped.set(key, kind === undefined ? value : shapeAs(kind, key, value, mends))
  }
  return Object.fromEntries(shaped)
}

function shapeAs(kind: Kind, key: string, value: Json, mends: Set<Fixup>): Json {
  switch (kind) {
    case 'text':
      if (key === 'stage_relative' && value === null) return told('no_relative', 'value_type', mends)
      return asText(value, mends)
    case 'word': {
      const word = typeof value === 'string' ? value.trim().toLowerCase().replace(/[\s-]/g, '_') : value
      return word === value ? value : told(word, 'value_spelling', mends)
    }
    case 'truth': {
      if (value === 0 || value === 1) return told(value === 1, 'value_type', mends)
      const word = typeof value === 'string' ? value.trim().toLowerCase() : ''
      const truth = Object.hasOwn(TRUTHS, word) ? TRUTHS[word] : undefined
      return truth === undefined ? value : told(truth, 'value_type', mends)
    }
    case 'texts':
      if (typeof value === 'string') return told([value], 'list_missing', mends)
      return Array.isArray(value) ? value.map((item) => asText(item, mends)) : value
    case 'goals':
      return shapeGoals(value, mends)
    case 'stages': {
      const stages = isRecord(value) ? told([value], 'list_missing', mends) : value
      if (!Array.isArray(stages)) return stages
      return stages.map((stage) => (isRecord(stage) ? shapeRecord(stage, mends) : stage))
    }
    case 'arguments':
      return shapeArguments(value, mends)
  }
}

function told<Value extends Json>(value: Value, mend: Fixup, mends: Set<Fixup>): Value {
  mends.add(mend)
  return value
}

const asText = (value: Json, mends: Set<Fixup>): Json =>
  typeof value === 'number' || typeof value === 'boolean' ? told(String(value), 'value_type', mends) : value

/** A list of `{"agent_id": …, "goal": …}`, or of one-key objects, as one object; never two goals for one agent. */
function shapeGoals(value: Json, mends: Set<Fixup>): Json {
  if (!Array.isArray(value)) return value
  const goals = new Map<string, string>()
  for (const item of value) {
    const pair = isRecord(item) ? pairOf(item) : null
    if (pair === null || goals.has(pair[0])) return value
    goals.set(...pair)
  }
  return told(Object.fromEntries(goals), 'list_unneeded', mends)
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
function shapeArguments(value: Json, mends: Set<Fixup>): Json {
  if (typeof value !== 'string') return value
  try {
    const inside = JSON.parse(value) as Json
    return isRecord(inside) ? told(inside, 'value_type', mends) : value
  } catch {
    return value
  }
}

/** What the other keys say anyway. */
function implied(tag: AnswerTag, record: Record_, mends: Set<Fixup>): Record_ {
  if (tag === 'tool_instruction' && record.instruction_type === undefined) {
    const names = [record.tool_name, record.resource_name, record.prompt_name].filter((name) => name !== undefined)
    if (names.length !== 1) return record
    return { ...told(record, 'field_implied', mends), instruction_type: 'function_call' }
  }
  if (tag === 'task_instruction' && record.action === 'add_stage' && record.stages === undefined) {
    const { stage_intention, agent_allocation, ...rest } = record
    if (stage_intention === undefined || agent_allocation === undefined) return record
    return { ...told(rest, 'list_missing', mends), stages: [{ stage_intention, agent_allocation }] }
  }
  return record
}
