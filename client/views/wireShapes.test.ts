/** Whatever comes over the socket, reading it never throws, and what is let through can be applied. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readFault } from '@/client/api'
import { emptyWorld } from '@/lib/mas/records'
import { recordRow } from '@/lib/wire/records'
import { createViews } from '.'
import { loadingView, takeClosed, takeFrame, takeReset } from './viewState'
import { readBeat, readClosed, readEphemeral, readFrame, readReset } from './wireShapes'

const head = { sub: 'p1', asked: 1, gen: 'g', to: 5, cursor: 'g@5' }
const reset = { ...head, n: 1, rows: [{ id: 'team', sort: '' }] }

describe('messages', () => {
  it('[C5] malformed messages are rejected', () => {
    fc.assert(
      fc.property(fc.anything(), (rubbish) => {
        for (const read of [readReset, readFrame, readClosed, readBeat, readEphemeral]) expect(read(rubbish)).toBeNull()
      }),
      { numRuns: 300, seed: 3 },
    )
  })

  it('[C5] messages with a part of the wrong type are rejected', () => {
    expect(readReset(reset)).not.toBeNull()
    for (const key of Object.keys(reset)) {
      fc.assert(
        fc.property(
          fc.oneof(fc.constant(undefined), fc.constant(null), fc.constant(-1.5), fc.constant([5])),
          (value) => {
            expect(readReset({ ...reset, [key]: value })).toBeNull()
          },
        ),
      )
    }
  })

  it('[R475] what a step does is read with what belongs to it, and with nothing else', () => {
    const note = { kind: 'doing', task: 't', agent: 'a', step: 's', attempt: 1, since: 5 }
    for (const doing of [{ what: 'queued', place: 1 }, { what: 'asked' }, { what: 'tool', tool: 'db.query' }])
      expect(readEphemeral({ ...note, ...doing })).toEqual({ ...note, ...doing })
    for (const doing of [{ what: 'queued' }, { what: 'queued', place: 0 }, { what: 'tool' }, { what: 'dreams' }, {}])
      expect(readEphemeral({ ...note, ...doing })).toBeNull()
  })

  it('[C5] a view whose records cannot be applied is requested again, and closed after three tries', () => {
    const troubles: string[] = []
    const asked: unknown[] = []
    const views = createViews({
      send: (event, message) => asked.push([event, message]),
      schedule: (flush) => flush(),
      later: (release) => release(),
      onFailure: (view) => troubles.push(view),
    })
    const task = '00000000-0000-4000-8000-000000000001'
    views.open(`task:${task}`)
    views.connected()
    for (let n = 1; n <= 4; n++) {
      const whole = readReset({ ...reset, asked: n, n, rows: [] })
      const row = { id: 'no such', sort: '', kind: 'record', of: 'no such', record: {} }
      const frame = readFrame({ ...head, asked: n, from: 5, to: 6, cursor: 'g@6', set: [row], patch: [], del: [] })
      if (whole) views.receive({ event: 'reset', message: whole })
      if (frame) views.receive({ event: 'frame', message: frame })
    }
    expect(troubles).toHaveLength(3)
    expect(views.store(`task:${task}`).getState()).toMatchObject({ status: 'closed', reason: 'bad-view' })
  })
})

describe('changes of records', () => {
  const task = '00000000-0000-4000-8000-000000000001'
  const held = recordRow('team', { ...emptyWorld.team, name: 'North' })
  const frame = (n: number, patch: unknown) =>
    readFrame({ ...head, asked: n, from: 5, to: 6, cursor: 'g@6', set: [], patch, del: [] })

  it('[R631] are put into the record that the page holds; the rest of it keeps its identity', () => {
    const whole = readReset({ ...reset, rows: [held] })
    const change = frame(1, [{ id: 'team', fields: { name: 'South' } }])
    if (!whole || !change) throw new Error('not read')
    const next = takeFrame(takeReset(loadingView(`task:${task}`), whole), change)
    if (typeof next === 'string' || next.content === null) throw new Error('not applied')
    expect(next.content.world.team).toEqual({ ...held.record, name: 'South' })
    expect(next.content.world.team).toBe((next.content.rows.get('team') as typeof held).record)
    expect(next.have).toBe(6)
  })

  it('[R631] of a record that the page does not hold let it ask for the whole view', () => {
    const asked: [string, object][] = []
    const views = createViews({
      send: (event, message) => asked.push([event, message]),
      schedule: (flush) => flush(),
      later: (release) => release(),
    })
    views.open(`task:${task}`)
    views.connected()
    const whole = readReset({ ...reset, rows: [] })
    const change = frame(1, [{ id: 'team', fields: { name: 'South' } }])
    if (!whole || !change) throw new Error('not read')
    views.receive({ event: 'reset', message: whole })
    asked.splice(0)
    views.receive({ event: 'frame', message: change })
    // Without a cursor: what the page has is not what the server thinks.
    expect(asked).toEqual([['subscribe', { sub: 'p1', asked: 2, view: `task:${task}` }]])
  })

  it('[R631] are rejected when they are malformed', () => {
    expect(frame(1, [{ id: 'team', fields: {}, without: ['name'] }])).not.toBeNull()
    for (const bad of [undefined, [{ fields: {} }], [{ id: 'team' }], [{ id: 'team', fields: [], without: [] }]])
      expect(frame(1, bad)).toBeNull()
    expect(frame(1, [{ id: 'team', fields: {}, without: [5] }])).toBeNull()
  })
})

describe('rows', () => {
  const row = (id: string, sort: string, name = '') => ({ id, sort, name })
  const rows = (list: object[], to = 5) => readReset({ ...head, to, n: 1, rows: list })
  const step = (change: object) => readFrame({ ...head, from: 5, to: 6, set: [], patch: [], del: [], ...change })

  it('[C5] rows keep their identity over an equal reset, and their order over a frame', () => {
    const [first, second] = [
      rows([row('a', '1'), row('b', '2'), row('$', '')]),
      rows([row('b', '2'), row('a', '1'), row('$', '')]),
    ]
    const frame = step({ set: [row('a', '3')], del: [] })
    if (!first || !second || !frame) throw new Error('not read')
    const one = takeReset(loadingView('me'), first)
    const two = takeReset(one, second)
    expect(two.content?.list[0]).toBe(one.content?.list[0])
    const three = takeFrame(two, frame)
    if (typeof three === 'string' || three.content === null) throw new Error('not applied')
    expect(three.content.list.map(({ id }) => id)).toEqual(['b', 'a'])
    expect(takeFrame(three, frame)).toBe('drop')
  })

  it('[C5] after any frames the rows stand as if they were sorted anew', () => {
    const one = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', '$'), sort: fc.constantFrom('1', '2', '3') })
    const frames = fc.array(fc.record({ set: fc.array(one), del: fc.array(fc.constantFrom('a', 'b', 'c')) }))
    fc.assert(
      fc.property(fc.uniqueArray(one, { selector: ({ id }) => id }), frames, (first, changes) => {
        const whole = rows(first)
        if (!whole) throw new Error('not read')
        let state = takeReset(loadingView('me'), whole)
        changes.forEach(({ set, del }, at) => {
          const frame = readFrame({ ...head, from: 5 + at, to: 6 + at, set, patch: [], del })
          const next = frame ? takeFrame(state, frame) : 'drop'
          if (typeof next === 'string' || next.content === null) throw new Error('not applied')
          const all = [...next.content.rows.values()].filter(({ id }) => id !== '$')
          const sorted = all.sort((a, b) => (`${a.sort} ${a.id}` < `${b.sort} ${b.id}` ? -1 : 1))
          expect(next.content.list).toEqual(sorted)
          state = next
        })
      }),
    )
  })

  it('[C5] rows of a closed view are dropped', () => {
    const first = rows([row('a', '1')])
    if (!first) throw new Error('not read')
    expect(
      takeClosed(takeReset(loadingView('me'), first), { sub: 'p1', asked: 1, n: 2, reason: 'not-allowed' }).content,
    ).toBeNull()
  })
})

describe('refusals', () => {
  it('[C5] refusals are read by their code; answers of a proxy are NO_ANSWER', () => {
    const said = { error: 'TASK_OVER', message: 'The task x is over.', status_code: 409, details: { task: 'x' } }
    expect(readFault(409, said)).toEqual(said)
    for (const other of [
      null,
      'x',
      { error: 'toString' },
      { error: 'Bad Gateway', message: 'no', status_code: 200 },
      '<html>',
    ])
      expect(readFault(502, other).error).toBe('NO_ANSWER')
  })
})
