/** From the content of a tag to a JSON value. */
import { isJsonObject, jsonValueOf } from '../../json'
import { changedNumberIn } from '../../jsonNumbers'
import type { Json } from '../records'
import type { Fixup } from './fixups'
import { stripFence } from './tags'
import { isTooDeep, readTolerantJson } from './tolerantJson'

type ValueReading = { ok: true; value: Json; fixups: Fixup[] } | { ok: false; reason: string }

/** The most places in prose that are tried as the beginning of JSON. */
const PLACES = 40

/**
 * Read the JSON of a tag.
 *
 * in      the content; whether several values are a list of them; whether a value could be what the tag holds
 *         (null: prose around it is not looked into)
 * out     the one value that it means and the fixups; strict JSON is taken as it is. Two values that could be meant
 *         are refused.
 */
export function readValue(content: string, takesMany: boolean, fits: ((value: Json) => boolean) | null): ValueReading {
  const inner = stripFence(content)
  const strict = jsonValueOf(inner)
  if (strict !== undefined && changedNumberIn(inner) === null)
    return isTooDeep(strict) ? { ok: false, reason: 'nested too deep' } : { ok: true, value: strict, fixups: [] }
  if (inner.trim() === '') return { ok: false, reason: 'it is empty' }
  const bare = withoutWrapping(inner)
  const whole = readWhole(bare.text, takesMany)
  if (whole.ok || fits === null) return !whole.ok ? whole : { ...whole, fixups: [...bare.fixups, ...whole.fixups] }
  const inProse = readInProse(bare.text, takesMany, fits)
  return inProse ?? whole
}

/** Removes CDATA, and the marks that mail puts before each quoted line. */
function withoutWrapping(text: string): { text: string; fixups: Fixup[] } {
  const data = /^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/.exec(text)
  if (data?.[1] !== undefined) return { text: stripFence(data[1]), fixups: ['cdata'] }
  const lines = text.trim().split('\n')
  if (lines.length > 1 && lines.every((line) => line.trimStart().startsWith('>'))) {
    return { text: lines.map((line) => line.trimStart().slice(1)).join('\n'), fixups: ['prose_inside'] }
  }
  return { text, fixups: [] }
}

/** All of the text is one value, or where several are allowed one behind the other. */
function readWhole(text: string, takesMany: boolean): ValueReading {
  const values: Json[] = []
  const fixups = new Set<Fixup>()
  let at = 0
  for (;;) {
    const lead = /[\s,;\uFEFF]*(?:(?:[-*•]|\d{1,3}[.)、])\s+(?=[{[]))?/y
    if (takesMany || values.length > 0) {
      lead.lastIndex = at
      at += lead.exec(text)?.[0].length ?? 0
    }
    if (values.length > 0 && text.slice(at).trim() === '') break
    const read = readTolerantJson(text, at)
    if (!read.ok) return values.length === 0 ? read : { ok: false, reason: sayTail(text, at) }
    if (values.length > 0 && !takesMany) return { ok: false, reason: 'it holds more than one value; give one' }
    values.push(read.value)
    for (const fixup of read.fixups) fixups.add(fixup)
    at = read.end
  }
  const [first] = values
  if (values.length === 1 && first !== undefined) return { ok: true, value: first, fixups: [...fixups] }
  const areItems = values.every((value) => isJsonObject(value))
  if (!areItems) return { ok: false, reason: 'it holds more than one list; give one' }
  return { ok: true, value: values, fixups: [...fixups, 'list_missing'] }
}

const sayTail = (text: string, at: number): string =>
  `something stands behind the value: ${JSON.stringify(text.slice(at, at + 40))}`

/** One code fence with prose around it; else the one value in the prose that the tag could hold. */
function readInProse(text: string, takesMany: boolean, fits: (value: Json) => boolean): ValueReading | null {
  const fences = [...text.matchAll(/(?:^|\n)(`{3,}|~{3,})(?![`~])[^\n`~]*\n([\s\S]*?)\n\1[ \t]*(?=\n|$)/g)]
  const [fence] = fences
  if (fence?.[2] !== undefined && fences.length === 1) {
    const read = readWhole(fence[2], takesMany)
    if (read.ok) return { ...read, fixups: [...read.fixups, 'prose_inside'] }
  }
  const found: { value: Json; fixups: Fixup[] }[] = []
  const places = /[{[]/g
  for (let tries = 0, place = places.exec(text); place !== null && tries < PLACES; place = places.exec(text)) {
    tries += 1
    const read = readTolerantJson(text, place.index)
    if (!read.ok) {
      // A bracket of the prose is skipped. JSON that breaks off is not: a part of it would be half an answer.
      if (/[{[]\s*["'“‘{[]/y.test(text.slice(place.index, place.index + 20))) return read
      continue
    }
    if (fits(read.value)) found.push({ value: read.value, fixups: [...read.fixups] })
    places.lastIndex = read.end
  }
  const [only] = found
  if (only === undefined) return null
  if (found.some((other) => JSON.stringify(other.value) !== JSON.stringify(only.value))) {
    return { ok: false, reason: 'it holds more than one value; give one' }
  }
  return { ok: true, value: only.value, fixups: [...only.fixups, 'prose_inside'] }
}
