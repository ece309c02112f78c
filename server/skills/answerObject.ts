/** A skill's answer as one object with its tags as keys, for models that can enforce a schema. */
import * as z from 'zod'
import { type AnswerTag, TAG_FORMATS } from '@/lib/mas/formats'
import { sayInLanguage } from '@/lib/mas/words'
import type { ObjectAnswer } from '../models/model'
import type { Skill } from './defineSkill'
import type { SkillRun } from './port'

type Schema = z.core.JSONSchema.BaseSchema

/**
 * The object to request in place of tags.
 *
 * in      the skill; its run; mayLook: parts of the history are cut, so the model may ask for more of it
 * out     an object schema of the allowed tags; optional ones are nullable. Strict, unless a tag has free keys, such as the
 *         arguments of a call
 */
export function objectAnswer(skill: Skill, run: SkillRun, mayLook: boolean): ObjectAnswer {
  const maySkip = skill.maySkip(run)
  const key = `${skill.name} ${maySkip} ${mayLook}`
  const made = known.get(key) ?? schemaOf(skill, maySkip, mayLook)
  known.set(key, made)
  return { name: skill.name, ...made, says: sayInLanguage(run.world.team.language, 'answerObject') }
}

/** Cached schemas: at most four per skill. */
const known = new Map<string, Pick<ObjectAnswer, 'schema' | 'isStrict'>>()

function schemaOf(skill: Skill, maySkip: boolean, mayLook: boolean): Pick<ObjectAnswer, 'schema' | 'isStrict'> {
  // `<think>` is accepted only beside `<result>`; as a key it would be filled with reasoning.
  const main = skill.asks.oneOf.filter((tag) => tag !== 'think' || !skill.asks.oneOf.includes('result'))
  const others: AnswerTag[] = [...skill.asks.also.filter((tag) => !main.includes(tag)), ...(maySkip ? SKIP : [])]
  const isSure = main.length === 1 && !maySkip && !mayLook
  const properties: Record<string, Schema> = {
    ...Object.fromEntries(main.map((tag) => [tag, isSure ? schemaFor(tag) : nullable(schemaFor(tag))])),
    ...Object.fromEntries(others.map((tag) => [tag, nullable(schemaFor(tag))])),
    ...(mayLook ? { more_history: nullable({ type: 'array', items: { type: 'integer' } }) } : {}),
    persistent_memory: nullable(schemaFor('persistent_memory')),
  }
  const schema = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
  return { schema, isStrict: !holdsFreeKeys(schema) }
}

const SKIP: readonly AnswerTag[] = ['skip']

const schemaFor = (tag: AnswerTag): Schema =>
  plain(z.toJSONSchema(TAG_FORMATS[tag].schema, { io: 'input', unrepresentable: 'any' }))

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
      if (schema.properties === undefined) {
        const isOfTexts = typeof free === 'object' && free.type === 'string'
        return { type, additionalProperties: isOfTexts ? { type: 'string' } : true }
      }
      const needed = schema.required ?? []
      const properties = Object.entries(schema.properties).flatMap(([key, held]): [string, Schema][] => {
        if (typeof held === 'boolean') return []
        return [[key, needed.includes(key) ? plain(held) : nullable(plain(held))]]
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

const isOne = (items: Schema['items']): items is Schema => typeof items === 'object' && !Array.isArray(items)

const holdsFreeKeys = (schema: object): boolean => /"additionalProperties":(?!false)/.test(JSON.stringify(schema))
