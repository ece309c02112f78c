/** Files of messages, and what lies in the workspace. */
import * as z from 'zod'
import { count, sha } from './common'

const mime = z.string().regex(/^[\w.+-]{1,60}\/[\w.+-]{1,100}$/)
const fileName = z.string().min(1).max(200)

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

/** GET /api/workspace. root: the path on the machine for operators and developers, for others its last part. */
export const workspaceEntries = z.object({
  root: z.string(),
  entries: z.array(z.object({ path: z.string(), kind: z.enum(['file', 'folder']), bytes: z.number() })),
  more: count,
})
export type WorkspaceEntries = z.infer<typeof workspaceEntries>
