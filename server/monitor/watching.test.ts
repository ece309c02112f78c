/** No page ever shows what is not so, whatever is lost on the way; and each rule is there because without it one does. */
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type * as ViewStateModule from '@/client/views/viewState'
import { LEFT_KEPT } from '@/lib/mas/archive/leaving'
import { event, type MasEvent } from '@/lib/mas/events'
import { INFO_LINES_KEPT } from '@/lib/mas/steps/sharedInfo'
import type { Beat, View } from '@/lib/wire/views'
import { AGENTS, entriesOf, eventsOf, MAKER_NAMES, PEOPLE, TASKS } from '@/test/histories'
import { sampleOf } from '@/test/samples'
import { MOVES, type Move, openStage, PARTS, type Page, type Parts } from '@/test/watching'
import type * as ClassesModule from './scopes'
import type * as StreamsModule from './streams'

const move: fc.Arbitrary<Move> = fc.tuple(fc.nat(MOVES - 1), fc.nat(60), fc.nat(4 * MAKER_NAMES.length - 1), fc.nat(60))
const moves = fc.array(move, { minLength: 20, maxLength: 250, size: 'max' })

/** What every page looks at from the start; the moves open and leave others. */
const FIRST_VIEWS: View[] = [
  'me',
  'overview',
  `task:${TASKS.base}`,
  `task:${TASKS.build}`,
  `tree:${TASKS.build}`,
  `timeline:${TASKS.build}`,
  `agent:${AGENTS.coder}`,
]

const RUNS = process.env.CONVENE_ALL ? 100 : 12

let messages = 0
const holds = (parts: Parts) =>
  fc.asyncProperty(moves, async (all) => {
    const stage = await openStage(parts)
    for (const page of stage.pages) {
      stage.join(page)
      for (const view of FIRST_VIEWS) stage.look(page, view)
    }
    stage.deliverAll()
    for (const one of all) await stage.move(one)
    await stage.settle()
    messages += stage.sent()
  })

describe('pages over bad lines', () => {
  it('[V2] show what is so, after every message, and all of it in the end', async () => {
    await fc.assert(holds(PARTS), { numRuns: RUNS, seed: 11 })
    expect(messages).toBeGreaterThan(RUNS * 50)
  }, 300_000)
})

type StateModule = typeof ViewStateModule
type Rules = {
  state?: (real: StateModule) => Partial<StateModule>
  streams?: (real: typeof StreamsModule) => Partial<typeof StreamsModule>
  classes?: (real: typeof ClassesModule) => Partial<typeof ClassesModule>
  bendBeat?: Parts['bendBeat']
}

/** The same parts with one rule taken away. */
async function without(rules: Rules): Promise<Parts> {
  vi.resetModules()
  if (rules.state)
    vi.doMock('@/client/views/viewState', async (original) => withChange(await original<StateModule>(), rules.state))
  if (rules.streams)
    vi.doMock('@/server/monitor/streams', async (original) =>
      withChange(await original<typeof StreamsModule>(), rules.streams),
    )
  if (rules.classes)
    vi.doMock('@/server/monitor/scopes', async (original) =>
      withChange(await original<typeof ClassesModule>(), rules.classes),
    )
  const { createViews } = await import('@/client/views')
  const { openMonitor } = await import('./monitor')
  return { createViews, openMonitor, bendBeat: rules.bendBeat ?? PARTS.bendBeat }
}
const withChange = <Module extends object>(real: Module, change?: (real: Module) => Partial<Module>): Module => ({
  ...real,
  ...change?.(real),
})

/** A beat that agrees with whatever the page has. */
const blindBeat = (beat: Beat, page: Page): Beat => ({
  ...beat,
  subs: Object.fromEntries(
    Object.entries(beat.subs).map(([sub, [asked]]) => {
      const view = page.subViews.get(sub)
      const state = view === undefined ? null : page.views.store(view).getState()
      return [sub, [asked, state?.gen ?? '', 0]]
    }),
  ),
})

describe('a rule taken away shows', () => {
  afterEach(() => {
    vi.doUnmock('@/client/views/viewState')
    vi.doUnmock('@/server/monitor/streams')
    vi.doUnmock('@/server/monitor/scopes')
    vi.resetModules()
  })

  // The number is a seed that shows it at once.
  it.each<[string, number, Rules]>([
    ['a beat names the generation and the last entry of each place', 30, { bendBeat: blindBeat }],
    [
      'a page that was away is sent what changed since, not only what is new',
      1,
      {
        streams: (real) => ({
          recordStream: (...args) => {
            const stream = real.recordStream(...args)
            return {
              ...stream,
              missing: (after, world) => {
                const frame = stream.missing(after, world)
                return frame && { ...frame, set: frame.set.filter(({ id }) => !id.startsWith('stage:')) }
              },
            }
          },
        }),
      },
    ],
    [
      'a frame says which records left',
      13,
      {
        streams: (real) => ({
          recordStream: (...args) => {
            const stream = real.recordStream(...args)
            return {
              ...stream,
              flush: (world) => {
                const frame = stream.flush(world)
                return frame && { ...frame, del: [] }
              },
            }
          },
        }),
      },
    ],
    [
      'a frame says what changed in the records that the page holds',
      1,
      {
        streams: (real) => ({
          recordStream: (...args) => {
            const stream = real.recordStream(...args)
            return {
              ...stream,
              flush: (world) => {
                const frame = stream.flush(world)
                return frame && { ...frame, patch: [] }
              },
            }
          },
        }),
      },
    ],
    [
      'a frame that begins after what the page has is asked for again',
      13,
      { state: (real) => ({ takeFrame: (state, frame) => real.takeFrame(state, { ...frame, from: 0 }) }) },
    ],
    [
      'entries that the page has are passed over',
      13,
      {
        state: (real) => ({
          takeFrame: (state, frame) => real.takeFrame({ ...state, have: Math.min(state.have, frame.from) }, frame),
        }),
      },
    ],
    [
      'rights are read again before a frame goes out',
      1,
      {
        classes: (real) => {
          const first = new Map<string, ReturnType<typeof real.scopeOfView>>()
          return {
            scopeOfView: (world, person, view) => {
              const key = `${person} ${JSON.stringify(view)}`
              const known = first.get(key) ?? real.scopeOfView(world, person, view)
              first.set(key, known)
              return known
            },
          }
        },
      },
    ],
    [
      'a frame says which rows went',
      1,
      {
        streams: (real) => ({
          rowStream: (...args) => {
            const stream = real.rowStream(...args)
            return {
              ...stream,
              flush: (world) => {
                const frame = stream.flush(world)
                return frame && { ...frame, del: [] }
              },
            }
          },
        }),
      },
    ],
    [
      'first what is under way goes out, then the whole',
      2,
      {
        streams: (real) => ({
          rowStream: (...args) => {
            let isFirst = true
            const stream = real.rowStream(...args)
            // A snapshot of now, while the stream still counts from before.
            return {
              ...stream,
              flush: (world) => {
                isFirst = !isFirst
                return isFirst ? null : stream.flush(world)
              },
            }
          },
        }),
      },
    ],
  ])(
    '[V2] without one of the rules a page shows what is not so: %s',
    async (_, seed, rules) => {
      const result = await fc.check(holds(await without(rules)), { numRuns: 400, seed, endOnFailure: true })
      expect(result.failed).toBe(true)
    },
    120_000,
  )
})

describe('a frame of a stream that the page does not know yet', () => {
  const agent: View = `agent:${AGENTS.coder}`

  /**
   * Ben may see one task less, and what he is sent of the other is bare; the whole that says so comes behind the first
   * frame of the stream, which Cyn watched before him.
   */
  async function overtakes(parts: Parts): Promise<void> {
    const stage = await openStage(parts)
    const [ben, cyn] = [PEOPLE.ben, PEOPLE.cyn].map((person) => stage.pages.find((page) => page.person === person))
    if (!ben || !cyn) throw new Error('no pages')
    const say = (event: MasEvent): void => stage.commit(entriesOf(stage.world(), [event]))
    say(event('task.participantsChanged', { task: TASKS.docs, added: [PEOPLE.ben], removed: [] }))
    say(event('task.participantsChanged', { task: TASKS.build, added: [PEOPLE.cyn], removed: [] }))
    say(event('task.participantsChanged', { task: TASKS.docs, added: [], removed: [PEOPLE.cyn] }))
    for (const page of [ben, cyn]) {
      stage.join(page)
      stage.look(page, agent)
    }
    stage.deliverAll()
    say(event('task.participantsChanged', { task: TASKS.docs, added: [], removed: [PEOPLE.ben] }))
    stage.tick()
    const step = sampleOf('step.added')
    if (step.type !== 'step.added') throw new Error('no step')
    say({ ...step, task: TASKS.docs, agent: AGENTS.coder })
    stage.tick()
    expect(ben.down.map((message) => message.event)).toEqual(['reset', 'frame'])
    ben.down.reverse()
    stage.deliverAll()
    await stage.settle()
  }

  afterEach(() => {
    vi.doUnmock('@/client/views/viewState')
    vi.resetModules()
  })

  it('[V2] is not taken: a generation is an id, compared with ===', async () => {
    await overtakes(PARTS)
  })

  it('[V2] would show what is not so, were it taken', async () => {
    const parts = await without({
      state: (real) => ({
        takeFrame: (state, frame) => real.takeFrame(state, { ...frame, gen: state.gen ?? frame.gen }),
      }),
    })
    await expect(overtakes(parts)).rejects.toThrow('is not as it was')
  })
})

describe('a page that was away', () => {
  const view: View = `task:${TASKS.build}`
  const info = (stage: Awaited<ReturnType<typeof openStage>>, pick: number): void => {
    const kind = MAKER_NAMES.indexOf('shared')
    stage.commit(
      entriesOf(
        stage.world(),
        eventsOf(stage.world(), [
          kind,
          Object.keys(stage.world().tasks).indexOf(pick % 3 === 0 ? TASKS.build : TASKS.docs),
          pick,
        ]),
      ),
    )
  }
  const opened = async () => {
    const stage = await openStage()
    const [page] = stage.pages
    if (!page) throw new Error('no page')
    stage.join(page)
    stage.look(page, view)
    stage.deliverAll()
    stage.tick()
    stage.deliverAll()
    return { stage, page }
  }
  it.each([
    [1_000, 'frame'],
    [3_000, 'reset'],
  ])('[V3] for %i entries catches up by its cursor in one answer, a %s', async (count, kind) => {
    const { stage, page } = await opened()
    const had = page.views.store(view).getState().have
    stage.cutOff(page)
    for (let pick = 0; pick < count; pick++) info(stage, pick)
    stage.tick()
    stage.join(page)
    const before = stage.sent()
    const answers: string[] = []
    // One ask goes up, one answer comes down.
    stage.deliverUp(page)
    answers.push(...page.down.map(({ event }) => event))
    stage.deliverAll()
    expect(answers).toEqual([kind])
    expect(stage.sent() - before).toBe(1)
    expect(page.views.store(view).getState().have).toBe(stage.world().seq)
    expect(stage.world().seq - had).toBeGreaterThanOrEqual(count)
    // Lines beyond those that the world keeps have left it.
    expect(count / 3 - INFO_LINES_KEPT <= LEFT_KEPT).toBe(kind === 'frame')
    await stage.settle()
  })

  it('[V3] goes on by its cursor over a restart of the server', async () => {
    const { stage, page } = await opened()
    stage.cutOff(page)
    info(stage, 3)
    await stage.restart()
    stage.join(page)
    stage.deliverUp(page)
    expect(page.down.map(({ event }) => event)).toEqual(['frame'])
    await stage.settle()
  })

  it('[V4] and lost its right meanwhile is told so, and shown all again when it is back', async () => {
    const { stage } = await opened()
    const page = stage.pages.find(({ person }) => person === PEOPLE.cyn)
    if (!page) throw new Error('no page')
    const theirs: View = `task:${TASKS.docs}`
    stage.join(page)
    stage.look(page, theirs)
    await stage.settle()
    expect(page.views.store(theirs).getState().status).toBe('open')
    const [left, joined] = [
      event('task.participantsChanged', { task: TASKS.docs, added: [], removed: [PEOPLE.cyn] }),
      event('task.participantsChanged', { task: TASKS.docs, added: [PEOPLE.cyn], removed: [] }),
    ]
    stage.commit(entriesOf(stage.world(), [left]))
    await stage.settle()
    expect(page.views.store(theirs).getState()).toMatchObject({
      status: 'closed',
      reason: 'not-allowed',
      content: null,
    })
    stage.commit(entriesOf(stage.world(), [joined]))
    await stage.settle()
    expect(page.views.store(theirs).getState().status).toBe('open')
  })
})
