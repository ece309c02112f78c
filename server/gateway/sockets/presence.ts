/** Presence of people, combined from the reports of their pages. In memory only. */
import type { AgentId } from '@/lib/mas/ids'
import type { PresenceState, Quiet } from '@/lib/wire/views'
import type { People } from '@/server/store'
import { readSettings, SETTINGS_KEY } from '../routes/account/session'

/** What one page reports of its person. */
type PageSays = { isActive: boolean; quiet: Quiet | null }

type PresenceParts = {
  changed: (person: AgentId, presence: PresenceState) => void
  /** Called when the combined report of the pages of this node changes; null: no pages. For the other nodes. */
  changedHere?: (person: AgentId, said: PageSays | null) => void
  later: (run: () => void, ms: number) => void
}

/** A page that is reloaded is connected again within this. */
export const LEAVE_MS = 5_000

const NOBODY: PresenceState = { state: 'offline', quiet: null }

/** Who is online, from the reports of their pages; kept in memory only. */
export function createPresence(parts: PresenceParts) {
  /** The last report of each page. */
  const pages = new Map<AgentId, Map<object, PageSays>>()
  const quiets = new Map<AgentId, Quiet | null>()
  const told = new Map<AgentId, PresenceState>()
  /** Reports of other nodes. */
  const nodes = new Map<string, Map<AgentId, PageSays>>()
  const toldHere = new Map<AgentId, PageSays>()

  const of = (person: AgentId): PresenceState => {
    const elsewhere = [...nodes.values()].flatMap((said) => said.get(person) ?? [])
    const said = [...(pages.get(person)?.values() ?? []), ...elsewhere]
    const state = said.length === 0 ? 'offline' : said.some(({ isActive }) => isActive) ? 'online' : 'away'
    return { state, quiet: quiets.get(person) ?? null }
  }
  const lookHere = (person: AgentId): void => {
    const said = [...(pages.get(person)?.values() ?? [])]
    const before = toldHere.get(person)
    // From the newest report of this node; using another node's would make the two echo each other.
    const quiet = said.at(-1)?.quiet ?? null
    const now = said.length === 0 ? null : { isActive: said.some(({ isActive }) => isActive), quiet }
    if (now === null ? !before : before?.isActive === now.isActive && isSameQuiet(before.quiet, quiet)) return
    if (now === null) toldHere.delete(person)
    else toldHere.set(person, now)
    parts.changedHere?.(person, now)
  }
  const look = (person: AgentId): void => {
    lookHere(person)
    const [before, now] = [told.get(person) ?? NOBODY, of(person)]
    if (before.state === now.state && isSameQuiet(before.quiet, now.quiet)) return
    told.set(person, now)
    parts.changed(person, now)
  }

  return {
    says: (page: object, person: AgentId, said: PageSays): void => {
      const mine = pages.get(person) ?? new Map<object, PageSays>()
      mine.delete(page)
      mine.set(page, said)
      pages.set(person, mine)
      quiets.set(person, said.quiet)
      look(person)
    },
    gone: (page: object, person: AgentId): void => {
      const mine = pages.get(person)
      if (!mine?.has(page)) return
      if (mine.size > 1) {
        mine.delete(page)
        look(person)
        return
      }
      parts.later(() => {
        mine.delete(page)
        look(person)
      }, LEAVE_MS)
    },
    /** Set do-not-disturb of a person without a page, from their settings. */
    restOf: (person: AgentId, quiet: Quiet | null): void => {
      if (pages.get(person)?.size) return
      quiets.set(person, quiet)
      look(person)
    },
    /** The combined report of another node's pages. */
    saysNode: (node: string, person: AgentId, said: PageSays | null): void => {
      const theirs = nodes.get(node) ?? new Map<AgentId, PageSays>()
      nodes.set(node, theirs)
      if (said === null) theirs.delete(person)
      else {
        theirs.set(person, said)
        quiets.set(person, said.quiet)
      }
      look(person)
    },
    /** A node is unreachable; null: all are. It may come back soon, like a page. */
    nodeGone: (node: string | null): void => {
      for (const [name, theirs] of nodes) {
        if (node !== null && name !== node) continue
        const before = [...theirs]
        parts.later(() => {
          for (const [person, said] of before) {
            // A newer report has arrived.
            if (theirs.get(person) !== said) continue
            theirs.delete(person)
            look(person)
          }
        }, LEAVE_MS)
      }
    },
    /** The combined reports of the pages here, by person. */
    here: (): [AgentId, PageSays][] => [...toldHere],
    /** Everyone whose presence is known. */
    all: (): [AgentId, PresenceState][] =>
      [...told].filter(([, { state, quiet }]) => state !== 'offline' || quiet !== null),
  }
}

export type PresenceBook = ReturnType<typeof createPresence>

/** Do-not-disturb that the person switched on and that is still valid; daily hours are known to their pages only. */
export async function quietKept(people: Pick<People, 'get'>, person: AgentId, now: number): Promise<Quiet | null> {
  const rest = readSettings((await people.get(person, SETTINGS_KEY))?.value).rest
  return rest?.isOn && (rest.until === null || rest.until > now) ? { until: rest.until } : null
}

const isSameQuiet = (a: Quiet | null, b: Quiet | null): boolean =>
  a === b || (a !== null && b !== null && a.until === b.until)
