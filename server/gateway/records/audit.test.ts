/** Acts that are far apart: a page reads a limited number of decisions, and its cursor leads on. */
import { expect, it } from 'vitest'
import type { AuditRow } from '@/lib/wire'
import { memoryStore } from '@/test/memoryStore'
import { Story } from '@/test/worldHistories'
import { facts, ID } from '../test/world'
import { auditPageOf, auditRowsOf } from './audit'

/** Ben's one act is the oldest of `count` decisions; the others are Ana's. */
async function askedOf(count: number) {
  const store = memoryStore()
  const like = facts.find((one) => one.type === 'message.sent')
  if (like?.type !== 'message.sent') throw new Error('nothing was sent')
  const { epoch, seq } = await store.journal.take('north')
  const batch = Array.from({ length: count }, (_, n) => {
    const by = n === 0 ? ID.ben : ID.ana
    return { id: `c${n}`, by, session: null, events: [{ ...like, sender: by }] }
  })
  await store.journal.append(epoch, seq, batch)
  const world = { ...new Story().world, seq: seq + count }
  return { world, store, language: 'en' as const, from: null, to: null, who: ID.ben, kind: null, task: null }
}
const peopleIn = (rows: readonly AuditRow[]) => rows.map(({ who }) => who.id)

it('[R522] a page looks at no more decisions than its limit, and the next one goes on where it ended', async () => {
  const far = await askedOf(250)
  const first = await auditPageOf(far, null, 10, 200)
  expect([first.rows, typeof first.next]).toEqual([[], 'number'])
  const second = await auditPageOf(far, first.next, 10, 200)
  expect([peopleIn(second.rows), second.next]).toEqual([[ID.ben], null])
  // Within the limit it is found at once.
  expect(peopleIn((await auditPageOf(await askedOf(199), null, 10, 200)).rows)).toEqual([ID.ben])
})

it('[R523] a file has all of them, however far apart', async () => {
  const rows: AuditRow[] = []
  for await (const row of auditRowsOf(await askedOf(250))) rows.push(row)
  expect(peopleIn(rows)).toEqual([ID.ben])
})
