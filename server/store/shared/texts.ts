/** Personal texts of an event, stored apart from its row, which has {bytes, hash, kind} instead. */
import crypto from 'node:crypto'
import { isJsonObject } from '@/lib/json'
import { textPlacesOf } from '@/lib/mas/personalText'
import { memo } from '@/lib/memo'
import type { StoredEvent } from '../interfaces'
import { canonicalJson, canonicalList, canonicalMembers } from './canonicalJson'

/** The mark of a text in a row. bytes: of the text in UTF-8, or of the JSON of another value. */
type TextMark = { bytes: number; hash: string; kind: string }

/** The texts of one entry by JSON pointer, with their salt; removed ones are blank and have no salt. */
export type EntryTexts = { salt?: string } & Record<string, unknown>

export const SALT_BYTES = 16
const SALT = 'salt'
/** Characters of base64url: 132 bits. */
const HASH_CHARACTERS = 22

/** in: the salt and a text (or list, or object). out: 22 characters of SHA-256 over salt and JSON, in base64url */
const textHash = (salt: string, text: unknown): string => hashOf(salt, JSON.stringify(text))

function hashOf(salt: string, json: string): string {
  const whole = `${salt}${json}`
  const hash = crypto.hash
    ? crypto.hash('sha256', whole, 'base64url')
    : crypto.createHash('sha256').update(whole).digest('base64url')
  return hash.slice(0, HASH_CHARACTERS)
}

/**
 * Separates an event from its texts.
 *
 * out     event: canonical JSON with marks; texts: theirs as JSON, null: none; count: how many
 * faults  TypeError: a value that is not JSON
 */
export function takeTexts(
  event: StoredEvent,
  newSalt: () => string,
): { event: string; texts: string | null; count: number } {
  const places = textPlacesOf(event.type)
  if (places.length === 0) return { event: canonicalJson(event), texts: null, count: 0 }
  let [texts, salt, count] = ['', '', 0]
  /** In one pass, so that each text is converted once, for its length, its hash and its storage. */
  const write = (value: unknown, at: Places | string, pointer: string): string => {
    if (typeof at === 'string') {
      if (!isText(value)) return canonicalJson(value)
      if (count === 0) salt = newSalt()
      count += 1
      const json = JSON.stringify(value)
      texts += `"${pointer}":${json},`
      const bytes = Buffer.byteLength(typeof value === 'string' ? value : json)
      return canonicalJson({ bytes, hash: hashOf(salt, json), kind: at } satisfies TextMark)
    }
    const next = (one: unknown, name: string | number): string => {
      const place = at.get(typeof name === 'number' ? '*' : name)
      return place === undefined ? canonicalJson(one) : write(one, place, `${pointer}/${name}`)
    }
    if (Array.isArray(value)) return canonicalList(value, next)
    return isJsonObject(value) ? canonicalMembers(value, next) : canonicalJson(value)
  }
  const row = write(event, placesBelow(places), '')
  return { event: row, texts: count === 0 ? null : `{${texts}"${SALT}":"${salt}"}`, count }
}

/** Places by the names of their pointers, with the kind of the text at the end of each. */
type Places = Map<string, Places | string>

const placesBelow = memo((places: ReturnType<typeof textPlacesOf>) => {
  const all: Places = new Map()
  for (const { names, kind } of places) {
    let at = all
    for (const name of names.slice(0, -1)) {
      const known = at.get(name)
      const below: Places = typeof known === 'object' ? known : new Map()
      at.set(name, below)
      at = below
    }
    at.set(names.at(-1) ?? '', kind)
  }
  return all
})

/** Put texts back into the event of takeTexts, which is changed. out: how many */
export function putTexts(event: StoredEvent, texts: EntryTexts): number {
  let count = 0
  for (const [pointer, value] of Object.entries(texts)) {
    if (pointer === SALT) continue
    const place = placeOf(event, pointer)
    if (place === null || !isMark(place.holder[place.name])) throw new Error(`no text belongs to ${pointer}`)
    place.holder[place.name] = value
    count += 1
  }
  return count
}

/** The damage of the texts of an entry; null: none. in: the event with its marks, its texts, the number of marks. */
export function faultIn(event: StoredEvent, texts: EntryTexts | null, count: number): string | null {
  const { salt, ...rest } = texts ?? {}
  const pointers = Object.keys(rest)
  if (pointers.length !== count) return `it has ${pointers.length} of its ${count} texts`
  for (const pointer of pointers) {
    const place = placeOf(event, pointer)
    const mark = place?.holder[place.name]
    if (!isMark(mark)) return `no text belongs to ${pointer}`
    const value = rest[pointer]
    const isRight = salt === undefined ? isBlank(value) : textHash(salt, value) === mark.hash
    if (!isRight) return `the text at ${pointer} is another one`
  }
  return null
}

/** Removed texts: only the shape of each remains. */
export const blankTexts = ({ salt: _, ...texts }: EntryTexts): EntryTexts => blank(texts) as EntryTexts

/** Whether there are texts that are not removed. */
export const isKept = (texts: EntryTexts): boolean => texts.salt !== undefined

function blank(value: unknown): unknown {
  if (typeof value === 'string') return ''
  if (Array.isArray(value)) return value.map(blank)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, blank(one)]))
}

const isBlank = (value: unknown): boolean => JSON.stringify(blank(value)) === JSON.stringify(value)

type Members = Record<string, unknown>
const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null

/** Whether a value can be personal: not a number, null, or an empty text. */
const isText = (value: unknown): boolean =>
  typeof value === 'string' ? value !== '' : isObject(value) && !isEmpty(value)
const isEmpty = (value: Members): boolean => Object.keys(value).length === 0

const isMark = (value: unknown): value is TextMark => isObject(value) && typeof value.hash === 'string'

function placeOf(event: StoredEvent, pointer: string): { holder: Members; name: string } | null {
  const names = pointer.split('/').slice(1)
  const name = names.pop()
  let holder: unknown = event
  for (const one of names) holder = isObject(holder) && Object.hasOwn(holder, one) ? holder[one] : undefined
  return name !== undefined && isObject(holder) && Object.hasOwn(holder, name) ? { holder, name } : null
}
