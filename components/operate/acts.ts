/** Operators' acts on stuck work, as calls. Each carries a reason, which is recorded and shown in the chat. */
import { type ApiResult, command } from '@/client/api'
import type { AgentId, MessageId, RequestId, StageId, StepId, TaskId, WaitingId } from '@/lib/mas/ids'
import type { ToolRule } from '@/lib/mas/records'
import type { RuleOwner } from '@/lib/mas/steps/toolRules'
import type { CommandHead, PostTask, StageSpecBody } from '@/lib/wire'

/** A command that lacks only its reason; the caller gives `head`, so that a repeat has the same id. */
export type Act = {
  (reason: string, head: CommandHead): Promise<ApiResult<unknown>>
  /** Key of the draft that holds its reason and form until it is sent. */
  place: string
}

/** in: place: of its draft; send: how it is sent */
export const actAt = (place: string, send: (...given: Parameters<Act>) => ReturnType<Act>): Act =>
  Object.assign(send, { place })

const at = (id: string): string => encodeURIComponent(id)
const placeOf = (...parts: string[]): string =>
  `act:${parts
    .join('.')
    .replace(/^\/api\//, '')
    .replace(/[^0-9A-Za-z_-]+/g, '.')}`.slice(0, 200)

/** upon: ids that tell this act from others of the same path. */
export const actsOn = (path: string, body: Record<string, unknown> = {}, upon: string[] = []): Act =>
  actAt(placeOf(path, ...upon), (reason, head) => command(path, { ...body, reason }, head))

export const releaseWaitAct = (agent: AgentId, waiting: WaitingId): Act =>
  actsOn('/api/waits/release', { agent, waiting }, [waiting])

export const pauseAgentAct = (agent: AgentId): Act => actsOn(`/api/agents/${at(agent)}/pause`)
/** The paused agent reads this message before everything else. */
export const readNowAct = (agent: AgentId, message: MessageId): Act =>
  actsOn(`/api/agents/${at(agent)}/read_now`, { message })
export const resumeAgentAct = (agent: AgentId): Act => actsOn(`/api/agents/${at(agent)}/resume`)
export const removeAgentAct = (agent: AgentId): Act => actsOn(`/api/agents/${at(agent)}/remove`)
export const pauseTaskAct = (task: TaskId): Act => actsOn(`/api/tasks/${at(task)}/pause`)
export const resumeTaskAct = (task: TaskId): Act => actsOn(`/api/tasks/${at(task)}/resume`)

export const cancelStepAct = (step: StepId): Act => actsOn(`/api/steps/${at(step)}/cancel`)
export const retryStepAct = (step: StepId): Act => actsOn(`/api/steps/${at(step)}/retry`)
/** args: of its tool call, as JSON text; null: as they were. */
export const retryStepWithAct = (step: StepId, args: string | null): Act =>
  actsOn(`/api/steps/${at(step)}/retry`, args === null ? {} : { arguments: args }, ['arguments'])

export const addStageAct = (task: TaskId, stage: StageSpecBody): Act =>
  actsOn(`/api/tasks/${at(task)}/stages`, { stages: [stage] })
export const finishStageAct = (stage: StageId): Act => actsOn(`/api/stages/${at(stage)}/finish`)
/** The stage fails, and this one is placed behind it and started. */
export const retryStageAct = (stage: StageId, better: StageSpecBody): Act =>
  actsOn(`/api/stages/${at(stage)}/retry`, better)
export const finishTaskAct = (task: TaskId, state: 'finished' | 'failed', summary: string): Act =>
  actsOn(`/api/tasks/${at(task)}/finish`, { state, summary })
export const eraseTaskAct = (task: TaskId): Act => actsOn(`/api/tasks/${at(task)}/erase`)
export const addParticipantsAct = (task: TaskId, add: readonly AgentId[]): Act =>
  actsOn(`/api/tasks/${at(task)}/participants`, { add, remove: [] })
/** handTo: who gets what only people that leave were asked. */
export const removeParticipantsAct = (task: TaskId, remove: readonly AgentId[], handTo: AgentId | null): Act =>
  actsOn(`/api/tasks/${at(task)}/participants`, { add: [], remove, handTo }, ['remove'])
/** stage: null for the task itself; one form, so one draft, names either. intention: the stage's goal. */
export const renameAct = (task: TaskId, stage: { id: StageId; intention: string } | null, name: string): Act =>
  actAt(
    placeOf('rename', task),
    stage === null
      ? actsOn(`/api/tasks/${at(task)}/rename`, { name })
      : actsOn(`/api/stages/${at(stage.id)}/rename`, { name, intention: stage.intention }),
  )
export const makeTaskAct = (task: Omit<PostTask, keyof CommandHead | 'reason'>): Act => actsOn('/api/tasks', task)
export const makeManagerAct = (task: TaskId, agent: AgentId): Act => actsOn(`/api/tasks/${at(task)}/manager`, { agent })
/** How the calls of a tool are asked about, in a task or by an agent; rule null: as the configuration says. endsAt: epoch ms */
export const ruleToolAct = (
  owner: RuleOwner,
  { server, tool }: Pick<ToolRule, 'server' | 'tool'>,
  rule: ToolRule['rule'] | null,
  endsAt: number | null = null,
): Act =>
  actsOn(
    'task' in owner ? `/api/tasks/${at(owner.task)}/tool_rules` : `/api/agents/${at(owner.agent)}/tool_rules`,
    { server, tool, rule, endsAt },
    [server, tool, rule ?? 'revoke'],
  )
/** A limit is raised by answering its request; the text is the number. */
export const allowMoreAct = (request: RequestId, more: string): Act =>
  actsOn(`/api/requests/${at(request)}/answer`, { decision: 'approve', text: more, arguments: null, digest: null })
