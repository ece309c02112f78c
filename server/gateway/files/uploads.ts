/** Uploaded files that no message carries yet: one row each in the store of the person. */
import type { AgentRecord, Attachment } from '@/lib/mas/records'
import { storedAttachment } from '@/lib/wire/http'
import type { People } from '../../store'

export const UPLOADS = 'upload:'
/** After this an upload is forgotten; a message that waited longer for the network cannot carry it. */
const KEPT_MS = 30 * 24 * 3_600_000

/** Delete rows older than a month. out: hashes of the other files, which may still be sent */
export async function uploadsKept(
  people: Pick<People, 'list' | 'remove'>,
  persons: readonly Pick<AgentRecord, 'id'>[],
  now: number,
): Promise<string[]> {
  const kept: string[] = []
  for (const { id } of persons) {
    for (const { key, at, version } of await people.list(id, UPLOADS)) {
      if (at < now - KEPT_MS) await people.remove(id, key, version)
      else kept.push(key.slice(UPLOADS.length))
    }
  }
  return kept
}

/** in: the value of a row of uploads; null: it is another */
export const readUpload = (value: unknown): Attachment | null => storedAttachment.safeParse(value).data ?? null

/** Paths in the workspace of the files that this person uploaded. */
export async function uploadedPaths(people: Pick<People, 'list'>, person: string): Promise<ReadonlySet<string>> {
  const rows = await people.list(person, UPLOADS)
  return new Set(rows.flatMap(({ value }) => readUpload(value)?.savedAs ?? []))
}
