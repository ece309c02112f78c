/** The views that one person saw last, as texts in a store. Those of another person are removed before anything is saved. */
import { isJsonObject, jsonValueOf } from '@/lib/json'
import type { Me } from '@/lib/wire'
import { parseView, type Reset, type View } from '@/lib/wire/views'
import type { ViewState } from './viewState'
import { readReset } from './wireShapes'

/** Texts by key; each call may fail. */
export type ViewCacheStore = {
  get: (key: string) => Promise<string | null>
  put: (key: string, text: string) => Promise<void>
  remove: (key: string) => Promise<void>
  clear: () => Promise<void>
}

/** at: time of the last beat, epoch ms; seq: the server's last entry then. */
type AsOf = { at: number; seq: number }
type CachedViews = { me: Me; asOf: AsOf; views: readonly { view: View; whole: Reset }[] }

/** What is cached, of whom and by which build: another build may read records differently. `views`: when each last changed. */
type Index = { person: string; build: string; me: Me; asOf: AsOf; views: Record<string, number> }

const INDEX = 'index'
const MOST_VIEWS = 24
/** A longer view is not cached: serialising it would block the page. */
const MOST_CHARACTERS = 1_000_000
/** As long as a session lasts. */
const TTL_MS = 14 * 24 * 60 * 60_000

/** Written by the same build, so its parts are not checked further. */
const isIndex = (value: unknown, build: string): value is Index =>
  isJsonObject(value) &&
  value.build === build &&
  isJsonObject(value.me) &&
  isJsonObject(value.asOf) &&
  isJsonObject(value.views)

export type ViewCacheWriter = {
  /** Save what changed since the last call. */
  save: (states: readonly ViewState[], me: Me, asOf: AsOf) => Promise<void>
}

export async function openViewCache(store: ViewCacheStore, build: string, person: string): Promise<ViewCacheWriter> {
  const before = jsonValueOf((await store.get(INDEX)) ?? '')
  const isMine = isIndex(before, build) && before.person === person
  if (!isMine) await store.clear()
  const views: Record<string, number> = isMine ? { ...before.views } : {}
  const saved = new Map<View, ViewState>()

  const drop = async (view: string): Promise<void> => {
    delete views[view]
    await store.remove(view)
  }
  return {
    save: async (states, me, asOf) => {
      for (const state of states) {
        if (saved.get(state.view) === state) continue
        saved.set(state.view, state)
        const text = state.status === 'open' ? textOf(state) : null
        if (text !== null && text.length <= MOST_CHARACTERS) {
          views[state.view] = asOf.at
          await store.put(state.view, text)
        } else if (state.status === 'closed' || text !== null) await drop(state.view)
      }
      const oldest = Object.entries(views).sort(([, one], [, other]) => one - other)
      for (const [view] of oldest.slice(0, Math.max(0, oldest.length - MOST_VIEWS))) await drop(view)
      await store.put(INDEX, JSON.stringify({ person, build, me, asOf, views } satisfies Index))
    },
  }
}

/** The view as the server would send it whole. */
function textOf({ content, gen, have, cursor }: ViewState): string | null {
  if (content === null || gen === null || cursor === null) return null
  const whole: Reset = { sub: '', asked: 0, n: 0, gen, to: have, cursor, rows: [...content.rows.values()] }
  return JSON.stringify(whole)
}

/** The cached views of this person. out: null: none, or of another build, or expired */
export async function readViewCache(
  store: ViewCacheStore,
  build: string,
  person: string,
  now: number,
): Promise<CachedViews | null> {
  const index = jsonValueOf((await store.get(INDEX)) ?? '')
  if (!isIndex(index, build) || index.person !== person || now - index.asOf.at > TTL_MS) return null
  const views: { view: View; whole: Reset }[] = []
  for (const name of Object.keys(index.views)) {
    const whole = readReset(jsonValueOf((await store.get(name)) ?? ''))
    if (whole && isView(name)) views.push({ view: name, whole })
  }
  return { me: index.me, asOf: index.asOf, views }
}

const isView = (name: string): name is View => parseView(name) !== null
