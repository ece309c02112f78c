/** Templates of requests, and requests that are asked again at set times. */
import type { AgentId, MessageId, ScheduleId, TaskId, TemplateId } from '../ids'
import type { Attachment } from './messages'

type TemplateFieldKind = 'text' | 'choice' | 'file'

/** A blank of a template's text, which holds its name in braces. */
export type TemplateField = { name: string; kind: TemplateFieldKind; choices: string[]; required: boolean }

/** at: epoch ms. */
export type TemplateVersion = { name: string; text: string; fields: TemplateField[]; by: AgentId; at: number }

/** former: what it was before, the newest last. A removed template is kept with its history, and can be saved again. */
export type TemplateRecord = TemplateVersion & { id: TemplateId; former: TemplateVersion[]; removed: boolean }

/** When a schedule asks: a cron line of five fields, in a time zone by its IANA name. */
export type ScheduleTimes = { cron: string; timeZone: string }

export type ScheduleRecord = ScheduleTimes & {
  id: ScheduleId
  name: string
  /** The person in whose name it asks. */
  of: AgentId
  text: string
  attachments: Attachment[]
  /** The template that its text came from; null: none. */
  template: TemplateId | null
  /** by null: it stopped by itself, for that reason. */
  paused: { by: AgentId | null; reason: string; at: number } | null
  /** When it asks next, epoch ms; null: never again. */
  next: number | null
  /** The last time it asked: when it was due, the message, and the resulting task; null while there is none. */
  last: { due: number; at: number; message: MessageId; task: TaskId | null } | null
  createdAt: number
}
