/**
 * Offline view cache: saved while the page is used, shown when it opens while the server is unreachable, cleared at sign-out.
 * Loaded lazily, and cached by the service worker with the page's other files.
 */

import { clear, createStore, del, get, set } from 'idb-keyval'
import { setViewCacheOwner, viewCacheOwner } from '@/client/account/rememberedPeople'
import { getPageClient } from '@/client/pageClient'
import type { Me } from '@/lib/wire'
import { openViewCache, readViewCache, type ViewCacheStore, type ViewCacheWriter } from './viewCacheCore'

const DATABASE = 'convene_known'
const TEXTS = 'texts'
const BUILD = process.env.CONVENE_BUILD ?? 'none'
const FIRST_SAVE_MS = 1_000
const SAVE_EVERY_MS = 10_000
/** The files of the page are cached when it has been open for a while. */
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

let stopSaving: (() => void) | null = null

/** Save what this person sees until the returned function is called. */
export function startViewCache(me: Me): () => void {
  stopSaving?.()
  const { agent_id: person } = me.person
  let isStopped = false
  let isSaving = false
  let writer: ViewCacheWriter | null = null
  const save = async (): Promise<void> => {
    const { lastBeatAt, seq } = getPageClient().socket.connection.getState()
    if (isStopped || isSaving || lastBeatAt === null || viewCacheOwner() !== person) return
    isSaving = true
    try {
      writer ??= await openViewCache(store, BUILD, person)
      if (!isStopped) await writer.save(getPageClient().views.states(), me, { at: lastBeatAt, seq })
    } catch {
      // Full or forbidden: there is no cache then.
    } finally {
      isSaving = false
      // Cleared while it was being saved.
      if (isStopped && viewCacheOwner() !== person) await store.clear().catch(() => undefined)
    }
  }
  const saveNow = (): void => void save()
  const shell = setInterval(() => {
    // Offline, registering the worker fails.
    if (getPageClient().socket.connection.getState().word !== 'live') return
    clearInterval(shell)
    requestShellCache()
  }, SHELL_AFTER_MS)
  const first = setTimeout(saveNow, FIRST_SAVE_MS)
  const every = setInterval(saveNow, SAVE_EVERY_MS)
  window.addEventListener('pagehide', saveNow)
  document.addEventListener('visibilitychange', saveNow)
  stopSaving = () => {
    isStopped = true
    clearTimeout(first)
    for (const timer of [every, shell]) clearInterval(timer)
    window.removeEventListener('pagehide', saveNow)
    document.removeEventListener('visibilitychange', saveNow)
  }
  return stopSaving
}

export async function clearViewCache(): Promise<void> {
  setViewCacheOwner(null)
  stopSaving?.()
  await store.clear().catch(() => undefined)
}

/** Show the cached views of the person who was signed in last. out: that person; null: nothing is cached. */
export async function restoreViewCache(): Promise<Me | null> {
  const person = viewCacheOwner()
  if (person === null) return null
  const cached = await readViewCache(store, BUILD, person, Date.now()).catch(() => null)
  if (cached === null) return null
  const { socket, views } = getPageClient()
  for (const { view, whole } of cached.views) views.restore(view, whole)
  socket.showCached(cached.asOf)
  return cached.me
}

/** Have the service worker cache the page and its files; it retries what failed. */
function requestShellCache(): void {
  if (process.env.NODE_ENV !== 'production' || !window.isSecureContext || !('serviceWorker' in navigator)) return
  navigator.serviceWorker
    .register('/service-worker.js', { scope: '/', updateViaCache: 'none' })
    .then(() => navigator.serviceWorker.ready)
    .then(({ active }) => active?.postMessage({ kind: 'keep-shell' }))
    .catch(() => undefined)
}
