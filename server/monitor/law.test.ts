/** The law that log views stand on, for every event: cutting before reducing gives what reducing before cutting gives. */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Entry } from '@/lib/mas/events'
import type { AgentId } from '@/lib/mas/ids'
import { stepsIn } from '@/lib/mas/ownSteps'
import { emptyWorld, type World } from '@/lib/mas/records'
import { reduceEntry } from '@/lib/mas/reduce'
import { concerns, cut } from '@/lib/wire/concerns'
import { restrict } from '@/lib/wire/restrict'
import type { ParsedLogView } from '@/lib/wire/views'
import { type Action, apply, beginning, entriesOf, eventsOf, MADE_BY, MAKER_NAMES, PEOPLE } from '@/test/histories'
import { plainWorld } from '@/test/plainWorld'
import { anyMoves, TEAM, walk } from '@/test/worldHistories'
import { scopeOfView } from './scopes'

const action: fc.Arbitrary<Action> = fc.tuple(fc.nat(MAKER_NAMES.length - 1), fc.nat(60), fc.nat(60))

const logViews = (world: World): ParsedLogView[] => [
  ...Object.values(world.tasks).map((task) => ({ kind: 'task' as const, task: task.id })),
  ...Object.values(world.agents).map((agent) => ({ kind: 'agent' as const, agent: agent.id })),
  ...Object.values(world.steps)
    .flatMap((byAgent) => Object.values(byAgent).flatMap((own) => stepsIn(own)))
    .slice(-8)
    .map((step) => ({ kind: 'step' as const, step: step.id })),
]

type Break = { event: string; view: ParsedLogView; cls: string; rule: string }

type Rules = { concerns: typeof concerns; cut: typeof cut; restrict: typeof restrict }
const RULES: Rules = { concerns, cut, restrict }

/** Where the law does not hold for this entry; empty when it holds for all views and people. */
function breaks(
  before: World,
  entry: Entry,
  { concerns, cut, restrict }: Rules = RULES,
  people: readonly AgentId[] = Object.values(PEOPLE),
): Break[] {
  const after = reduceEntry(before, entry)
  const found: Break[] = []
  for (const view of logViews(before)) {
    const classes = new Set<string>()
    for (const person of people) {
      const [was, is] = [scopeOfView(before, person, view).cls, scopeOfView(after, person, view).cls]
      if (was !== null && was === is) classes.add(was)
    }
    for (const cls of classes) {
      const held = restrict(before, view, cls)
      const fresh = plainWorld(restrict(after, view, cls))
      const isConcerned = concerns(after, entry.event, view, cls)
      const got = isConcerned
        ? plainWorld(restrict(reduceEntry(held, cut(entry, view, cls)), view, cls))
        : plainWorld(held)
      if (!isDeepStrictEqual(got, fresh))
        found.push({ event: entry.event.type, view, cls, rule: isConcerned ? 'cut' : 'concerns' })
      if (restrict(held, view, cls) !== held) found.push({ event: entry.event.type, view, cls, rule: 'identity' })
    }
  }
  return found
}

describe('log views', () => {
  it('[V1] restrict(reduce(w, e)) = restrict(reduce(restrict(w), cut(e))) where it concerns, else nothing changes', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(fc.array(action, { minLength: 60, maxLength: 120 }), (actions) => {
        let { world } = beginning()
        for (const [index, one] of actions.entries()) {
          const entries = entriesOf(world, eventsOf(world, one))
          for (const entry of entries) {
            seen.add(entry.event.type)
            if (index % 3 === 2 || entries.length > 1) expect(breaks(world, entry)).toEqual([])
            world = apply(world, [entry])
          }
        }
      }),
      { numRuns: 80, seed: 7 },
    )
    // The law says nothing of events that were never tried.
    expect(Object.keys(MADE_BY).filter((type) => !seen.has(type))).toEqual([])
  }, 120_000)

  it('[V1] so it is for what real decisions say', () => {
    const people = [TEAM.ana.id, TEAM.ben.id, TEAM.lee.id]
    fc.assert(
      fc.property(anyMoves(60), (moves) => {
        let world = emptyWorld
        for (const entry of walk(moves).entries) {
          expect(breaks(world, entry, RULES, people)).toEqual([])
          world = apply(world, [entry])
        }
      }),
      { numRuns: 25, seed: 21 },
    )
  }, 120_000)

  it.each<[string, Partial<Rules>, string[]]>([
    [
      'entries of hidden tasks go out whole or not at all',
      {
        concerns: (world, event, view, cls) =>
          concerns(world, event, view, cls) && !(view.kind === 'agent' && cls.startsWith('tasks:') && 'task' in event),
      },
      ['concerns'],
    ],
    ['the page does not cut back', { restrict: (world) => world }, ['cut', 'concerns']],
    [
      'a bound step is not followed',
      {
        concerns: (world, event, view, cls) =>
          concerns(world, event, view, cls) && !(view.kind === 'step' && 'step' in event && event.step !== view.step),
      },
      ['concerns'],
    ],
    [
      'threads of the base task are not told apart',
      {
        concerns: (world, event, view, cls) =>
          concerns(world, event, view, cls) &&
          !(view.kind === 'task' && cls.startsWith('person:') && event.type === 'message.receipt'),
      },
      ['concerns'],
    ],
  ])('[V1] the law fails when %s', (_, broken, rules) => {
    const found = new Set<string>()
    fc.assert(
      fc.property(fc.array(action, { minLength: 60, maxLength: 120 }), (actions) => {
        let { world } = beginning()
        for (const one of actions) {
          for (const entry of entriesOf(world, eventsOf(world, one))) {
            if (found.size === 0) for (const { rule } of breaks(world, entry, { ...RULES, ...broken })) found.add(rule)
            world = apply(world, [entry])
          }
        }
      }),
      { numRuns: 20, seed: 9 },
    )
    expect(rules.some((rule) => found.has(rule))).toBe(true)
  })

  it('[V1] what goes out of a hidden task has nothing of what it is about', () => {
    // What the histories write into steps, results, reasons and locks.
    const content = /what to do|step \d|"r \d|broke|once|no need|node gone|think|"files"|text \d|question/
    let hidden = 0
    fc.assert(
      fc.property(fc.array(action, { minLength: 60, maxLength: 120 }), (actions) => {
        let { world } = beginning()
        for (const one of actions) {
          for (const entry of entriesOf(world, eventsOf(world, one))) {
            world = apply(world, [entry])
            const { event } = entry
            if (!('task' in event) || event.task === null || !('agent' in event)) continue
            const view = { kind: 'agent' as const, agent: event.agent }
            const { cls } = scopeOfView(world, PEOPLE.ben, view)
            if (cls === null || !cls.startsWith('tasks:') || cls.includes(event.task)) continue
            if (!concerns(world, event, view, cls)) continue
            hidden += 1
            expect(JSON.stringify(cut(entry, view, cls))).not.toMatch(content)
          }
        }
      }),
      { numRuns: 60, seed: 10 },
    )
    expect(hidden).toBeGreaterThan(100)
  })

  it('[V1] a class without right to a thing gets none of its text', () => {
    fc.assert(
      fc.property(fc.array(action, { minLength: 20, maxLength: 60 }), (actions) => {
        let { world } = beginning()
        for (const one of actions) world = apply(world, entriesOf(world, eventsOf(world, one)))
        for (const view of logViews(world)) {
          const { cls } = scopeOfView(world, PEOPLE.ben, view)
          if (cls === null || view.kind !== 'agent') continue
          const mine = new Set<string>(
            Object.values(world.tasks)
              .filter((task) => task.group.includes(PEOPLE.ben))
              .map((task) => task.id),
          )
          const held = restrict(world, view, cls)
          if (scopeOfView(world, PEOPLE.ben, view).cls?.startsWith('all')) continue
          expect(Object.keys(held.steps).filter((task) => !mine.has(task))).toEqual([])
        }
      }),
      { numRuns: 100, seed: 8 },
    )
  })
})
