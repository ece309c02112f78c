/** Failed steps of a whole task in the order of its tree: the next one, and where they are among all steps. */
import { gather } from '@/lib/gather'
import { bareId } from '@/lib/mas/team/agents'
import type { TreeFailure, TreeRuler } from '@/lib/wire/http'
import { type TreeLane, treeLanesOf } from '@/server/monitor'
import type { IndexedStep, StepLane } from '@/server/store'
import { laneOf, sameLane } from './stepsOfWorld'
import { pageOfLane, seesWhole, type TreeParts } from './treeSteps'

/** Failures that one query reads. */
const AT_ONCE = 100
/** Failures that a ruler shows, and its places. */
const MOST_FAILURES = 100_000
const BUCKETS = 1_000

/** The failure after a step, or after the beginning of a lane; behind the last comes the first. */
export async function nextFailure(
  parts: TreeParts,
  from: { step: string | null; lane: StepLane | null },
  isBack: boolean,
): Promise<TreeFailure> {
  const none = { step: null, page: null }
  if (!seesWhole(parts)) return none
  const { world, task, steps } = parts
  const lanes = treeLanesOf(world, task)
  const failing = new Set((await steps.lanesOf(task.id)).filter(({ failed }) => failed > 0).map(keyOf))
  const start = from.step === null ? null : await steps.placeOf(bareId(from.step))
  // What has not run is behind all that ran.
  const place = from.step === null ? -1 : (start?.place ?? Number.MAX_SAFE_INTEGER)
  const at = lanes.findIndex((lane) => sameLane(laneOf(lane), start ?? from.lane ?? { stage: null, agent: '' }))
  const end = isBack ? Number.MAX_SAFE_INTEGER : -1
  // Its own lane is looked at twice: on from the step, and at last from its other end.
  const order = at === -1 ? lanes : [...lanes.slice(at), ...lanes.slice(0, at), ...lanes.slice(at, at + 1)]
  const turned = isBack ? backwards(order, at !== -1) : order
  for (const [nth, lane] of turned.entries()) {
    if (!failing.has(keyOf(laneOf(lane)))) continue
    const found = await failureIn(parts, lane, nth === 0 && at !== -1 ? place : end, isBack)
    if (found?.place != null) return { step: found.step, page: await pageOfLane(parts, found, { at: found.place }) }
  }
  return none
}

const keyOf = ({ stage, agent }: StepLane): string => `${stage ?? '-'}/${agent}`

/** The lanes from the same one the other way round. */
function backwards(order: readonly TreeLane[], hasStart: boolean): TreeLane[] {
  if (!hasStart) return order.toReversed()
  const [first, ...rest] = order
  return first === undefined ? [] : [first, ...rest.slice(0, -1).toReversed(), first]
}

/** The nearest failure of a lane that matters. */
async function failureIn(
  { steps, task }: TreeParts,
  lane: TreeLane,
  from: number,
  isBack: boolean,
): Promise<IndexedStep | null> {
  for (let place = from; ; ) {
    const side = isBack ? { before: place } : { after: place }
    const page = await steps.failedIn(task.id, laneOf(lane), side, AT_ONCE)
    const found = page.find(lane.matters)
    if (found || page.length < AT_ONCE) return found ?? null
    place = page.at(-1)?.place ?? place
  }
}

/** Where failures are among all steps. */
export async function rulerOf(parts: TreeParts): Promise<TreeRuler> {
  const { world, task, steps } = parts
  if (!seesWhole(parts)) return { lanes: [] }
  const byLane = gather(await steps.failedOf(task.id, MOST_FAILURES), (one) => [keyOf(one)])
  const lanes = treeLanesOf(world, task)
  const width = Math.max(1, lanes.reduce((sum, { steps }) => sum + steps, 0) / BUCKETS)
  return {
    lanes: lanes.flatMap((lane) => {
      const failed = (byLane.get(keyOf(laneOf(lane))) ?? []).filter(lane.matters)
      if (failed.length === 0) return []
      const buckets = new Map(failed.toReversed().map(({ place }) => [Math.floor(place / width), place]))
      const gone = Math.max(0, failed.length - lane.share.failures.size)
      return [{ ...laneOf(lane), failed: gone, places: [...buckets.values()].reverse() }]
    }),
  }
}
