/**
 * JSON as RFC 8785 writes it: members in the order of their names' UTF-16 units, no white space, numbers as ECMAScript writes
 * them. The same value is the same text, so it can be hashed. A test holds it against the package `canonicalize`, which takes
 * half as long again for an event.
 */

import { isJsonObject } from '@/lib/json'

/** Such a text stands between quotes as it is. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/
/** Looking through a longer text costs more than leaving it to the engine. */
const SHORT = 64

/** Throws TypeError for a bigint, or a value that is not JSON at all. Undefined members are left out, infinite numbers null. */
export function canonicalJson(value: unknown): string {
  if (value === undefined || typeof value === 'function' || typeof value === 'symbol')
    throw new TypeError(`${typeof value} is not JSON`)
  return write(value)
}

function write(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  // Written here: to ask the engine for each takes as long as all the rest.
  if (value === null || typeof value === 'boolean') return `${value}`
  if (typeof value === 'number') return Number.isFinite(value) ? `${value}` : 'null'
  if (Array.isArray(value)) return writeList(value)
  if (!isJsonObject(value)) return JSON.stringify(value)
  if ('toJSON' in value && typeof value.toJSON === 'function') return write(value.toJSON())
  return writeMembers(value)
}

function writeList(list: readonly unknown[]): string {
  let text = ''
  for (const [n, one] of list.entries()) text += `${n === 0 ? '' : ','}${isLeftOut(one) ? 'null' : write(one)}`
  return `[${text}]`
}

function writeMembers(members: Record<string, unknown>): string {
  let text = ''
  // As strings are put in order by default: by their UTF-16 units.
  for (const name of Object.keys(members).sort()) {
    const one = members[name]
    if (isLeftOut(one)) continue
    text += `${text === '' ? '' : ','}${quote(name)}:${write(one)}`
  }
  return `{${text}}`
}

const isLeftOut = (value: unknown): boolean =>
  value === undefined || typeof value === 'function' || typeof value === 'symbol'

const quote = (text: string): string => (text.length < SHORT && PLAIN.test(text) ? `"${text}"` : JSON.stringify(text))
