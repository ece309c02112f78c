/** What local storage knows of people: who signed in before, for the sign-in page, and whose view cache there is. */
import { fieldsIn, jsonValueOf } from '@/lib/json'
import type { Json } from '@/lib/mas/records'
import { browserStorage, withStorage } from '../storage'

export type RememberedPerson = { agentId: string; id: string; name: string }

const PEOPLE_KEY = 'convene_here_before'
const VIEW_CACHE_KEY = 'convene_known_of'
const MOST_PEOPLE = 4

const read = (key: string): string | null => withStorage(browserStorage(), (storage) => storage.getItem(key), null)

/** null: removed. A browser that forbids storage remembers nobody. */
const write = (key: string, text: string | null): void =>
  withStorage(
    browserStorage(),
    (storage) => (text === null ? storage.removeItem(key) : storage.setItem(key, text)),
    undefined,
  )

function personIn(value: Json): RememberedPerson[] {
  const { agentId, id, name } = fieldsIn(value)
  const isWhole = typeof agentId === 'string' && typeof id === 'string' && typeof name === 'string'
  return isWhole ? [{ agentId, id, name }] : []
}

/** Newest first. */
export function rememberedPeople(): RememberedPerson[] {
  const kept = jsonValueOf(read(PEOPLE_KEY) ?? '')
  return Array.isArray(kept) ? kept.flatMap(personIn).slice(0, MOST_PEOPLE) : []
}

export function rememberPerson(person: RememberedPerson): void {
  const others = rememberedPeople().filter((one) => one.agentId !== person.agentId)
  write(PEOPLE_KEY, JSON.stringify([person, ...others].slice(0, MOST_PEOPLE)))
}

/** The person whose view cache this browser has: set while they are signed in. */
export const viewCacheOwner = (): string | null => read(VIEW_CACHE_KEY)

/** null: no cache may be shown. */
export const setViewCacheOwner = (person: string | null): void => write(VIEW_CACHE_KEY, person)
