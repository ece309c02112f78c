/** Uploaded files that no message carries yet: one row each in the store of the person. */
import * as z from 'zod'
import type { AgentId } from '@/lib/mas/ids'
import type { AgentRecord, Attachment, MessageRecord, World } from '@/lib/mas/records'
import { storedAttachment } from '@/lib/wire/http'
import type { People } from '../../store'

export const UPLOADS = 'upload:'
/** After this an upload is forgotten; a message that waited longer for the network cannot carry it. */
const KEPT_MS = 30 * 24 * 3_600_000

/** Delete rows older than a month. out: hashes of the other files, which may still be sent; how many were deleted */
export async function uploadsKept(
  people: Pick<People, 'list' | 'remove'>,
  persons: readonly Pick<AgentRecord, 'id'>[],
  now: number,
): Promise<{ kept: string[]; forgotten: number }> {
  const kept: string[] = []
  let forgotten = 0
  for (const { id } of persons) {
    for (const { key, at, version } of await people.list(id, UPLOADS)) {
      if (at < now - KEPT_MS) {
        await people.remove(id, key, version)
        forgotten += 1
      } else kept.push(key.slice(UPLOADS.length))
    }
  }
  return { kept, forgotten }
}

/** A row of an upload that a message carries. Only lost rows lack it: a task may be archived before it is noted. */
const sentRow = z.looseObject({ isSent: z.literal(true) })

/**
 * Bytes of each file that this person uploaded and did not send yet. Those that a message carries now are noted as sent, so that
 * they stay so when its task is archived.
 */
export async function unsentBytes(people: People, person: AgentId, world: World): Promise<number[]> {
  const rows = (await people.list(person, UPLOADS)).filter(({ value }) => !sentRow.safeParse(value).success)
  if (rows.length === 0) return []
  const carried = carriedShas(world)
  const unsent: number[] = []
  for (const { key, value, version } of rows) {
    const upload = readUpload(value)
    if (upload === null) continue
    if (carried.has(upload.body.sha)) await people.put(person, key, { ...upload, isSent: true }, version)
    else unsent.push(upload.body.bytes)
  }
  return unsent
}

const carriedShas = (world: World): ReadonlySet<string> =>
  new Set(
    Object.values(world.messages).flatMap((own: Record<string, MessageRecord>) =>
      Object.values(own).flatMap(({ attachments }) => attachments.map(({ body }) => body.sha)),
    ),
  )

/** in: the value of a row of uploads; null: it is another */
export const readUpload = (value: unknown): Attachment | null => storedAttachment.safeParse(value).data ?? null

/** Paths in the workspace of the files that this person uploaded. */
export async function uploadedPaths(people: Pick<People, 'list'>, person: string): Promise<ReadonlySet<string>> {
  const rows = await people.list(person, UPLOADS)
  return new Set(rows.flatMap(({ value }) => readUpload(value)?.savedAs ?? []))
}
