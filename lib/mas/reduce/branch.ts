/** The ways a reducer changes a map: only what changes is copied, and the same object returns when nothing does (R2). */

export const withKey = <Key extends string, Value>(
  map: Record<Key, Value>,
  key: Key,
  value: Value,
): Record<Key, Value> => (map[key] === value ? map : { ...map, [key]: value })

/** The map with that record changed; the same map when there is no such record or nothing changed. */
export function changed<Key extends string, Value>(
  map: Record<Key, Value>,
  key: Key,
  change: (old: Value) => Value,
): Record<Key, Value> {
  const old = (map as Partial<Record<Key, Value>>)[key]
  return old === undefined ? map : withKey(map, key, change(old))
}

/** The map with that record changed, made from `empty` when there is none: creating reducers make their container. */
export function changedOr<Key extends string, Value>(
  map: Record<Key, Value>,
  key: Key,
  empty: Value,
  change: (old: Value) => Value,
): Record<Key, Value> {
  return withKey(map, key, change((map as Partial<Record<Key, Value>>)[key] ?? empty))
}

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
