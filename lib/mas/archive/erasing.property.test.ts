/** An erased task, over any history: the journal without its texts gives the world that the journal with them gave. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Action, beginning, entriesOf, eventsOf } from '@/test/histories'
import { sampleShapeOf } from '@/test/samples'
import { anyMoves, BASE_TASK, walk } from '@/test/worldHistories'
import { type Entry, event, type MasEvent } from '../events'
import { type AgentId, asId, type TaskId } from '../ids'
import { NOTICES_KEPT } from '../messages/reduce'
import { emptyWorld, type World } from '../records'
import { reduceEntry } from '../reduce'
import { selectWithoutErased } from './erasing'

const reduced = (entries: readonly Entry[], from: World = emptyWorld): World => entries.reduce(reduceEntry, from)

const isOf = (task: TaskId, one: MasEvent): boolean =>
  ('task' in one && one.task === task) || (one.type === 'memory.added' && one.note.task === task)

const erasing = (world: World, task: TaskId): Entry[] =>
  entriesOf(world, [
    event('task.erased', {
      ...{ task, by: BY, agents: [], from: 1, to: world.seq, rows: 1, reason: 'asked for', counters: [] },
      without: selectWithoutErased(world, task),
    }),
  ]).map((entry) => ({ ...entry, at: world.at }))
const BY = '00000000-0000-4000-8000-000000000004' as never

const emptied = (entries: readonly Entry[], task: TaskId, by: number): Entry[] =>
  entries.map((entry) => (isOf(task, entry.event) ? { ...entry, event: event('entry.erased', { by }) } : entry))

const tasksIn = (entries: readonly Entry[]): TaskId[] => [
  ...new Set(entries.flatMap(({ event: { ...one } }) => ('task' in one && one.task !== null ? [one.task] : []))),
]

/** An envelope is of the task of its conversation, which random events do not know. */
const isInItsTask = (world: World, one: MasEvent): boolean =>
  !('conversation' in one && 'peer' in one && 'task' in one) ||
  one.conversation === null ||
  (world.conversations[one.peer]?.[one.conversation]?.task ?? one.task) === one.task

/** Both worlds, and where the text of the task is still found. */
function compared(entries: readonly Entry[], task: TaskId) {
  const before = reduced(entries)
  const last = erasing(before, task)
  const seq = before.seq + 1
  return { plus: reduced(last, before), after: reduced([...emptied(entries, task, seq), ...last]), seq }
}

const anyActions = fc.array(fc.tuple(fc.nat(9_999), fc.nat(9_999), fc.nat(9_999)) as fc.Arbitrary<Action>, {
  minLength: 40,
  maxLength: 300,
})

const isAll = process.env.CONVENE_ALL === '1'

describe('[R565] a world from the journal after a task was erased is the world before plus task.erased', () => {
  it('over any events, in any order, and whatever follows', () => {
    let erased = 0
    fc.assert(
      fc.property(anyActions, fc.nat(), fc.nat(), (actions, pick, at) => {
        const start = beginning()
        let { world } = start
        const entries = [...start.entries]
        const cut = at % actions.length
        let base: TaskId | null = null
        let told: ReturnType<typeof compared> | null = null
        let later: Entry[] = []
        actions.forEach((action, n) => {
          if (n === cut) {
            const tasks = tasksIn(entries).filter((id) => id !== world.baseTask)
            base = tasks[pick % Math.max(1, tasks.length)] ?? null
            if (base === null) return
            told = compared(entries, base)
            world = told.plus
            erased += 1
          }
          const made = entriesOf(world, eventsOf(world, action)).filter(
            ({ event: one }) => isInItsTask(world, one) && (base === null || !isOf(base, one)),
          )
          const next = made.map((entry, index) => ({ ...entry, seq: world.seq + index + 1 }))
          world = reduced(next, world)
          if (told === null) entries.push(...next)
          else later = [...later, ...next]
        })
        if (told === null) return
        const { plus, after }: ReturnType<typeof compared> = told
        expect(after).toEqual(plus)
        expect(reduced(later, after)).toEqual(reduced(later, plus))
      }),
      { numRuns: isAll ? 600 : 50 },
    )
    expect(erased).toBeGreaterThan(25)
  })

  it('over what people and agents do', () => {
    let erased = 0
    fc.assert(
      fc.property(anyMoves(80), fc.nat(), (moves, pick) => {
        const { entries } = walk(moves)
        const tasks = tasksIn(entries).filter((id) => id !== BASE_TASK)
        const task = tasks[pick % Math.max(1, tasks.length)]
        if (task === undefined) return
        const { plus, after } = compared(entries, task)
        expect(after).toEqual(plus)
        expect(Object.keys(plus.tasks)).not.toContain(task)
        erased += 1
      }),
      { numRuns: isAll ? 600 : 60 },
    )
    expect(erased).toBeGreaterThan(20)
  })

  it('where lists had more records than the world keeps', () => {
    const task = asId<TaskId>('erased')
    const other = asId<TaskId>('other')
    const person = asId<AgentId>('person')
    const shape = sampleShapeOf('notice.given')
    const notices = Array.from({ length: NOTICES_KEPT + 20 }, (_, n) =>
      event('notice.given', {
        ...{ task: n > NOTICES_KEPT && n % 2 === 0 ? task : other, agent: person },
        notice: { ...shape.notice, id: asId(`notice ${n}`) },
      }),
    )
    const { plus, after } = compared(entriesOf(emptyWorld, notices), task)
    expect(after).toEqual(plus)
    expect(plus.notices[person]).toHaveLength(NOTICES_KEPT - 9)
  })
})
