/** Events of tasks, templates and schedules. */
import type { AgentId, MessageId, ScheduleId, TaskId, TemplateId } from '../ids'
import type {
  ExecutionState,
  Rating,
  ScheduleRecord,
  StructuredResult,
  TaskRecord,
  TemplateVersion,
  ToolRuled,
} from '../records'

export type TaskEvents = {
  'task.added': { task: TaskId } & Pick<
    TaskRecord,
    | ('name' | 'intention' | 'manager' | 'group' | 'base' | 'requestedBy' | 'requestedIn' | 'madeFor' | 'conversation')
    | ('changeOf' | 'start' | 'fromTemplate' | 'reviewPlans' | 'talk')
  >
  'task.started': { task: TaskId }
  'task.participantsChanged': { task: TaskId; added: AgentId[]; removed: AgentId[] }
  'task.managerChanged': { task: TaskId; agent: AgentId }
  /** An operator set how calls of a tool are handled in this task; rule null: as in the configuration. */
  'task.toolRuled': { task: TaskId } & ToolRuled
  'task.renamed': { task: TaskId; name: string }
  'task.paused': { task: TaskId; by: AgentId; reason: string }
  'task.resumed': { task: TaskId; by: AgentId }
  'task.finished': {
    task: TaskId
    state: Extract<ExecutionState, 'finished' | 'failed'>
    summary: string
    result?: StructuredResult
  }
  /** The person who asked for an ended task, or an operator, rates its result; a later rating of theirs replaces it. */
  'task.rated': { task: TaskId; agent: AgentId; rating: Rating; sentence: string }
  /** The task `by` began, which changes its result. It may be archived. */
  'task.changeBegun': { task: TaskId; by: TaskId }
  /** New, or a new version. */
  'template.saved': { template: TemplateId; agent: AgentId } & Pick<
    TemplateVersion,
    'name' | 'text' | 'fields' | 'reviewPlans'
  >
  'template.removed': { template: TemplateId }
  /** New, changed, or resumed; agent: the person in whose name it sends requests. */
  'schedule.saved': { schedule: ScheduleId; agent: AgentId } & Pick<
    ScheduleRecord,
    'name' | 'text' | 'attachments' | 'template' | 'cron' | 'timeZone' | 'next'
  >
  /** by null: it stopped automatically, for that reason. */
  'schedule.paused': { schedule: ScheduleId; by: AgentId | null; reason: string }
  'schedule.resumed': { schedule: ScheduleId; next: number | null }
  'schedule.removed': { schedule: ScheduleId }
  /** It sent the request `message` at a due time; next: the next time, epoch ms. */
  'schedule.asked': { schedule: ScheduleId; due: number; message: MessageId; next: number | null }
}
