/** JSON of unknown shape: a text that may hold none, a value that may be no object. */
import type { Json } from './mas/records'

export type JsonObject = { [key: string]: Json }

/** The value of a JSON text; undefined: it is none. */
export function jsonValueOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** The value that a text holds as JSON; the text itself when it is none. */
export function jsonOrText(text: string): Json {
  const value = jsonValueOf(text)
  return value === undefined ? text : value
}

/** A parsed value as the JSON that it is; keys without a value are left out. */
export const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value ?? null))

export function isJsonObject(value: Json | undefined): value is JsonObject
export function isJsonObject(value: unknown): value is Record<string, unknown>
export function isJsonObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields of an object; none of any other value. */
export function fieldsIn(value: Json | undefined): JsonObject
export function fieldsIn(value: unknown): Record<string, unknown>
export function fieldsIn(value: unknown): Record<string, unknown> {
  return isJsonObject(value) ? value : {}
}
