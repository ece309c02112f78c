/** What each place of a page is sent, and when: resets, frames, closes and beats. */
import { describe, expect, it } from 'vitest'
import type { Entry } from '@/lib/mas/events'
import { type AgentId, asId, type TaskId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { type View, WIRE_VERSION } from '@/lib/wire/views'
import { openTask, Story, send, TEAM } from '@/test/worldHistories'
import type { RestoredTask, RestoredTasks } from '../engine/snapshots/restoredTasks'
import { type MonitorConnection, openMonitor } from '.'

const { ana, ben, lee, reader } = TEAM
/** What a page may send, though it is no view. */
const NO_VIEW = String('no view') as View
type Sent = { event: string; message: Record<string, unknown> }

/** A monitor over a story with one task, of which Ben is a member and Lee is not. */
async function opened({ story = told(), journal = 'journal', run = 'run', past }: Options = {}) {
  const task = Object.values(story.world.tasks).find((one) => !one.base)?.id
  if (task === undefined) throw new Error('no task')
  let hear: (entries: Entry[], world: World) => void = () => {}
  let [now, hears] = [1_000, true]
  const timers: { run: () => void; ms: number; stopped: boolean }[] = []
  const monitor = openMonitor({
    engine: {
      node: 'n1',
      world: () => story.world,
      onDecision: (listener) => {
        hear = listener
        return () => {
          hears = false
        }
      },
    },
    journal,
    run,
    now: () => now,
    schedule: (run, ms) => {
      const timer = { run, ms, stopped: false }
      timers.push(timer)
      return () => {
        timer.stopped = true
      }
    },
    ...(past ? { past } : {}),
  })
  const put = (...given: Parameters<typeof story.put>): void => {
    const from = story.entries.length
    if (!story.put(...given)) throw new Error('refused')
    if (hears) hear(story.entries.slice(from), story.world)
  }
  function page(person: AgentId) {
    const sent: Sent[] = []
    const connection: MonitorConnection = {
      person,
      send: (event, message) => void sent.push({ event, message: JSON.parse(JSON.stringify(message)) }),
    }
    return {
      connection,
      attach: (sub: string, view: View, asked = 1, cursor?: string): void =>
        monitor.attach(connection, { sub, asked, view, ...(cursor === undefined ? {} : { cursor }) }),
      /** What came since it was last asked. */
      took: (): Sent[] => sent.splice(0),
    }
  }
  return {
    monitor,
    story,
    task,
    put,
    page,
    timers,
    say: (text: string) => put(ana.id, send(ana.id, [ben.id], { task, text })),
    set: (ms: number) => {
      now = ms
    },
  }
}
type Options = { story?: Story; journal?: string; run?: string; past?: RestoredTasks }
function told(): Story {
  const story = new Story()
  openTask(story)
  return story
}
const shortOf = (sent: Sent[]) => sent.map(({ event, message }) => `${event} ${message.sub} ${message.asked}`)

describe('a place', () => {
  it('shows the newest ask; an older one that arrives late is passed over', async () => {
    const { page } = await opened()
    const { attach, took } = page(ana.id)
    attach('a', 'overview', 5)
    attach('a', 'me', 4)
    expect(shortOf(took())).toEqual(['reset a 5'])
    attach('a', 'me', 5)
    attach('a', 'waits', 6)
    expect(shortOf(took())).toEqual(['reset a 5', 'reset a 6'])
  })

  it('counts its resets and closes over the whole page', async () => {
    const { page, task } = await opened()
    const { attach, took } = page(lee.id)
    attach('a', 'me')
    attach('b', `task:${task}`)
    attach('c', NO_VIEW)
    expect(took().map(({ event, message }) => [event, message.n, message.reason ?? null])).toEqual([
      ['reset', 1, null],
      ['closed', 2, 'not-allowed'],
      ['closed', 3, 'bad-view'],
    ])
    const other = page(lee.id)
    other.attach('a', 'me')
    expect(other.took()[0]?.message.n).toBe(1)
  })

  it('that was left, or whose page is gone, is sent nothing more, and its stream ends with its last viewer', async () => {
    const { monitor, page, task, say } = await opened()
    const [first, second] = [page(ana.id), page(ben.id)]
    first.attach('a', `task:${task}`)
    first.attach('b', `task:${task}`)
    second.attach('a', `task:${task}`)
    expect(monitor.counts()).toEqual({ connections: 2, subscriptions: 3, streams: 1 })
    second.attach('mine', 'me')
    expect(monitor.counts().streams).toBe(2)
    monitor.detach(first.connection, 'a')
    monitor.detach(first.connection, 'never')
    expect(monitor.counts()).toEqual({ connections: 2, subscriptions: 3, streams: 2 })
    monitor.leave(second.connection)
    expect(monitor.counts()).toEqual({ connections: 1, subscriptions: 1, streams: 1 })
    for (const one of [first, second]) one.took()
    say('hello')
    monitor.tick()
    expect([shortOf(first.took()), second.took()]).toEqual([['frame b 1'], []])
    monitor.leave(first.connection)
    monitor.leave(second.connection)
    expect(monitor.counts()).toEqual({ connections: 0, subscriptions: 0, streams: 0 })
  })

  it('that moves to another view leaves the stream of the old one', async () => {
    const { monitor, page } = await opened()
    const { attach } = page(ana.id)
    attach('a', 'overview', 1)
    attach('a', 'me', 2)
    expect(monitor.counts()).toEqual({ connections: 1, subscriptions: 1, streams: 1 })
  })
})

describe('who comes while others look', () => {
  it('is shown the newest whole, and the others are sent what changed before it', async () => {
    const { page, task, say, monitor } = await opened()
    const [first, second] = [page(ana.id), page(ben.id)]
    first.attach('a', `task:${task}`)
    first.took()
    say('hello')
    second.attach('a', `task:${task}`)
    expect(shortOf(first.took())).toEqual(['frame a 1'])
    const reset = second.took()
    expect(shortOf(reset)).toEqual(['reset a 1'])
    expect(JSON.stringify(reset)).toContain('hello')
    monitor.tick()
    expect([first.took(), second.took()]).toEqual([[], []])
  })

  it('again is told only what they lack, where their cursor is of that very stream', async () => {
    const before = await opened()
    const first = before.page(ana.id)
    first.attach('a', `task:${before.task}`)
    first.attach('rows', 'overview')
    const [log, rows] = first.took().map(({ message }) => String(message.cursor))
    before.say('hello')
    const { story, task } = before
    const back = (options: Options, view: View, cursor?: string) =>
      opened({ story, ...options }).then(({ page }) => {
        const again = page(ana.id)
        again.attach('a', view, 2, cursor)
        return again.took()
      })
    // The stream of a log goes on over a restart of the process; its frame holds the one message.
    const frame = await back({ run: 'another run' }, `task:${task}`, log)
    expect(shortOf(frame)).toEqual(['frame a 2'])
    expect(JSON.stringify(frame)).toContain('hello')
    for (const [options, view, cursor] of [
      [{ journal: 'another journal' }, `task:${task}`, log],
      [{ run: 'another run' }, 'overview', rows],
      [{}, `task:${task}`, 'no cursor'],
      [{}, `task:${task}`, undefined],
      [{}, 'me', log],
    ] as const)
      expect([options, view, shortOf(await back(options, view, cursor))]).toEqual([options, view, ['reset a 2']])
  })

  it('again in the same run is told the rows that changed', async () => {
    const { page, put } = await opened()
    const { attach, took } = page(ana.id)
    attach('a', 'agents')
    const cursor = String(took()[0]?.message.cursor)
    put(ana.id, { type: 'pauseAgent', agent: reader.id, reason: 'for now' })
    attach('b', 'agents', 2, cursor)
    const sent = took()
    expect(shortOf(sent)).toEqual(['frame a 1', 'frame b 2'])
    expect(sent[0]?.message.set).toEqual(sent[1]?.message.set)
  })
})

describe('a right that changes', () => {
  it('[R58] closes the place at the next tick, once, and opens it whole when it is back', async () => {
    const { monitor, page, task, put, say } = await opened()
    const { attach, took } = page(lee.id)
    const member = (add: AgentId[], remove: AgentId[]) =>
      put(ana.id, { type: 'changeParticipants', task, add, remove, reason: 'r' })
    attach('a', `task:${task}`)
    expect(shortOf(took())).toEqual(['closed a 1'])
    member([lee.id], [])
    monitor.tick()
    expect(shortOf(took())).toEqual(['reset a 1'])
    say('hello')
    member([], [lee.id])
    // What was said before they left is not sent any more either.
    monitor.tick()
    monitor.tick()
    expect(took().map(({ event, message }) => [event, message.reason])).toEqual([['closed', 'not-allowed']])
    say('not for Lee')
    monitor.tick()
    expect(took()).toEqual([])
  })

  it('that closes for one leaves the others what they are sent', async () => {
    const { monitor, page, task, put } = await opened()
    const [stays, leaves] = [page(ben.id), page(lee.id)]
    put(ana.id, { type: 'changeParticipants', task, add: [lee.id], remove: [], reason: 'r' })
    for (const one of [stays, leaves]) {
      one.attach('a', `task:${task}`)
      one.took()
    }
    put(ana.id, { type: 'changeParticipants', task, add: [], remove: [lee.id], reason: 'r' })
    // A third page that comes now makes the stream send at once, before the tick looks at rights.
    page(ana.id).attach('a', `task:${task}`)
    expect([shortOf(stays.took()), leaves.took()]).toEqual([['frame a 1'], []])
    monitor.tick()
    expect([stays.took(), shortOf(leaves.took())]).toEqual([[], ['closed a 1']])
  })

  it('of an agent that comes into a task is brought with its record, by one frame', async () => {
    const { monitor, page, put, story, task: first } = await opened()
    const about = { name: 'Count', intention: 'count', manager: TEAM.manager.id, stages: [], reason: 'r' }
    put(ana.id, { type: 'makeTask', ...about, members: [reader.id] })
    const task = Object.values(story.world.tasks).find(({ base, id }) => !base && id !== first)?.id
    if (task === undefined) throw new Error('no task')
    const { attach, took } = page(ana.id)
    attach('a', `task:${task}`)
    took()
    put(ana.id, { type: 'changeParticipants', task, add: [TEAM.analyst.id], remove: [], reason: 'r' })
    monitor.tick()
    const [frame] = took()
    expect([frame?.event, JSON.stringify(frame?.message.set)]).toEqual([
      'frame',
      expect.stringContaining(`agent:${TEAM.analyst.id}`),
    ])
    monitor.tick()
    expect(took()).toEqual([])
  })

  it('is asked for notes beside the views: of a view that is one, by who may see it', async () => {
    const { monitor, task } = await opened()
    expect(monitor.mayView(ben.id, `task:${task}`)).toBe(true)
    expect(monitor.mayView(lee.id, `task:${task}`)).toBe(false)
    expect(monitor.mayView(ana.id, NO_VIEW)).toBe(false)
    expect(monitor.world().tasks[task]).toBeDefined()
  })
})

describe('a tick', () => {
  it('is planned once for all decisions until it comes, and then anew', async () => {
    const { timers, say, monitor } = await opened()
    say('one')
    say('two')
    expect(timers).toHaveLength(1)
    timers[0]?.run()
    say('three')
    expect(timers).toHaveLength(2)
    // One that is made by hand stands for the planned one.
    monitor.tick()
    expect(timers.map(({ stopped }) => stopped)).toEqual([true, true])
    say('four')
    expect(timers).toHaveLength(3)
  })

  it('comes no more after the monitor is closed, and nobody is sent anything', async () => {
    const { timers, say, monitor, page, task } = await opened()
    const { attach, took } = page(ana.id)
    attach('a', `task:${task}`)
    took()
    say('one')
    monitor.close()
    expect(timers.map(({ stopped }) => stopped)).toEqual([true])
    say('two')
    monitor.tick()
    monitor.beat()
    expect([took(), timers.length]).toEqual([[], 1])
    expect(monitor.counts()).toEqual({ connections: 0, subscriptions: 0, streams: 0 })
  })
})

describe('a beat', () => {
  it('[V2] tells every page where each of its places stands, and of a closed one that it is', async () => {
    const { monitor, page, task, story, say, set } = await opened()
    const [{ attach, took }, other] = [page(lee.id), page(ana.id)]
    monitor.join(other.connection)
    attach('mine', 'me', 3)
    attach('hidden', `task:${task}`, 4)
    const gen = took()[0]?.message.gen
    const from = story.world.seq
    say('hello')
    set(story.world.at + 5)
    monitor.beat()
    expect(took()).toEqual([
      {
        event: 'beat',
        message: {
          at: story.world.at + 5,
          head: story.world.seq,
          node: 'n1',
          wire: WIRE_VERSION,
          subs: { mine: [3, gen, from], hidden: [4, '', 0] },
        },
      },
    ])
    expect(other.took()[0]?.message.subs).toEqual({})
    set(0)
    monitor.beat()
    // Never before what is in the journal.
    expect(took()[0]?.message.at).toBe(story.world.at)
  })
})

describe('a task that is not in the world', () => {
  const GONE = asId<TaskId>('00000000-0000-4000-8000-00000000dead')
  /** A past that answers when the test says so. */
  function slowPast() {
    const answers: ((found: RestoredTask | null) => void)[] = []
    const none = () => Promise.resolve(null)
    const past: RestoredTasks = {
      whole: none,
      step: none,
      request: none,
      opening: none,
      archived: async () => [],
      tookPart: async () => false,
      task: () => new Promise((resolve) => answers.push(resolve)),
    }
    return { past, answers }
  }
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

  it('is closed at once where nothing is kept', async () => {
    const { page } = await opened()
    const { attach, took } = page(ana.id)
    attach('a', `task:${GONE}`)
    expect(took()).toMatchObject([{ event: 'closed', message: { reason: 'not-found' } }])
  })

  it('is looked for once, and nothing is said until it is known', async () => {
    const { past, answers } = slowPast()
    const { page, monitor, say } = await opened({ past })
    const { attach, took } = page(ana.id)
    attach('a', `task:${GONE}`)
    say('meanwhile')
    monitor.tick()
    expect([took(), answers.length]).toEqual([[], 1])
    answers[0]?.(null)
    await turn()
    expect(took()).toMatchObject([{ event: 'closed', message: { reason: 'not-found' } }])
    monitor.tick()
    expect([took(), answers.length]).toEqual([[], 1])
  })

  it('is not looked for where the page may not see it, though it is there', async () => {
    const { past, answers } = slowPast()
    const { page, task } = await opened({ past })
    const { attach, took } = page(lee.id)
    attach('a', `task:${task}`)
    expect([shortOf(took()), answers.length]).toEqual([['closed a 1'], 0])
  })

  it('is told to nobody who left, or who looks at something else by then', async () => {
    const { past, answers } = slowPast()
    const { page, monitor } = await opened({ past })
    const [moved, gone, left] = [page(ana.id), page(ana.id), page(ana.id)]
    for (const { attach } of [moved, gone, left]) attach('a', `task:${GONE}`)
    moved.attach('a', 'overview', 2)
    monitor.leave(gone.connection)
    monitor.detach(left.connection, 'a')
    for (const answer of answers) answer(null)
    await turn()
    expect([shortOf(moved.took()), gone.took(), left.took()]).toEqual([['reset a 2'], [], []])
  })
})
