/**
 * What finds a decision by the tasks, steps, requests and threads that it names and by the bodies in its row: the tables `place` and `bundled`.
 * Their rows are hashes and so lie all over them: written with each decision, they would cost more pages than the decision
 * itself. So they are written for many decisions at once. Until then they are kept here, and whoever does not know them
 * (the next start, another handle) takes them from the decisions again: `head.indexed` says which are in the tables.
 *
 * Owns: both tables. Not here: reading the decisions found (journal.ts), the bodies in them (bodies.ts).
 */
import { placesOf } from '../shared/checkBatch'
import type { Connection } from './connection'
import type { DecisionRows } from './decisionRows'
import { first48, hash48 } from './hash48'

/** A decision by its number, with the ids that it is found by (some may come twice) and the bodies in its row. */
export type FoundDecision = { last: number; places: readonly (string | null)[]; shas: readonly string[] }

export type DecisionIndex = {
  /** What follows finds all decisions up to that number; default: all there are. */
  catchUp(seq?: number): void
  /** Inside an append's transaction, caught up before: decisions that it wrote, and the new last number. */
  add(found: readonly FoundDecision[], seq: number): void
  /** Numbers of decisions that may name that task, step, request or thread, in order, at most `limit`. */
  decisionsOf(place: string, after: number, limit: number): number[]
  /** Numbers of decisions whose row may hold that body. */
  holdersOf(sha: string): number[]
  /** May a row that is not in the tables yet hold a body with that hash? */
  isHeldLate(hash: number): boolean
  /** Inside a transaction: that body came again. out: did that row hold it? */
  touch(sha: string, last: number, at: number): boolean
  /** Write what is still kept here; before the store closes. */
  settle(): void
}

/** So many decisions are written at once; the next start after a death reads them again, in some 50 ms. */
const LATE_DECISIONS = 500

type Late = Map<number, number[]>

export function decisionIndex(connection: Connection, rows: DecisionRows): DecisionIndex {
  const { write, query } = connection
  const headQuery = query<{ seq: number; indexed: number }>('select seq, indexed from head')
  const indexedUpdate = query('update head set indexed = max(indexed, ?)')
  const rowsAfter = query<{ last: number; events: string | ArrayBuffer }>(
    'select last, events from decision where last > ? and last <= ? order by last',
  )
  const placeInsert = query('insert or ignore into place select value->>0, value->>1 from json_each(?)')
  const placeQuery = query<{ last: number }>('select last from place where hash = ? and last > ? order by last limit ?')
  const bundledInsert = query('insert or ignore into bundled select value->>0, value->>1, null from json_each(?)')
  const bundledQuery = query<{ last: number }>('select last from bundled where hash = ?')
  const bundledTouch = query('update bundled set touched = ? where hash = ? and last = ?')
  const places: Late = new Map()
  const holders: Late = new Map()
  let late = 0
  /** All decisions up to this number are in the tables or here; null: nobody has looked yet. */
  let known: number | null = null

  function keep({ last, places: ids, shas }: FoundDecision): void {
    for (const id of new Set(ids)) if (id !== null) put(places, hash48(id), last)
    for (const sha of shas) put(holders, first48(sha), last)
    late += 1
  }

  function catchUp(seq?: number): void {
    if (known !== null && known === seq) return
    const head = headQuery.get()
    if (!head) throw new Error('the head row is gone')
    known ??= head.indexed
    if (known >= head.seq) return
    for (const { last, events } of rowsAfter.all(known, head.seq)) {
      const inside = rows.contentsOf(last, events)
      keep({ last, places: inside.events.flatMap(placesOf), shas: inside.shas })
    }
    known = head.seq
  }

  function flush(): void {
    if (places.size > 0) placeInsert.run(listed(places))
    if (holders.size > 0) bundledInsert.run(listed(holders))
    if (known !== null) indexedUpdate.run(known)
    places.clear()
    holders.clear()
    late = 0
  }

  return {
    catchUp,
    add(found, seq) {
      for (const one of found) keep(one)
      known = seq
      if (late >= LATE_DECISIONS) flush()
    },
    decisionsOf(place, after, limit) {
      const hash = hash48(place)
      const written = placeQuery.all(hash, after, limit).map(({ last }) => last)
      const here = (places.get(hash) ?? []).filter((last) => last > after)
      // Another handle may have written what is kept here too.
      return [...new Set([...written, ...here])].sort((a, b) => a - b).slice(0, limit)
    },
    holdersOf(sha) {
      const hash = first48(sha)
      return [...new Set([...bundledQuery.all(hash).map(({ last }) => last), ...(holders.get(hash) ?? [])])]
    },
    isHeldLate: (hash) => holders.has(hash),
    touch(sha, last, at) {
      // That it came again must be durable with the decision that brings it again.
      if (holders.get(first48(sha))?.includes(last)) flush()
      return bundledTouch.run(at, first48(sha), last) > 0
    },
    settle() {
      if (late === 0) return
      write('index', flush)
    },
  }
}

function put(late: Late, hash: number, last: number): void {
  const lasts = late.get(hash)
  if (!lasts) late.set(hash, [last])
  else if (lasts.at(-1) !== last) lasts.push(last)
}

/** As JSON for the insert, in the tables' own order: neighbours share pages. */
function listed(late: Late): string {
  const pairs = [...late].sort(([a], [b]) => a - b).flatMap(([hash, lasts]) => lasts.map((last) => `[${hash},${last}]`))
  return `[${pairs.join(',')}]`
}
