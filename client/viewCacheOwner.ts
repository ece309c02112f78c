/** Whose view cache this browser has: set while they are signed in. A file of its own, since viewCache.ts is loaded lazily. */
const KEY = 'convene_known_of'

export function viewCacheOwner(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

/** null: no cache may be shown. */
export function setViewCacheOwner(person: string | null): void {
  try {
    if (person === null) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, person)
  } catch {
    // A browser that forbids storage has no view cache either.
  }
}
