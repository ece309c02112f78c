/**
 * The cache of answers of the server that no view holds, and what makes an answer old.
 *
 * An answer is fetched again when a part that shows it is opened, after a call that changes its list, after a frame of a view
 * that tells of it, and, where the server gave no answer, with the next connection.
 */
import { QueryClient, type QueryKey } from '@tanstack/react-query'
import { type ParsedView, parseView, type View } from '@/lib/wire/views'
import type { CallRefused } from '../api'
import { getClientSession } from '../clientSession'
import { createPacer } from '../paced'

/** Errors of queries are refusals, as values of `call`. */
declare module '@tanstack/react-query' {
  interface Register {
    defaultError: CallRefused
  }
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The page knows by its socket whether the server is there; it may be, where the browser has no internet.
      networkMode: 'always',
      refetchOnWindowFocus: false,
      // A refusal is final; what got no answer is fetched again with the next connection.
      retry: false,
    },
  },
})

/** `/api/tasks/archived?after=3` of Ana: [Ana, 'tasks', 'archived', 'after=3']. The beginning of a path names all that is below. */
export const queryKeyOf = (person: string | null, path: string): QueryKey => [
  person,
  ...path.replace('/api/', '').split(/[/?]/),
]

/** Fetched again: at once where they are shown, else when they are shown next. in: paths, or beginnings of them */
export function invalidate(...paths: readonly string[]): void {
  const person = getClientSession()?.person ?? null
  for (const path of paths) void queryClient.invalidateQueries({ queryKey: queryKeyOf(person, path) })
}

/** The lists that a call may change, by what it is sent to. */
const LISTS_OF_CALL: Readonly<Record<string, readonly string[]>> = {
  archives: ['/api/archives'],
  by_hand: ['/api/by_hand'],
  directory: ['/api/directory'],
  me: ['/api/me'],
  people: ['/api/people', '/api/setup'],
  schedules: ['/api/schedules'],
  setup: ['/api/setup', '/api/people', '/api/tools', '/api/budgets', '/api/system'],
  tasks: ['/api/tasks'],
  team: ['/api/setup', '/api/templates'],
  templates: ['/api/templates'],
  work: ['/api/schedules'],
}

/** A call that may change something was answered, refused, or lost: also a refusal may say that somebody else was first. */
export function noteCall(path: string): void {
  const [, , resource = ''] = path.split('/')
  invalidate(...(LISTS_OF_CALL[resource] ?? []))
}

/** The lists that the rows of a view tell of: work ends there and is archived, a schedule begins it, another system takes part. */
const LISTS_OF_VIEW: Partial<Record<ParsedView['kind'], readonly string[]>> = {
  agents: ['/api/directory'],
  overview: ['/api/directory', '/api/schedules', '/api/tasks/archived'],
}
/** Most changes of rows concern no list. */
const VIEWS_EVERY_MS = 10_000

const told = new Set<string>()
const pacer = createPacer(VIEWS_EVERY_MS, () => {
  invalidate(...told)
  told.clear()
})

/** Rows of a view have changed. */
export function noteView(view: View): void {
  const kind = parseView(view)?.kind
  const lists = (kind && LISTS_OF_VIEW[kind]) ?? []
  for (const list of lists) told.add(list)
  if (lists.length > 0) pacer.put(null)
}

/** The server is there again. */
export const retryUnanswered = (): void =>
  void queryClient.invalidateQueries({ predicate: ({ state }) => state.error !== null && isUnanswered(state.error) })

/** The server refused nothing: it did not answer, or could not. */
export const isUnanswered = (fault: CallRefused): boolean => fault.status_code < 400 || fault.status_code >= 500
