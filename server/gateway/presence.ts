/** Presence of people, combined from the reports of their pages. In memory only. */
import type { AgentId } from '@/lib/mas/ids'
import type { PresenceState, Quiet } from '@/lib/wire/views'
import type { People } from '@/server/store'
import { readSettings, SETTINGS_KEY } from './routes/session'

/** What one page reports of its person. */
type PageSays = { isActive: boolean; quiet: Quiet | null }

type PresenceParts = {
  /** Called when the presence of a person changes. */
  changed: (person: AgentId, presence: PresenceState) => void
  later: (run: () => void, ms: number) => void
}

type PresenceBook = {
  says: (page: object, person: AgentId, said: PageSays) => void
  gone: (page: object, person: AgentId) => void
  /** Set do-not-disturb of a person without a page, from their settings. */
  restOf: (person: AgentId, quiet: Quiet | null) => void
  /** Everyone whose presence is known. */
  all: () => [AgentId, PresenceState][]
}

/** A page that is reloaded is connected again within this. */
export const LEAVE_MS = 5_000

const NOBODY: PresenceState = { state: 'offline', quiet: null }

/** Who is online, from the reports of their pages; kept in memory only. */
export function createPresence(parts: PresenceParts): PresenceBook {
  /** The last report of each page. */
  const pages = new Map<AgentId, Map<object, PageSays>>()
  const quiets = new Map<AgentId, Quiet | null>()
  const told = new Map<AgentId, PresenceState>()

  const of = (person: AgentId): PresenceState => {
    const said = [...(pages.get(person)?.values() ?? [])]
    const state = said.length === 0 ? 'offline' : said.some(({ isActive }) => isActive) ? 'online' : 'away'
    return { state, quiet: quiets.get(person) ?? null }
  }
  const look = (person: AgentId): void => {
    const [before, now] = [told.get(person) ?? NOBODY, of(person)]
    if (before.state === now.state && isSameQuiet(before.quiet, now.quiet)) return
    told.set(person, now)
    parts.changed(person, now)
  }

  return {
    says: (page, person, said) => {
      const mine = pages.get(person) ?? new Map<object, PageSays>()
      mine.delete(page)
      mine.set(page, said)
      pages.set(person, mine)
      quiets.set(person, said.quiet)
      look(person)
    },
    gone: (page, person) => {
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
    restOf: (person, quiet) => {
      if (pages.get(person)?.size) return
      quiets.set(person, quiet)
      look(person)
    },
    all: () => [...told].filter(([, { state, quiet }]) => state !== 'offline' || quiet !== null),
  }
}

/** Do-not-disturb that the person switched on and that is still valid; daily hours are known to their pages only. */
export async function quietKept(people: Pick<People, 'get'>, person: AgentId, now: number): Promise<Quiet | null> {
  const rest = readSettings((await people.get(person, SETTINGS_KEY))?.value).rest
  return rest?.isOn && (rest.until === null || rest.until > now) ? { until: rest.until } : null
}

const isSameQuiet = (a: Quiet | null, b: Quiet | null): boolean =>
  a === b || (a !== null && b !== null && a.until === b.until)
