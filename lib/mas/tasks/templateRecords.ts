/** Templates of requests, and scheduled requests. */
import type { AgentId, MessageId, ScheduleId, TaskId, TemplateId } from '../ids'
import type { Attachment } from '../messages/records'

type TemplateFieldKind = 'text' | 'choice' | 'file'

/** A field of a template's text, which has its name in braces. */
export type TemplateField = { name: string; kind: TemplateFieldKind; choices: string[]; required: boolean }

/** at: epoch ms. */
export type TemplateVersion = {
  name: string
  text: string
  fields: TemplateField[]
  /** People approve the plans of its tasks before they begin. */
  reviewPlans?: true
  by: AgentId
  at: number
}

/** former: earlier versions, the newest last. A removed template is kept with its history, and can be saved again. */
export type TemplateRecord = TemplateVersion & { id: TemplateId; former: TemplateVersion[]; removed: boolean }

/** The times of a schedule: a cron expression of five fields, and an IANA time zone. */
export type ScheduleTimes = { cron: string; timeZone: string }

export type ScheduleRecord = ScheduleTimes & {
  id: ScheduleId
  name: string
  /** The person in whose name it sends requests. */
  of: AgentId
  text: string
  attachments: Attachment[]
  /** The template of its text; null: none. */
  template: TemplateId | null
  /** by null: it stopped automatically, for that reason. */
  paused: { by: AgentId | null; reason: string; at: number } | null
  /** The next time, epoch ms; null: never again. */
  next: number | null
  /** The last request: when it was due, the message, and the resulting task; null: none. */
  last: { due: number; at: number; message: MessageId; task: TaskId | null } | null
  createdAt: number
}
