/**
 * A map that forgets what nobody has asked for longest, once it holds enough.
 *
 * A Map whose first key goes with each new one has to walk over all that went before (20 µs for each of 50,000); here
 * nothing is ever taken out one by one.
 */

export type RecentMap<Key, Value> = {
  /** Asking for it counts as use. */
  get(key: Key): Value | undefined
  /** What it holds, or else what is made now and held from here on. */
  getOrMake(key: Key, make: () => Value): Value
  set(key: Key, value: Value): void
  delete(key: Key): void
}

/**
 * Two halves: what was used lately, and what was used before that. When the first is full it takes the place of the second,
 * whose content goes.
 *
 * most    so much is held at most, half of it at least: values, or what they weigh together
 * weigh   what a value counts for; one that weighs half of `most` alone is held until the next comes
 */
export function recentMap<Key, Value>(most: number, weigh: (value: Value) => number = () => 1): RecentMap<Key, Value> {
  let lately = new Map<Key, Value>()
  let before = new Map<Key, Value>()
  let weight = 0

  function take(from: Map<Key, Value>, key: Key): Value | undefined {
    const value = from.get(key)
    if (value !== undefined && from.delete(key) && from === lately) weight -= weigh(value)
    return value
  }

  function put(key: Key, value: Value): void {
    const more = weigh(value)
    if (lately.size > 0 && weight + more > most / 2) {
      before = lately
      lately = new Map()
      weight = 0
    }
    lately.set(key, value)
    weight += more
  }

  function remove(key: Key): void {
    take(lately, key)
    before.delete(key)
  }

  function get(key: Key): Value | undefined {
    const value = lately.get(key)
    if (value !== undefined) return value
    const old = take(before, key)
    if (old !== undefined) put(key, old)
    return old
  }

  return {
    get,
    getOrMake(key, make) {
      const known = get(key)
      if (known !== undefined) return known
      const made = make()
      remove(key)
      put(key, made)
      return made
    },
    set(key, value) {
      remove(key)
      put(key, value)
    },
    delete: remove,
  }
}
