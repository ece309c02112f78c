/** A restored copy whose snapshots and journal do not say the same is refused. */
import { expect, it } from 'vitest'
import { emptyWorld } from '@/lib/mas/reduce'
import { reduceAll } from '@/lib/mas/reduce/reduceAll'
import { memoryStore } from '@/test/memoryStore'
import { walk } from '@/test/worldHistories'
import { openWorldSnapshots } from '../engine/snapshots/worldSnapshots'
import { checkRestored, type Restored } from './checkRestored'

const { entries } = walk([])
const head = entries.length
const named = { journal: 'j1', head }

const restored = (kept: readonly (typeof entries)[number][] = entries): Restored => ({
  journal: {
    id: 'j1',
    head: async () => ({ seq: kept.at(-1)?.seq ?? 0, at: 0, epoch: 1 }),
    read: async (after, limit) => JSON.parse(JSON.stringify(kept.filter(({ seq }) => seq > after).slice(0, limit))),
  },
  snapshots: memoryStore({}).snapshots,
  verify: async () => ({ decisions: 0, entries: 0, bodies: 0, damage: [] }),
})

it('[R92] a copy is whole when snapshots and later entries give the world of the whole journal', async () => {
  expect(await checkRestored(restored(), named)).toMatchObject({ entries: head })
  const store = restored()
  await openWorldSnapshots(store.snapshots).save(reduceAll(emptyWorld, entries.slice(0, head - 3)))
  expect(await checkRestored(store, named)).toMatchObject({ entries: head })
})

it('[R92] a copy whose snapshot is of another history is refused', async () => {
  const store = restored()
  const before = reduceAll(emptyWorld, entries.slice(0, head - 3))
  const [agent] = Object.values(before.agents)
  if (!agent) throw new Error('the history has no agent')
  const other = { ...before, agents: { ...before.agents, [agent.id]: { ...agent, name: 'Somebody else' } } }
  await openWorldSnapshots(store.snapshots).save(other)
  await expect(checkRestored(store, named)).rejects.toThrow(/do not agree/)
})

it('[R92] a copy whose journal is damaged is refused, with the places', async () => {
  const one = { file: 'convene.db', decision: 4, entry: 3, why: 'it is missing' }
  const damage = Array.from({ length: 12 }, () => one)
  const store = { ...restored(), verify: async () => ({ decisions: 0, entries: 0, bodies: 0, damage }) }
  await expect(checkRestored(store, named)).rejects.toThrow(/decision 4, entry 3: it is missing\n.*and 2 more\n/s)
})

it('[R92] a copy of another journal, and one that ends elsewhere than its manifest says, are refused', async () => {
  await expect(checkRestored(restored(), { ...named, journal: 'j2' })).rejects.toThrow(/journal j1/)
  await expect(checkRestored(restored(entries.slice(0, -1)), named)).rejects.toThrow(`up to ${head}`)
})
