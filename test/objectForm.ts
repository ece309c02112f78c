/** Answers with tags as a model writes them that is held to the schema of an object. */
import Ajv from 'ajv'
import { ANSWER_TAGS, NOTES_KEY, TAG_FORMATS, unescapeDeep, unescapeTags } from '@/lib/mas/formats'
import type { Json } from '@/lib/mas/records'
import type { Model } from '@/server/models'

type Schema = { [key: string]: unknown }
const isFields = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * in      an answer with tags; the schema
 * out     its object: every key is there, a map of names is a list
 */
export function objectOf(text: string, schema: Schema): string {
  const properties = isFields(schema.properties) ? schema.properties : {}
  const tags = new RegExp(`<(${ANSWER_TAGS.join('|')})>([\\s\\S]*?)</\\1>`, 'g')
  const held: Record<string, Json> = Object.fromEntries(Object.keys(properties).map((key) => [key, null]))
  held[NOTES_KEY] = 'I compare first: <summary>nothing</summary> is done.'
  for (const [, name, content = ''] of text.matchAll(tags)) {
    const tag = ANSWER_TAGS.find((one) => one === name)
    if (tag === undefined) continue
    const key = tag === 'think' ? 'result' : tag
    const value = TAG_FORMATS[tag].holds === 'text' ? unescapeTags(content) : unescapeDeep(JSON.parse(content) as Json)
    held[key] = heldTo(value, properties[key])
  }
  return JSON.stringify(held)
}

const ajv = new Ajv({ strict: true, allowUnionTypes: true })

/** The same model on a server that is held to the schema of each question. Throws when its answer does not fit the schema. */
export const heldToSchemas = (model: Model): Model => ({
  ...model,
  async *call(turns, options) {
    let text = ''
    for await (const piece of model.call(turns, options)) {
      if (piece.type !== 'end') {
        if (piece.type === 'text') text += piece.text
        continue
      }
      const { answer } = options
      const said = answer === undefined ? text : objectOf(text, answer.schema)
      if (answer !== undefined && !ajv.validate(answer.schema, JSON.parse(said)))
        throw new Error(`the answer does not fit the schema of ${answer.name}: ${ajv.errorsText()}\n${said}`)
      yield { type: 'text', text: said }
      yield { ...piece, ...(answer === undefined ? {} : { isObject: true }) }
    }
  },
})

/** The value with every key that the schema requires; what it leaves out is null. */
export function heldTo(value: Json | undefined, schema: unknown): Json {
  if (!isFields(schema)) return value ?? null
  if ('const' in schema) return schema.const as Json
  if (Array.isArray(schema.anyOf)) {
    if (value === undefined || value === null) return null
    return heldTo(
      value,
      schema.anyOf.find((option) => isOfForm(value, option)),
    )
  }
  if (schema.type === 'string' && typeof value === 'object' && value !== null) return JSON.stringify(value)
  if (schema.type === 'array') return listOf(value, schema.items).map((item) => heldTo(item, schema.items))
  if (!isFields(schema.properties) || !isFields(value)) return value ?? null
  const fields = value as { [key: string]: Json }
  return Object.fromEntries(Object.entries(schema.properties).map(([key, field]) => [key, heldTo(fields[key], field)]))
}

/** A list; that of a map of names; of a single item the list of it. */
function listOf(value: Json | undefined, items: unknown): Json[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value
  const properties = isFields(items) && isFields(items.properties) ? items.properties : {}
  if (!('agent' in properties) || typeof value !== 'object') return [value]
  const key = 'needs' in properties ? 'needs' : 'goal'
  return Object.entries(value).map(([agent, said]) => ({ agent, [key]: said }))
}

function isOfForm(value: Json, schema: unknown): boolean {
  if (!isFields(schema)) return false
  if (Array.isArray(schema.anyOf)) return schema.anyOf.some((option) => isOfForm(value, option))
  if (typeof value === 'string') return schema.type === 'string'
  if (typeof value === 'number') return schema.type === 'number' || schema.type === 'integer'
  if (typeof value === 'boolean') return schema.type === 'boolean'
  if (schema.type === 'array') return typeof value === 'object' && value !== null
  if (schema.type !== 'object' || !isFields(value)) return false
  if (!isFields(schema.properties)) return true
  const { properties } = schema
  return Object.entries(value).every(([key, held]) => {
    const field = properties[key]
    return isFields(field) && (!('const' in field) || field.const === held)
  })
}
