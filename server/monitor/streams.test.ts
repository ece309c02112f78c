/** Streams: what a frame holds, and what one who was away is still told. */
import { describe, expect, it } from 'vitest'
import type { World } from '@/lib/mas/records'
import type { AnyRow } from '@/lib/wire/rows'
import { BASE_TASK, Story, send, TEAM } from '@/test/worldHistories'
import { recordSource } from './records/changes'
import type { RowSource } from './rows/source'
import { recordStream, rowStream } from './streams'

/** A stream of rows that are given for each entry. */
function rows() {
  let [now, shown]: [World, Record<string, object>] = [{ ...new Story().world, seq: 10 }, { a: { n: 1 } }]
  const source: RowSource = {
    inputs: () => [shown],
    // A row of no kind in particular.
    rows: () => Object.entries(shown).map(([id, row]) => Object.assign({} as AnyRow, row, { id })),
  }
  const stream = rowStream(source, 'all', 'gen', now)
  const change = (seq: number, next: Record<string, object>) => {
    now = { ...now, seq }
    shown = next
    return stream.flush(now)
  }
  return { stream, change, missing: (after: number) => stream.missing(after, now), world: () => now }
}

describe('a frame of rows', () => {
  it('holds what came, changed and went; what is the same is left out', () => {
    const { change, stream } = rows()
    expect(change(11, { a: { n: 1 }, b: { n: 2 } })).toMatchObject({ from: 10, to: 11, set: [{ id: 'b' }], del: [] })
    expect(change(12, { b: { n: 3 } })).toMatchObject({ from: 11, to: 12, set: [{ id: 'b', n: 3 }], del: ['a'] })
    expect(change(13, { b: { n: 3 } })).toBeNull()
    expect(stream.from()).toBe(12)
    expect(change(14, {})).toMatchObject({ from: 12, to: 14, set: [], del: ['b'] })
  })

  it('holds a row that has one field more, one fewer, or another one of as many', () => {
    const { change } = rows()
    expect(change(11, { a: { n: 1, m: null } })).toMatchObject({ set: [{ id: 'a' }] })
    expect(change(12, { a: { n: 1 } })).toMatchObject({ set: [{ id: 'a' }] })
    expect(change(13, { a: { m: 1 } })).toMatchObject({ set: [{ id: 'a', m: 1 }] })
  })

  it('is none when nothing that the rows are made of changed', () => {
    const { stream, world } = rows()
    expect(stream.flush({ ...world(), seq: 99 })).toBeNull()
    expect(stream.from()).toBe(10)
  })

  it('is made where all inputs are the same and the mark is another one', () => {
    const { world } = rows()
    const [none, row] = [[], Object.assign({} as AnyRow, { id: 'a' })]
    const source: RowSource = {
      inputs: () => none,
      mark: ({ seq }) => (seq < 12 ? 'waits' : 'blocked'),
      rows: ({ seq }) => [[{ ...row, sort: `${seq}` }]],
    }
    const stream = rowStream(source, 'all', 'gen', world())
    expect(stream.flush({ ...world(), seq: 11 })).toBeNull()
    expect(stream.flush({ ...world(), seq: 12 })).toMatchObject({ from: 10, to: 12, set: [{ id: 'a', sort: '12' }] })
    expect(stream.flush({ ...world(), seq: 13 })).toBeNull()
  })
})

describe('who was away from rows', () => {
  it('is told all frames since in one; what went and came again is there, what came and went is gone', () => {
    const { change, missing } = rows()
    change(11, { a: { n: 1 }, b: { n: 2 } })
    change(12, { a: { n: 1 } })
    change(13, { a: { n: 5 }, c: { n: 1 } })
    change(14, { c: { n: 1 } })
    change(15, { a: { n: 6 }, c: { n: 1 } })
    expect(missing(10)).toMatchObject({ from: 10, to: 15, del: ['b'] })
    const frame = missing(10)
    expect(frame?.set.map(({ id }) => id).sort()).toEqual(['a', 'c'])
    expect(missing(14)).toMatchObject({ from: 14, set: [{ id: 'a', n: 6 }], del: [] })
  })

  it('is told nothing new at the newest, and nothing at all of what they cannot have seen', () => {
    const { change, missing } = rows()
    change(12, { b: { n: 1 } })
    expect(missing(12)).toEqual({ from: 12, to: 12, set: [], patch: [], del: [] })
    expect(missing(13)).toBeNull()
    // Before the stream began.
    expect(missing(9)).toBeNull()
    expect(missing(10)).not.toBeNull()
  })

  it('is told the newest 50 frames, and of one more the whole is needed', () => {
    const { change, missing } = rows()
    for (let seq = 11; seq <= 61; seq++) change(seq, { a: { n: seq } })
    expect(missing(11)).not.toBeNull()
    expect(missing(10)).toBeNull()
  })
})

describe('who was away from records', () => {
  const view = { kind: 'task', task: BASE_TASK } as const
  const say = (story: Story, text = 'hello'): void =>
    void story.put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.ben.id], { text }))
  function stream() {
    const story = new Story()
    return { story, start: story.world.seq, stream: recordStream(recordSource(view, 'all'), 'all', 'gen', story.world) }
  }

  it('is sent those that changed since they left, each once and as it is now', () => {
    const { story, start, stream: records } = stream()
    say(story)
    const frame = records.flush(story.world)
    expect(frame).toMatchObject({ from: start, to: story.world.seq, del: [] })
    expect(byId(records.missing(start, story.world)?.set)).toEqual(byId(frame?.set))
    expect(records.flush(story.world)).toBeNull()
    expect(records.from()).toBe(story.world.seq)
    for (let n = 0; n < 3; n++) say(story, `more ${n}`)
    const ids = (records.missing(start, story.world)?.set ?? []).map(({ id }) => id)
    expect(ids.length).toBe(new Set(ids).size)
    expect(ids.filter((id) => id.startsWith('message:'))).toHaveLength(4)
  })

  it('is sent nothing at the newest, and the whole if they know of more than this node', () => {
    const { story, stream: records } = stream()
    expect(records.missing(story.world.seq, story.world)).toMatchObject({ set: [], patch: [], del: [] })
    expect(records.missing(story.world.seq + 1, story.world)).toBeNull()
  })
})

const byId = (rows: readonly AnyRow[] = []): AnyRow[] => [...rows].sort((a, b) => (a.id < b.id ? -1 : 1))
