/** The items of a server's lists: what is good of each is kept, the rest is noted. */
import { fieldsIn, isJsonObject } from '@/lib/json'
import { headerFault } from '../calls/paramHeaders'
import { takenApart } from '../transports/messages'
import type { PromptInfo, ResourceInfo } from '../types'
import { jsonKindOf, type UnreadList } from './unread'

type Schema = Record<string, unknown>

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const

/** A tool as its server offers it, before the configured rules. */
export type OfferedTool = {
  name: string
  title?: string | undefined
  description?: string | undefined
  inputSchema: Schema
  outputSchema?: Schema | undefined
  annotations?: { [Hint in (typeof HINTS)[number]]?: boolean | undefined } & { title?: string | undefined }
}

/** One item. at: its place in the list, as `tools[3]`; null: it is left out, and why is noted. */
export type ReadItem<Item> = (item: unknown, at: string, unread: UnreadList) => Item | null

/** The longest name that is used; the protocol asks for at most 128 characters. */
const LONGEST_NAME = 256
/** Names stand on lines of prompts. */
const IS_UNFIT = /[\p{Cc}\u2028\u2029]/u

export const readTool: ReadItem<OfferedTool> = (item, at, unread) => {
  const read = namedFields(item, at, unread)
  if (read === null) return null
  const { fields, name, place } = read
  const hints = objectIn(fields.annotations, `${place}.annotations`, unread)
  const outputSchema = objectIn(fields.outputSchema, `${place}.outputSchema`, unread)
  return {
    name,
    title: unread.text(fields.title, `${place}.title`),
    description: unread.text(fields.description, `${place}.description`),
    inputSchema: inputSchemaOf(fields.inputSchema, `${place}.inputSchema`, unread),
    ...(outputSchema === null ? {} : { outputSchema }),
    annotations: {
      title: unread.text(hints?.title, `${place}.annotations.title`),
      ...Object.fromEntries(HINTS.map((hint) => [hint, flag(hints?.[hint], `${place}.annotations.${hint}`, unread)])),
    },
  }
}

/** A tool whose arguments cannot be repeated in headers as it declares is left out, as the stateless revision requires. */
export const readStatelessTool: ReadItem<OfferedTool> = (item, at, unread) => {
  const fault = headerFault(fieldsIn(item).inputSchema)
  if (fault === null) return readTool(item, at, unread)
  unread.add('header', at, fault)
  return null
}

/** A resource template has its template as its address. */
export const readResource: ReadItem<ResourceInfo> = (item, at, unread) => {
  if (!isObjectAt(item, at, unread)) return null
  const { uri: address, uriTemplate } = item
  const uri = address ?? uriTemplate
  if (!isName(uri)) {
    unread.add('noName', at, sayName(uri))
    return null
  }
  const place = `${at} (${uri})`
  const title = unread.text(item.title, `${place}.title`)
  if (item.name !== undefined && !isName(item.name)) unread.other(item.name, `${place}.name`)
  return {
    uri,
    // Many servers name a resource by its address only.
    name: isName(item.name) ? item.name : (title ?? uri),
    title,
    mimeType: unread.text(item.mimeType, `${place}.mimeType`),
    description: unread.text(item.description, `${place}.description`),
  }
}

export const readPrompt: ReadItem<PromptInfo> = (item, at, unread) => {
  const read = namedFields(item, at, unread)
  if (read === null) return null
  const { fields, name, place } = read
  const given = Array.isArray(fields.arguments) ? fields.arguments : []
  if (!Array.isArray(fields.arguments)) unread.other(fields.arguments, `${place}.arguments`)
  return {
    name,
    title: unread.text(fields.title, `${place}.title`),
    description: unread.text(fields.description, `${place}.description`),
    arguments: given.flatMap((argument, index) => {
      const inner = namedFields(argument, `${place}.arguments[${index}]`, unread)
      if (inner === null) return []
      const description = unread.text(inner.fields.description, `${inner.place}.description`)
      return [{ name: inner.name, required: inner.fields.required === true, description }]
    }),
  }
}

function namedFields(item: unknown, at: string, unread: UnreadList) {
  if (!isObjectAt(item, at, unread)) return null
  const { name } = item
  if (!isName(name)) {
    unread.add('noName', at, sayName(name))
    return null
  }
  return { fields: item, name, place: `${at} (${name})` }
}

function isObjectAt(item: unknown, at: string, unread: UnreadList): item is Schema {
  if (isJsonObject(item)) return true
  if (item === undefined || item === null) unread.add('isNull', at)
  else unread.other(item, at)
  return false
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_NAME && !IS_UNFIT.test(value)

const sayName = (value: unknown): string =>
  typeof value !== 'string' ? (value === undefined ? 'none' : jsonKindOf(value)) : JSON.stringify(value.slice(0, 40))

function objectIn(value: unknown, at: string, unread: UnreadList): Schema | null {
  if (isJsonObject(value)) return value
  unread.other(value, at)
  return null
}

/** A hint counts only as what it is: a tool that calls itself "true" read-only is asked about. */
function flag(value: unknown, at: string, unread: UnreadList): boolean | undefined {
  if (typeof value === 'boolean') return value
  unread.other(value, at)
  return undefined
}

/** Without a schema any arguments fit, and the server decides. */
function inputSchemaOf(given: unknown, at: string, unread: UnreadList): Schema {
  if (!isJsonObject(given)) {
    if (given === undefined) unread.add('missing', at)
    else if (given === null) unread.add('isNull', at)
    else unread.other(given, at)
    return { type: 'object' }
  }
  const { type, properties, required, ...rest } = given
  // Arguments are always an object.
  const isObjectType = type === 'object' || (Array.isArray(type) && type.includes('object'))
  if (!isObjectType && type !== undefined && type !== null) unread.add('kind', `${at}.type`, sayType(type))
  const named = propertiesIn(properties, `${at}.properties`, unread)
  const needed = requiredIn(required, `${at}.required`, unread)
  return {
    ...rest,
    type: isObjectType ? type : 'object',
    ...(named === null ? {} : { properties: named }),
    ...(needed === null ? {} : { required: needed }),
  }
}

const sayType = (type: unknown): string => (typeof type === 'string' ? type : jsonKindOf(type))

/** A property is a schema: an object, true or false. */
function propertiesIn(value: unknown, at: string, unread: UnreadList): Schema | null {
  const properties = objectIn(value, at, unread)
  if (properties === null) return null
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      if (isJsonObject(schema) || typeof schema === 'boolean') return [name, schema]
      if (schema === null) unread.add('isNull', `${at}.${name}`)
      else unread.other(schema, `${at}.${name}`)
      return [name, true]
    }),
  )
}

function requiredIn(value: unknown, at: string, unread: UnreadList): string[] | null {
  if (!Array.isArray(value)) {
    unread.other(value, at)
    return null
  }
  const names = value.filter((name) => typeof name === 'string')
  if (names.length < value.length) unread.add('kind', at, jsonKindOf(value.find((name) => typeof name !== 'string')))
  return names
}

/** The fields of a page: its list, and where the next page begins. */
export function readPage(page: unknown, key: string, unread: UnreadList): { items: unknown[]; next: unknown } {
  const { value: answer, numbers } = takenApart(page)
  for (const number of numbers) unread.add('number', key, number)
  if (Array.isArray(answer)) return { items: answer, next: undefined }
  if (!isJsonObject(answer)) unread.add(answer === null ? 'isNull' : 'kind', key, jsonKindOf(answer))
  const fields = fieldsIn(answer)
  return { items: itemsIn(fields[key], key, unread), next: fields.nextCursor }
}

/** A list; an object of items by their names, or one item alone, is read as one. */
function itemsIn(value: unknown, key: string, unread: UnreadList): unknown[] {
  if (Array.isArray(value)) return value
  if (!isJsonObject(value)) {
    unread.other(value, key)
    return []
  }
  if (typeof value.name === 'string' || typeof value.uri === 'string') return [value]
  return Object.entries(value).map(([name, item]) => (isJsonObject(item) ? { name, ...item } : item))
}
