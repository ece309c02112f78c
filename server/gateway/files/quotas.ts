/** What one person may keep at the server that nobody else uses yet: files that are not sent, and drafts. */
import { Fault } from '@/lib/faults'
import type { QuotaValues } from '@/messages/program.en'
import type { PersonLimits } from '../../shared/limits'

const MIB = 1024 * 1024

/**
 * Throws QUOTA when one more would be too much.
 *
 * in  kept: bytes of each that is kept already, without the one that is replaced; more: bytes of the one to keep
 */
export function assertQuota(
  what: QuotaValues['what'],
  kept: readonly number[],
  more: number,
  limits: PersonLimits,
): void {
  const [count, mib] =
    what === 'uploads'
      ? [limits.uploadsPerPerson, limits.uploadsPerPersonMib]
      : [limits.draftsPerPerson, limits.draftsPerPersonMib]
  if (kept.length >= count) throw new Fault('QUOTA', { what, limit: count, mib: false })
  const bytes = kept.reduce((sum, one) => sum + one, more)
  if (bytes > mib * MIB) throw new Fault('QUOTA', { what, limit: mib, mib: true })
}

/** Runs what belongs to one person one after another: what one counts, the next one sees. */
export function openTurns() {
  const last = new Map<string, Promise<unknown>>()
  return async function inTurn<T>(person: string, run: () => Promise<T>): Promise<T> {
    const own = (last.get(person) ?? Promise.resolve()).then(run, run)
    last.set(person, own)
    try {
      return await own
    } finally {
      if (last.get(person) === own) last.delete(person)
    }
  }
}
