/** Who signed in on this browser before, for the sign-in page. Names and ids only, kept in this browser. */
export type RememberedPerson = { agentId: string; id: string; name: string }

const KEY = 'convene_here_before'
const KEPT = 4

const isVisitor = (value: unknown): value is RememberedPerson =>
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
    return Array.isArray(kept) ? kept.filter(isVisitor).slice(0, KEPT) : []
  } catch {
    return []
  }
}

export function rememberPerson(visitor: RememberedPerson): void {
  const others = rememberedPeople().filter((one) => one.agentId !== visitor.agentId)
  try {
    localStorage.setItem(KEY, JSON.stringify([visitor, ...others].slice(0, KEPT)))
  } catch {
    // A browser that forbids storage asks for the id each time.
  }
}
