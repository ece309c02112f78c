/** Pages of a conversation with a member whose messages left the world: to whom, in which order, how many. */
import { describe, expect, it } from 'vitest'
import type { AgentRecord, World } from '@/lib/mas/records'
import { selectTalk } from '@/lib/mas/tasks/talks'
import { memoryStore } from '@/test/memoryStore'
import { Story, send, TEAM } from '@/test/worldHistories'
import type { Store, StoredEntry } from '../../store'
import { pastDirectMessages } from '../routes/messages/search'

const { ana, ben, lee } = TEAM

/** `count` messages of Ana to Ben in one task, all of which have left the world; `live`: numbers of those that have not. */
function talkOf(count: number, live: readonly number[] = []) {
  const story = new Story()
  story.put(ana.id, { type: 'openTalk', with: ben.id })
  const task = selectTalk(story.world, ana.id, ben.id)?.id
  if (task === undefined) throw new Error('no talk')
  for (let n = 1; n <= count; n++) story.put(ana.id, send(ana.id, [ben.id], { task, text: `m${n}` }))
  const own = Object.entries(story.world.messages[task] ?? {})
  const kept = own.filter(([, { text }]) => live.some((n) => text === `m${n}`))
  let world: World = { ...story.world, messages: { ...story.world.messages, [task]: Object.fromEntries(kept) } }
  const store = memoryStore({})
  let reads = 0
  const parts = {
    world: () => world,
    store: {
      journal: {
        ...store.journal,
        async read(after: number, limit: number): Promise<StoredEntry[]> {
          reads += 1
          return story.entries.filter(({ seq }) => seq > after).slice(0, limit)
        },
      } satisfies Store['journal'],
      search: {
        ...store.search,
        // The index names messages between the two, newest first, one entry that is no message, and one that is not there.
        between: async (_: readonly [string, string], before: number, limit: number) =>
          [
            story.entries[0]?.seq ?? 0,
            ...story.entries
              .filter(({ event }) => event.type === 'message.sent' && /^m\d+$/.test(event.text))
              .map(({ seq }) => seq),
            1_000_000,
          ]
            .filter((seq) => seq < before)
            .reverse()
            .slice(0, limit),
      },
    },
  }
  const personOf = (id: string): AgentRecord => {
    const found = Object.values(world.agents).find((one) => one.id === id)
    if (!found) throw new Error('nobody')
    return found
  }
  return {
    story,
    task,
    reads: () => reads,
    change: (of: (world: World) => World) => {
      world = of(world)
    },
    async page(limit: number, before: number | null = null, person: string = ben.id) {
      const { rows, next } = await pastDirectMessages(parts, personOf(person), ana.id, { before, limit })
      return { texts: rows.flatMap((row) => (row.of === 'message' ? [row.record.text] : [])), next }
    },
  }
}
const names = (from: number, to: number): string[] => Array.from({ length: from - to + 1 }, (_, n) => `m${from - n}`)

describe('[R48] a conversation that left the world', () => {
  it('comes by pages, the newest first, to its end', async () => {
    const { page } = talkOf(5)
    const first = await page(2)
    expect(first.texts.toSorted()).toEqual(['m4', 'm5'])
    const second = await page(2, first.next)
    expect(second.texts.toSorted()).toEqual(['m2', 'm3'])
    const last = await page(2, second.next)
    expect(last).toEqual({ texts: ['m1'], next: null })
  })

  it('has a last page', async () => {
    const { page } = talkOf(2)
    // The entry that is no message comes behind: it may have been one.
    const { next } = await page(2)
    expect(await page(2, next)).toEqual({ texts: [], next: null })
    expect((await page(3)).next).toBeNull()
    expect((await page(1)).next).not.toBeNull()
  })

  it('leaves out what is still live', async () => {
    const { page } = talkOf(4, [2, 4])
    const all = await page(10)
    expect([all.texts.toSorted(), all.next]).toEqual([['m1', 'm3'], null])
  })

  it('skips many live messages, and returns a short page with a cursor after 400 of them', async () => {
    const live = Array.from({ length: 410 }, (_, n) => n + 3)
    const { page, reads } = talkOf(412, live)
    const first = await page(10)
    expect([first.texts, reads()]).toEqual([[], 400])
    expect(first.next).not.toBeNull()
    const second = await page(10, first.next)
    expect([second.texts.toSorted(), second.next]).toEqual([['m1', 'm2'], null])
  })

  it('[R816] is for its two members: another person has none with them', async () => {
    const { page } = talkOf(2)
    expect((await page(10)).texts.toSorted()).toEqual(['m1', 'm2'])
    expect(await page(10, null, lee.id)).toEqual({ texts: [], next: null })
  })

  it('has its newest message at the top', async () => {
    const { page } = talkOf(3)
    expect((await page(10)).texts).toEqual(names(3, 1))
  })
})
