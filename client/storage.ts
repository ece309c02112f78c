export type RawStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/** What `run` gives; `otherwise` where storage is forbidden, broken or full. */
export function withStorage<T>(storage: RawStorage | null, run: (storage: RawStorage) => T, otherwise: T): T {
  try {
    return storage === null ? otherwise : run(storage)
  } catch {
    return otherwise
  }
}

/** Null where it is forbidden. */
const allowed = (open: () => RawStorage): RawStorage | null => {
  try {
    return open()
  } catch {
    return null
  }
}
/** Local storage; null where it is forbidden. */
export const browserStorage = (): RawStorage | null => allowed(() => window.localStorage)

const prefixOf = (area: string, member: string): string => `convene.${area}.${member}.`

/** Call `changed` when another tab changes a key, until the returned function is called. */
export function watchStorage(area: string, member: string, changed: (key: string) => void): () => void {
  const prefix = prefixOf(area, member)
  const hear = ({ key }: StorageEvent): void => {
    if (key?.startsWith(prefix)) changed(key.slice(prefix.length))
  }
  window.addEventListener('storage', hear)
  return () => window.removeEventListener('storage', hear)
}

/** The keys under `convene.<area>.<member>.`; a failing storage reads as empty. */
export function namespacedStorage(storage: RawStorage | null, area: string, member: string) {
  const prefix = prefixOf(area, member)
  const attempt = <T>(run: (store: RawStorage) => T, otherwise: T): T => withStorage(storage, run, otherwise)
  return {
    read: (key: string): unknown =>
      attempt((store) => {
        const text = store.getItem(prefix + key)
        return text === null ? null : (JSON.parse(text) as unknown)
      }, null),
    write: (key: string, value: unknown): boolean =>
      attempt((store) => {
        store.setItem(prefix + key, JSON.stringify(value))
        return true
      }, false),
    remove: (key: string): void => attempt((store) => store.removeItem(prefix + key), undefined),
    keys: (): string[] =>
      attempt((store) => {
        const all = Array.from({ length: store.length }, (_, index) => store.key(index) ?? '')
        return all.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length))
      }, []),
  }
}

export type NamespacedStorage = ReturnType<typeof namespacedStorage>

const ofThisTab = (): RawStorage | null => allowed(() => window.sessionStorage)

/** A value that this tab keeps over a reload; a failing storage reads as null and keeps nothing. */
export const tabStorage = (key: string) => ({
  read: (): unknown =>
    withStorage(ofThisTab(), (storage) => JSON.parse(storage.getItem(key) ?? 'null') as unknown, null),
  write: (value: unknown): void =>
    withStorage(ofThisTab(), (storage) => storage.setItem(key, JSON.stringify(value)), undefined),
})
