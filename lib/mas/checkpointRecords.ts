/** Checkpoints: what an agent, ours or another system's, reached at a moment worth keeping. */
import type { AgentId, PeerId, StageId, TaskId } from './ids'
import type { BodyRef } from './records/values'

export type CheckpointRecord = {
  /** As its reporter named it; unique over all agents. */
  id: string
  agent: AgentId
  /** The agent as its own system names it. */
  agentName: string
  /** Whose agent it is; null: one of this team. */
  peer: PeerId | null
  /** The stage that was finished, or that the milestone lies in; null: the task was finished. */
  task: TaskId | null
  stage: StageId | null
  /** Empty: its reporter gave none. */
  label: string
  session: string | null
  /** The agent set it itself during its work. */
  milestone?: true
  /** A JSON object; null: nothing was said beside the label. */
  metadata: BodyRef | null
  /** Epoch ms. */
  at: number
  seq: number
}
