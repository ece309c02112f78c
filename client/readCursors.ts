/** Read cursors: how far this person has read at a place, synchronised over all of their pages. */
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { PutRead, ReadCursor } from '@/lib/wire/http'
import { type ApiResult, call } from './api'
import { canSend } from './connection'
import { getPageClient } from './pageClient'
import { useApiQuery } from './queries'

const SEND_AFTER_MS = 2_000

/** undefined: not fetched yet; null: never read. */
const cursors = createStore<Record<string, number | null>>()(() => ({}))
const pathOf = (place: string): string => `/api/read/${encodeURIComponent(place)}`

/** The last entry that was read. out: undefined: not fetched yet; null: never read */
export function useReadCursor(place: string): number | null | undefined {
  const isConnected = useStore(getPageClient().socket.connection, ({ word }) => canSend(word))
  // Fetched each time the place is opened, and with each new connection: another page may have read on before it.
  const { isFetching } = useApiQuery(isConnected ? pathOf(place) : null, { ask: () => fetchCursor(place), dropMs: 0 })
  const cursor = useStore(cursors, (all) => all[place])
  const received = useStore(getPageClient().live.reads, (all) => all[place])
  useEffect(() => {
    // Joins the notes of this person's other pages.
    if (received !== undefined) cursors.setState({ [place]: received })
  }, [place, received])
  return isConnected && isFetching ? undefined : cursor
}

async function fetchCursor(place: string): Promise<ApiResult<ReadCursor>> {
  const before = cursors.getState()[place]
  const answer = await call<ReadCursor>('GET', pathOf(place))
  // What came meanwhile, such as the note of another page, is newer than the answer.
  if (answer.ok && cursors.getState()[place] === before) cursors.setState({ [place]: answer.value.seq })
  return answer
}

const waiting = new Map<string, number>()
let timer: ReturnType<typeof setTimeout> | null = null

function flush(): void {
  if (timer !== null) clearTimeout(timer)
  timer = null
  const unsent = [...waiting]
  waiting.clear()
  for (const [place, seq] of unsent) void put(place, { seq })
}

async function put(place: string, body: PutRead): Promise<void> {
  // The page may close at any time, also while this is on its way.
  const answer = await call<ReadCursor>('PUT', pathOf(place), body, { keepalive: true })
  if (answer.ok) cursors.setState({ [place]: answer.value.seq })
}

/** Mark as read up to this entry; sent after a short delay, or when the page closes. */
export function sendRead(place: string, seq: number): void {
  const known = Math.max(cursors.getState()[place] ?? -1, waiting.get(place) ?? -1)
  if (seq <= known) return
  waiting.set(place, seq)
  timer ??= setTimeout(flush, SEND_AFTER_MS)
  window.addEventListener('pagehide', flush)
}

export function sendUnread(place: string, seq: number): void {
  waiting.delete(place)
  cursors.setState({ [place]: seq })
  void put(place, { seq, isBack: true })
}
