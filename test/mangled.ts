/** Values of JSON with one place changed: hostile input that looks nearly right. */
import type { Json } from '@/lib/mas/records'

/**
 * One place of a value replaced, taken out or doubled.
 *
 * in   path: numbers by which the place is found, each the field of one level, counted modulo the fields that there are.
 *      how: modulo 3, 0 replaces at the end of the path, 1 takes out and 2 doubles at its beginning. by: what is put there
 */
export function mangled(value: Json, path: readonly number[], how: number, by: Json): Json {
  const [at, ...deeper] = path
  if (at === undefined || typeof value !== 'object' || value === null) return by
  if (Array.isArray(value)) {
    const index = at % Math.max(1, value.length)
    if (how % 3 === 1) return value.filter((_, place) => place !== index)
    if (how % 3 === 2) return [...value, ...value.slice(index), by]
    return value.map((one, place) => (place === index ? mangled(one, deeper, how, by) : one))
  }
  const keys = Object.keys(value)
  const key = keys[at % Math.max(1, keys.length)]
  if (key === undefined) return by
  if (how % 3 === 1) return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
  if (how % 3 === 2) return { ...value, [`${key} `]: by, ['__proto__']: by }
  return { ...value, [key]: mangled(value[key] ?? null, deeper, how, by) }
}
