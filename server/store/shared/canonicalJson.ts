/**
 * Canonical JSON (RFC 8785): members sorted by the UTF-16 units of their names, no white space, numbers as in ECMAScript.
 * Equal values give equal texts, so they can be hashed. A test compares it with the package `canonicalize`, which needs
 * 50 % more time for an event.
 */
import { isJsonObject } from '@/lib/json'

/** Such a text needs no escapes. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/
/** Checking a longer text costs more than JSON.stringify. */
const SHORT = 64

/** Throws TypeError for a bigint, or a value that is not JSON at all. Undefined members are left out, infinite numbers null. */
export function canonicalJson(value: unknown): string {
  if (value === undefined || typeof value === 'function' || typeof value === 'symbol')
    throw new TypeError(`${typeof value} is not JSON`)
  return write(value)
}

function write(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  // Written here: a call of JSON.stringify for each takes as long as the rest.
  if (value === null || typeof value === 'boolean') return `${value}`
  if (typeof value === 'number') return Number.isFinite(value) ? `${value}` : 'null'
  if (Array.isArray(value)) return canonicalList(value, write)
  if (!isJsonObject(value)) return JSON.stringify(value)
  if ('toJSON' in value && typeof value.toJSON === 'function') return write(value.toJSON())
  return canonicalMembers(value, write)
}

/** in: writes an element as canonical JSON */
export function canonicalList(list: readonly unknown[], write: (one: unknown, n: number) => string): string {
  let text = ''
  for (const [n, one] of list.entries()) text += `${n === 0 ? '' : ','}${isLeftOut(one) ? 'null' : write(one, n)}`
  return `[${text}]`
}

/** in: writes a member as canonical JSON */
export function canonicalMembers(
  members: Record<string, unknown>,
  write: (one: unknown, name: string) => string,
): string {
  let text = ''
  for (const name of Object.keys(members).sort()) {
    const one = members[name]
    if (isLeftOut(one)) continue
    text += `${text === '' ? '' : ','}${quote(name)}:${write(one, name)}`
  }
  return `{${text}}`
}

const isLeftOut = (value: unknown): boolean =>
  value === undefined || typeof value === 'function' || typeof value === 'symbol'

const quote = (text: string): string => (text.length < SHORT && PLAIN.test(text) ? `"${text}"` : JSON.stringify(text))
