/** A skill's answer as calls of functions: what a model may call, and the answer in tags that its calls make. */
import * as z from 'zod'
import { exactJsonOf, fieldsIn, isJsonObject, type JsonObject } from '@/lib/json'
import {
  ANSWER_TAGS,
  type AnswerTag,
  CALLS_AHEAD,
  estimateTokens,
  MESSAGE_AHEAD,
  TAG_FORMATS,
  tagsOfObject,
  takesReference,
  UNDERSTOOD_ONLY,
} from '@/lib/mas/formats'
import type { AgentRecord, Json, SkillName, World } from '@/lib/mas/records'
import { selectToolHistory } from '@/lib/mas/steps/history'
import type { FunctionCall, FunctionTool } from '../models/model'
import type { ToolInfo } from '../tools'
import { boundServer } from './calls'
import type { Skill } from './defineSkill'
import type { SkillRun } from './port'
import { allowedSkills, FOR_MANAGERS, isManager, plannableSkills } from './prompt/role'
import { SKILL_REGISTRY } from './registry'

/**
 * list    what is sent, the same in all calls of a conversation
 * tools   what a name of the list stands for, of servers alone
 * tokens  estimated, of the list
 */
export type Functions = { list: readonly FunctionTool[]; tools: ReadonlyMap<string, ToolOfServer>; tokens: number }

/** hasLast: `last` is an argument of the tool itself */
type ToolOfServer = { server: string; tool: string; hasLast: boolean }

/** Tags that go with any answer. */
const BESIDE: readonly AnswerTag[] = ['skip', 'persistent_memory']
const MORE = 'more_history'
/** Names of functions may have these signs and this length at every provider. */
const NOT_IN_NAMES = /[^A-Za-z0-9_-]+/g
const NAME_CHARACTERS = 64
const ABOUT_CHARACTERS = 120
/** An argument of each tool that has none of that name, for the runtime. */
const LAST = 'last'
const LAST_SCHEMA = { type: 'boolean' }

/** Of the agent's skills in their order, then of its servers' tools. A server that cannot be reached has none. */
export async function functionsOf({
  world,
  step,
  toolsOf,
}: Pick<SkillRun, 'world' | 'step' | 'toolsOf'>): Promise<Functions> {
  const agent = world.agents[step.agent]
  const servers = await Promise.all(
    (agent?.tools ?? []).map(async (server) => ({ server, tools: await toolsOf(server) })),
  )
  const tools = new Map<string, ToolOfServer>()
  const ofTools = servers.flatMap(({ server, tools: own }) =>
    own.map((tool) => {
      const name = freeName(`${server}__${tool.name}`, tools)
      tools.set(name, {
        server,
        tool: tool.name,
        hasLast: fieldsIn(fieldsIn(tool.inputSchema).properties)[LAST] !== undefined,
      })
      return toolFunction(name, tool)
    }),
  )
  const list = [...(agent === undefined ? [] : skillFunctions(world, agent)), ...ofTools]
  return { list, tools, tokens: functionTokens(list) }
}

/** The estimated tokens of the functions, which are part of each request. */
export const functionTokens = (list: readonly FunctionTool[]): number => estimateTokens(JSON.stringify(list))

function freeName(wanted: string, taken: ReadonlyMap<string, unknown>): string {
  const plain = wanted.replace(NOT_IN_NAMES, '_')
  for (let count = 1; ; count += 1) {
    const end = count === 1 ? '' : `_${count}`
    const name = `${plain.slice(0, NAME_CHARACTERS - end.length)}${end}`
    if (!taken.has(name)) return name
  }
}

function toolFunction(name: string, { description = '', inputSchema }: ToolInfo): FunctionTool {
  const schema = isJsonObject(inputSchema as Json) ? (inputSchema as JsonObject) : {}
  const { $schema: _, properties, ...kept } = schema
  const own = isJsonObject(properties) ? properties : {}
  return {
    name,
    description: description.slice(0, ABOUT_CHARACTERS),
    schema: { ...kept, type: 'object', properties: { [LAST]: LAST_SCHEMA, ...own } },
  }
}

/** By the skills that the agent may run: those of tags that several skills take stand once. */
function skillFunctions(world: World, agent: AgentRecord): FunctionTool[] {
  const always: readonly SkillName[] = ['planning', 'process_message', 'reflection', 'summary']
  const ofTools: readonly SkillName[] = ['instruction_generation', 'tool_decision']
  const skills = [...new Set([...always, ...ofTools, ...allowedSkills(agent)])]
    .filter((name) => isManager(world, agent) || !FOR_MANAGERS.includes(name))
    .filter((name) => agent.tools.length > 0 || !ofTools.includes(name))
    .map((name) => SKILL_REGISTRY[name])
  const tags = skills.flatMap(({ asks, name }) => [...asks.oneOf, ...asks.also].map((tag) => ({ tag, name })))
  const own = new Map<AnswerTag, string[]>()
  for (const { tag, name } of tags) if (!UNDERSTOOD_ONLY.includes(tag)) own.set(tag, [...(own.get(tag) ?? []), name])
  const executors = [...plannableSkills(world, agent), ...agent.tools]
  return [
    ...[...own].map(([tag, names]) => tagFunction(tag, [...new Set(names)].join(', '), executors)),
    ...BESIDE.map((tag) => tagFunction(tag, 'beside an answer', executors)),
    {
      name: MORE,
      description: 'items whole, by number',
      schema: wrapped('value', { type: 'array', items: { type: 'integer' } }),
    },
  ]
}

const tagFunction = (tag: AnswerTag, description: string, executors: readonly string[]): FunctionTool => {
  const schema = withExecutors(schemaOf(tag), executors)
  const isOwn = schema.type === 'object' && isJsonObject(schema.properties as Json)
  return { name: tag, description, schema: isOwn ? schema : wrapped('value', schema) }
}

/** What an agent may plan is short and stays as it is through a conversation: the steps of a plan name one of these. */
function withExecutors(schema: JsonObject, executors: readonly string[]): JsonObject {
  const { properties } = fieldsIn(schema.items)
  if (!isJsonObject(properties) || properties.executor === undefined) return schema
  const named = { ...properties, executor: { type: 'string', enum: [...executors] } }
  return { ...schema, items: { ...fieldsIn(schema.items), properties: named } as JsonObject }
}

/** Functions take objects: a text, a list or one of several forms is the value of one key. */
const wrapped = (key: string, schema: JsonObject): JsonObject => ({
  type: 'object',
  properties: { [key]: schema },
  required: [key],
})

const known = new Map<AnswerTag, JsonObject>()

/** The format of a tag as a schema that every provider takes: types, keys, choices. */
function schemaOf(tag: AnswerTag): JsonObject {
  const made =
    known.get(tag) ??
    plain(
      z.toJSONSchema(TAG_FORMATS[tag].schema, {
        io: 'input',
        unrepresentable: 'any',
        override({ zodSchema, jsonSchema }) {
          const ahead = zodSchema === CALLS_AHEAD ? CALLS : zodSchema === MESSAGE_AHEAD ? MESSAGE : null
          const own = ahead ?? (takesReference(zodSchema) ? TEXT_OR_REFERENCE : null)
          if (own === null) return
          for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
          Object.assign(jsonSchema, own)
        },
      }) as JsonObject,
    )
  known.set(tag, made)
  return made
}

/** The keys of a reference are said in the system turn, not with each text. */
const TEXT_OR_REFERENCE = { type: ['string', 'object'] }
/** As the function of that name takes it. */
const MESSAGE = { type: 'object' }
const CALLS = {
  type: 'array',
  items: {
    type: 'object',
    properties: { tool_name: { type: 'string' }, arguments: { type: 'object' }, last: { type: 'boolean' } },
    required: ['tool_name', 'arguments'],
  },
}

function plain(schema: JsonObject): JsonObject {
  const { type, properties, required, items, enum: choices, const: fixed, anyOf, oneOf, additionalProperties } = schema
  const options = anyOf ?? oneOf
  if (Array.isArray(options)) return oneOfThese(options.map((one) => (isJsonObject(one) ? plain(one) : {})))
  const inner = (value: Json | undefined): JsonObject => (isJsonObject(value) ? plain(value) : {})
  return {
    ...(type === undefined ? {} : { type }),
    ...(typeof fixed === 'string' ? { type: 'string', enum: [fixed] } : {}),
    ...(Array.isArray(choices) && choices.every((one) => typeof one === 'string') ? { enum: choices } : {}),
    ...(isJsonObject(properties)
      ? { properties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, inner(value)])) }
      : {}),
    ...(Array.isArray(required) && required.length > 0 ? { required } : {}),
    ...(isJsonObject(items) ? { items: inner(items) } : {}),
    ...(isJsonObject(additionalProperties) ? { additionalProperties: inner(additionalProperties) } : {}),
  }
}

/** One object with the keys of all forms, of which those that all of them need are required: what a form needs its reader says. */
function oneOfThese(options: readonly JsonObject[]): JsonObject {
  if (!options.every(({ type, properties }) => type === 'object' && isJsonObject(properties)))
    return { anyOf: [...options] }
  const properties: JsonObject = {}
  for (const option of options)
    for (const [key, value] of Object.entries(fieldsIn(option.properties)) as [string, Json][]) {
      const choices = [fieldsIn(properties[key]).enum, fieldsIn(value).enum]
      const both = choices.every(Array.isArray)
        ? { type: 'string', enum: [...new Set(choices.flat())] as Json[] }
        : null
      properties[key] = both ?? properties[key] ?? value
    }
  const required = Object.keys(properties).filter((key) =>
    options.every((option) => Array.isArray(option.required) && option.required.includes(key)),
  )
  return { type: 'object', properties, required }
}

/** The answer in tags that calls make; or what is wrong with them, for the model. Words beside them are what it considered. */
export function tagsOfCalls(
  calls: readonly FunctionCall[],
  skill: Skill,
  functions: Functions,
  run: SkillRun,
): { ok: true; text: string } | { ok: false; reason: string } {
  const answer: { [key: string]: Json } = {}
  const toolCalls: JsonObject[] = []
  const asWritten: string[] = []
  for (const { name, arguments: written } of calls) {
    const args = exactJsonOf(written.trim() === '' ? '{}' : written)
    const tool = functions.tools.get(name)
    const isAnswer = tool === undefined && functions.list.some((one) => one.name === name)
    if (!isJsonObject(args)) {
      if (!isAnswer) return { ok: false, reason: `${name}: its arguments are no JSON object` }
      // JSON with one clear meaning is mended as in a tag.
      asWritten.push(tagAsWritten(name, written))
      continue
    }
    if (tool !== undefined) {
      const server = serverOf(run)
      if (server === null) return { ok: false, reason: `${name} is not for this step, which takes ${namesFor(skill)}` }
      if (tool.server !== server)
        return { ok: false, reason: `${name} is of ${tool.server}; this step calls ${server}` }
      const { [LAST]: last, ...own } = args
      const isLast = !tool.hasLast && last === true
      toolCalls.push({ tool_name: tool.tool, arguments: tool.hasLast ? args : own, ...(isLast ? { last } : {}) })
      continue
    }
    if (!isAnswer) return { ok: false, reason: `there is no function ${name}` }
    answer[name] = withToolNames(calledWith(args), functions)
  }
  if (toolCalls.length > 0) {
    if (run.step.executor === 'tool_decision') answer.tool_decision = { continue: true, calls: toolCalls }
    else answer.tool_instruction = toolCalls
  }
  const tags = Object.keys(answer).length === 0 ? [] : [tagsOfObject(JSON.stringify(answer))]
  return { ok: true, text: [...tags, ...asWritten].join('\n') }
}

/** The answer in tags of a record's calls, without those of servers' tools, which stand at their steps. */
export function tagsOfRecorded(calls: readonly FunctionCall[]): string {
  const tags = calls.flatMap(({ name, arguments: written }) => {
    if (!ANSWER_TAGS.some((tag) => tag === name)) return []
    const args = exactJsonOf(written)
    return isJsonObject(args) ? tagsOfObject(JSON.stringify({ [name]: calledWith(args) })) : tagAsWritten(name, written)
  })
  return tags.join('\n')
}

/** What the function of a tag was called with. */
const calledWith = (args: JsonObject): Json =>
  'value' in args && Object.keys(args).length === 1 ? (args.value ?? null) : args

const tagAsWritten = (name: string, written: string): string =>
  `<${name}>\n${written.replace(VALUE_KEY, '$1')}\n</${name}>`

/** The one key of wrapped arguments. */
const VALUE_KEY = /^\s*\{\s*"value"\s*:([\s\S]*)\}\s*$/

/** The names of what a step of this skill may call. */
export const namesFor = ({ asks }: Skill): string =>
  [...asks.oneOf, ...asks.also].filter((tag) => !UNDERSTOOD_ONLY.includes(tag)).join(', ')

/** The server whose tools the step calls; null: it calls none. */
function serverOf(run: SkillRun): string | null {
  const { executor } = run.step
  if (executor === 'tool_decision') return selectToolHistory(run.world, run.step).at(-1)?.executor ?? null
  return executor === 'instruction_generation' ? boundServer(run) : null
}

/** Calls of a plan name a tool as its function or by its own name. */
function withToolNames(value: Json, functions: Functions): Json {
  if (Array.isArray(value)) return value.map((inner) => withToolNames(inner, functions))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const tool = key === 'tool_name' && typeof inner === 'string' ? functions.tools.get(inner)?.tool : undefined
      return [key, tool ?? withToolNames(inner, functions)]
    }),
  )
}
