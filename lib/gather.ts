/** Put items under their keys; an item may have several, or none. Order within a key is the items' own. */
export function gather<Key, Item>(
  items: Iterable<Item>,
  keysOf: (item: Item) => readonly Key[],
): ReadonlyMap<Key, Item[]> {
  const found = new Map<Key, Item[]>()
  for (const item of items) {
    for (const key of keysOf(item)) {
      const list = found.get(key)
      if (list) list.push(item)
      else found.set(key, [item])
    }
  }
  return found
}
