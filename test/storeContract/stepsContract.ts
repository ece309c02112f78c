/** What the index of steps of every store holds: rules R550 to R552 of docs/rules.md. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Entry, event, type MasEvent } from '@/lib/mas/events'
import { type AgentId, asId, type StageId, type StepId, type TaskId } from '@/lib/mas/ids'
import { emptyWorld, type StepRecord, type World } from '@/lib/mas/records'
import { reduceEntry } from '@/lib/mas/reduce'
import { stepsOfAll } from '@/lib/mas/steps/ownSteps'
import { lastFailures } from '@/server/monitor/rows/failures'
import { stepChangeOf } from '@/server/search/steps'
import type { Store } from '@/server/store/interfaces'
import type { IndexedStep, StepChange, StepLaneSum } from '@/server/store/stepIndex'
import { batchItem, eachWithStore, type OpenStoreUnderTest, said } from './harness'

const ROOM = 400
const HOSTILE = `t'"; drop table step_index; -- 任务 🧵`

/** A journal with entries enough. */
async function fill({ journal }: Store): Promise<void> {
  const { epoch, seq } = await journal.take('n')
  await journal.append(epoch, seq, [
    batchItem(
      'fill',
      Array.from({ length: ROOM }, (_, n) => said(`entry ${n}`)),
    ),
  ])
}

type Seed = Partial<Pick<StepRecord, 'stage' | 'executor' | 'retryOf' | 'type'>> & { agent?: string; task?: string }

const owned = (step: string, { agent = 'ana', task = 't1' }: Seed = {}) => ({
  task: asId<TaskId>(task),
  agent: asId<AgentId>(agent),
  step: asId<StepId>(step),
})
const added = (step: string, seed: Seed = {}): MasEvent =>
  event('step.added', {
    ...owned(step, seed),
    kind: seed.type ?? 'tool',
    stage: seed.stage ?? null,
    thread: null,
    intention: '',
    number: 1,
    executor: seed.executor ?? 'files',
    text: '',
    cause: { message: null, step: null },
    answers: null,
    boundTo: null,
    retryOf: seed.retryOf ?? null,
    byHand: false,
    last: false,
  })
const instructed = (step: string, name: string, seed?: Seed): MasEvent =>
  event('step.instructed', {
    ...owned(step, seed),
    instruction: { kind: 'call', target: 'tool', name, arguments: { sha: '', bytes: 0, preview: '', mime: '' } },
  })
const started = (step: string, seed?: Seed): MasEvent =>
  event('step.started', { ...owned(step, seed), node: 'n1', epoch: 1, attempt: 1 })
const finished = (step: string, seed?: Seed): MasEvent =>
  event('step.finished', {
    ...owned(step, seed),
    result: { kind: 'text', text: 'r', body: null, made: [] },
    repairs: [],
  })
const failed = (step: string, seed?: Seed): MasEvent =>
  event('step.failed', { ...owned(step, seed), reason: 'broke', result: null, repairs: [] })
const cancelled = (step: string, seed?: Seed): MasEvent =>
  event('step.cancelled', { ...owned(step, seed), by: null, reason: 'no need' })
const interrupted = (step: string, seed?: Seed): MasEvent =>
  event('step.interrupted', { ...owned(step, seed), reason: 'node gone' })
const requeued = (step: string, seed?: Seed): MasEvent => event('step.requeued', owned(step, seed))
const moved = (step: string, stage: string | null, seed?: Seed): MasEvent =>
  event('step.moved', { ...owned(step, seed), stage: stage === null ? null : asId<StageId>(stage) })

const entriesOf = (events: readonly MasEvent[]): Entry[] =>
  events.map((one, n) => ({ seq: n + 1, at: n, by: 'ana', cause: 'c', event: one }))
const changesOf = (entries: readonly Entry[]): StepChange[] => entries.flatMap((entry) => stepChangeOf(entry) ?? [])

/** Index them from the start, in slices of this length. */
async function index({ search }: Store, events: readonly MasEvent[], slice = ROOM): Promise<void> {
  const changes = changesOf(entriesOf(events))
  await search.clear()
  for (let after = 0; after < Math.max(1, events.length); after += slice)
    await search.add(
      after,
      after + slice,
      [],
      [],
      changes.filter(({ seq }) => seq > after && seq <= after + slice),
    )
}

const LANES = [null, 's1', 's2'].flatMap((stage) => ['ana', 'ben'].map((agent) => ({ stage, agent })))

/** What the steps of a world come to: those of each lane in the order in which they began. */
function expected(world: World): { sums: StepLaneSum[]; steps: IndexedStep[] } {
  const all = stepsOfAll(world.steps[asId<TaskId>('t1')])
  const began = (step: StepRecord): number => step.startedSeq ?? step.endedSeq ?? Number.POSITIVE_INFINITY
  const sums: StepLaneSum[] = []
  const steps: IndexedStep[] = []
  for (const lane of LANES) {
    const own = all
      .filter(({ stage, agent }) => stage === lane.stage && agent === lane.agent)
      .sort((a, b) => (began(a) === began(b) ? a.createdSeq - b.createdSeq : began(a) - began(b)))
    const failures = lastFailures(own)
    own.forEach((step, n) => {
      const place = began(step) === Number.POSITIVE_INFINITY ? null : n
      const isFailed = failures.has(step.id)
      steps.push({ ...lane, step: step.id, created: step.createdSeq, type: step.type, place, isFailed })
    })
    const ran = own.filter((step) => began(step) !== Number.POSITIVE_INFINITY).length
    if (ran > 0) sums.push({ ...lane, ran, failed: failures.size })
  }
  return { sums, steps: steps.sort((a, b) => b.created - a.created) }
}

type Move = { act: number; step: number; other: number; way: number }

/** Any order of what steps may meet; events of ended and of unknown steps are among them. */
function historyOf(moves: readonly Move[]): MasEvent[] {
  const seeds: Seed[] = []
  return moves.map(({ act, step: pick, other, way }) => {
    const { agent } = seeds[pick % Math.max(1, seeds.length)] ?? {}
    const [step, owner] = [`s${pick % Math.max(1, seeds.length)}`, { agent: agent ?? 'ana' }]
    const name = other % 2 === 0 ? 'read' : 'write'
    switch (act) {
      case 0:
      case 1:
      case 2: {
        // Most in two lanes, so that they meet.
        const lane = LANES[[0, 2, 0, 2, 2, 3][way % 6] ?? 0]
        const seed: Seed = {
          type: other % 3 === 0 ? 'skill' : 'tool',
          executor: ['files', 'notes', 'instruction_generation'][other % 7 === 6 ? 2 : other % 2] ?? 'files',
          stage: lane?.stage == null ? null : asId<StageId>(lane.stage),
          agent: lane?.agent ?? 'ana',
          retryOf: pick % 3 === 0 && seeds.length > 0 ? asId<StepId>(step) : null,
        }
        seeds.push(seed)
        return added(`s${seeds.length - 1}`, seed)
      }
      case 3:
        return instructed(step, name, owner)
      case 4:
      case 5:
        return started(step, owner)
      case 6:
        return finished(step, owner)
      case 7:
      case 8:
        return failed(step, owner)
      case 9:
        return (other % 2 === 0 ? cancelled : interrupted)(step, owner)
      case 10:
        return requeued(step, owner)
      default:
        return moved(step, [null, 's1', 's2'][other % 3] ?? null, owner)
    }
  })
}

const anyHistory = fc
  .array(fc.record({ act: fc.nat(12), step: fc.nat(40), other: fc.nat(20), way: fc.nat(20) }), {
    minLength: 1,
    maxLength: 120,
    size: 'max',
  })
  .map(historyOf)

export function stepsContract(name: string, open: OpenStoreUnderTest): void {
  describe(`steps of ${name}`, () => {
    const current = eachWithStore(open)
    const all = (store: Store, task = 't1') => store.steps.newestSteps(task, {}, Number.MAX_SAFE_INTEGER, 1_000)
    const placesOf = async (store: Store, stage: string | null = null, agent = 'ana') =>
      (await store.steps.stepsAt('t1', { stage, agent }, 0, 1_000)).map(({ step, place }) => [step, place])
    const failuresOf = async (store: Store) =>
      (await store.steps.newestSteps('t1', { isFailed: true }, Number.MAX_SAFE_INTEGER, 1_000)).map(({ step }) => step)

    it('[R550] places of a lane have no gap and are in the order in which its steps began, also where they interleave', async () => {
      const { store } = current()
      await fill(store)
      const s1 = { stage: asId<StageId>('s1') }
      await index(store, [
        added('a'),
        added('b'),
        added('c', s1),
        added('never'),
        started('b'),
        started('c'),
        started('a'),
        finished('a'),
        failed('b'),
        added('d'),
        cancelled('d'),
      ])
      expect(await placesOf(store)).toEqual([
        ['b', 0],
        ['a', 1],
        ['d', 2],
      ])
      expect(await placesOf(store, 's1')).toEqual([['c', 0]])
      expect(await store.steps.lanesOf('t1')).toEqual([
        { stage: null, agent: 'ana', ran: 3, failed: 1 },
        { stage: 's1', agent: 'ana', ran: 1, failed: 0 },
      ])
      expect(await store.steps.placeOf('never')).toMatchObject({ place: null, created: 4 })
      expect(await store.steps.placeOf('nothing')).toBeNull()
    })

    it('[R550] a requeued step keeps its place, and one that leaves a stage leaves no gap there', async () => {
      const { store } = current()
      await fill(store)
      const s1 = { stage: asId<StageId>('s1') }
      const before = [added('a', s1), added('b', s1), added('x'), added('y'), started('x'), started('a'), requeued('a')]
      await index(store, [...before, started('b'), started('a'), started('y')])
      expect(await placesOf(store, 's1')).toEqual([
        ['a', 0],
        ['b', 1],
      ])
      await index(store, [...before, started('b'), started('a'), started('y'), moved('a', null)])
      expect(await placesOf(store, 's1')).toEqual([['b', 0]])
      expect(await placesOf(store)).toEqual([
        ['x', 0],
        ['a', 1],
        ['y', 2],
      ])
    })

    it('[R551] a step has failed until its retry exists or its call starts again, in its lane', async () => {
      const { store } = current()
      await fill(store)
      const first = [added('a'), instructed('a', 'read'), started('a'), interrupted('a')]
      await index(store, [...first, added('think', { type: 'skill', executor: 'think' }), failed('think')])
      expect(await failuresOf(store)).toEqual(['think', 'a'])
      await index(store, [...first, added('b'), instructed('b', 'write'), started('b')])
      expect(await failuresOf(store)).toEqual(['a'])
      const again = [...first, added('b'), instructed('b', 'read')]
      await index(store, again)
      expect(await failuresOf(store)).toEqual(['a'])
      await index(store, [...again, started('b')])
      expect(await failuresOf(store)).toEqual([])
      const retry = added('c', { type: 'skill', retryOf: asId<StepId>('a') })
      await index(store, [...first, retry])
      expect(await failuresOf(store)).toEqual([])
      await index(store, [...first, added('w', { type: 'skill', executor: 'instruction_generation' }), failed('w')])
      expect(await failuresOf(store)).toEqual(['a'])
    })

    it('[R550] [R551] after any history, rows and sums are those of all steps as the monitor sees them', async () => {
      const { store } = current()
      await fill(store)
      await fc.assert(
        fc.asyncProperty(anyHistory, fc.integer({ min: 1, max: 120 }), async (events, slice) => {
          await index(store, events, slice)
          const { sums, steps } = expected(entriesOf(events).reduce(reduceEntry, emptyWorld))
          expect(await all(store)).toEqual(steps)
          expect(await store.steps.lanesOf('t1')).toEqual(sums)
        }),
        { numRuns: process.env.CONVENE_ALL ? 150 : 50, seed: 5 },
      )
    }, 60_000)

    it('[R552] is written with the search or not at all, cleared and rebuilt with it to the same rows', async () => {
      const { store } = current()
      await fill(store)
      const events = [added('a'), started('a'), added('b'), failed('a'), added('c'), started('c'), finished('c')]
      await index(store, events, 3)
      const [rows, sums] = [await all(store), await store.steps.lanesOf('t1')]
      expect(rows.map(({ step }) => step)).toEqual(['c', 'b', 'a'])
      // Another indexer is late.
      const late = changesOf(entriesOf([...events, added('d'), started('d')])).slice(-2)
      expect(await store.search.add(0, 20, [], [], late)).toBe(false)
      const beyond = changesOf([{ ...(entriesOf([added('e')])[0] as Entry), seq: 90 }])
      await expect(store.search.add(9, 20, [], [], beyond)).rejects.toThrow(TypeError)
      expect(await all(store)).toEqual(rows)
      await store.search.clear()
      expect([await all(store), await store.steps.lanesOf('t1'), await store.steps.placeOf('a')]).toEqual([
        [],
        [],
        null,
      ])
      await index(store, events)
      expect([await all(store), await store.steps.lanesOf('t1')]).toEqual([rows, sums])
    })

    it('[R552] rows of one task never show in another, whatever its name is', async () => {
      const { store } = current()
      await fill(store)
      const other = { task: HOSTILE, agent: `o'neil 🧵`, stage: asId<StageId>(`s"'`) }
      await index(store, [
        added('a'),
        added(`b'"🧵`, other),
        started('a'),
        started(`b'"🧵`, other),
        instructed(`b'"🧵`, `n'\0\ud800${'x'.repeat(9_000)}`, other),
        failed('a'),
        failed(`b'"🧵`, other),
      ])
      const lane = { stage: other.stage, agent: other.agent }
      const row = { ...lane, step: `b'"🧵`, created: 2, type: 'tool', place: 0, isFailed: true }
      expect(await all(store, HOSTILE)).toEqual([row])
      expect(await store.steps.stepsAt(HOSTILE, lane, 0, 9)).toEqual([row])
      expect(await store.steps.failedIn(HOSTILE, lane, { after: -1 }, 9)).toEqual([row])
      expect(await store.steps.failedOf(HOSTILE, 9)).toEqual([{ ...lane, type: 'tool', place: 0 }])
      expect(await store.steps.stepsCreated(HOSTILE, [1, 2])).toEqual([row])
      expect(await store.steps.lanesOf(HOSTILE)).toEqual([{ ...lane, ran: 1, failed: 1 }])
      expect((await all(store)).map(({ step }) => step)).toEqual(['a'])
      expect(await store.steps.stepsAt('t1', lane, 0, 9)).toEqual([])
      expect(await store.steps.stepsCreated('t1', [])).toEqual([])
    })

    it('[R553] pages, jumps from failure to failure in both directions, and lists the newest', async () => {
      const { store } = current()
      await fill(store)
      const skill: Seed = { type: 'skill', executor: 'think' }
      const steps = Array.from({ length: 9 }, (_, n) => `k${n}`)
      await index(store, [
        ...steps.map((step, n) => added(step, n % 2 === 0 ? skill : { agent: 'ben' })),
        ...steps.map((step, n) => (n % 4 === 0 ? failed(step) : finished(step, n % 2 === 0 ? {} : { agent: 'ben' }))),
      ])
      const lane = { stage: null, agent: 'ana' }
      const named = (rows: IndexedStep[]) => rows.map(({ step }) => step)
      expect(named(await store.steps.stepsAt('t1', lane, 1, 3))).toEqual(['k2', 'k4'])
      expect(named(await store.steps.failedIn('t1', lane, { after: 0 }, 9))).toEqual(['k4', 'k8'])
      expect(named(await store.steps.failedIn('t1', lane, { after: 0 }, 1))).toEqual(['k4'])
      expect(named(await store.steps.failedIn('t1', lane, { before: 4 }, 9))).toEqual(['k4', 'k0'])
      expect((await store.steps.failedOf('t1', 2)).map(({ type, place }) => [type, place])).toEqual([
        ['skill', 0],
        ['skill', 2],
      ])
      const newest = async (only: { agent?: string; isFailed?: boolean }, before: number, limit: number) =>
        named(await store.steps.newestSteps('t1', only, before, limit))
      expect(await newest({}, 5, 2)).toEqual(['k3', 'k2'])
      expect(await newest({ agent: 'ben' }, 99, 2)).toEqual(['k7', 'k5'])
      expect(await newest({ isFailed: true }, 9, 9)).toEqual(['k4', 'k0'])
      expect(await newest({ agent: 'ben', isFailed: true }, 99, 9)).toEqual([])
      expect(named(await store.steps.stepsCreated('t1', [2, 4, 11]))).toEqual(['k3', 'k1'])
    })
  })
}
