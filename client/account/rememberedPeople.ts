/** People who signed in on this browser before, for the sign-in page: names and ids, in local storage. */
export type RememberedPerson = { agentId: string; id: string; name: string }

const KEY = 'convene_here_before'
const MOST_PEOPLE = 4

const isRememberedPerson = (value: unknown): value is RememberedPerson =>
  typeof value === 'object' &&
  value !== null &&
  'agentId' in value &&
  typeof value.agentId === 'string' &&
  'id' in value &&
  typeof value.id === 'string' &&
  'name' in value &&
  typeof value.name === 'string'

/** Newest first. */
export function rememberedPeople(): RememberedPerson[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isRememberedPerson).slice(0, MOST_PEOPLE) : []
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
