/** Uploaded files that no message carries yet: one row each in the store of the person. */

import type { AgentRecord } from '@/lib/mas/records'
import type { People } from '../store'

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
