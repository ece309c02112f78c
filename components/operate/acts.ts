/**
 * What an operator does to what is stuck, as calls. Every one carries a reason, which is recorded and told in the chat.
 *
 * Owns: these paths and bodies. Not here: asking (ActDialog.tsx), what each causes (lib/mas/commands).
 */
import { type Answer, command } from '@/client/api'
import type { AgentId, StepId, TaskId, WaitingId } from '@/lib/mas/ids'
import type { CommandAnswer, CommandHead } from '@/lib/wire'

/** A wish that only lacks its reason; `head` is the caller's, so that a repeat is the same act. */
export type Act = (reason: string, head: CommandHead) => Promise<Answer<CommandAnswer>>

const at = (id: string): string => encodeURIComponent(id)
const acts =
  (path: string, body: Record<string, unknown> = {}): Act =>
  (reason, head) =>
    command(path, { ...body, reason }, head)

/** The waiting agent goes on without an answer. */
export const releaseWait = (agent: AgentId, waiting: WaitingId): Act => acts('/api/waits/release', { agent, waiting })

export const pauseAgent = (agent: AgentId): Act => acts(`/api/agents/${at(agent)}/pause`)
export const resumeAgent = (agent: AgentId): Act => acts(`/api/agents/${at(agent)}/resume`)
export const pauseTask = (task: TaskId): Act => acts(`/api/tasks/${at(task)}/pause`)
export const resumeTask = (task: TaskId): Act => acts(`/api/tasks/${at(task)}/resume`)

export const cancelStep = (step: StepId): Act => acts(`/api/steps/${at(step)}/cancel`)
export const retryStep = (step: StepId): Act => acts(`/api/steps/${at(step)}/retry`)
