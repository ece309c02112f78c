/** Files that people took in for a message: a row of their own each, until it was long not sent. */

import type { AgentRecord } from '@/lib/mas/records'
import type { People } from '../store'

export const UPLOADS = 'upload:'
/** A message that waits without a network for longer is sent without its files. */
const KEPT_MS = 30 * 24 * 3_600_000

/** Hashes of the files that somebody may still send; rows that are older than a month go. */
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
