/** Records that left a task while its entries were reduced: kept beside its world, and put back into the world that is shown. */
import type { AgentId, TaskId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { only } from '@/lib/mas/reduce/branch'

type OfTask<Branch extends 'messages' | 'requests' | 'deliveries' | 'steps'> = World[Branch][TaskId]
/** The branches from which single records leave, of one task. */
export type LeftBranches = {
  messages: OfTask<'messages'>
  requests: OfTask<'requests'>
  deliveries: OfTask<'deliveries'>
  steps: OfTask<'steps'>
}
/** What left last, and what left before; null: nothing has left. */
export type LeftChain = { records: LeftBranches; before: LeftChain } | null

const agentsOf = (map: Record<AgentId, unknown> | undefined) => Object.keys(map ?? {}) as AgentId[]

/** in: two worlds around an entry by which records of the task leave */
export function withLeaving(chain: LeftChain, task: TaskId, before: World, after: World): LeftChain {
  const records: LeftBranches = {
    messages: missing(before.messages[task], after.messages[task]),
    requests: missing(before.requests[task], after.requests[task]),
    deliveries: {},
    steps: {},
  }
  for (const agent of agentsOf(before.deliveries[task]))
    records.deliveries[agent] = missing(before.deliveries[task]?.[agent], after.deliveries[task]?.[agent])
  for (const agent of agentsOf(before.steps[task]))
    records.steps[agent] = missing(before.steps[task]?.[agent], after.steps[task]?.[agent])
  return { records, before: chain }
}

function missing<Id extends string, Held>(
  before: Record<Id, Held> | undefined,
  after: Record<Id, Held> | undefined,
): Record<Id, Held> {
  return only<Id, Held>(before ?? NOTHING, (_, id) => after === undefined || !Object.hasOwn(after, id))
}
const NOTHING: Record<string, never> = {}

/** What left after `base`, as one. */
export function leftSince(chain: LeftChain, base: LeftChain): LeftBranches {
  const all = noneLeft()
  for (const left of oldestFirst(chain, base)) put(all, left)
  return all
}

/** The chain with these after what left before. */
export function withLink(before: LeftChain, records: LeftBranches): LeftChain {
  const isNone = Object.values(records).every((branch) => Object.keys(branch).length === 0)
  return isNone ? before : { records, before }
}

const noneLeft = (): LeftBranches => ({ messages: {}, requests: {}, deliveries: {}, steps: {} })

function oldestFirst(chain: LeftChain, base: LeftChain): LeftBranches[] {
  const found: LeftBranches[] = []
  for (let link = chain; link !== null && link !== base; link = link.before) found.push(link.records)
  return found.reverse()
}

/** Adds to `all` in place. */
function put(all: LeftBranches, { messages, requests, deliveries, steps }: LeftBranches): void {
  Object.assign(all.messages, messages)
  Object.assign(all.requests, requests)
  for (const agent of agentsOf(deliveries))
    all.deliveries[agent] = Object.assign(all.deliveries[agent] ?? {}, deliveries[agent])
  for (const agent of agentsOf(steps)) all.steps[agent] = Object.assign(all.steps[agent] ?? {}, steps[agent])
}

/** The world with all of them, each before those that have not left. in: turn: called often; it may let others have the thread */
export async function withAllLeft(
  world: World,
  task: TaskId,
  chain: LeftChain,
  turn: () => Promise<void> | undefined,
): Promise<World> {
  if (chain === null) return world
  const all = noneLeft()
  for (const left of oldestFirst(chain, null)) {
    put(all, left)
    await turn()
  }
  const { messages, requests, deliveries, steps } = world
  put(all, {
    messages: messages[task] ?? {},
    requests: requests[task] ?? {},
    deliveries: deliveries[task] ?? {},
    steps: steps[task] ?? {},
  })
  await turn()
  const { [task]: _, ...evicted } = world.evicted
  return {
    ...world,
    evicted,
    messages: { ...world.messages, [task]: all.messages },
    requests: { ...world.requests, [task]: all.requests },
    deliveries: { ...world.deliveries, [task]: all.deliveries },
    steps: { ...world.steps, [task]: all.steps },
  }
}
