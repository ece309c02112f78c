/** Who waits for whom, for the rows of a task's tree. */
import { gather } from '@/lib/gather'
import { threadsOf } from '@/lib/mas/access/visibility'
import type { AgentId, TaskId } from '@/lib/mas/ids'
import type { StageRecord, TaskRecord, World } from '@/lib/mas/records'
import { type OpenWait, selectOpenWaits } from '@/lib/mas/waits/openWaits'
import {
  isStop,
  type Progress,
  selectPartProgress,
  selectStageProgress,
  selectTaskProgress,
} from '@/lib/mas/waits/progress'
import { memo } from '@/lib/memo'

const openByTask = memo((world: World) => gather(selectOpenWaits(world), ({ task }: OpenWait) => [task]))

/** All waits of a task that this person may see. in: person: a participant in the base task; null: all are seen */
export function openWaitsIn(world: World, task: TaskId, person: AgentId | null): readonly OpenWait[] {
  const waits = openByTask(world).get(task) ?? []
  if (person === null) return waits
  const threads = threadsOf(world, task, person)
  return waits.filter(({ on, thread }) => on.includes(person) || (thread !== null && threads.has(thread)))
}

/** Another text when the task, its running stage or a part of it gets on otherwise, wherever the cause of that is. */
export function progressMark(world: World, task: TaskRecord): string {
  const running = Object.values<StageRecord>(world.stages[task.id] ?? {}).filter(({ state }) => state === 'running')
  const all = [
    selectTaskProgress(world, task),
    ...running.flatMap((stage) => [
      selectStageProgress(world, stage),
      ...(Object.keys(stage.allocation) as AgentId[]).map((agent) => selectPartProgress(world, stage, agent)),
    ]),
  ]
  return `${all.map(said).join()} ${openWaitsIn(world, task.id, null).map(({ id, why, state }) => `${id}${why}${state}`)}`
}
const said = (progress: Progress): string =>
  isStop(progress) ? `${progress.state}${progress.cause}${progress.since}${progress.on}` : progress.state
