/** JSON of unknown shape: a text that may hold none, a value that may be no object. */
import { changedNumberIn } from './jsonNumbers'
import type { Json } from './mas/records/values'

export type JsonObject = { [key: string]: Json }

/**
 * The value of a JSON text; undefined: it is none. A number in it may have changed: what is shown or passed on is read by
 * exactJsonOf.
 */
export function jsonValueOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** The value of a JSON text; undefined: it is none, or parsing would change a number in it. */
export const exactJsonOf = (text: string): Json | undefined =>
  changedNumberIn(text) === null ? jsonValueOf(text) : undefined

/** The value that a text holds as JSON; the text itself when it is none, or when parsing would change a number in it. */
export function jsonOrText(text: string): Json {
  const value = exactJsonOf(text)
  return value === undefined ? text : value
}

/** A parsed value as the JSON that it is; keys without a value are left out. */
export const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value ?? null))

export function isJsonObject(value: Json | undefined): value is JsonObject
export function isJsonObject(value: unknown): value is Record<string, unknown>
export function isJsonObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The keys of a record of which all keys are known. */
export const keysOf = <Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] =>
  Object.keys(record) as Key[]

/** The fields of an object; none of any other value. */
export function fieldsIn(value: Json | undefined): JsonObject
export function fieldsIn(value: unknown): Record<string, unknown>
export function fieldsIn(value: unknown): Record<string, unknown> {
  return isJsonObject(value) ? value : {}
}

/** Equal as JSON, independent of the order of members; an undefined member counts as absent. */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) return isSameArray(a, b)
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>]
  let more = 0
  for (const key of Object.keys(left)) {
    if (left[key] === undefined) continue
    if (!Object.hasOwn(right, key) || !isSameValue(left[key], right[key])) return false
    more += 1
  }
  for (const key of Object.keys(right)) if (right[key] !== undefined) more -= 1
  return more === 0
}

const isSameArray = (a: unknown, b: unknown): boolean =>
  Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((value, n) => isSameValue(value, b[n]))

/** What a schema refuses, as `a.b: why; …`. whole: the name of the value itself */
export const issuesInWords = (
  issues: readonly { path: readonly PropertyKey[]; message: string }[],
  whole: string,
  most = 5,
): string =>
  issues
    .slice(0, most)
    .map(({ path, message }) => `${path.map(String).join('.') || whole}: ${message}`)
    .join('; ')

/** The own value of that key, nothing inherited: a key may come from outside. */
export const own = <T>(values: Record<string, T> | undefined, key: string): T | undefined =>
  values !== undefined && Object.hasOwn(values, key) ? values[key] : undefined
