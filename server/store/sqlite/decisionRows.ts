/**
 * Rows of decisions, packed and unpacked: which earlier row each is deflated against, and the bodies in them.
 *
 * Owns: choosing bases, remembering what is read again and again. Not here: the bytes (decisionPack.ts), statements that
 * write (journal.ts).
 */
import type { NewBody, StoredEvent } from '../interfaces'
import { shaOf } from '../shared/names'
import type { Connection } from './connection'
import { type Base, type PackedBody, packDecision, repackDecision, type Unpacked, unpackDecision } from './decisionPack'

/** Decisions of an agent differ little from one to the next; later ones differ more, so that a new base is taken after so many. */
const ROWS_OF_BASE = 64
/** Below this a row's own names are all that could be saved, and the fixed dictionary has them. */
const BASE_LEAST_BYTES = 400
/** Bases remembered for new rows, events of bases for reading, rows whose bodies were read. */
const REMEMBERED = 500
const REMEMBERED_READING = 50

export type DecisionRows = {
  /** The row of a decision, text or blob, and the bytes of its events' JSON. Only for a row that is written next, or its store is over. */
  pack(
    last: number,
    events: readonly { event: StoredEvent; json: string }[],
    bodies: readonly NewBody[],
  ): { row: string | Uint8Array; bytes: number }
  /** The events in a row. */
  eventsIn(last: number, kept: string | ArrayBuffer): StoredEvent[]
  /** The events in a row, and which bodies it holds. */
  contentsOf(last: number, kept: string | ArrayBuffer): { events: StoredEvent[]; shas: string[] }
  /** The row without these bodies, and how many of them it held; null when it holds none. */
  without(last: number, gone: ReadonlySet<string>): { row: string | Uint8Array; count: number; saved: number } | null
  /** The body with that sha, when the row of that number holds it. */
  bodyIn(last: number, sha: string): PackedBody | null
}

type Named = PackedBody & { sha: string }

export function decisionRows({ query }: Connection): DecisionRows {
  const rowQuery = query<{ events: string | ArrayBuffer }>('select events from decision where last = ?')
  const bases = new Map<string, Base & { rows: number }>()
  const baseEvents = new Map<number, Buffer>()
  const bundles = new Map<number, Named[]>()

  const unpack = (last: number, kept: string | ArrayBuffer): Unpacked => unpackDecision(last, kept, eventsOfBase)

  const read = (last: number): Unpacked => {
    const row = rowQuery.get(last)
    if (!row) throw new Error(`the decision ${last} is gone`)
    return unpack(last, row.events)
  }

  function eventsOfBase(last: number): Buffer {
    const events = baseEvents.get(last) ?? read(last).events
    remember(baseEvents, last, events, REMEMBERED_READING)
    return events
  }

  return {
    pack(last, events, bodies) {
      const texts = events.map(({ json }) => json)
      const kind = kindOf(events[0]?.event)
      const known = kind === null ? undefined : bases.get(kind)
      const base = known !== undefined && known.rows < ROWS_OF_BASE ? known : null
      const packed = packDecision(last, texts, bodies, base)
      if (base) base.rows += 1
      else if (kind !== null && packed.events.length >= BASE_LEAST_BYTES)
        remember(bases, kind, { last, events: packed.events, rows: 0 }, REMEMBERED)
      return { row: packed.row, bytes: packed.events.length }
    },
    eventsIn: (last, kept) => eventsOf(unpack(last, kept)),
    contentsOf(last, kept) {
      const inside = unpack(last, kept)
      return { events: eventsOf(inside), shas: inside.bodies.map(({ bytes }) => shaOf(bytes)) }
    },
    without(last, gone) {
      const kept = rowQuery.get(last)?.events
      if (kept === undefined) return null
      const size = (row: string | ArrayBuffer | Uint8Array): number =>
        typeof row === 'string' ? row.length : row.byteLength
      let count = 0
      const stays = ({ bytes }: PackedBody): boolean => {
        const goes = gone.has(shaOf(bytes))
        if (goes) count += 1
        return !goes
      }
      const row = repackDecision(last, kept, stays, eventsOfBase)
      bundles.delete(last)
      return count === 0 ? null : { row, count, saved: size(kept) - size(row) }
    },
    bodyIn(last, sha) {
      const named = bundles.get(last) ?? read(last).bodies.map((body) => ({ ...body, sha: shaOf(body.bytes) }))
      remember(bundles, last, named, REMEMBERED_READING)
      return named.find((body) => body.sha === sha) ?? null
    },
  }
}

function eventsOf({ events }: Unpacked): StoredEvent[] {
  const parsed: unknown = JSON.parse(events.toString())
  // A row that was written one event at a time holds no list.
  return (Array.isArray(parsed) ? parsed : [parsed]) as StoredEvent[]
}

/** Decisions that begin alike and concern the same agent (or task) are alike. */
function kindOf(event: StoredEvent | undefined): string | null {
  const owner = event?.agent ?? event?.task
  return event !== undefined && typeof owner === 'string' ? `${event.type} ${owner}` : null
}

/** Put it last; the one that was put longest ago goes. */
function remember<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= most) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
