/**
 * Whose knowledge this browser keeps for when the server is away: written while they are signed in, taken away at once
 * when not.
 *
 * It is apart because it has to be there before that file is.
 */
const KEY = 'convene_known_of'

export function viewCacheOwner(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

/** null: nobody's may be shown any more. */
export function setViewCacheOwner(person: string | null): void {
  try {
    if (person === null) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, person)
  } catch {
    // A browser that forbids storage keeps nothing to show either.
  }
}
