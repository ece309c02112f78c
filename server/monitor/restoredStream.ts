/** A view of what left the world: it is shown whole, once, and never changes. */
import type { StepId, TaskId } from '@/lib/mas/ids'
import { NO_STEPS, withFlatSteps } from '@/lib/mas/ownSteps'
import type { StepRecord, World } from '@/lib/mas/records'
import { pieceOf } from '@/lib/mas/selectors/archive/branches'
import { isStepOver } from '@/lib/mas/statuses'
import { restrict } from '@/lib/wire/restrict'
import { isLogView, type ParsedView } from '@/lib/wire/views'
import { type RestoredTask, type RestoredTasks, withRestoredTask } from '../engine/snapshots/restoredTasks'
import { rowSourceOf } from './rows'
import type { ResetBody, Stream } from './streams'

/** What left the world and this view shows; null when there never was such a thing. */
export async function findRestored(
  past: RestoredTasks,
  view: ParsedView,
  world: () => World,
): Promise<RestoredTask | null> {
  switch (view.kind) {
    case 'task':
    case 'tree':
      return past.task(view.task)
    case 'step':
      return pastOfStep(past, view.step, world)
    default:
      return null
  }
}

async function pastOfStep(past: RestoredTasks, id: StepId, world: () => World): Promise<RestoredTask | null> {
  const step = await past.step(id)
  if (step === null) return null
  return (await past.task(step.task)) ?? besideWhatLives(world(), step)
}

/** A step that left an open task: the task as it is, and that one step. */
function besideWhatLives(world: World, step: StepRecord): RestoredTask | null {
  // A step that is not over does not leave: this node has not read its entries yet.
  if (world.tasks[step.task] === undefined || !isStepOver(step)) return null
  const piece = pieceOf(world, step.task)
  const own = withFlatSteps(piece.steps?.[step.agent] ?? NO_STEPS, { [step.id]: step })
  return {
    task: step.task as TaskId,
    seq: world.seq,
    piece: { ...piece, steps: { ...piece.steps, [step.agent]: own } },
  }
}

/** in: gen must differ for another past of the same view and class */
export function restoredStream(view: ParsedView, cls: string, gen: string, now: World, past: RestoredTask): Stream {
  const world = { ...withRestoredTask(now, past), seq: past.seq }
  const snapshot = (): ResetBody =>
    isLogView(view)
      ? { kind: 'log', world: restrict(world, view, cls), cls }
      : { kind: 'rows', rows: rowSourceOf(view, cls).rows(world) }
  return { cls, gen, from: () => past.seq, push: () => {}, flush: () => null, snapshot, missing: () => null }
}
