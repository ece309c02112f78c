/** The result of an ended task, as far as a person may read it. */
import { Fault } from '@/lib/faults'
import { taskAccessOf } from '@/lib/mas/access/access'
import { selectFilesOfTask, type VersionOfPath } from '@/lib/mas/files/files'
import type { AgentRecord, TaskRecord, World } from '@/lib/mas/records'
import { selectTaskResult } from '@/lib/mas/tasks/taskResult'
import { seenFiles } from '../files/seenFiles'
import type { GatewayContext } from '../route'
import { resolveTaskId, shown } from './resolve'
import { worldWithRestored } from './restoredWorld'

type ReadResult = {
  /** With the task in it, also where it is archived. */
  world: World
  task: TaskRecord
  result: NonNullable<ReturnType<typeof selectTaskResult>>
  /** That the task left and the person sees. */
  files: VersionOfPath[]
}

/** in: id: the task's, as a request names it. Throws NOT_FOUND, also for an open task and for one that they may not read. */
export async function readResult(gateway: GatewayContext, person: AgentRecord, id: string): Promise<ReadResult> {
  const world = await worldWithRestored(gateway.engine.world(), gateway.past, id)
  const task = resolveTaskId(world, id, person)
  const reach = taskAccessOf(world, person, task.id)
  const result = selectTaskResult(world, task.id)
  // A former member reads only entries before their removal, so not the result.
  if (result === null || reach === null || reach.threads !== null || Number.isFinite(reach.upTo))
    throw new Fault('NOT_FOUND', { what: 'result of task', id: shown(id) })
  const { isSeen } = await seenFiles(gateway, person)
  return { world, task, result, files: selectFilesOfTask(world, task.id).filter(({ path }) => isSeen(path)) }
}
