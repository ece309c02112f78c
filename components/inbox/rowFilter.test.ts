import { describe, expect, it } from 'vitest'
import { type AgentId, asId, type TaskId } from '@/lib/mas/ids'
import type { MessageType, RequestRecord } from '@/lib/mas/records'
import { CODER, fixtureWho } from '@/test/gallery/fixtures/people'
import { filterChoices } from './FilterBar'
import { filterHref, filterRows, readRowFilter, withView } from './rowFilter'
import { me, messageRow, requestRow } from './test/openRows'

const who = (name: string) => ({ ...fixtureWho(CODER), id: asId<AgentId>(name), name })
const request = (id: string, task: string, asker: string, kind: RequestRecord['kind'], snoozed?: number) =>
  requestRow(
    id,
    { task: asId<TaskId>(task), kind, ...(snoozed === undefined ? {} : { snoozed: { [me]: snoozed } }) },
    { taskName: `Task ${task}`, asker: who(asker) },
  )
const message = (id: string, task: string, sender: string, type: MessageType, remindAt?: number) =>
  messageRow(
    id,
    { task: asId<TaskId>(task), type },
    {},
    { taskName: `Task ${task}`, sender: who(sender) },
    remindAt === undefined ? {} : { snoozed: { [me]: remindAt } },
  )

const ROWS = [
  request('question', 'one', 'coder', 'answer', 1_000),
  request('confirmation', 'two', 'coder', 'confirm'),
  request('limit', 'one', 'tester', 'limit'),
  message('action', 'one', 'ben', 'action', 1_001),
  message('note', 'two', 'ben', 'fyi'),
]
const shown = (filter: Parameters<typeof filterRows>[1], now = 0): string[] =>
  filterRows(ROWS, filter, me, now).map(({ id }) => id)

describe('filters of the inbox', () => {
  it('[R139] rows are filtered by task, by asker and by kind, and by all of them at once', () => {
    expect(shown({})).toHaveLength(5)
    expect(shown({ task: 'one' })).toEqual(['question', 'limit', 'action'])
    expect(shown({ from: 'coder' })).toEqual(['question', 'confirmation'])
    expect(shown({ kind: 'decision' })).toEqual(['limit'])
    expect(shown({ kind: 'message' })).toEqual(['note'])
    expect(shown({ task: 'one', from: 'ben', kind: 'action' })).toEqual(['action'])
    expect(shown({ task: 'two', from: 'tester' })).toEqual([])
  })

  it('[R139] a snoozed row is listed until its time, and not from then on', () => {
    expect(shown({ snoozed: true }, 999)).toEqual(['question', 'action'])
    expect(shown({ snoozed: true }, 1_000)).toEqual(['action'])
    expect(shown({ snoozed: true }, 1_001)).toEqual([])
  })

  it('[R139] a filter is read from the address as it was written into it; unknown kinds filter nothing', () => {
    const filter = { task: 'one', from: 'ben', kind: 'action', snoozed: true } as const
    const search = new URL(filterHref(filter), 'http://convene').searchParams
    expect(readRowFilter((name) => search.get(name))).toEqual(filter)
    expect(readRowFilter((name) => (name === 'kind' ? 'nonsense' : null))).toEqual({})
  })

  it('only tasks, askers and kinds that rows have can be chosen, each once', () => {
    const { tasks, askers, kinds } = filterChoices(ROWS)
    expect(tasks.map(({ value }) => value)).toEqual(['one', 'two'])
    expect(askers.map(({ label }) => label)).toEqual(['coder', 'tester', 'ben'])
    expect(kinds).toEqual(['question', 'confirmation', 'decision', 'action', 'message'])
  })

  it('a view that is saved or removed leaves the others as they are, and goes back to its place', () => {
    const views = [
      { name: 'a', filter: { from: 'ben' } },
      { name: 'b', filter: { snoozed: true as const } },
    ]
    const without = withView(views, 'a', null)
    expect(without.map(({ name }) => name)).toEqual(['b'])
    const meanwhile = withView(without, 'c', { kind: 'part' })
    expect(withView(meanwhile, 'a', { from: 'ben' }, 0).map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    expect(withView(views, 'a', { kind: 'part' })).toEqual([views[1], { name: 'a', filter: { kind: 'part' } }])
  })
})
