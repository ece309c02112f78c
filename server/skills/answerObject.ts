/** A skill's answer as one object with its tags as keys, for models that can enforce a schema. */
import * as z from 'zod'
import { keysOf } from '@/lib/json'
import {
  type AnswerTag,
  CALLS_AHEAD,
  MESSAGE_AHEAD,
  NOTES_KEY,
  TAG_FORMATS,
  takesReference,
  UNDERSTOOD_ONLY,
} from '@/lib/mas/formats'
import { sayInLanguage } from '@/lib/mas/words'
import type { ObjectAnswer } from '../models/model'
import type { Skill } from './defineSkill'
import type { SkillRun } from './port'

type Schema = z.core.JSONSchema.BaseSchema

/**
 * The object to request in place of tags.
 *
 * in      the skill; its run; mayLook: parts of the history are cut, so the model may ask for more of it
 * out     an object schema: notes first, then the allowed tags; optional ones are nullable. A text may be a reference, and a map of
 *         names is a list. Strict, unless a tag has free keys: the arguments of a call
 */
export function objectAnswer(skill: Skill, run: SkillRun, mayLook: boolean): ObjectAnswer {
  const maySkip = skill.maySkip(run)
  const key = `${skill.asks.oneOf} ${maySkip} ${mayLook}`
  const made = known.get(key) ?? schemaOf(skill, maySkip, mayLook)
  known.set(key, made)
  return { name: skill.name, ...made, says: sayInLanguage(run.world.team.language, 'answerObject') }
}

/** Cached schemas: at most four for the tags of a skill. */
const known = new Map<string, Pick<ObjectAnswer, 'schema' | 'isStrict'>>()

function schemaOf(skill: Skill, maySkip: boolean, mayLook: boolean): Pick<ObjectAnswer, 'schema' | 'isStrict'> {
  const { oneOf } = skill.asks
  const main = oneOf.filter((tag) => oneOf.length === 1 || !UNDERSTOOD_ONLY.includes(tag))
  const others: AnswerTag[] = [...skill.asks.also.filter((tag) => !main.includes(tag)), ...(maySkip ? SKIP : [])]
  const isSure = main.length === 1 && !maySkip && !mayLook
  const properties: Record<string, Schema> = {
    // Before the answer: a model without reasoning of its own has no other place to compare and judge.
    [NOTES_KEY]: { type: 'string' },
    ...Object.fromEntries(main.map((tag) => [tag, isSure ? schemaFor(tag) : nullable(schemaFor(tag))])),
    ...Object.fromEntries(others.map((tag) => [tag, nullable(schemaFor(tag))])),
    ...(mayLook ? { more_history: nullable({ type: 'array', items: { type: 'integer' } }) } : {}),
    persistent_memory: nullable(schemaFor('persistent_memory')),
  }
  const schema = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
  return { schema, isStrict: !holdsFreeKeys(schema) }
}

const SKIP: readonly AnswerTag[] = ['skip']

/** The text of a step in place of a text that would be typed again. */
const REFERENCE: Schema = {
  type: 'object',
  properties: { from_step: { type: 'string' } },
  required: ['from_step'],
  additionalProperties: false,
}

/** Calls of a plan. No server enforces keys that it does not know: the arguments are a text of JSON. */
const CALLS: Schema = {
  type: 'array',
  items: {
    type: 'object',
    properties: { tool_name: { type: 'string' }, arguments: { type: 'string' }, last: { type: 'boolean' } },
    required: ['tool_name', 'arguments'],
  },
}

const schemaFor = (tag: AnswerTag): Schema =>
  plain(
    z.toJSONSchema(TAG_FORMATS[tag].schema, {
      io: 'input',
      unrepresentable: 'any',
      override({ zodSchema, jsonSchema }) {
        if (zodSchema === CALLS_AHEAD || zodSchema === MESSAGE_AHEAD) {
          for (const key of keysOf(jsonSchema)) delete jsonSchema[key]
          Object.assign(jsonSchema, zodSchema === CALLS_AHEAD ? CALLS : schemaFor('send_message'))
        }
        if (!takesReference(zodSchema)) return
        delete jsonSchema.type
        jsonSchema.anyOf = [{ type: 'string' }, REFERENCE]
      },
    }),
  )

const nullable = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] })

/** Keeps what servers can enforce: types, keys, enums. Every key is required, so optional ones are nullable. */
function plain(schema: Schema): Schema {
  const options = schema.anyOf ?? schema.oneOf
  if (options) return { anyOf: options.map(plain) }
  const { type, additionalProperties: free } = schema
  const fixed = { ...(schema.enum ? { enum: schema.enum } : {}), ...('const' in schema ? { const: schema.const } : {}) }
  switch (type) {
    case 'array':
      return { type, ...(isOne(schema.items) ? { items: plain(schema.items) } : {}) }
    case 'object': {
      if (schema.properties === undefined) return mapOf(typeof free === 'object' ? plain(free) : {})
      const needed = schema.required ?? []
      const properties = Object.entries(schema.properties).flatMap(([key, held]): [string, Schema][] => {
        const value = typeof held === 'boolean' ? {} : plain(held)
        // A key that has no form is refused in answers.
        if (Object.keys(value).length === 0) return []
        return [[key, needed.includes(key) ? value : nullable(value)]]
      })
      return {
        type,
        properties: Object.fromEntries(properties),
        required: properties.map(([key]) => key),
        additionalProperties: false,
      }
    }
    default:
      return { ...(type === undefined ? {} : { type }), ...fixed }
  }
}

/** No server enforces keys that it does not know: what is said of each agent is a list. Arguments of tools have a form of their own. */
function mapOf(value: Schema): Schema {
  if (Object.keys(value).length === 0) return { type: 'object', additionalProperties: true }
  const properties = { agent: { type: 'string' }, [value.type === 'array' ? 'needs' : 'goal']: value } as const
  const item = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false } as const
  return { type: 'array', items: item }
}

const isOne = (items: Schema['items']): items is Schema => typeof items === 'object' && !Array.isArray(items)

const holdsFreeKeys = (schema: object): boolean => /"additionalProperties":(?!false)/.test(JSON.stringify(schema))
