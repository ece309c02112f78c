/**
 * Rows of decisions, packed and unpacked: which lie together, which earlier row another is deflated against, and the bodies in them.
 *
 * Owns: choosing groups and bases, remembering what is read again and again. Not here: the bytes (decisionPack.ts,
 * decisionGroup.ts), statements that write (journal.ts).
 */
import { recentMap } from '../../shared/recentMap'
import { sha256 } from '../../shared/sha256'
import type { NewBody, StoredEvent } from '../interfaces'
import type { Connection } from './connection'
import { type GroupMember, type KeptRow, packGroup, type Span, spanOf, unpackGroup } from './decisionGroup'
import {
  type Base,
  isWorthPacking,
  type PackedBody,
  packDecision,
  repackDecision,
  type Unpacked,
  unpackDecision,
} from './decisionPack'

/** Decisions of an agent differ little from one to the next; later ones differ more, so that a new base is taken after so many. */
const ROWS_OF_BASE = 64
/** Below this a row's own names are all that could be saved, and the fixed dictionary has them. */
const BASE_LEAST_BYTES = 400
/** What lies together in a group: fewer rows take less when each is deflated against its base; more would make reading one of them dear. */
const GROUP_ROWS = 4
const GROUP_BYTES = 64 * 1024
/** A larger decision gains nothing from its neighbours. */
const MEMBER_BYTES = 8 * 1024
/** Bases remembered for new rows, events of bases for reading, rows whose bodies were read, groups. */
const REMEMBERED = 1_000
const REMEMBERED_READING = 50
const REMEMBERED_GROUPS = 16

/** A decision to be written: the number of its last event, the event it begins with, the JSON text of all, the bodies that go into its row. */
export type NewDecision = { last: number; begins: StoredEvent | undefined; events: Buffer; bodies: readonly NewBody[] }
type Row = string | Uint8Array

export type DecisionRows = {
  /** Decisions that are appended together, with their rows. Only for rows that are written next, or their store is over. */
  pack<Decision extends NewDecision>(decisions: readonly Decision[]): (Decision & { row: Row })[]
  /** The events in a row. */
  eventsIn(last: number, kept: string | ArrayBuffer): StoredEvent[]
  /** The events in a row, and which bodies it holds. */
  contentsOf(last: number, kept: string | ArrayBuffer): { events: StoredEvent[]; shas: string[] }
  /** The rows that change when that decision loses these bodies, how many of them it held, and the bytes saved; null when it holds none. */
  without(
    last: number,
    gone: ReadonlySet<string>,
  ): { rows: { last: number; row: Row }[]; count: number; saved: number } | null
  /** The body with that sha, when the row of that number holds it. */
  bodyIn(last: number, sha: string): PackedBody | null
}

type Named = PackedBody & { sha: string }

export function decisionRows({ query }: Connection): DecisionRows {
  const rowQuery = query<{ events: string | ArrayBuffer }>('select events from decision where last = ?')
  const spanQuery = query<KeptRow>('select last, events from decision where last between ? and ? order by last')
  const bases = recentMap<string, Base & { rows: number }>(REMEMBERED)
  const baseEvents = recentMap<number, Buffer>(REMEMBERED_READING)
  const bundles = recentMap<number, Named[]>(REMEMBERED_READING)
  const groups = recentMap<number, Map<number, Unpacked>>(REMEMBERED_GROUPS)

  const unpack = (last: number, kept: string | ArrayBuffer): Unpacked => {
    const span = spanOf({ last, events: kept })
    return span ? memberOf(span, last) : unpackDecision(last, kept, eventsOfBase)
  }

  function memberOf({ from, to }: Span, last: number): Unpacked {
    const member = groups.getOrMake(from, () => unpackGroup(spanQuery.all(from, to))).get(last)
    if (!member) throw new Error(`the decision ${last} is no part of the group of ${from}`)
    return member
  }

  const read = (last: number): Unpacked => {
    const row = rowQuery.get(last)
    if (!row) throw new Error(`the decision ${last} is gone`)
    return unpack(last, row.events)
  }

  function eventsOfBase(last: number): Buffer {
    return baseEvents.getOrMake(last, () => read(last).events)
  }

  /** The row of a decision that stands alone. */
  function packAlone({ last, begins, events, bodies }: NewDecision): Row {
    const kind = kindOf(begins)
    const known = kind === null ? undefined : bases.get(kind)
    const base = known !== undefined && known.rows < ROWS_OF_BASE ? known : null
    if (base) base.rows += 1
    else if (kind !== null && events.length >= BASE_LEAST_BYTES) bases.set(kind, { last, events, rows: 0 })
    return packDecision(last, events, bodies, base)
  }

  return {
    pack(decisions) {
      const together = new Map<NewDecision, Row>()
      for (const group of groupsOf(decisions)) for (const { member, row } of packGroup(group)) together.set(member, row)
      return decisions.map((decision) => ({ ...decision, row: together.get(decision) ?? packAlone(decision) }))
    },
    eventsIn: (last, kept) => eventsOf(unpack(last, kept)),
    contentsOf(last, kept) {
      const inside = unpack(last, kept)
      return { events: eventsOf(inside), shas: inside.bodies.map(({ bytes }) => sha256(bytes)) }
    },
    without(last, gone) {
      const kept = rowQuery.get(last)?.events
      if (kept === undefined) return null
      let count = 0
      const stays = ({ bytes }: PackedBody): boolean => {
        const goes = gone.has(sha256(bytes))
        if (goes) count += 1
        return !goes
      }
      const span = spanOf({ last, events: kept })
      const before = span ? spanQuery.all(span.from, span.to).filter((row) => spanOf(row)) : [{ last, events: kept }]
      const rows = span
        ? regroup(before, last, stays)
        : [{ last, row: repackDecision(last, kept, stays, eventsOfBase) }]
      bundles.delete(last)
      if (span) groups.delete(span.from)
      if (count === 0) return null
      const bytes = (sum: number, row: string | ArrayBuffer | Uint8Array): number =>
        sum + (typeof row === 'string' ? row.length : row.byteLength)
      const saved = before.map(({ events }) => events).reduce(bytes, 0) - rows.map(({ row }) => row).reduce(bytes, 0)
      return { rows, count, saved }
    },
    bodyIn(last, sha) {
      const named = bundles.getOrMake(last, () =>
        read(last).bodies.map((body) => ({ ...body, sha: sha256(body.bytes) })),
      )
      return named.find((body) => body.sha === sha) ?? null
    },
  }
}

/** A group's rows once more, one of its decisions without some bodies. Events stay to the byte. */
function regroup(
  rows: readonly KeptRow[],
  last: number,
  stays: (body: PackedBody) => boolean,
): { last: number; row: Row }[] {
  const members = [...unpackGroup(rows)].map(
    ([number, { events, bodies }]): GroupMember => ({
      last: number,
      events,
      bodies: number === last ? bodies.filter(stays) : bodies,
    }),
  )
  return packGroup(members).map(({ member, row }) => ({ last: member.last, row }))
}

/** Neighbours that are worth packing, as many together as a group may hold. */
function groupsOf(decisions: readonly NewDecision[]): NewDecision[][] {
  const groups: NewDecision[][] = []
  let room = 0
  for (const decision of decisions) {
    const bytes = decision.bodies.reduce((sum, body) => sum + body.bytes.length, decision.events.length)
    if (bytes > MEMBER_BYTES || !isWorthPacking(decision.events, decision.bodies)) continue
    room -= bytes
    const group = groups.at(-1)
    if (group && room >= 0) group.push(decision)
    else {
      groups.push([decision])
      room = GROUP_BYTES - bytes
    }
  }
  return groups.filter(({ length }) => length >= GROUP_ROWS)
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
