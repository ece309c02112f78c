/** JSON that somebody else wrote, read with bounds: what nests too deeply or has too many values is refused before it is parsed. */
import type { Json } from '@/lib/mas/records'

/** Levels of arrays and objects. JSON.stringify, structured clones and schema checks recurse over them. */
export const DEEPEST_JSON = 128

/** Values in one text. 8 MiB of `{},{},…` are five million objects and take JSON.parse more than a second. */
export const MOST_JSON_VALUES = 200_000

export type JsonExcess = 'deep' | 'many'
export type BoundedJson = { ok: true; value: Json } | { ok: false; why: 'syntax' | JsonExcess }

/** After a subject: `the arguments …`. */
export const EXCESS_WORDS = {
  deep: `nest deeper than ${DEEPEST_JSON} levels`,
  many: `hold more than ${MOST_JSON_VALUES.toLocaleString('en')} values`,
} satisfies Record<JsonExcess, string>

/**
 * Parse JSON of bounded depth and number of values.
 *
 * in      a text, or its UTF-8 bytes
 * out     the value, or why not: `syntax`, `deep` (more than DEEPEST_JSON levels), `many` (more than `mostValues` values)
 */
export function parseBounded(json: string | Uint8Array, mostValues = MOST_JSON_VALUES): BoundedJson {
  const bytes = typeof json === 'string' ? Buffer.from(json) : Buffer.from(json.buffer, json.byteOffset, json.length)
  const excess = excessOf(bytes, mostValues)
  if (excess !== null) return { ok: false, why: excess }
  try {
    return { ok: true, value: JSON.parse(typeof json === 'string' ? json : bytes.toString('utf8')) }
  } catch {
    return { ok: false, why: 'syntax' }
  }
}

/** Does a value that was parsed already nest deeper than that? Walks without recursion. */
export function isNestedDeeper(value: unknown, most = DEEPEST_JSON): boolean {
  let level: object[] = isObject(value) ? [value] : []
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > most) return true
    level = level.flatMap((one) => Object.values(one).filter(isObject))
  }
  return false
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** What a JSON text has too much of, whether it is well formed or not. */
export function excessOf(bytes: Buffer, mostValues = MOST_JSON_VALUES): JsonExcess | null {
  let depth = 0
  let values = 1
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfString(bytes, at + 1)
        break
      case COMMA:
        values += 1
        break
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        depth += 1
        values += 1
        if (depth > DEEPEST_JSON) return 'deep'
        break
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth -= 1
        break
    }
    if (values > mostValues) return 'many'
  }
  return null
}

/** The place of the closing quote; the end of the bytes when there is none. */
function endOfString(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(QUOTE, from)
  while (at !== -1) {
    let slashes = 0
    while (bytes[at - 1 - slashes] === BACKSLASH && at - 1 - slashes >= from) slashes += 1
    if (slashes % 2 === 0) return at
    at = bytes.indexOf(QUOTE, at + 1)
  }
  return bytes.length
}
