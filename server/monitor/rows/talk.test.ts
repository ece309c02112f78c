/** What a conversation with a member shows beside its messages: tasks, members, quoted messages, requests and deliveries. */
import { describe, expect, it } from 'vitest'
import { event, type MasEvent } from '@/lib/mas/events'
import type { AgentId, MessageId, RequestId, TaskId } from '@/lib/mas/ids'
import { SYSTEM_TASK } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { RECORD_IDS } from '@/lib/mas/records/recordIds'
import { isRecordRow, type RecordRow } from '@/lib/wire/records'
import type { DirectRow, DirectTotals } from '@/lib/wire/rows'
import { AGENTS, beginning, PEOPLE, TASKS } from '@/test/histories'
import { rowStream } from '../streams'
import { pastMessageRows, talkRows } from './talk'
import { agentWith, delivery, message, newId, play, playOn, request, rowsOf, STAGE, taskWith } from './test/rowsWorld'

const view = `direct:${AGENTS.coder}`
const rowsIn = (world: World, person: AgentId = PEOPLE.ben, of = view) => rowsOf(world, person, of)
const recordsIn = (world: World, person?: AgentId, of?: string) => rowsIn(world, person, of).filter(isRecordRow)
const messagesIn = (world: World, person?: AgentId, of?: string) =>
  recordsIn(world, person, of).flatMap((row) => (row.of === 'message' ? [row.record] : []))
const quotesIn = (world: World, person?: AgentId, of?: string) =>
  recordsIn(world, person, of).flatMap((row) => (row.of === 'quote' ? [row.record.id] : []))
const tasksIn = (world: World, person?: AgentId, of?: string) =>
  recordsIn(world, person, of).flatMap((row) => (row.of === 'task' ? [row.record] : []))
const membersIn = (rows: readonly RecordRow[]) => rows.flatMap((row) => (row.of === 'agent' ? [row.record.name] : []))
const changed = (made: MasEvent, more: object): MasEvent => (made.type === 'message.sent' ? { ...made, ...more } : made)
const over = (task: TaskId) => event('task.finished', { task, state: 'finished', summary: 'done' })

describe('a page of a conversation with a member', () => {
  it('[M5] has the tasks that both are in and that go on, and those that a message of it is in, with their stages', () => {
    const { world } = beginning()
    expect(tasksIn(world).map(({ name }) => name)).toEqual(['build'])
    expect(recordsIn(world).flatMap((row) => (row.of === 'stage' ? [row.record.id] : []))).toEqual([STAGE])
    const inBase = play([message(PEOPLE.ben, AGENTS.coder, {}, newId(), TASKS.base)])
    expect(tasksIn(inBase).map(({ name }) => name)).toEqual(['base', 'build'])
    const ended = taskWith(inBase, TASKS.build, { state: 'finished' })
    expect(tasksIn(ended).map(({ name }) => name)).toEqual(['base'])
    // Both are in the base task; Coder is no longer in build, and nothing of the page is there.
    const shared = [AGENTS.manager, AGENTS.coder, PEOPLE.ben]
    const apart = taskWith(taskWith(world, TASKS.base, { group: shared }), TASKS.build, {
      group: [AGENTS.manager, PEOPLE.ben],
    })
    expect(tasksIn(apart).map(({ name }) => name)).toEqual(['base'])
    // Ana was written to in build, by somebody else, and is not in it.
    const told = play([message(AGENTS.coder, PEOPLE.ana)])
    expect(tasksIn(told, PEOPLE.ana, `direct:${AGENTS.manager}`).map(({ id }) => id)).toEqual([TASKS.base])
    // The other way round: Ben is not in docs, where Coder is.
    expect(tasksIn(world).map(({ id }) => id)).not.toContain(TASKS.docs)
  })

  it('[M5] names everybody of its tasks and messages, and the task itself is nobody', () => {
    expect(membersIn(recordsIn(beginning().world)).sort()).toEqual(['Ben', 'Coder', 'Manager'])
    const told = changed(message(AGENTS.coder, PEOPLE.ben), { sender: SYSTEM_TASK })
    expect(messagesIn(play([told]))).toEqual([])
    const page = Object.values(play([told]).messages[TASKS.build] ?? {})
    const names = (world: World, person: AgentId) => membersIn(pastMessageRows(world, person, page))
    expect(names(play([told]), PEOPLE.ana).sort()).toEqual(['Ana', 'Ben', 'Coder', 'Manager'])
    const { [PEOPLE.ana]: _, ...others } = beginning().world.agents
    expect(names({ ...play([told]), agents: others }, PEOPLE.ana)).not.toContain('Ana')
  })

  it('[M2] [R633] quotes what a message replies to where the page does not hold it, and of the base task only what the reader may read', () => {
    const [first, reply, hidden, other] = [
      newId<MessageId>(),
      newId<MessageId>(),
      newId<MessageId>(),
      newId<MessageId>(),
    ]
    const answer = changed(message(AGENTS.coder, PEOPLE.ben, {}, reply), { replyTo: first })
    const ofBoth = play([message(PEOPLE.ben, AGENTS.coder, {}, first)], [answer])
    expect([messagesIn(ofBoth).map(({ id }) => id), quotesIn(ofBoth)]).toEqual([[first, reply], []])
    const ofCyn = play([message(PEOPLE.cyn, AGENTS.coder, {}, first)], [answer])
    expect([messagesIn(ofCyn).map(({ id }) => id), quotesIn(ofCyn)]).toEqual([[reply], [first]])
    const base = (sender: AgentId, receiver: AgentId, id: MessageId, more = {}) =>
      changed(message(sender, receiver, {}, id, TASKS.base), more)
    const inBase = play(
      [base(PEOPLE.cyn, AGENTS.manager, hidden)],
      [base(AGENTS.manager, PEOPLE.ben, other, { replyTo: hidden })],
      [base(PEOPLE.cyn, PEOPLE.ben, reply, { thread: other, replyTo: hidden })],
      [base(PEOPLE.ben, AGENTS.manager, first, { thread: other, replyTo: reply })],
    )
    expect(quotesIn(inBase, PEOPLE.ben, `direct:${AGENTS.manager}`)).toEqual([reply])
    const gone = changed(message(AGENTS.coder, PEOPLE.ben, {}, reply), { replyTo: hidden })
    expect(quotesIn(play([gone]))).toEqual([])
  })

  it('[R633] a message that two reply to is quoted once', () => {
    const first = newId<MessageId>()
    const answer = (): MasEvent => changed(message(AGENTS.coder, PEOPLE.ben), { replyTo: first })
    expect(quotesIn(play([message(PEOPLE.cyn, AGENTS.coder, {}, first)], [answer()], [answer()]))).toEqual([first])
  })

  it('[R632] a change of one delivery is sent without its message and what else the page holds', () => {
    const of = newId<MessageId>()
    const world = play([message(AGENTS.coder, PEOPLE.ben, { reply: true }, of)])
    const source = talkRows('own', PEOPLE.ben, { kind: 'talk', agent: AGENTS.coder, isAll: false, before: null })
    const stream = rowStream(source, 'own', 'g', world)
    const frame = stream.flush(playOn(world, [delivery(of, PEOPLE.ben, 'shown')]))
    expect(frame?.set.map(({ id }) => id)).toEqual([RECORD_IDS.delivery(of, PEOPLE.ben)])
    expect(frame?.del).toEqual([])
  })

  it('[M2] a task is shown without the thread in which it was asked for', () => {
    const asked = taskWith(beginning().world, TASKS.build, { requestedIn: { task: TASKS.base, thread: newId() } })
    expect(tasksIn(asked).map(({ requestedIn }) => requestedIn)).toEqual([null])
  })

  it('[M5] has the deliveries of its messages and the requests that came with them', () => {
    const [of, plain, asked] = [newId<MessageId>(), newId<MessageId>(), newId<RequestId>()]
    const world = play(
      [message(AGENTS.coder, PEOPLE.ben, { reply: true }, of), request({ id: asked, message: of })],
      [message(PEOPLE.ben, AGENTS.coder, {}, plain), delivery(of, PEOPLE.ben, 'shown')],
    )
    const rows = recordsIn(world)
    expect(messagesIn(world).map(({ id }) => id)).toEqual([of, plain])
    expect(rows.flatMap((row) => (row.of === 'delivery' ? [[row.record.message, row.record.state]] : []))).toEqual([
      [of, 'shown'],
      [plain, expect.any(String)],
    ])
    expect(rows.flatMap((row) => (row.of === 'request' ? [row.record.id] : []))).toEqual([asked])
  })
})

describe('the list of conversations', () => {
  const listOf = (world: World, person: AgentId = PEOPLE.ben) =>
    rowsOf(world, person, 'direct').filter((row): row is DirectRow => 'kind' in row && row.kind === 'direct')

  it('[M1] has the last word of each, and what was sent in one decision in its order', () => {
    const two = [message(AGENTS.coder, PEOPLE.ben), message(AGENTS.coder, PEOPLE.ben)]
    const world = play([
      changed(two[0] as MasEvent, { text: 'first' }),
      changed(two[1] as MasEvent, { text: 'second' }),
    ])
    expect(listOf(world).find(({ agent }) => agent === AGENTS.coder)?.last?.text).toBe('second')
  })

  it('[M1] counts as unread what somebody sent to the reader, never what the reader sent', () => {
    const both = changed(message(PEOPLE.ben, AGENTS.coder), { receivers: [AGENTS.coder, PEOPLE.ben] })
    expect(listOf(play([both])).find(({ agent }) => agent === AGENTS.coder)?.unread).toBe(0)
    expect(listOf(play([message(AGENTS.coder, PEOPLE.ben)]))[0]?.unread).toBe(1)
  })

  it('[M1] puts away the conversations of a task that is over, and who left without a word', () => {
    const world = play([message(AGENTS.coder, PEOPLE.ben)])
    const after = play([message(AGENTS.coder, PEOPLE.ben)], [over(TASKS.build)])
    const names = (now: World) => listOf(now).map(({ who }) => who.name)
    expect(names(world)).toContain('Coder')
    expect(names(after)).not.toContain('Coder')
    const gone = agentWith(agentWith(world, AGENTS.coder, { removed: true }), AGENTS.manager, { removed: true })
    expect(names(gone)).toEqual(['Coder', 'Ana', 'Cyn'])
  })

  it('[M1] sums up what is unread of all, also of somebody who wrote from a task that the reader is not in', () => {
    const from = message(AGENTS.coder, PEOPLE.ana)
    const world = play([from, message(AGENTS.coder, PEOPLE.ana), message(AGENTS.manager, PEOPLE.ana)])
    const unread = (now: World) =>
      (rowsOf(now, PEOPLE.ana, 'direct').find(({ id }) => id === '$') as DirectTotals).unread
    expect(unread(world)).toBe(3)
    const rows = listOf(world, PEOPLE.ana)
    expect(rows.map(({ who, unread: own }) => [who.name, own]).slice(0, 2)).toEqual([
      ['Manager', 1],
      ['Coder', 2],
    ])
    // The task is none that they share.
    expect(rows.find(({ agent }) => agent === AGENTS.coder)?.tasks).toEqual([])
    const mine = play([message(PEOPLE.ana, AGENTS.coder)])
    expect(listOf(mine, PEOPLE.ana).map(({ who }) => who.name)).toContain('Coder')
    // An operator sees every task, and has conversations in their own only.
    expect(listOf(play([message(AGENTS.coder, PEOPLE.ben)]), PEOPLE.ana).map(({ who }) => who.name)).not.toContain(
      'Coder',
    )
  })

  it('[M1] has nobody for what the task itself said, and not oneself for what one sent to all', () => {
    const told = changed(message(AGENTS.coder, PEOPLE.ben), { sender: SYSTEM_TASK })
    expect(listOf(play([told])).every(({ last }) => last === null)).toBe(true)
    const all = changed(message(PEOPLE.ben, AGENTS.coder), { receivers: [AGENTS.coder, PEOPLE.ben] })
    expect(listOf(play([all])).map(({ who }) => who.name)).not.toContain('Ben')
  })

  it('[M1] names members without a word by name, people before agents', () => {
    expect(listOf(beginning().world).map(({ who }) => who.name)).toEqual(['Ana', 'Cyn', 'Coder', 'Manager'])
  })

  it('[M1] has three hundred members without a word at most, and everybody who said one', () => {
    const { world } = beginning()
    const model = world.agents[AGENTS.coder]
    if (model === undefined) throw new Error('Coder is missing')
    const many = Array.from({ length: 300 }, () => newId<AgentId>())
    const crowd = (size: number): World => {
      const some = many.slice(0, size)
      const agents = Object.fromEntries(some.map((id) => [id, { ...model, id, name: `Z${id}` }]))
      const now = play([message(AGENTS.coder, PEOPLE.ben)])
      const group = [AGENTS.manager, AGENTS.coder, PEOPLE.ben, ...some]
      return taskWith({ ...now, agents: { ...now.agents, ...agents } }, TASKS.build, { group })
    }
    const silent = (now: World) => listOf(now).filter(({ last }) => last === null).length
    // Manager, Ana and Cyn have said nothing either.
    expect([silent(crowd(297)), silent(crowd(298))]).toEqual([300, 300])
    expect(listOf(crowd(300)).map(({ who }) => who.name)).toContain('Coder')
  })
})
