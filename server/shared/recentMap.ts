/** A map that drops what was used longest ago, once it holds enough. */
import { LRUCache } from 'lru-cache'

export type RecentMap<Key extends {}, Value extends {}> = Pick<
  LRUCache<Key, Value>,
  'get' | 'set' | 'delete' | 'clear'
> & {
  /** What it holds, or else what is made now and held from here on. */
  getOrMake(key: Key, make: () => Value): Value
}

/** in: most: the greatest total of weights (default: values); a heavier one is kept alone */
export function recentMap<Key extends {}, Value extends {}>(
  most: number,
  weigh?: (value: Value) => number,
): RecentMap<Key, Value> {
  const held = new LRUCache<Key, Value>({
    // With `max` it would allocate for all of them at once.
    maxSize: most,
    // A weight below 1 is an error to it, and a value above `maxSize` is not held at all.
    sizeCalculation: (value) => Math.min(Math.max(weigh?.(value) ?? 1, 1), most),
  })
  return Object.assign(held, {
    getOrMake(key: Key, make: () => Value): Value {
      const known = held.get(key)
      if (known !== undefined) return known
      const made = make()
      held.set(key, made)
      return made
    },
  })
}
