/** The fields of a composer beside its text. They are kept in its draft, over a reload and on other devices. */
import * as z from 'zod/mini'
import { draftAt, type MessageInput } from '@/client'
import type { MessageId, RequestId, TaskId } from '@/lib/mas/ids'
import { MESSAGE_TYPES, type MessageType } from '@/lib/mas/records'
import { type AttachedDraft, besideWith } from '@/lib/wire/drafts'

export type UploadedFile = { id: string; sha: string; name: string; mime: string; bytes: number; alt: string }

export type ComposerState = {
  /** Ids of members and groups in the order they were chosen; empty: everyone. */
  chosen: readonly string[]
  type: MessageType
  /** undefined: the running stage; null: none */
  stage: string | null | undefined
  replyTo: MessageId | null
  /** The picked request of several; null: the oldest */
  request: RequestId | null
  /** The chip was removed: the message answers no request. */
  isAnswerOff: boolean
  files: readonly UploadedFile[]
  /** The task of a private message; null: that of the last one */
  task: TaskId | null
}

const id = <Id extends string>() => z.optional(z.custom<Id>((value) => typeof value === 'string'))
/** As kept in a draft, which leaves out defaults. */
const shape = z.object({
  to: z.optional(z.array(z.string())),
  type: z.optional(z.enum(MESSAGE_TYPES)),
  stage: z.optional(z.string()),
  noStage: z.optional(z.literal(true)),
  replyTo: id<MessageId>(),
  request: id<RequestId>(),
  answerOff: z.optional(z.literal(true)),
  files: z.optional(
    z.array(
      z.object({
        id: z.string(),
        sha: z.string(),
        name: z.string(),
        mime: z.string(),
        bytes: z.number(),
        alt: z.string(),
      }),
    ),
  ),
  task: id<TaskId>(),
})

export function composerOf(more: AttachedDraft): ComposerState {
  const kept = shape.safeParse(more).data ?? {}
  return {
    chosen: kept.to ?? [],
    type: kept.type ?? 'fyi',
    stage: kept.noStage ? null : kept.stage,
    replyTo: kept.replyTo ?? null,
    request: kept.request ?? null,
    isAnswerOff: kept.answerOff ?? false,
    files: kept.files ?? [],
    task: kept.task ?? null,
  }
}

/** A change as a draft keeps it; null removes a field. */
export function attachedDraftOf(change: Partial<ComposerState>): AttachedDraft {
  const { chosen, type, stage, replyTo, request, isAnswerOff, files, task } = change
  return {
    ...(chosen === undefined ? {} : { to: chosen.length === 0 ? null : chosen }),
    ...(type === undefined ? {} : { type: type === 'fyi' ? null : type }),
    ...('stage' in change ? { stage: stage ?? null, noStage: stage === null ? true : null } : {}),
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(request === undefined ? {} : { request }),
    ...(isAnswerOff === undefined ? {} : { answerOff: isAnswerOff ? true : null }),
    ...(files === undefined ? {} : { files: files.length === 0 ? null : files }),
    ...(task === undefined ? {} : { task }),
  }
}

export const composerAt = (place: string): ComposerState => composerOf(draftAt(place).state.getState().more)

/** in: place: `task:<id>` or `direct:<agent>` */
export const changeComposer = (place: string, change: Partial<ComposerState>): void =>
  draftAt(place).setMore(attachedDraftOf(change))

/** Puts a message of the outbox back into its composer, before the text and files that are there. */
export function restoreToComposer(place: string, message: MessageInput): void {
  const { state, put } = draftAt(place)
  const { text, more } = state.getState()
  const here = composerOf(more)
  const files = (message.attachments ?? []).map(
    ({ alt = '', ...file }, at): UploadedFile => ({ id: `${at} ${file.sha}`, ...file, alt }),
  )
  const change: ComposerState = {
    chosen: message.receivers === 'all' ? [] : message.receivers,
    type: message.type,
    stage: message.stage,
    replyTo: message.replyTo,
    request: message.answers,
    // It was no answer; the chip offers to make it one.
    isAnswerOff: message.answers === null,
    files: [...files, ...here.files.filter(({ sha }) => !files.some((file) => file.sha === sha))],
    task: place.startsWith('direct:') ? message.task : null,
  }
  put({
    text: text.trim() === '' ? message.text : `${message.text}\n\n${text}`,
    more: besideWith(more, attachedDraftOf(change)),
  })
}
