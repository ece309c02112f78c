/** Changes of maps by reducers: only changed parts are copied, and the same object is returned if nothing changes (R2). */
import type { Changed } from '../records/values'

export function withKey<Key extends string, Value>(
  map: Record<Key, Value>,
  key: Key,
  value: Value,
): Record<Key, Value> {
  if (map[key] === value) return map
  // Faster than `{ ...map, [key]: value }`.
  const copy = { ...map }
  copy[key] = value
  return copy
}

/** The map with that record changed; the same map if there is no such record or no change. */
export function changed<Key extends string, Value>(
  map: Record<Key, Value>,
  key: Key,
  change: (old: Value) => Value,
): Record<Key, Value> {
  const old = (map as Partial<Record<Key, Value>>)[key]
  return old === undefined ? map : withKey(map, key, change(old))
}

/** The map with that record changed, created from `empty` if there is none. */
export function changedOr<Key extends string, Value>(
  map: Record<Key, Value>,
  key: Key,
  empty: Value,
  change: (old: Value) => Value,
): Record<Key, Value> {
  return withKey(map, key, change((map as Partial<Record<Key, Value>>)[key] ?? empty))
}

/** `changed`, of a record that says which entry changed it last. in: seq: of this entry */
export const changedRecord = <Key extends string, Value extends { changedAt: Changed }>(
  map: Record<Key, Value>,
  key: Key,
  seq: number,
  change: (old: Value) => Value,
): Record<Key, Value> => changed(map, key, (old) => stamped(old, change(old), seq))

/** out: the record as of this entry; the old one if nothing of it changed */
export const stamped = <Value extends { changedAt: Changed }>(old: Value, next: Value, seq: number): Value =>
  next === old ? old : { ...next, changedAt: seq }

export function withoutKeys<Key extends string, Value>(
  map: Record<Key, Value>,
  keys: readonly Key[],
): Record<Key, Value> {
  const gone = keys.filter((key) => Object.hasOwn(map, key))
  if (gone.length === 0) return map
  const copy = { ...map }
  for (const key of gone) delete copy[key]
  return copy
}

/** The map with what is left of each record; null: nothing. */
export function cutEach<Key extends string, Value>(
  map: Record<Key, Value>,
  cut: (value: Value, key: Key) => Value | null,
): Record<Key, Value> {
  const left = (Object.keys(map) as Key[]).map((key) => [key, cut(map[key], key)] as const)
  if (left.every(([key, value]) => value === map[key])) return map
  return Object.fromEntries(left.filter(([, value]) => value !== null)) as Record<Key, Value>
}

/** The map with only the records that pass. */
export const only = <Key extends string, Value>(
  map: Record<Key, Value>,
  passes: (value: Value, key: Key) => boolean,
): Record<Key, Value> => cutEach(map, (value, key) => (passes(value, key) ? value : null))

export const orNothing = <Held extends object>(held: Held): Held | null =>
  Object.keys(held).length === 0 ? null : held
