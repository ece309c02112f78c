import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AgentId, StepId, TaskId } from '@/lib/mas/ids'
import type { WaitRow, Who } from '@/lib/wire'
import { ANA, BEN } from '@/test/stories'
import { asks, lockOf, teamOf } from '@/test/waitStories'
import { BOX, coursesOf, LABEL, leftOf, overlaps, pictureSize, topOf } from './courses'
import { endedWaitsOf } from './endedWaits'
import { graphGroupsOf, neighbourOf } from './layout'
import { sumsOf, tasksOf, waiterOf, waitsIn } from './waitList'

const who = (name: string, kind: 'llm' | 'human' = 'llm'): Who => ({
  id: name as AgentId,
  name,
  kind,
  role: '',
  manager: false,
  access: 'none',
})
const wait = (from: string, to: string[], change: Partial<WaitRow> = {}): WaitRow => ({
  id: `${from}>${to.join()}`,
  sort: '',
  kind: 'wait',
  who: who(from),
  forWhom: to.map((name) => who(name)),
  task: 'build' as TaskId,
  taskName: 'build',
  stage: null,
  step: 's' as StepId,
  since: 10,
  due: null,
  what: '',
  message: null,
  request: null,
  lock: 'message',
  state: 'waiting',
  isBlocked: false,
  why: null,
  circle: null,
  holdsUp: { stages: [], agents: [] },
  ...change,
})
const placesOf = (rows: readonly WaitRow[]) =>
  graphGroupsOf(rows).map(({ nodes }) => Object.fromEntries(nodes.map(({ id, column, line }) => [id, [column, line]])))

describe('the picture of the waits', () => {
  it('has the one who waits to the left of the one it waits for, the longest chain in one line', () => {
    expect(placesOf([wait('painter', ['coder']), wait('coder', ['ana']), wait('manager', ['ana'])])).toEqual([
      { painter: [0, 0], manager: [0, 1], coder: [1, 0], ana: [2, 0] },
    ])
  })

  it('has a box for each task that asks by itself', () => {
    const itself = { ...who('', 'human'), id: 'system:task', kind: 'system' } as const
    const [build, print] = ['build', 'print'].map((task) =>
      wait('', ['ana'], { id: task as TaskId as never, task: task as TaskId, who: { ...itself, name: task } }),
    ) as [WaitRow, WaitRow]
    const other = wait('', ['ben'], { ...print, id: 'other' as never, forWhom: [who('ben')] })
    expect(placesOf([build, print])).toEqual([{ build: [0, 0], print: [0, 1], ana: [1, 0] }])
    expect(placesOf([build, other])).toEqual([
      { build: [0, 0], ana: [1, 0] },
      { print: [0, 0], ben: [1, 0] },
    ])
    expect(sumsOf([build, print]).waiting).toEqual({ agents: 0, people: 0, tasks: 2 })
    expect(waiterOf({ ...build, taskName: 'MAS base task' }).name).toBe('Requests')
  })

  it('puts nobody on the place of another', () => {
    const [group] = graphGroupsOf([
      wait('coder', ['ana', 'ben', 'cyn']),
      wait('tester', ['ben']),
      wait('writer', ['cyn']),
    ])
    const places = group?.nodes.map(({ column, line }) => `${column}/${line}`) ?? []
    expect(new Set(places).size).toBe(6)
  })

  it('ends a circle where it closes, and keeps those apart that have nothing to do with each other', () => {
    const groups = graphGroupsOf([
      wait('a', ['b'], { state: 'circle', circle: 'x' }),
      wait('b', ['c'], { state: 'circle', circle: 'x' }),
      wait('c', ['a'], { state: 'circle', circle: 'x' }),
      wait('coder', ['ana']),
    ])
    expect(groups.map(({ columns }) => columns)).toEqual([3, 2])
    expect(groups[0]?.edges.filter((edge) => edge.isBack).map((edge) => edge.id)).toEqual(['c>a'])
  })

  it('has one line for several waits between two, since the oldest', () => {
    const [group] = graphGroupsOf([wait('a', ['b'], { id: '1', since: 20 }), wait('a', ['b'], { id: '2', since: 5 })])
    expect(group?.edges).toMatchObject([{ id: 'a>b', since: 5 }])
  })

  it('leads along the waits by arrows', () => {
    const groups = graphGroupsOf([wait('painter', ['coder']), wait('coder', ['ana']), wait('x', ['y'])])
    expect(neighbourOf(groups, 'painter', 'along')).toBe('coder')
    expect(neighbourOf(groups, 'ana', 'against')).toBe('coder')
    expect(neighbourOf(groups, 'ana', 'along')).toBeNull()
    expect(neighbourOf(groups, 'ana', 'down')).toBe('x')
    expect(neighbourOf(groups, 'painter', 'last')).toBe('y')
  })
})

describe('[R433] the time of each wait in the picture', () => {
  const areaOf = ({ x, y }: { x: number; y: number }) => ({
    x: x - LABEL.width / 2,
    y: y - LABEL.height / 2,
    ...LABEL,
  })
  const checkLabels = (rows: readonly WaitRow[]): void => {
    for (const group of graphGroupsOf(rows)) {
      const courses = coursesOf(group)
      expect(courses.map(({ id }) => id)).toEqual(group.edges.map(({ id }) => id))
      const labels = courses.map(({ label }) => areaOf(label))
      const boxes = group.nodes.map((node) => ({ x: leftOf(node), y: topOf(node), ...BOX }))
      const { width, height } = pictureSize(group)
      for (const [at, label] of labels.entries()) {
        expect(boxes.filter((box) => overlaps(label, box))).toEqual([])
        expect(labels.slice(at + 1).filter((other) => overlaps(label, other))).toEqual([])
        expect(label.x >= 0 && label.x + label.width <= width).toBe(true)
        expect(label.y >= 0 && label.y + label.height <= height).toBe(true)
      }
    }
  }

  it('is visible for each of many that wait for one', () => {
    checkLabels(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => wait(name, ['ana'])))
    checkLabels([wait('a', ['ana', 'ben']), wait('b', ['ana', 'ben']), wait('c', ['ana', 'ben'])])
  })

  it('covers no other and no box, whoever waits for whom', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')
    const rows = fc.array(fc.tuple(name, fc.uniqueArray(name, { minLength: 1, maxLength: 3 })), {
      minLength: 1,
      maxLength: 14,
    })
    fc.assert(
      fc.property(rows, (all) => {
        checkLabels(all.map(([from, to], at) => wait(from, to, { id: `${at}` })))
      }),
      { numRuns: process.env.CONVENE_ALL === '1' ? 2_000 : 100 },
    )
  })
})

describe('what the waits add up to', () => {
  it('[R432] counts who waits by kind, and circles, not rows: a task that waits for a part is no waiting agent', () => {
    const rows = [
      wait('a', ['b'], { circle: 'x', since: 30 }),
      wait('a', ['ana'], { since: 20 }),
      wait('b', ['a'], { circle: 'x', since: 40 }),
    ]
    const part = wait('', ['ana'], {
      id: 'part',
      who: { ...who(''), id: 'system:task' as AgentId, kind: 'system' },
      lock: null,
    })
    expect(sumsOf([...rows, part, { ...part, id: 'other' }])).toEqual({
      waiting: { agents: 2, people: 0, tasks: 1 },
      oldest: 10,
      circles: 1,
    })
    expect(sumsOf([wait('', ['a'], { who: who('ben', 'human') })]).waiting.people).toBe(1)
    expect(sumsOf([])).toEqual({ waiting: { agents: 0, people: 0, tasks: 0 }, oldest: null, circles: 0 })
  })

  it('is cut to one task by the address', () => {
    const rows = [wait('a', ['b']), wait('c', ['d'], { task: 'docs' as TaskId, taskName: 'a docs' })]
    expect(tasksOf(rows).map(({ name }) => name)).toEqual(['a docs', 'build'])
    expect(waitsIn(rows, 'docs')).toHaveLength(1)
    expect(waitsIn(rows, null)).toHaveLength(2)
  })
})

describe('the waits that are over', () => {
  it('say for whom, how long and how each ended, the newest end first; one that goes on is none of them', () => {
    const ring = teamOf(2)
    const { story, task, members } = ring
    const [first, second] = members
    asks(ring, BEN, ANA)
    const lock = lockOf(ring)
    expect(endedWaitsOf(story.world, task)).toEqual([])
    story.put(ANA, { type: 'releaseWait', agent: first ?? ANA, waiting: lock.id, reason: 'it is late' })
    const [released, ...others] = endedWaitsOf(story.world, task)
    expect(others).toEqual([])
    expect(released).toMatchObject({
      who: first,
      forWhom: lock.on === null ? [] : [lock.on],
      how: 'released',
      by: null,
    })
    expect(released?.why).toContain('it is late')
    expect((released?.endedAt ?? 0) - (released?.since ?? 0)).toBeGreaterThan(0)

    const open = Object.values(story.world.requests[task] ?? {}).find(({ state }) => state === 'open')
    const asked = open?.asked[0]
    if (!open || !asked) throw new Error('nobody is asked any more')
    story.put(asked, {
      type: 'answerRequest',
      request: open.id,
      decision: 'answer',
      text: 'yes',
      arguments: null,
      digest: null,
    })
    expect(endedWaitsOf(story.world, task).map(({ how, by }) => [how, by])).toEqual([
      ['answered', asked],
      ['released', null],
    ])
    expect(second).toBeDefined()
  })
})
