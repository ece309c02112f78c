/** Untrusted JSON, read with bounds: too deep or too large values are refused before they are parsed. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { changedNumberIn } from '@/lib/jsonNumbers'
import type { Json } from '@/lib/mas/records'

/** Levels of arrays and objects. JSON.stringify, structured clones and schema checks recurse over them. */
export const DEEPEST_JSON = 128

/** Values in one text. 8 MiB of `{},{},…` are five million objects and take JSON.parse more than a second. */
export const MOST_JSON_VALUES = 200_000

export type JsonExcess = 'deep' | 'many'
type BoundedJson = { ok: true; value: Json } | { ok: false; why: 'syntax' | 'number' | JsonExcess }
type ParsedJson = { ok: true; value: unknown } | { ok: false; why: 'syntax' | 'number' }

/** After a subject in the singular: `the body …`. */
export const EXCESS_WORDS = {
  deep: `nests deeper than ${DEEPEST_JSON} levels`,
  many: `holds more than ${MOST_JSON_VALUES.toLocaleString('en')} values`,
  number: 'holds a number of more digits than are kept: write it as a text, in quotation marks',
} satisfies Record<JsonExcess | 'number', string>

/**
 * Parse JSON of bounded depth and number of values.
 *
 * in      a text, or its UTF-8 bytes
 * out     the value, or why not: `syntax`, `deep` (more than DEEPEST_JSON levels), `many` (more than `mostValues` values),
 *         `number` (parsing would make another number of one)
 */
export function parseBounded(json: string | Uint8Array, mostValues = MOST_JSON_VALUES): BoundedJson {
  const bytes = typeof json === 'string' ? Buffer.from(json) : Buffer.from(json.buffer, json.byteOffset, json.length)
  const excess = excessOf(bytes, mostValues)
  if (excess !== null) return { ok: false, why: excess }
  try {
    const text = typeof json === 'string' ? json : bytes.toString('utf8')
    const value: Json = JSON.parse(text)
    return changedNumberIn(text) === null ? { ok: true, value } : { ok: false, why: 'number' }
  } catch {
    return { ok: false, why: 'syntax' }
  }
}

/** A larger text is decoded and parsed in turns of the event loop of its own: of 33 MiB each takes 0.1 s. */
const TURN_BYTES = 1024 * 1024

/** Parse JSON whose bounds were checked. out: the value, or why not: invalid UTF-8 or JSON, or a number that parsing would change */
export async function parseInTurns(bytes: Uint8Array): Promise<ParsedJson> {
  const turn = (): Promise<void> | undefined => (bytes.length > TURN_BYTES ? nextTurn() : undefined)
  try {
    await turn()
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    await turn()
    const value: unknown = JSON.parse(text)
    await turn()
    return changedNumberIn(text) === null ? { ok: true, value } : { ok: false, why: 'number' }
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

/** Does a parsed value hold more values than that, itself included? Without recursion, and no further than needed. */
export function holdsMoreThan(value: unknown, most: number): boolean {
  const open: unknown[] = [value]
  let count = 1
  while (open.length > 0 && count <= most) {
    const one = open.pop()
    if (!isObject(one)) continue
    for (const name in one) {
      count += 1
      if (count > most) return true
      open.push(Reflect.get(one, name))
    }
  }
  return count > most
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
export function excessOf(bytes: Uint8Array, mostValues = MOST_JSON_VALUES): JsonExcess | null {
  const bounds = new JsonBounds(mostValues)
  bounds.read(bytes)
  return bounds.excess
}

/** The same for a text that comes in pieces: read(piece) each, then look at `excess`. */
export class JsonBounds {
  excess: JsonExcess | null = null
  private depth = 0
  private values = 1
  private isInString = false
  private isEscaped = false

  constructor(private readonly mostValues = MOST_JSON_VALUES) {}

  read(piece: Uint8Array): void {
    if (this.excess !== null) return
    let at = 0
    while (at < piece.length && this.excess === null) {
      if (this.isInString) at = this.readString(piece, at)
      else {
        this.readOutside(piece[at])
        at += 1
      }
    }
  }

  /** out: the place behind the string, or the end of the piece */
  private readString(piece: Uint8Array, start: number): number {
    const from = this.isEscaped ? start + 1 : start
    this.isEscaped = false
    for (let at = piece.indexOf(QUOTE, from); at !== -1; at = piece.indexOf(QUOTE, at + 1)) {
      if (isEscapedAt(piece, from, at)) continue
      this.isInString = false
      return at + 1
    }
    this.isEscaped = isEscapedAt(piece, from, piece.length)
    return piece.length
  }

  private readOutside(byte: number | undefined): void {
    switch (byte) {
      case QUOTE:
        this.isInString = true
        return
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        this.depth += 1
        if (this.depth > DEEPEST_JSON) this.excess = 'deep'
        this.count()
        return
      case COMMA:
        this.count()
        return
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        this.depth -= 1
    }
  }

  private count(): void {
    this.values += 1
    if (this.values > this.mostValues) this.excess ??= 'many'
  }
}

/** Whether the character is escaped by those before it, from `from` on. */
function isEscapedAt(bytes: Uint8Array, from: number, at: number): boolean {
  let slashes = 0
  while (at - 1 - slashes >= from && bytes[at - 1 - slashes] === BACKSLASH) slashes += 1
  return slashes % 2 === 1
}
