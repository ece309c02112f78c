/** Views of a task that was erased. */
import { expect, it } from 'vitest'
import type { World } from '@/lib/mas/records'
import { parseView } from '@/lib/wire/views'
import { beginning, PEOPLE, TASKS } from '@/test/histories'
import { scopeOfView } from './scopes'

it('[R570] are closed as those of an erased task, for everyone, and not as those of an unknown one', () => {
  const { world } = beginning()
  const { [TASKS.build]: _, ...tasks } = world.tasks
  const without: World = { ...world, tasks }
  const record = { by: PEOPLE.ana, at: 9, seq: 9, from: 1, to: 8 }
  const erased: World = { ...without, erased: { [TASKS.build]: record } }
  const closedOf = (held: World): (string | null)[] =>
    ['task', 'tree', 'timeline'].flatMap((kind) => {
      const view = parseView(`${kind}:${TASKS.build}`)
      return view === null ? [] : [PEOPLE.ana, PEOPLE.ben].map((person) => scopeOfView(held, person, view).closed)
    })
  expect(closedOf(without)).toEqual(Array.from({ length: 6 }, () => 'not-found'))
  expect(closedOf(erased)).toEqual(Array.from({ length: 6 }, () => 'erased'))
})
