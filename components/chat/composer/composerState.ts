/** The fields of a composer beside its text. They are kept in its draft, over a reload and on other devices. */
import * as z from 'zod/mini'
import { draftAt, type MessageInput } from '@/client'
import type { MessageId, RequestId } from '@/lib/mas/ids'
import { MESSAGE_TYPES } from '@/lib/mas/records'
import { type AttachedDraft, besideWith } from '@/lib/wire/drafts'

const idOrNull = <Id extends string>() =>
  z._default(
    z.custom<Id | null>((value) => typeof value === 'string'),
    null,
  )
/** As kept in a draft, which leaves out defaults. */
const shape = z.object({
  /** Ids of members and groups in the order they were chosen; empty: everyone. */
  to: z._default(z.array(z.string()), []),
  type: z._default(z.enum(MESSAGE_TYPES), 'fyi'),
  /** Absent: the running stage, or with `noStage` none. */
  stage: z.optional(z.string()),
  noStage: z._default(z.boolean(), false),
  replyTo: idOrNull<MessageId>(),
  /** The picked request of several; null: the oldest */
  request: idOrNull<RequestId>(),
  /** The chip was removed: the message answers no request. */
  answerOff: z._default(z.boolean(), false),
  files: z._default(
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
    [],
  ),
})
const DEFAULTS = shape.parse({})

export type UploadedFile = z.infer<typeof shape>['files'][number]
export type ComposerState = z.infer<typeof shape>

export const composerOf = (more: AttachedDraft): ComposerState => shape.safeParse(more).data ?? DEFAULTS

const isDefault = (name: string, value: unknown): boolean =>
  JSON.stringify(value ?? null) === JSON.stringify(DEFAULTS[name as keyof ComposerState] ?? null)

/** A change as a draft keeps it: what is as usual is taken away. */
export const attachedDraftOf = (change: Partial<ComposerState>): AttachedDraft =>
  Object.fromEntries(Object.entries(change).map(([name, value]) => [name, isDefault(name, value) ? null : value]))

export const composerAt = (place: string): ComposerState => composerOf(draftAt(place).state.getState().more)

/** in: place: `task:<id>` */
export const changeComposer = (place: string, change: Partial<ComposerState>): void =>
  draftAt(place).setMore(attachedDraftOf(change))

/** null: none */
export const stageField = (stage: string | null): Pick<ComposerState, 'stage' | 'noStage'> => ({
  stage: stage ?? undefined,
  noStage: stage === null,
})

/** Puts a message of the outbox back into its composer, before the text and files that are there. */
export function restoreToComposer(place: string, message: MessageInput): void {
  const { state, put } = draftAt(place)
  const { text, more } = state.getState()
  const here = composerOf(more)
  const files = (message.attachments ?? []).map(
    ({ alt = '', ...file }, at): UploadedFile => ({ id: `${at} ${file.sha}`, ...file, alt }),
  )
  const { receivers, type, stage, replyTo, answers } = message
  const change: ComposerState = {
    to: receivers === 'all' ? [] : receivers,
    type,
    ...stageField(stage),
    replyTo,
    request: answers,
    // It was no answer; the chip offers to make it one.
    answerOff: answers === null,
    files: [...files, ...here.files.filter(({ sha }) => !files.some((file) => file.sha === sha))],
  }
  put({
    text: text.trim() === '' ? message.text : `${message.text}\n\n${text}`,
    more: besideWith(more, attachedDraftOf(change)),
  })
}
