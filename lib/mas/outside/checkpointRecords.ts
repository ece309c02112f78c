/** Checkpoints: recorded points in the work of an agent, ours or of another system. */
import type { AgentId, PeerId, StageId, TaskId } from '../ids'
import type { BodyRef } from '../records/values'

export type CheckpointRecord = {
  /** Given by its reporter; unique over all agents. */
  id: string
  agent: AgentId
  /** The name of the agent in its own system. */
  agentName: string
  /** The peer of the agent; null: an agent of this team. */
  peer: PeerId | null
  /** The finished stage, or the stage of the milestone; null: the task was finished. */
  task: TaskId | null
  stage: StageId | null
  /** Empty: none given. */
  label: string
  session: string | null
  /** The agent set it itself during its work. */
  milestone?: true
  /** A JSON object; null: only the label was given. */
  metadata: BodyRef | null
  /** Epoch ms. */
  at: number
  seq: number
}
