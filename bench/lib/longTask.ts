/** One task of many steps, written to a store with its index: ten stages of one agent, of each the last ones in the world. */
import { event, type MasEvent } from '@/lib/mas/events'
import { asId, type StageId, type StepId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { searchLineOf, stepChangeOf } from '@/server/search'
import type { Store } from '@/server/store'
import { AGENTS, apply, beginning, entriesOf, TASKS } from '@/test/histories'

export const LANES = 10
/** Steps of a stage that stay in the world. */
const STAYS = 20
/** Decisions of one append. */
const BATCH = 500
/** So many steps have failed, and so many have a word that no other has: answers are as long as those about another task. */
const RARE = 100

/** Ids are told apart by their beginning, as random ones are. */
const uuid = (kind: number, n: number): string =>
  `${(Math.imul(n, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')}-0000-4000-${kind}000-${String(n).padStart(12, '0')}`
export const stepAt = (n: number): StepId => asId<StepId>(uuid(9, n))
export const stageAt = (lane: number): StageId => asId<StageId>(uuid(8, 900 + lane))
/** The stage of the nth step, and its place there. */
export const laneOf = (n: number, steps: number): { lane: number; place: number } => {
  const each = steps / LANES
  return { lane: Math.floor(n / each), place: n % each }
}

/** The events of each decision. */
function* decisionsOf(steps: number): Generator<MasEvent[]> {
  const [task, agent] = [TASKS.build, AGENTS.coder]
  const [each, every] = [steps / LANES, steps / RARE]
  for (let lane = 0; lane < LANES; lane++) {
    const stage = stageAt(lane)
    yield [
      event('stage.added', {
        ...{ task, stage, intention: `part ${lane}`, after: null, retryOf: null },
        allocation: { [agent]: 'count' },
      }),
    ]
    for (let place = 0; place < each; place++) {
      const n = lane * each + place
      const about = { task, agent, step: stepAt(n) }
      const added = event('step.added', {
        ...{ ...about, stage, thread: null, kind: 'skill', executor: 'think', text: 'count' },
        intention: n % every === 7 ? `count ${n} needle` : `count ${n}`,
        cause: { message: null, step: null },
        number: n + 1,
        ...{ answers: null, boundTo: null, retryOf: null, byHand: false, last: false },
      })
      const started = event('step.started', { ...about, node: 'n1', epoch: 1, attempt: 1 })
      const over =
        n % every === 9
          ? event('step.failed', { ...about, reason: 'no answer', result: null, repairs: [] })
          : event('step.finished', {
              ...about,
              result: { kind: 'text', text: 'done', body: null, made: null },
              repairs: [],
            })
      const gone = { task, steps: { [agent]: [stepAt(n - STAYS)] }, messages: [], requests: [] }
      yield [added, started]
      yield place < STAYS ? [over] : [over, event('records.evicted', gone)]
    }
  }
}

/** out: the world after it; all is indexed */
export async function writeLongTask(store: Store, steps: number): Promise<World> {
  const { epoch, seq } = await store.journal.take('bench')
  let [world, head, indexed] = [beginning().world, seq, 0]
  // The store's journal has entries of its own before those of the team.
  const write = async (decisions: readonly MasEvent[][]): Promise<void> => {
    const batch = decisions.map((events) => ({ id: crypto.randomUUID(), by: 'bench', events }))
    const answer = await store.journal.append(epoch, head, batch)
    if (answer.r !== 'OK') throw new Error(`the store answered ${answer.r}`)
    const entries = entriesOf({ ...world, seq: answer.first - 1 }, decisions.flat())
    world = apply({ ...world, seq: answer.first - 1 }, entries)
    head = answer.last
    const lines = entries.flatMap((entry) => {
      const line = searchLineOf(entry)
      return line === null ? [] : [{ seq: entry.seq, ...line }]
    })
    await store.search.add(
      indexed,
      head,
      lines,
      [],
      entries.flatMap((entry) => stepChangeOf(entry) ?? []),
    )
    indexed = head
  }
  let batch: MasEvent[][] = []
  for (const one of decisionsOf(steps)) {
    batch.push(one)
    if (batch.length < BATCH) continue
    await write(batch)
    batch = []
  }
  await write(batch)
  return world
}
