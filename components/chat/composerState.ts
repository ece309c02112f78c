/**
 * What a composer holds beside its text: receivers, type, stage, what it replies to, files. Kept with the draft, so that after a
 * reload or on another device it goes to the same people as the same thing.
 */
import * as z from 'zod/mini'
import { draftAt, type MessageInput } from '@/client'
import type { MessageId, RequestId, TaskId } from '@/lib/mas/ids'
import { MESSAGE_TYPES, type MessageType } from '@/lib/mas/records'
import { type AttachedDraft, besideWith } from '@/lib/wire/drafts'

/** A file that the server has taken in. */
export type UploadedFile = { id: string; sha: string; name: string; mime: string; bytes: number; alt: string }

export type ComposerState = {
  /** Ids of members and role groups, in the order they were chosen; none: everyone. */
  chosen: readonly string[]
  type: MessageType
  /** undefined: the stage that runs; null: none. */
  stage: string | null | undefined
  replyTo: MessageId | null
  /** The request picked of several; null: the oldest. */
  request: RequestId | null
  /** The chip was taken away: a plain message, the asker goes on waiting. */
  isAnswerOff: boolean
  files: readonly UploadedFile[]
  /** Where a private message is sent; null: where the last one was. */
  task: TaskId | null
}

const id = <Id extends string>() => z.optional(z.custom<Id>((value) => typeof value === 'string'))
/** As it stands in a draft; what is as usual is left out. */
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

/** The change as a draft keeps it; null takes a name away. */
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

/** What was taken out of the outbox goes on in its box, whole. A text that stands there is kept below it, its files too. */
export function restoreToComposer(place: string, wish: MessageInput): void {
  const { state, put } = draftAt(place)
  const { text, more } = state.getState()
  const here = composerOf(more)
  const files = (wish.attachments ?? []).map(
    ({ alt = '', ...file }, at): UploadedFile => ({ id: `${at} ${file.sha}`, ...file, alt }),
  )
  const change: ComposerState = {
    chosen: wish.receivers === 'all' ? [] : wish.receivers,
    type: wish.type,
    stage: wish.stage,
    replyTo: wish.replyTo,
    request: wish.answers,
    // It was no answer then; who reads the chip can make it one.
    isAnswerOff: wish.answers === null,
    files: [...files, ...here.files.filter(({ sha }) => !files.some((file) => file.sha === sha))],
    task: place.startsWith('direct:') ? wish.task : null,
  }
  put({
    text: text.trim() === '' ? wish.text : `${wish.text}\n\n${text}`,
    more: besideWith(more, attachedDraftOf(change)),
  })
}
