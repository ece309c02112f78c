/** Ids of an archive from elsewhere as ids of their own, so that none can be taken for one of ours. */
import { sha256 } from '../../../shared/sha256'

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi
/** Longer strings, and those with spaces, are texts: they stay as they were written. */
const LONGEST_KEY = 300
const MARK = { from: 24, length: 12 }

/** The end of each id of an archive, and of its own: by it the archive is found. */
export const markIn = (id: string): string => id.slice(MARK.from)

export const isUuid = (text: string): boolean => text.length === 36 && text.match(UUID)?.[0] === text

/**
 * The new id of an old one: the same at each node and after each restart. Its end is the mark of the archive.
 *
 * out     a version 8 uuid (from a hash)
 */
function newId(archive: string, old: string): string {
  const hex = sha256(`${archive}\0${old.toLowerCase()}`)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(12, 15)}-a${hex.slice(15, 18)}-${markIn(archive)}`
}

/** JSON with each id in it, also in keys and in ids joined to one, replaced. */
export function withNewIds(archive: string): <Value>(value: Value) => Value {
  const known = new Map<string, string>()
  const idOf = (old: string): string => {
    const made = known.get(old) ?? newId(archive, old)
    known.set(old, made)
    return made
  }
  const inText = (text: string): string =>
    text.length < 36 || text.length > LONGEST_KEY || /\s/.test(text) ? text : text.replaceAll(UUID, idOf)
  const mapped = (value: unknown): unknown => {
    if (typeof value === 'string') return inText(value)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(mapped)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [inText(key), mapped(inner)]))
  }
  return <Value>(value: Value) => mapped(value) as Value
}
