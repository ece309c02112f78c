/** Events by which records leave the world, or come back. */
import type { AgentId, MessageId, RequestId, StepId, TaskId, ThreadId } from '../ids'
import type { TaskPiece } from './branches'
import type { TaskErased } from './erasedRecords'

export type ArchiveEvents = {
  /** An inactive task left the world completely. `agents`: those with steps in it. */
  'task.archived': { task: TaskId; agents: AgentId[] }
  /** An archived conversation continues: its newest records are restored. `agents`: those with steps in it. */
  'task.woken': { task: TaskId; agents: AgentId[]; piece: TaskPiece }
  'task.erased': TaskErased
  /** In place of an erased entry. by: the number of the `task.erased` */
  'entry.erased': { by: number }
  /** An inactive thread of the base task: its messages, requests and steps left the world. */
  'thread.retired': { task: TaskId; thread: ThreadId; agents: AgentId[] }
  /** Old records of an open task left the world. Deliveries go with their messages. */
  'records.evicted': { task: TaskId; steps: Record<AgentId, StepId[]>; messages: MessageId[]; requests: RequestId[] }
}
