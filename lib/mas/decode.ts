/** A stored entry as an Entry. An unknown event stops the reader. */
import type { Entry, MasEvent } from './events'
import { REDUCERS } from './reduce'

type Stored = { seq: number; at: number; by: string; cause: string; event: { type: string; v: number } }

/** A newer version wrote this entry. */
export class UnknownEventError extends Error {
  override readonly name = 'UnknownEventError'
  constructor(
    readonly seq: number,
    readonly type: string,
    readonly version: number,
  ) {
    super(`entry ${seq} is ${type} version ${version}, which this program does not know: start the newer version`)
  }
}

const isKnown = (event: { type: string; v: number }): event is MasEvent =>
  Object.hasOwn(REDUCERS, event.type) && event.v === 1

/** in: a stored entry, already JSON. faults: UnknownEventError. */
export function decodeEntry(stored: Stored): Entry {
  const { event } = stored
  if (!isKnown(event)) throw new UnknownEventError(stored.seq, event.type, event.v)
  return { seq: stored.seq, at: stored.at, by: stored.by, cause: stored.cause, event }
}
