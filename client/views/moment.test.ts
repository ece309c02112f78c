/** Views at the moment that the page shows. */
import { describe, expect, it } from 'vitest'
import type { TaskId } from '@/lib/mas/ids'
import type { Reset, Subscribe, TaskMoment, View } from '@/lib/wire/views'
import { createViews } from '.'

const TASK = '00000000-0000-4000-8000-000000000001' as TaskId
const OTHER = '00000000-0000-4000-8000-000000000002' as TaskId
const VIEW: View = `task:${TASK}`

function setUp() {
  const asked: Subscribe[] = []
  const ended: string[] = []
  const views = createViews({
    send: (event, message) => {
      if (event === 'subscribe') asked.push(message as Subscribe)
      if (event === 'unsubscribe') ended.push((message as { sub: string }).sub)
    },
    schedule: (flush) => flush(),
    later: () => {},
  })
  views.connected()
  const answer = (to: number, name: string): void => {
    const last = asked.at(-1)
    const row = { id: 'r', sort: '1', kind: 'member', name }
    const message = { sub: last?.sub ?? '', asked: last?.asked ?? 0, n: to, gen: `g${to}`, to, cursor: `g${to}@${to}` }
    views.receive({ event: 'reset', message: { ...message, rows: [row] } as unknown as Reset })
  }
  const shown = (isThen = true) => views.store(VIEW, isThen).getState()
  return { views, asked, ended, answer, shown }
}
const at = (seq: number, task = TASK): TaskMoment => ({ task, seq })

describe('a view at a moment', () => {
  it('[R627] is asked for with the moment, without a cursor, beside the view of now', () => {
    const { views, asked, answer, shown } = setUp()
    views.open(VIEW)
    answer(90, 'now')
    views.open(VIEW, true)
    expect(asked).toHaveLength(1)
    views.seek(at(5))
    expect(asked.at(-1)).toEqual({ sub: 'p2', asked: 1, view: VIEW, at: at(5) })
    answer(5, 'then')
    expect([shown().have, shown(false).have]).toEqual([5, 90])
    expect(views.states()).toEqual([shown(false)])
  })

  it('[R627] keeps what it shows until the next moment comes, and drops a late answer', () => {
    const { views, asked, answer, shown } = setUp()
    views.open(VIEW, true)
    views.seek(at(50))
    answer(50, 'later')
    views.seek(at(7))
    expect([asked.length, shown().status, shown().have]).toEqual([2, 'open', 50])
    const late = asked[0]
    if (late) asked.push(late)
    answer(51, 'late')
    expect(shown().have).toBe(50)
    asked.pop()
    answer(52, 'earlier')
    expect(shown().have).toBe(52)
  })

  it('[R627] is forgotten when the page shows what is now, or another task', () => {
    for (const next of [null, at(5, OTHER)]) {
      const { views, ended, answer, shown } = setUp()
      views.open(VIEW, true)
      views.seek(at(5))
      answer(5, 'then')
      views.seek(next)
      expect([shown().status, ended]).toEqual(['loading', ['p1']])
    }
  })
})
