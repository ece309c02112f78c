/** Over random histories: rows that changed, added to those that a page has, are the rows of the newer world. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AgentId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { patchedRow } from '@/lib/wire/recordPatch'
import type { RecordRow } from '@/lib/wire/records'
import { isRecordView, type ParsedRecordView, parseView } from '@/lib/wire/views'
import {
  type Action,
  AGENTS,
  apply,
  beginning,
  entriesOf,
  eventsOf,
  MAKER_NAMES,
  PEOPLE,
  TASKS,
} from '@/test/histories'
import { scopeOfView } from '../scopes'
import { type RecordChanges, recordSource } from './changes'

const isAll = process.env.CONVENE_ALL === '1'

const action: fc.Arbitrary<Action> = fc.tuple(fc.nat(4 * MAKER_NAMES.length - 1), fc.nat(60), fc.nat(60))
const history = fc.array(action, { minLength: 20, maxLength: 150, size: 'max' })

const recordView = (text: string): ParsedRecordView[] => {
  const view = parseView(text)
  return view !== null && isRecordView(view) ? [view] : []
}
const VIEWS = [
  ...Object.values(TASKS).map((task) => `task:${task}`),
  ...[...Object.values(AGENTS), PEOPLE.ben].map((agent) => `agent:${agent}`),
].flatMap(recordView)
const stepViews = (world: World): ParsedRecordView[] =>
  Object.values(world.steps)
    .flatMap((byAgent) => Object.values(byAgent).flatMap((own) => stepsIn(own)))
    .flatMap(({ id }) => recordView(`step:${id}`))

const byId = (rows: readonly RecordRow[]) => new Map(rows.map((row) => [row.id, row]))
function applied(rows: readonly RecordRow[], { set, patch, del }: RecordChanges): Map<string, RecordRow> {
  const all = byId(rows)
  for (const id of del) all.delete(id)
  for (const row of set) all.set(row.id, row)
  for (const one of patch) {
    const held = all.get(one.id)
    if (held === undefined) throw new Error(`a change of ${one.id}, which the page does not hold`)
    all.set(one.id, patchedRow(held, one))
  }
  return all
}

/** Each view of each person that is open to them in both worlds in the same class. */
function sameClass(before: World, after: World): { view: ParsedRecordView; scopeKey: string }[] {
  const people: AgentId[] = Object.values(PEOPLE)
  return [...VIEWS, ...stepViews(before)].flatMap((view) => {
    const found = new Set(
      people.flatMap((person) => {
        const [then, now] = [scopeOfView(before, person, view).scopeKey, scopeOfView(after, person, view).scopeKey]
        return then !== null && then === now ? [now] : []
      }),
    )
    return [...found].map((scopeKey) => ({ view, scopeKey }))
  })
}

function walk(actions: readonly Action[]): World[] {
  let { world } = beginning()
  const worlds = [world]
  for (const one of actions) {
    const entries = entriesOf(world, eventsOf(world, one))
    if (entries.length === 0) continue
    world = apply(world, entries)
    worlds.push(world)
  }
  return worlds
}

describe('the records of a view', () => {
  it('[R610] are, after what changed between two worlds, those of the newer one', () => {
    const told = { set: 0, patch: 0 }
    fc.assert(
      fc.property(history, fc.nat(), (actions, pick) => {
        const worlds = walk(actions)
        const after = worlds.at(-1) ?? beginning().world
        const before = worlds[pick % worlds.length] ?? after
        for (const { view, scopeKey } of sameClass(before, after)) {
          const source = recordSource(view, scopeKey)
          const changes = source.changes(before, after)
          told.set += changes.set.length
          told.patch += changes.patch.length
          expect(applied(source.all(before), changes)).toEqual(byId(source.all(after)))
        }
      }),
      { numRuns: isAll ? 400 : 40, ...(isAll ? {} : { seed: 610 }) },
    )
    // Both new records and changed ones were among them.
    expect(Math.min(told.set, told.patch)).toBeGreaterThan(100)
  }, 120_000)

  it('[R611] are those of now for a page that was away, by one answer or as a whole', () => {
    const told = { since: 0, whole: 0, gone: 0 }
    fc.assert(
      fc.property(history, fc.nat(), (actions, pick) => {
        const worlds = walk(actions)
        const after = worlds.at(-1) ?? beginning().world
        const before = worlds[pick % worlds.length] ?? after
        for (const { view, scopeKey } of sameClass(before, after)) {
          const source = recordSource(view, scopeKey)
          const lacked = source.since(after, before.seq)
          told[lacked === null ? 'whole' : 'since'] += 1
          if (lacked === null) continue
          told.gone += lacked.del.length
          expect(applied(source.all(before), lacked)).toEqual(byId(source.all(after)))
        }
      }),
      { numRuns: isAll ? 400 : 40, ...(isAll ? {} : { seed: 611 }) },
    )
    // Most pages need no whole, and some are told what left.
    expect(told.since).toBeGreaterThan(3 * told.whole)
    expect(told.gone).toBeGreaterThan(10)
  }, 120_000)
})
