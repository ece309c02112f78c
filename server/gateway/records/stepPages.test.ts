/** A page of steps reads a bounded number of entries, however few of them are steps. */
import { expect, it } from 'vitest'
import { event } from '@/lib/mas/events'
import { asId, type ThreadId } from '@/lib/mas/ids'
import type { Archive } from '@/server/store'
import { openDouble } from '../test/gatewayDouble'
import { ID } from '../test/world'
import { pageOfSteps } from './steps'

/** The step's entries come behind so many that are none of a step. */
async function behind(count: number) {
  const { engine, store } = await openDouble()
  const world = engine.world()
  const person = world.agents[ID.ana]
  if (!person) throw new Error('no person')
  const own = (await store.archive.entriesOf('task', ID.prices)).filter(
    ({ event }) => event.type === 'step.added' && event.step === ID.step,
  )
  const other = event('thread.retired', { task: ID.prices, thread: asId<ThreadId>('none'), agents: [] })
  const journal = [
    ...Array.from({ length: count }, () => ({ at: 1, by: 'system:test', cause: 'c', event: other })),
    ...own,
  ].map((entry, index) => ({ ...entry, seq: index + 1 }))
  let read = 0
  const archive: Archive = {
    async entriesOf(key, id, after = 0, limit = 1_000) {
      if (key !== 'task') return store.archive.entriesOf(key, id, after, limit)
      const page = journal.filter(({ seq }) => seq > after).slice(0, limit)
      read += page.length
      return page
    },
  }
  const noOther = { step: async () => null }
  const pageAfter = async (after?: string) => {
    const page = await pageOfSteps(world, archive, noOther, person, ID.prices, { limit: 10, after })
    return { ids: page.steps.map(({ id }) => id), next: page.next }
  }
  return { pageAfter, entriesRead: () => read }
}

it('a step within 20,000 entries stands on the first page', async () => {
  const { pageAfter } = await behind(19_999)
  expect((await pageAfter()).ids).toEqual([ID.step])
})

it('a page ends after 20,000 entries, short as it may be, and its cursor leads to the rest', async () => {
  const { pageAfter, entriesRead } = await behind(20_000)
  const first = await pageAfter()
  expect([first, entriesRead()]).toEqual([{ ids: [], next: 's20000' }, 20_000])
  expect(await pageAfter('s20000')).toEqual({ ids: [ID.step], next: null })
})
