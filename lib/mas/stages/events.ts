/** Events of stages and their parts. */
import type { AgentId, StageId, TaskId } from '../ids'
import type { ExecutionState, PartState, StageRecord } from '../records'

/** The owners of what an event is about. */
export type OfStage = { task: TaskId; stage: StageId }
type OfPart = OfStage & { agent: AgentId }

export type StageEvents = {
  /** after: the stage before it; null: at the end. */
  'stage.added': Pick<StageRecord, 'task' | 'name' | 'intention' | 'allocation' | 'needs' | 'retryOf'> & {
    stage: StageId
    after: StageId | null
  }
  /** The name, the goal, or both changed. name absent: it is named by its goal. */
  'stage.renamed': OfStage & { name?: string; intention: string }
  'stage.started': OfStage
  'stage.agentStateChanged': OfPart & { state: PartState; reason: string | null }
  'stage.completionSubmitted': OfPart & { summary: string }
  /** A person took another's part over. */
  'stage.partHanded': OfPart & { to: AgentId }
  'stage.judging': OfStage
  /** reason: why it failed. replacedBy: the stage that is tried instead */
  'stage.finished': OfStage & {
    state: Extract<ExecutionState, 'finished' | 'failed'>
    reason: string | null
    replacedBy: StageId | null
  }
}
