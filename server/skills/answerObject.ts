/** The answer of a skill as one object whose keys are its tags, for models that can be held to a schema. */
import * as z from 'zod'
import { type AnswerTag, TAG_FORMATS } from '@/lib/mas/formats'
import { sayInLanguage } from '@/lib/mas/words'
import type { ObjectAnswer } from '../models/model'
import type { Skill } from './defineSkill'
import type { SkillRun } from './port'

type Schema = z.core.JSONSchema.BaseSchema

/**
 * What to ask a model for instead of tags.
 *
 * in      the skill; its run; whether the prompt's history is shown in part, so that more of it may be asked for
 * out     an object of the tags that the answer may hold. Those that may be missing are null. It is strict unless a tag has
 *         keys of the model's own choice, such as the arguments of a call
 */
export function objectAnswer(skill: Skill, run: SkillRun, mayLook: boolean): ObjectAnswer {
  const maySkip = skill.maySkip(run)
  const key = `${skill.name} ${maySkip} ${mayLook}`
  const made = known.get(key) ?? schemaOf(skill, maySkip, mayLook)
  known.set(key, made)
  return { name: skill.name, ...made, says: sayInLanguage(run.world.team.language, 'answerObject') }
}

/** One for each skill, at most four ways. */
const known = new Map<string, Pick<ObjectAnswer, 'schema' | 'isStrict'>>()

function schemaOf(skill: Skill, maySkip: boolean, mayLook: boolean): Pick<ObjectAnswer, 'schema' | 'isStrict'> {
  // `<think>` is only taken beside `<result>`; as a key it would be filled with reasoning.
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

/** Only what servers can enforce: kinds, keys, fixed words. Each key must be there, so an optional one may be null. */
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
