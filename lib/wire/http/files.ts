/** Files of messages and of the workspace. */
import * as z from 'zod'
import { count, sha, when } from './common'

const mime = z.string().regex(/^[\w.+-]{1,60}\/[\w.+-]{1,100}$/)
export const fileName = z.string().min(1).max(200)

/** POST /api/attachments */
export const postAttachment = z.object({
  name: fileName,
  mime,
  // Its form is checked when it is decoded: the check of a schema takes 0.3 s for 33 MiB.
  base64: z.string(),
  drop: z.string().min(8).max(100).optional().describe('files that carry the same are saved in one folder'),
})
export const attachmentAnswer = z.object({ sha, name: fileName, mime, bytes: count })
export type AttachmentAnswer = z.infer<typeof attachmentAnswer>

/** GET /api/messages/<id>/attachments/<number from 0> */
export const attachmentParams = z.object({
  id: z.string().min(1).max(200),
  at: z.coerce.number().int().min(0).max(99),
})
export const attachmentBody = z.object({ name: fileName, mime, base64: z.string() })
export type AttachmentBody = z.infer<typeof attachmentBody>

/** A file between taking in and sending, as the store keeps it in a row of its person. */
export const storedAttachment = z.object({
  name: fileName,
  body: z.object({ sha, bytes: count, preview: z.string(), mime }),
  savedAs: z.string().nullable(),
})

/** A path of the workspace: under it, with slashes. */
const path = z.string().min(1).max(4096)

/** GET /api/files: a folder of the workspace, '' for the workspace itself, so many folders deep; find: what has these words in its path, at any depth. */
export const filesQuery = z.object({
  folder: z.string().max(4096).default(''),
  depth: z.coerce.number().int().min(1).max(3).default(1),
  find: z.string().max(200).default(''),
})

/** Who left a file as it is, or sent it. task, step: null when the caller may not read the step, or no step did it. */
const fileBy = z.object({
  agent: z.string(),
  name: z.string(),
  at: when,
  change: z.enum(['made', 'changed', 'removed', 'sent']),
  task: z.string().nullable(),
  step: z.string().nullable(),
})
export type FileBy = z.infer<typeof fileBy>

const fileEntry = z.object({
  path,
  kind: z.enum(['file', 'folder']),
  bytes: z.number(),
  changedAt: when,
  by: fileBy.nullable(),
})
export type FileEntry = z.infer<typeof fileEntry>

/** root: the path on the machine for operators and developers, for others its last part. isWhole: all of it was looked through. */
export const filesPage = z.object({
  root: z.string(),
  folder: z.string(),
  entries: z.array(fileEntry),
  more: count,
  isWhole: z.boolean(),
})
export type FilesPage = z.infer<typeof filesPage>

/** GET /api/files/about, GET /api/files/content. version: the seq of one; before: as it was before that version. */
export const fileQuery = z.object({ path })
export const fileContentQuery = z.object({
  path,
  version: z.coerce.number().int().min(1).optional(),
  before: z.enum(['yes', 'no']).default('no'),
})

const fileState = z.object({ sha: sha.nullable(), bytes: count, kept: z.boolean() })
/** shared: other calls ran at the same time, and one of them may have done it. kept: its content can be asked for. */
const fileVersion = z.object({
  seq: count,
  at: when,
  change: z.enum(['made', 'changed', 'removed']),
  agent: z.string(),
  name: z.string(),
  task: z.string().nullable(),
  taskName: z.string().nullable(),
  step: z.string().nullable(),
  before: fileState.nullable(),
  now: fileState.nullable(),
  shared: z.boolean(),
})
export type FileVersionShown = z.infer<typeof fileVersion>

/** now: null when it is gone. isAsRecorded: whether it is as the newest version says; null when there is none. versions: newest first. */
export const aboutFile = z.object({
  path,
  now: z.object({ bytes: count, changedAt: when }).nullable(),
  isAsRecorded: z.boolean().nullable(),
  sent: fileBy.nullable(),
  versions: z.array(fileVersion),
})
export type AboutFile = z.infer<typeof aboutFile>

/**
 * GET /api/files/document: the text of a workbook or a text document.
 *
 * sheets  rows of cells as texts; left: rows, or sheets, that are left out since there are too many
 * words   left: characters that are left out
 * none    tooLarge: the file, or what it holds when it is unpacked; unsafe: it declares a document type or entities, or unpacks to
 *         far more than it is; broken: it is no such file, or is damaged or encrypted; tooLong: it was not read in time
 */
export const foundDocument = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('sheets'),
    sheets: z.array(z.object({ name: z.string(), rows: z.array(z.array(z.string())), left: count })),
    left: count,
  }),
  z.object({ kind: z.literal('words'), text: z.string(), left: count }),
  z.object({ kind: z.literal('none'), why: z.enum(['tooLarge', 'unsafe', 'broken', 'tooLong']) }),
])
export type FoundDocument = z.infer<typeof foundDocument>

/** GET /api/files/known: which of these texts, one a line, are paths of files that the caller may see. */
export const knownFilesQuery = z.object({ paths: z.string().max(16_384) })
export const knownFiles = z.object({ paths: z.array(path) })
export type KnownFiles = z.infer<typeof knownFiles>
