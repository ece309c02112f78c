/** What the row of a wait says, in which order waits stand, and whose waits somebody sees. */
import { describe, expect, it } from 'vitest'
import { event } from '@/lib/mas/events'
import {
  type AgentId,
  type MessageId,
  type RequestId,
  type StepId,
  SYSTEM_TASK,
  type TaskId,
  type WaitingId,
} from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import type { TreeTotals, WaitRow, WaitsTotals } from '@/lib/wire/rows'
import { AGENTS, PEOPLE, TASKS } from '@/test/histories'
import { added, eight, locked, message, newId, play, playOn, request, rowsOf, STAGE, step } from './test/rowsWorld'
import { waitsFor } from './waitRows'

const idsOf = (world: World, person: AgentId): string[] => waitsFor(world, person).rows.map(({ id }) => id)
const rowOf = (world: World, id: WaitingId, person: AgentId = PEOPLE.ana) =>
  waitsFor(world, person).rows.find((row) => row.id === id)

describe('waits that somebody asks for once', () => {
  it('[R25] are those of the view, in its order, with its counts', () => {
    const [toCyn, toCoder, asked] = [newId<WaitingId>(), newId<WaitingId>(), newId<RequestId>()]
    const world = play(
      [request({ id: asked, asked: [PEOPLE.cyn], lock: toCyn }, TASKS.docs)],
      [locked(AGENTS.coder, TASKS.docs, PEOPLE.cyn, { id: toCyn, request: asked })],
      [locked(AGENTS.manager, TASKS.docs, AGENTS.coder, { id: toCoder })],
    )
    const view = rowsOf(world, PEOPLE.ana, 'waits')
    const once = waitsFor(world, PEOPLE.ana)
    expect(once.rows).toEqual(view.filter(({ id }) => id !== '$'))
    expect([once.waits, once.blocked]).toEqual([2, 1])
    expect(once.rows.map(({ id }) => id)).toEqual([toCoder, toCyn])
  })

  it('[R25] stand blocked first, each kind by age', () => {
    const [a, b, c, d] = eight<WaitingId>()
    const asked = newId<RequestId>()
    const world = play(
      [request({ id: asked, asked: [PEOPLE.cyn], lock: a }, TASKS.docs)],
      [
        locked(AGENTS.coder, TASKS.docs, PEOPLE.cyn, { id: a, request: asked }),
        locked(AGENTS.tester, TASKS.docs, AGENTS.coder, { id: d }),
        locked(AGENTS.tester, TASKS.docs, AGENTS.manager, { id: b }),
      ],
      [locked(AGENTS.manager, TASKS.docs, AGENTS.coder, { id: c })],
    )
    expect(idsOf(world, PEOPLE.ana)).toEqual([d, b, c, a])
  })

  it('[M2] are none for who may see nothing, and none of others’ tasks', () => {
    const world = play([locked(AGENTS.coder, TASKS.build, PEOPLE.ben)])
    expect(idsOf(world, PEOPLE.ben)).toHaveLength(1)
    const gone = playOn(world, [event('human.accessChanged', { agent: PEOPLE.ben, access: 'none' })])
    expect(waitsFor(gone, PEOPLE.ben)).toEqual({ waits: 0, blocked: 0, rows: [] })
    expect(idsOf(world, PEOPLE.cyn)).toEqual([])
  })

  it('[M2] in the base task are those of a participant’s own threads, and those that are on them', () => {
    const [mine, theirs] = [newId<MessageId>(), newId<MessageId>()]
    const [inMine, inTheirs] = eight<StepId>()
    const [first, second, onCyn, loose] = eight<WaitingId>()
    const base = (id: StepId, thread: MessageId) =>
      step(id, { task: TASKS.base, agent: AGENTS.manager, stage: null, thread })
    const wait = (on: AgentId, id: WaitingId, of: StepId) => locked(AGENTS.manager, TASKS.base, on, { id, step: of })
    const world = play(
      [
        message(PEOPLE.ben, AGENTS.manager, {}, mine, TASKS.base),
        message(PEOPLE.cyn, AGENTS.manager, {}, theirs, TASKS.base),
      ],
      added(base(inMine, mine), base(inTheirs, theirs)),
      [wait(AGENTS.coder, first, inMine), wait(AGENTS.coder, second, inTheirs)],
      [wait(PEOPLE.cyn, onCyn, inMine), wait(AGENTS.coder, loose, newId())],
    )
    const seen = (person: AgentId) => new Set(idsOf(world, person))
    expect(seen(PEOPLE.ana)).toEqual(new Set([first, second, onCyn, loose]))
    expect(seen(PEOPLE.ben)).toEqual(new Set([first, onCyn]))
    expect(seen(PEOPLE.cyn)).toEqual(new Set([second, onCyn]))
  })
})

describe('the row of a wait', () => {
  it('[R105] carries a sentence of the program with its values, so that a page says it in its reader’s language', () => {
    const [lock, asked] = [newId<WaitingId>(), newId<RequestId>()]
    const said = { say: 'allow', with: { call: 'files.write_file' } } as const
    const world = play(
      [request({ id: asked, lock, said })],
      [locked(AGENTS.coder, TASKS.build, PEOPLE.ben, { id: lock, request: asked })],
    )
    expect(rowOf(world, lock)).toMatchObject({ said })
  })

  it('[R25] names the stage by its place, the message or the question that is waited on, and the time by which', () => {
    const [plain, full, asked, of] = [newId<WaitingId>(), newId<WaitingId>(), newId<RequestId>(), newId<MessageId>()]
    const world = play(
      [message(AGENTS.coder, PEOPLE.ben, { waits: true }, of), request({ id: asked, lock: full, message: of })],
      [
        locked(AGENTS.coder, TASKS.build, PEOPLE.ben, { id: full, stage: STAGE, request: asked, message: of, due: 99 }),
        locked(AGENTS.manager, TASKS.build, PEOPLE.ben, { id: plain, message: of }),
      ],
    )
    expect(rowOf(world, full)).toMatchObject({
      task: TASKS.build,
      taskName: 'build',
      stage: { id: STAGE, number: 1, name: 'a goal' },
      due: 99,
      what: 'Which one?',
      request: asked,
      message: of,
      kind: 'wait',
      lock: 'message',
    })
    expect(rowOf(world, plain)).toMatchObject({ stage: null, due: null, what: 'text', request: null, message: of })
    const bare = newId<WaitingId>()
    const silent = play([locked(AGENTS.coder, TASKS.build, PEOPLE.ben, { id: bare })])
    expect(rowOf(silent, bare)).toMatchObject({ what: '', request: null, message: null, stage: null })
  })

  it('[M2] holds up stages and members that the reader knows from a task of theirs, and names no others', () => {
    const [first, docs, build] = eight<WaitingId>()
    const [asks, works] = eight<StepId>()
    const held = play(
      added(step(asks), step(works, { agent: AGENTS.manager })),
      [locked(AGENTS.coder, TASKS.docs, PEOPLE.cyn, { id: first })],
      [locked(AGENTS.manager, TASKS.build, AGENTS.coder, { id: build, stage: STAGE, step: works })],
      [locked(AGENTS.tester, TASKS.docs, AGENTS.manager, { id: docs })],
    )
    const holdsUp = (person: AgentId) => rowOf(held, first, person)?.holdsUp
    const names = (person: AgentId) => holdsUp(person)?.agents.map(({ name }) => name)
    // Tester is in no task.
    expect([names(PEOPLE.ana), names(PEOPLE.cyn)]).toEqual([['Manager'], ['Manager']])
    expect(holdsUp(PEOPLE.ana)?.stages).toMatchObject([
      { task: TASKS.build, stage: STAGE, taskName: 'build', number: 1 },
    ])
    expect(holdsUp(PEOPLE.cyn)?.stages).toEqual([])
  })

  it('[R25] in a circle counts one circle for all of its waits, and none where there is none', () => {
    const circles = (world: World) => (rowsOf(world, PEOPLE.ana, 'waits')[0] as WaitsTotals).circles
    const round = (task: TaskId) => [
      locked(AGENTS.coder, task, AGENTS.manager),
      locked(AGENTS.manager, task, AGENTS.coder),
    ]
    expect(circles(play(round(TASKS.build)))).toBe(1)
    expect(circles(play([locked(AGENTS.coder, TASKS.build, AGENTS.manager)]))).toBe(0)
    const rows = waitsFor(play(round(TASKS.build)), PEOPLE.ana).rows as WaitRow[]
    expect(rows.map(({ sort }) => sort[0])).toEqual(['0', '0'])
  })
})

describe('the waits of a tree', () => {
  const totals = (world: World, person: AgentId, task: TaskId) => rowsOf(world, person, `tree:${task}`)[0] as TreeTotals

  it('[M2] of the base task count for a participant those of their threads and those on them', () => {
    const [mine, theirs] = [newId<MessageId>(), newId<MessageId>()]
    const [inMine, inTheirs] = eight<StepId>()
    const base = (id: StepId, thread: MessageId) =>
      step(id, { task: TASKS.base, agent: AGENTS.manager, stage: null, thread })
    const waits = (on: AgentId, of: StepId) => locked(AGENTS.manager, TASKS.base, on, { step: of })
    const world = play(
      [
        message(PEOPLE.ben, AGENTS.manager, {}, mine, TASKS.base),
        message(PEOPLE.cyn, AGENTS.manager, {}, theirs, TASKS.base),
      ],
      added(base(inMine, mine), base(inTheirs, theirs)),
      [waits(AGENTS.coder, inMine), waits(PEOPLE.cyn, inMine), waits(AGENTS.coder, inTheirs)],
    )
    const counts = [PEOPLE.ana, PEOPLE.ben, PEOPLE.cyn].map((person) => totals(world, person, TASKS.base).waits)
    expect(counts).toEqual([3, 2, 2])
  })

  it('[M4] are those of its own task', () => {
    const world = play([locked(AGENTS.coder, TASKS.docs, PEOPLE.cyn)], [locked(AGENTS.coder, TASKS.build, PEOPLE.ben)])
    expect([TASKS.build, TASKS.docs].map((task) => totals(world, PEOPLE.ana, task).waits)).toEqual([1, 1])
  })
})

it('[R25] what the task asks by itself is asked under its name', () => {
  const asked = newId<RequestId>()
  const world = play([request({ id: asked, asker: SYSTEM_TASK, kind: 'judge', stage: STAGE })])
  const [row] = waitsFor(world, PEOPLE.ana).rows
  expect(row).toMatchObject({ id: asked, who: { kind: 'system', name: 'build' } })
  expect(row?.holdsUp.stages).toMatchObject([{ stage: STAGE }])
  const ofAgent = play([locked(AGENTS.coder, TASKS.build, PEOPLE.ben)])
  expect(waitsFor(ofAgent, PEOPLE.ana).rows[0]).toMatchObject({ who: { name: 'Coder' } })
})
