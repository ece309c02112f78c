/**
 * What an operator does to what is stuck, as calls. Every one carries a reason, which is recorded and told in the chat.
 *
 * Owns: these paths and bodies. Not here: asking (ActDialog.tsx), what each causes (lib/mas/commands).
 */
import { type Answer, command } from '@/client/api'
import type { AgentId, MessageId, RequestId, StageId, StepId, TaskId, WaitingId } from '@/lib/mas/ids'
import type { CommandAnswer, CommandHead } from '@/lib/wire'

/** A wish that only lacks its reason; `head` is the caller's, so that a repeat is the same act. */
export type Act = {
  (reason: string, head: CommandHead): Promise<Answer<CommandAnswer>>
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
export const releaseWait = (agent: AgentId, waiting: WaitingId): Act =>
  actsOn('/api/waits/release', { agent, waiting }, [waiting])

export const pauseAgent = (agent: AgentId): Act => actsOn(`/api/agents/${at(agent)}/pause`)
/** Paused, it reads this message before everything else. */
export const readNow = (agent: AgentId, message: MessageId): Act =>
  actsOn(`/api/agents/${at(agent)}/read_now`, { message })
export const resumeAgent = (agent: AgentId): Act => actsOn(`/api/agents/${at(agent)}/resume`)
export const removeAgent = (agent: AgentId): Act => actsOn(`/api/agents/${at(agent)}/remove`)
export const pauseTask = (task: TaskId): Act => actsOn(`/api/tasks/${at(task)}/pause`)
export const resumeTask = (task: TaskId): Act => actsOn(`/api/tasks/${at(task)}/resume`)

export const cancelStep = (step: StepId): Act => actsOn(`/api/steps/${at(step)}/cancel`)
export const retryStep = (step: StepId): Act => actsOn(`/api/steps/${at(step)}/retry`)

export type StageDraft = { intention: string; allocation: Record<AgentId, string> }
export const addStage = (task: TaskId, stage: StageDraft): Act =>
  actsOn(`/api/tasks/${at(task)}/stages`, { stages: [stage] })
export const finishStage = (stage: StageId): Act => actsOn(`/api/stages/${at(stage)}/finish`)
/** The stage is judged failed, and this one is placed behind it and started. */
export const retryStage = (stage: StageId, better: StageDraft): Act => actsOn(`/api/stages/${at(stage)}/retry`, better)
export const finishTask = (task: TaskId, state: 'finished' | 'failed', summary: string): Act =>
  actsOn(`/api/tasks/${at(task)}/finish`, { state, summary })
export const addParticipants = (task: TaskId, add: readonly AgentId[]): Act =>
  actsOn(`/api/tasks/${at(task)}/participants`, { add, remove: [] })
export const makeManager = (task: TaskId, agent: AgentId): Act => actsOn(`/api/tasks/${at(task)}/manager`, { agent })
/** More at a limit is allowed by answering its request; the number stands in the text. */
export const allowMore = (request: RequestId, more: string): Act =>
  actsOn(`/api/requests/${at(request)}/answer`, { decision: 'approve', text: more, arguments: null, digest: null })
