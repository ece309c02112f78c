/** Whose page this is: the outbox and drafts of the member who is signed in, and of nobody else. */

import type { AgentId } from '@/lib/mas/ids'
import type { CommandAnswer, DraftAnswer, DraftList } from '@/lib/wire/http'
import { call, newId, untilNow } from './api'
import { pageClock } from './clock'
import { createDrafts, type Drafts } from './draftsCore'
import { createOutbox, type Outbox } from './outboxCore'
import { browserStorage, namespacedStorage, watchStorage } from './storage'

export type ClientSession = { person: AgentId; outbox: Outbox; drafts: Drafts }

let member: ClientSession | null = null

/** Of the one before. */
let letGo: (() => void) | null = null

export const getClientSession = (): ClientSession | null => member

/** One tab at a time, where the browser can say so; else the server's ids still keep each message single. */
const alone =
  (name: string) =>
  (run: () => Promise<void>): Promise<void> =>
    'locks' in navigator ? navigator.locks.request(name, run) : run()

const after = (run: () => void, ms: number): (() => void) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/**
 * This member is signed in.
 *
 * in      isLineUp: whether anything can be sent now
 * out     how that differs from before
 */
export function setClientSession(person: AgentId, isLineUp: () => boolean): 'same' | 'first' | 'other' {
  if (member?.person === person) return 'same'
  const came = member === null ? 'first' : 'other'
  const storage = browserStorage()
  const path = (key: string): string => `/api/drafts/${encodeURIComponent(key)}`
  const outbox = createOutbox({
    keep: namespacedStorage(storage, 'outbox', person),
    post: (body) => call<CommandAnswer>('POST', '/api/messages', body),
    newId,
    until: untilNow,
    now: pageClock.now,
    isUp: isLineUp,
    alone: alone(`convene.outbox.${person}`),
    later: after,
  })
  const drafts = createDrafts({
    keep: namespacedStorage(storage, 'draft', person),
    get: (key) => call<DraftAnswer>('GET', path(key)),
    put: (key, body) => call<DraftAnswer>('PUT', path(key), body),
    list: () => call<DraftList>('GET', '/api/drafts'),
    later: after,
    now: pageClock.now,
  })
  letGo?.()
  letGo = watchStorage('draft', person, drafts.keptElsewhere)
  member = { person, outbox, drafts }
  return came
}

/** The line is back: send and save what waits. */
export function resumeQueues(): void {
  void member?.outbox.pump()
  member?.drafts.flush()
}
