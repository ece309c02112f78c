import { expect, test } from 'vitest'
import { type AgentId, asId } from '@/lib/mas/ids'
import { emptyWorld } from '@/lib/mas/records'
import type { Me } from '@/lib/wire'
import { recordRow } from '@/lib/wire/records'
import type { View } from '@/lib/wire/views'
import { openViewCache, readViewCache, type ViewCacheStore } from './viewCacheCore'
import { loadingView, takeClosed, takeReset, type ViewState } from './viewState'

const DAY_MS = 24 * 60 * 60_000
const ASOF = { at: 1_000, seq: 7 }

function memory(): ViewCacheStore & { texts: Map<string, string> } {
  const texts = new Map<string, string>()
  return {
    texts,
    get: async (key) => texts.get(key) ?? null,
    put: async (key, text) => void texts.set(key, text),
    remove: async (key) => void texts.delete(key),
    clear: async () => texts.clear(),
  }
}

const meOf = (person: string): Me => ({
  person: { agent_id: asId<AgentId>(person), id: person, role: 'tester', name: person, access: 'participant' },
  team: { name: 'North', language: 'en' },
  settings: {},
  hasPassword: true,
  passwords: true,
  provider: null,
})

/** The view of the task with this number. */
const task = (number: number): View => `task:00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const T1 = task(1)

/** An open view; `word` is in it. */
function held(view: View, word = 'known'): ViewState {
  const head = { sub: 's', asked: 1, n: 1, gen: 'g', to: 7, cursor: 'c' }
  return view.startsWith('task:')
    ? takeReset(loadingView(view), { ...head, rows: [recordRow('team', { ...emptyWorld.team, name: word })] })
    : takeReset(loadingView(view), { ...head, rows: [] })
}
const closed = (view: View): ViewState =>
  takeClosed(loadingView(view), { sub: 's', asked: 1, n: 1, reason: 'not-allowed' })

test('[R56] cached views are restored as the server would send them whole, with their cursors', async () => {
  const store = memory()
  const states = [held(T1), held('inbox' as View), held('me')]
  await (await openViewCache(store, 'b', 'ana')).save(states, meOf('ana'), ASOF)
  const known = await readViewCache(store, 'b', 'ana', 2_000)
  expect([known?.me, known?.asOf]).toEqual([meOf('ana'), ASOF])
  const kept = known?.views.find(({ view }) => view === T1)
  expect(kept && takeReset(loadingView(T1), kept.whole)).toEqual(states[0])
  // What is no view any more is not one.
  expect(known?.views.map(({ view }) => view).sort()).toEqual(['me', T1])
})

test('[R56] a cache is never restored for another person, by another build, or after a session would have expired', async () => {
  const store = memory()
  await (await openViewCache(store, 'b', 'ana')).save([held('me')], meOf('ana'), ASOF)
  expect(await readViewCache(store, 'b', 'ben', 2_000)).toBeNull()
  expect(await readViewCache(store, 'other', 'ana', 2_000)).toBeNull()
  expect(await readViewCache(store, 'b', 'ana', ASOF.at + 15 * DAY_MS)).toBeNull()
  expect(await readViewCache(store, 'b', 'ana', ASOF.at + 13 * DAY_MS)).not.toBeNull()
})

test('[R56] the next person’s cache starts by deleting the one before', async () => {
  const store = memory()
  await (await openViewCache(store, 'b', 'ana')).save([held(T1), held('me')], meOf('ana'), ASOF)
  const keeper = await openViewCache(store, 'b', 'ben')
  expect([...store.texts]).toEqual([])
  await keeper.save([held('me')], meOf('ben'), ASOF)
  expect([...store.texts.keys()].sort()).toEqual(['index', 'me'])
})

test('a closed view is removed from the cache, also when an earlier page stored it', async () => {
  const store = memory()
  await (await openViewCache(store, 'b', 'ana')).save([held(T1), held('me')], meOf('ana'), ASOF)
  await (await openViewCache(store, 'b', 'ana')).save([closed(T1)], meOf('ana'), ASOF)
  expect([...store.texts.keys()].sort()).toEqual(['index', 'me'])
})

test('the cache keeps a limited number of views, those that changed last', async () => {
  const store = memory()
  const keeper = await openViewCache(store, 'b', 'ana')
  for (let at = 0; at < 30; at++) await keeper.save([held(task(at))], meOf('ana'), { at, seq: at })
  const known = await readViewCache(store, 'b', 'ana', 40)
  expect(known?.views).toHaveLength(24)
  expect(known?.views.some(({ view }) => view === task(5))).toBe(false)
  expect(known?.views.some(({ view }) => view === task(6))).toBe(true)
  expect(store.texts.size).toBe(25)
})

test('a view that is too long is not cached, and its older copy is removed', async () => {
  const store = memory()
  const keeper = await openViewCache(store, 'b', 'ana')
  await keeper.save([held(T1)], meOf('ana'), ASOF)
  await keeper.save([held(T1, 'x'.repeat(1_000_001))], meOf('ana'), ASOF)
  expect([...store.texts.keys()]).toEqual(['index'])
})

test('only what changed is written again', async () => {
  const store = memory()
  const keeper = await openViewCache(store, 'b', 'ana')
  const same = held(T1)
  await keeper.save([same, held('me')], meOf('ana'), ASOF)
  const before = store.texts.get(T1)
  store.texts.set(T1, 'untouched')
  await keeper.save([same, held('me')], meOf('ana'), ASOF)
  expect([before === 'untouched', store.texts.get(T1)]).toEqual([false, 'untouched'])
})

test('a malformed cache is ignored', async () => {
  const store = memory()
  await store.put('index', '{"person":"ana","build":"b"')
  expect(await readViewCache(store, 'b', 'ana', 2_000)).toBeNull()
})
