/** What local storage knows of people: who signed in before, for the sign-in page, and whose view cache there is. */
import { fieldsIn, jsonValueOf } from '@/lib/json'
import type { Json } from '@/lib/mas/records'

export type RememberedPerson = { agentId: string; id: string; name: string }

const KEY = 'convene_here_before'
const MOST_PEOPLE = 4

function personIn(value: Json): RememberedPerson[] {
  const { agentId, id, name } = fieldsIn(value)
  const isWhole = typeof agentId === 'string' && typeof id === 'string' && typeof name === 'string'
  return isWhole ? [{ agentId, id, name }] : []
}

/** Newest first. */
export function rememberedPeople(): RememberedPerson[] {
  try {
    const kept = jsonValueOf(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.flatMap(personIn).slice(0, MOST_PEOPLE) : []
  } catch {
    return []
  }
}

export function rememberPerson(person: RememberedPerson): void {
  const others = rememberedPeople().filter((one) => one.agentId !== person.agentId)
  try {
    localStorage.setItem(KEY, JSON.stringify([person, ...others].slice(0, MOST_PEOPLE)))
  } catch {
    // A browser that forbids storage asks for the id each time.
  }
}

const VIEW_CACHE_KEY = 'convene_known_of'

/** The person whose view cache this browser has: set while they are signed in. */
export function viewCacheOwner(): string | null {
  try {
    return localStorage.getItem(VIEW_CACHE_KEY)
  } catch {
    return null
  }
}

/** null: no cache may be shown. */
export function setViewCacheOwner(person: string | null): void {
  try {
    if (person === null) localStorage.removeItem(VIEW_CACHE_KEY)
    else localStorage.setItem(VIEW_CACHE_KEY, person)
  } catch {
    // A browser that forbids storage has no view cache either.
  }
}
