/** The questions of the domain about a member, with one implementation per kind: agent.ts, person.ts, outside.ts. */
import type { AgentId, RequestId, WaitingId } from '../ids'
import type { AgentRecord, LockRecord, StageRecord, StepRecord, WorkRecord, World } from '../records'

/** Why an asked member cannot answer. */
export type DeadEndReason =
  | 'removed'
  | 'noAccess'
  | 'notInTask'
  | 'paused'
  | 'taskPaused'
  | 'noModel'
  /** They have no reply that could run, and no request that could be answered. */
  | 'noReply'
  /** There was nobody to ask. */
  | 'nobody'

/** The question of a wait: by a lock, or by a request without one (its id is then used as the waiting id). */
export type AskedOf = Pick<LockRecord, 'kind' | 'task' | 'request'> & { id: WaitingId | RequestId }

/** All are asked of members that are not removed. */
export type Member = {
  /** Why this one cannot answer; null: it can. */
  whyNoAnswer(world: World, record: AgentRecord, asked: AskedOf): DeadEndReason | null
  /** Why this one cannot judge a task, whatever it does; null: it can. */
  whyNoJudge(world: World, record: AgentRecord): 'gone' | 'noModel' | null
  /** Does its begun part of the stage go on by itself? */
  partMoves(world: World, agent: AgentId, stage: StageRecord): boolean
  /** The step that runs next; null: none. Its work runs none now. */
  nextStep(world: World, record: AgentRecord, work: WorkRecord): StepRecord | null
}
