/**
 * What is known, for when the server is away: saved while the page is used, shown when it opens without an answer, forgotten at
 * sign-out. Fetched late, and kept with the page's own files, so it is there without a line.
 */

import { clear, createStore, del, get, set } from 'idb-keyval'
import type { Me } from '@/lib/wire'
import { getPageClient } from './pageClient'
import { openViewCache, readViewCache, type ViewCacheStore, type ViewCacheWriter } from './viewCacheCore'
import { setViewCacheOwner, viewCacheOwner } from './viewCacheOwner'

const DATABASE = 'convene_known'
const TEXTS = 'texts'
const BUILD = process.env.CONVENE_BUILD ?? 'none'
const FIRST_SAVE_MS = 1_000
const SAVE_EVERY_MS = 10_000
/** The files of the shell are fetched when the page has long been at rest. */
const SHELL_AFTER_MS = 10_000

const database = createStore(DATABASE, TEXTS)

const store: ViewCacheStore = {
  get: async (key) => {
    const found: unknown = await get(key, database)
    return typeof found === 'string' ? found : null
  },
  put: (key, text) => set(key, text, database),
  remove: (key) => del(key, database),
  clear: () => clear(database),
}

let stopKeeping: (() => void) | null = null

/** Keep what this member sees, until the returned function is called. A browser that forbids it keeps nothing. */
export function startViewCache(me: Me): () => void {
  stopKeeping?.()
  const { agent_id: person } = me.person
  let isOver = false
  let isSaving = false
  let keeper: ViewCacheWriter | null = null
  const save = async (): Promise<void> => {
    const { lastBeatAt, seq } = getPageClient().socket.connection.getState()
    if (isOver || isSaving || lastBeatAt === null || viewCacheOwner() !== person) return
    isSaving = true
    try {
      keeper ??= await openViewCache(store, BUILD, person)
      if (!isOver) await keeper.save(getPageClient().views.states(), me, { at: lastBeatAt, seq })
    } catch {
      // Full or forbidden: the page works as it did, with a line.
    } finally {
      isSaving = false
      // Forgotten meanwhile.
      if (isOver && viewCacheOwner() !== person) await store.clear().catch(() => undefined)
    }
  }
  const now = (): void => void save()
  const shell = setInterval(() => {
    // Without a line the browser would only say that there is none.
    if (getPageClient().socket.connection.getState().word !== 'live') return
    clearInterval(shell)
    askForShell()
  }, SHELL_AFTER_MS)
  const first = setTimeout(now, FIRST_SAVE_MS)
  const every = setInterval(now, SAVE_EVERY_MS)
  window.addEventListener('pagehide', now)
  document.addEventListener('visibilitychange', now)
  stopKeeping = () => {
    isOver = true
    clearTimeout(first)
    for (const timer of [every, shell]) clearInterval(timer)
    window.removeEventListener('pagehide', now)
    document.removeEventListener('visibilitychange', now)
  }
  return stopKeeping
}

/** Nothing of it stays in this browser. */
export async function clearViewCache(): Promise<void> {
  setViewCacheOwner(null)
  stopKeeping?.()
  await store.clear().catch(() => undefined)
}

/** Show what is known of whoever was signed in last. out: who that is; null: nothing is known. */
export async function restoreViewCache(): Promise<Me | null> {
  const person = viewCacheOwner()
  if (person === null) return null
  const known = await readViewCache(store, BUILD, person, Date.now()).catch(() => null)
  if (known === null) return null
  const { socket, views } = getPageClient()
  for (const { view, whole } of known.views) views.recall(view, whole)
  socket.recall(known.asOf)
  return known.me
}

/** The worker keeps the page and its files; one that could not keep them all tries again. */
function askForShell(): void {
  if (process.env.NODE_ENV !== 'production' || !window.isSecureContext || !('serviceWorker' in navigator)) return
  navigator.serviceWorker
    .register('/service-worker.js', { scope: '/', updateViaCache: 'none' })
    .then(() => navigator.serviceWorker.ready)
    .then(({ active }) => active?.postMessage({ kind: 'keep-shell' }))
    .catch(() => undefined)
}
