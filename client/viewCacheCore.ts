/**
 * What one member last saw, kept so that it can be shown while the server is away.
 *
 * One member at a time: what is kept of another is dropped before anything of this one is.
 */

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

/** at: when the server was last heard, epoch ms; seq: its last entry then. */
export type AsOf = { at: number; seq: number }
export type CachedViews = { me: Me; asOf: AsOf; views: readonly { view: View; whole: Reset }[] }

/** What is kept, of whom and by which build: another build may read records otherwise. `views`: when each was last seen changed. */
type Index = { person: string; build: string; me: Me; asOf: AsOf; views: Record<string, number> }

const INDEX = 'index'
/** Of these the oldest goes. */
const MOST_VIEWS = 24
/** A view that is longer is not kept: saving it would be felt. */
const MOST_LETTERS = 1_000_000
/** As long as a session lasts. */
const LASTS_MS = 14 * 24 * 60 * 60_000

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Written by the same build, so its inside needs no more looking at. */
const isIndex = (value: unknown, build: string): value is Index =>
  isRecord(value) && value.build === build && isRecord(value.me) && isRecord(value.asOf) && isRecord(value.views)

const parse = (text: string | null): unknown => {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}

export type ViewCacheWriter = {
  /** Keep what changed since the last time. */
  save: (states: readonly ViewState[], me: Me, asOf: AsOf) => Promise<void>
}

/** Begin to keep what this member sees. */
export async function openViewCache(store: ViewCacheStore, build: string, person: string): Promise<ViewCacheWriter> {
  const before = parse(await store.get(INDEX))
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
        if (text !== null && text.length <= MOST_LETTERS) {
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

/** As the server would send it whole. */
function textOf({ held, gen, have, cursor }: ViewState): string | null {
  if (held === null || gen === null || cursor === null) return null
  const head = { sub: '', asked: 0, n: 0, gen, to: have, cursor }
  const whole: Reset =
    held.kind === 'rows'
      ? { ...head, kind: 'rows', rows: [...held.rows.values()] }
      : { ...head, kind: 'log', world: held.world, cls: held.cls }
  return JSON.stringify(whole)
}

/**
 * What is kept of this member.
 *
 * out     null: nothing, or nothing that still counts
 */
export async function readViewCache(
  store: ViewCacheStore,
  build: string,
  person: string,
  now: number,
): Promise<CachedViews | null> {
  const index = parse(await store.get(INDEX))
  if (!isIndex(index, build) || index.person !== person || now - index.asOf.at > LASTS_MS) return null
  const views: { view: View; whole: Reset }[] = []
  for (const name of Object.keys(index.views)) {
    const whole = readReset(parse(await store.get(name)))
    if (whole && isView(name)) views.push({ view: name, whole })
  }
  return { me: index.me, asOf: index.asOf, views }
}

const isView = (name: string): name is View => parseView(name) !== null
