/** Conversations with members: who stands in the list, what is unread, what a page of one holds and what it leaves out. */
import { describe, expect, it } from 'vitest'
import { event, type MasEvent } from '@/lib/mas/events'
import type { AgentId, MessageId, TaskId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import type { AnyRow, DirectRow, DirectTotals, TalkTotals } from '@/lib/wire/rows'
import { isRecordView, parseView } from '@/lib/wire/views'
import { AGENTS, apply, beginning, entriesOf, idAt, PEOPLE, TASKS } from '@/test/histories'
import { freshRows } from '@/test/watching'
import { scopeOfView } from '../scopes'
import { TALK_PAGE } from './talk'

let ids = 5_000
const newId = <Id extends string>(): Id => idAt<Id>(++ids)
const play = (...decisions: MasEvent[][]): World =>
  decisions.reduce((world, events) => apply(world, entriesOf(world, events)), beginning().world)

const sent = (sender: AgentId, receiver: AgentId, text: string, task: TaskId = TASKS.build): MasEvent[] => {
  const id = newId<MessageId>()
  return [
    event('message.sent', {
      task,
      message: id,
      sender,
      receivers: [receiver],
      text,
      stage: null,
      kind: 'fyi',
      waiting: null,
      audience: 'task',
      returnWaiting: null,
      instruction: null,
      dispatch: id,
      thread: task === TASKS.base ? id : null,
      answersRequest: null,
      replyTo: null,
      attachments: [],
      mention: false,
      fromStep: null,
    }),
  ]
}

function rowsOf(world: World, person: AgentId, view: string): AnyRow[] {
  const parsed = parseView(view)
  if (parsed === null || isRecordView(parsed)) throw new Error(view)
  const { scopeKey, closed } = scopeOfView(world, person, parsed)
  if (scopeKey === null) throw new Error(closed)
  return freshRows(world, parsed, scopeKey).sort((a, b) => (a.sort < b.sort ? -1 : a.sort > b.sort ? 1 : 0))
}
const listOf = (world: World, person: AgentId) =>
  rowsOf(world, person, 'direct').filter((row): row is DirectRow => 'kind' in row && row.kind === 'direct')
const textsOf = (world: World, person: AgentId, view: string) =>
  rowsOf(world, person, view)
    .flatMap((row) => (row.kind === 'record' && row.of === 'message' ? [row.record] : []))
    .sort((a, b) => a.seq - b.seq)
    .map(({ text }) => text)
const totalsOf = (world: World, person: AgentId, view: string) =>
  rowsOf(world, person, view).find(({ id }) => id === '$') as TalkTotals
const over: MasEvent[] = [event('task.finished', { task: TASKS.build, state: 'finished', summary: 'done' })]

describe('the list of conversations with members', () => {
  it('[M1] tells the newest word of either, no matter who said it and in which task', () => {
    const last = (world: World) => listOf(world, PEOPLE.ben).find(({ agent }) => agent === AGENTS.manager)?.last
    const both = [sent(AGENTS.manager, PEOPLE.ben, 'first'), sent(PEOPLE.ben, AGENTS.manager, 'second', TASKS.base)]
    expect(last(play(...both))).toMatchObject({ text: 'second', isMine: true, task: TASKS.base })
    expect(last(play(...[...both].reverse()))).toMatchObject({ text: 'first', isMine: false, task: TASKS.build })
  })

  it('names everybody of my tasks, who wrote last first, and nobody of tasks that are not mine', () => {
    const world = play(
      sent(AGENTS.coder, PEOPLE.ben, 'first'),
      sent(AGENTS.manager, PEOPLE.ben, 'second'),
      sent(AGENTS.coder, PEOPLE.cyn, 'not for Ben', TASKS.docs),
    )
    expect(listOf(world, PEOPLE.ben).map(({ who, last }) => [who.name, last?.text ?? null])).toEqual([
      ['Manager', 'second'],
      ['Coder', 'first'],
      ['Ana', null],
      ['Cyn', null],
    ])
  })

  it('counts what was sent to me and not seen, each once', () => {
    const hello = sent(AGENTS.coder, PEOPLE.ben, 'hello')
    const world = play(hello, sent(AGENTS.coder, PEOPLE.ben, 'again'), sent(PEOPLE.ben, AGENTS.coder, 'mine'))
    expect(listOf(world, PEOPLE.ben).find(({ agent }) => agent === AGENTS.coder)?.unread).toBe(2)
    const [first] = hello
    const message = first?.type === 'message.sent' ? first.message : newId<MessageId>()
    const seen = play(hello, [
      event('message.delivery', { task: TASKS.build, message, agent: PEOPLE.ben, state: 'shown', note: null }),
    ])
    expect((rowsOf(seen, PEOPLE.ben, 'direct').find(({ id }) => id === '$') as DirectTotals).unread).toBe(0)
  })
})

describe('one conversation with a member', () => {
  it('[M5] holds what two wrote each other over all tasks, in the order of the journal, and nothing else', () => {
    const world = play(
      sent(AGENTS.manager, PEOPLE.ben, 'in build'),
      sent(PEOPLE.ben, AGENTS.manager, 'in base', TASKS.base),
      sent(AGENTS.manager, PEOPLE.cyn, 'to Cyn', TASKS.base),
      sent(AGENTS.manager, AGENTS.coder, 'to Coder'),
      sent(AGENTS.coder, PEOPLE.ben, 'from Coder'),
      sent(PEOPLE.ben, AGENTS.manager, 'in build again'),
    )
    expect(textsOf(world, PEOPLE.ben, `direct:${AGENTS.manager}`)).toEqual(['in build', 'in base', 'in build again'])
    // An operator, who sees every task, has no look into what others write each other here.
    expect(textsOf(world, PEOPLE.ana, `direct:${AGENTS.manager}`)).toEqual([])
  })

  it('leaves out tasks that are over, says so, and shows them when asked', () => {
    const world = play(
      sent(AGENTS.manager, PEOPLE.ben, 'in build'),
      sent(AGENTS.manager, PEOPLE.ben, 'in base', TASKS.base),
      over,
    )
    expect(textsOf(world, PEOPLE.ben, `direct:${AGENTS.manager}`)).toEqual(['in base'])
    expect(totalsOf(world, PEOPLE.ben, `direct:${AGENTS.manager}`).ofOverTasks).toBe(1)
    expect(textsOf(world, PEOPLE.ben, `direct:${AGENTS.manager}/all`)).toEqual(['in build', 'in base'])
  })

  it('[M5] pages back: each page names the one before it, and together they are all there is', () => {
    const count = 2 * TALK_PAGE + 7
    const world = play(...Array.from({ length: count }, (_, at) => sent(AGENTS.coder, PEOPLE.ben, `${at}`)))
    const texts: string[] = []
    let view: string | null = `direct:${AGENTS.coder}`
    let pages = 0
    while (view !== null) {
      const page: string[] = textsOf(world, PEOPLE.ben, view)
      expect(page.length).toBeLessThanOrEqual(TALK_PAGE)
      texts.unshift(...page)
      view = totalsOf(world, PEOPLE.ben, view).older
      pages += 1
    }
    expect(pages).toBe(3)
    expect(texts).toEqual(Array.from({ length: count }, (_, at) => `${at}`))
  })

  it('is closed with oneself, with nobody, and with somebody whom a participant shares no task with', () => {
    const { world } = beginning()
    const closed = (person: AgentId, other: AgentId) => {
      const view = parseView(`direct:${other}`)
      return view === null ? 'bad' : scopeOfView(world, person, view).closed
    }
    expect(closed(PEOPLE.ben, PEOPLE.ben)).toBe('not-found')
    expect(closed(PEOPLE.ben, idAt<AgentId>(999))).toBe('not-found')
    expect(closed(PEOPLE.ben, AGENTS.tester)).toBe('not-allowed')
    expect(closed(PEOPLE.ana, AGENTS.tester)).toBe(null)
  })
})
