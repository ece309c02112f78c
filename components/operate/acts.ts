/**
 * What an operator does to what is stuck, as calls. Every one carries a reason, which is recorded and told in the chat.
 */
import { type ApiResult, command } from '@/client/api'
import type { AgentId, MessageId, RequestId, StageId, StepId, TaskId, WaitingId } from '@/lib/mas/ids'
import type { CommandAnswer, CommandHead } from '@/lib/wire'

/** A wish that only lacks its reason; `head` is the caller's, so that a repeat is the same act. */
export type Act = {
  (reason: string, head: CommandHead): Promise<ApiResult<CommandAnswer>>
  /** Where its reason, and the form of it, are kept while nothing was sent: the draft of this act upon this thing. */
  place: string
}

const at = (id: string): string => encodeURIComponent(id)
const placeOf = (...parts: string[]): string =>
  `act:${parts
    .join('.')
    .replace(/^\/api\//, '')
    .replace(/[^0-9A-Za-z_-]+/g, '.')}`.slice(0, 200)

/** The act of a path, upon what the path names, or `upon`. */
export const actsOn = (path: string, body: Record<string, unknown> = {}, upon: string[] = []): Act =>
  Object.assign((reason: string, head: CommandHead) => command<CommandAnswer>(path, { ...body, reason }, head), {
    place: placeOf(path, ...upon),
  })

/** The waiting agent goes on without an answer. */
export const releaseWaitAct = (agent: AgentId, waiting: WaitingId): Act =>
  actsOn('/api/waits/release', { agent, waiting }, [waiting])

export const pauseAgentAct = (agent: AgentId): Act => actsOn(`/api/agents/${at(agent)}/pause`)
/** Paused, it reads this message before everything else. */
export const readNowAct = (agent: AgentId, message: MessageId): Act =>
  actsOn(`/api/agents/${at(agent)}/read_now`, { message })
export const resumeAgentAct = (agent: AgentId): Act => actsOn(`/api/agents/${at(agent)}/resume`)
export const removeAgentAct = (agent: AgentId): Act => actsOn(`/api/agents/${at(agent)}/remove`)
export const pauseTaskAct = (task: TaskId): Act => actsOn(`/api/tasks/${at(task)}/pause`)
export const resumeTaskAct = (task: TaskId): Act => actsOn(`/api/tasks/${at(task)}/resume`)

export const cancelStepAct = (step: StepId): Act => actsOn(`/api/steps/${at(step)}/cancel`)
export const retryStepAct = (step: StepId): Act => actsOn(`/api/steps/${at(step)}/retry`)

export type StageDraft = { intention: string; allocation: Record<AgentId, string> }
export const addStageAct = (task: TaskId, stage: StageDraft): Act =>
  actsOn(`/api/tasks/${at(task)}/stages`, { stages: [stage] })
export const finishStageAct = (stage: StageId): Act => actsOn(`/api/stages/${at(stage)}/finish`)
/** The stage is judged failed, and this one is placed behind it and started. */
export const retryStageAct = (stage: StageId, better: StageDraft): Act =>
  actsOn(`/api/stages/${at(stage)}/retry`, better)
export const finishTaskAct = (task: TaskId, state: 'finished' | 'failed', summary: string): Act =>
  actsOn(`/api/tasks/${at(task)}/finish`, { state, summary })
export const addParticipantsAct = (task: TaskId, add: readonly AgentId[]): Act =>
  actsOn(`/api/tasks/${at(task)}/participants`, { add, remove: [] })
export const makeManagerAct = (task: TaskId, agent: AgentId): Act => actsOn(`/api/tasks/${at(task)}/manager`, { agent })
/** More at a limit is allowed by answering its request; the number stands in the text. */
export const allowMoreAct = (request: RequestId, more: string): Act =>
  actsOn(`/api/requests/${at(request)}/answer`, { decision: 'approve', text: more, arguments: null, digest: null })
