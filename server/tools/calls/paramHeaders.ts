/** Arguments that the stateless revision repeats in headers, where a tool's schema says so by `x-mcp-header`. */
import { fieldsIn, isJsonObject } from '@/lib/json'

type Schema = Record<string, unknown>
type Declared = { path: string[]; header: string }

const KEY = 'x-mcp-header'
const PREFIX = 'Mcp-Param-'
/** RFC 9110: a token. */
const IS_TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean']

/** The headers of a call. An argument that is missing or null has none. */
export function paramHeaders(inputSchema: unknown, args: Record<string, unknown>): Record<string, string> {
  const declared = declaredIn(inputSchema)
  if (typeof declared === 'string') return {}
  const headers = declared.flatMap(({ path, header }) => {
    const value = path.reduce<unknown>((node, key) => fieldsIn(node)[key], args)
    const isGiven = ['string', 'boolean'].includes(typeof value) || Number.isSafeInteger(value)
    return isGiven ? [[`${PREFIX}${header}`, encoded(String(value))]] : []
  })
  return Object.fromEntries(headers)
}

/** What is wrong with the declarations of a schema: the revision requires that such a tool is left out. null: nothing */
export function headerFault(inputSchema: unknown): string | null {
  const declared = declaredIn(inputSchema)
  return typeof declared === 'string' ? declared : null
}

/** out: the declarations, all on properties that a chain of `properties` reaches; or the first that is not as it must be. */
function declaredIn(inputSchema: unknown): Declared[] | string {
  const found: Declared[] = []
  const faults: string[] = []
  const seen = new Set<string>()
  function declare(schema: Schema, path: string[], isReached: boolean): void {
    const header = schema[KEY]
    const name = path.join('.')
    if (!isReached || typeof header !== 'string' || !IS_TOKEN.test(header) || !TYPES.includes(schema.type)) {
      faults.push(`${KEY} of ${name === '' ? 'the whole' : name}`)
      return
    }
    if (seen.has(header.toLowerCase())) faults.push(`${KEY} ${header}, twice`)
    seen.add(header.toLowerCase())
    found.push({ path, header })
  }
  function visit(node: unknown, path: string[], isReached: boolean): void {
    if (Array.isArray(node)) for (const one of node) visit(one, path, false)
    if (!isJsonObject(node)) return
    if (KEY in node) declare(node, path, isReached && path.length > 0)
    for (const [key, value] of Object.entries(node)) {
      if (DATA.includes(key)) continue
      // The members of these are schemas by name.
      if (!NAMED.includes(key)) visit(value, path, false)
      else
        for (const [name, one] of Object.entries(fieldsIn(value)))
          visit(one, [...path, name], isReached && key === 'properties')
    }
  }
  visit(inputSchema, [], true)
  return faults[0] ?? found
}

/** Keywords whose value is no schema. */
const DATA = ['const', 'default', 'enum', 'examples', 'required', KEY]
const NAMED = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']

/** A value that is no plain header field is written in Base64. */
const encoded = (value: string): string =>
  /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value)
    ? value
    : `=?base64?${Buffer.from(value).toString('base64')}?=`
