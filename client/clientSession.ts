import type { AgentId } from '@/lib/mas/ids'
import type { CommandAnswer, DraftAnswer, DraftList } from '@/lib/wire/http'
import { call, commandDeadline, newId } from './api'
import { pageClock } from './clock'
import { createDrafts, type Drafts } from './drafts/draftsCore'
import { createOutbox, type Outbox } from './outbox/outboxCore'
import { browserStorage, namespacedStorage, watchStorage } from './storage'

type ClientSession = { person: AgentId; outbox: Outbox; drafts: Drafts }

let clientSession: ClientSession | null = null

let stopWatchingStorage: (() => void) | null = null

export const getClientSession = (): ClientSession | null => clientSession

/** One tab at a time where the browser has locks; elsewhere the command ids keep each message single. */
const withTabLock =
  (name: string) =>
  (run: () => Promise<void>): Promise<void> =>
    'locks' in navigator ? navigator.locks.request(name, run) : run()

const setCancellableTimeout = (run: () => void, ms: number): (() => void) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/** Set the signed-in person. out: compared with the one before. */
export function setClientSession(person: AgentId, isConnected: () => boolean): 'same' | 'first' | 'other' {
  if (clientSession?.person === person) return 'same'
  const change = clientSession === null ? 'first' : 'other'
  const storage = browserStorage()
  const path = (key: string): string => `/api/drafts/${encodeURIComponent(key)}`
  const outbox = createOutbox({
    storage: namespacedStorage(storage, 'outbox', person),
    post: (body) => call<CommandAnswer>('POST', '/api/messages', body),
    newId,
    until: commandDeadline,
    now: pageClock.now,
    isConnected,
    withTabLock: withTabLock(`convene.outbox.${person}`),
    later: setCancellableTimeout,
  })
  const drafts = createDrafts({
    storage: namespacedStorage(storage, 'draft', person),
    get: (key) => call<DraftAnswer>('GET', path(key)),
    put: (key, body) => call<DraftAnswer>('PUT', path(key), body),
    list: () => call<DraftList>('GET', '/api/drafts'),
    later: setCancellableTimeout,
    now: pageClock.now,
  })
  stopWatchingStorage?.()
  stopWatchingStorage = watchStorage('draft', person, drafts.storageChanged)
  clientSession = { person, outbox, drafts }
  return change
}

export function resumeQueues(): void {
  void clientSession?.outbox.pump()
  clientSession?.drafts.flush()
}
