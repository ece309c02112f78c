/**
 * The journal in SQLite: append and take as one transaction each, and reading by number, task and step. A row is a decision,
 * under the number of its last entry; it is its command's first outcome too.
 * Not here: bodies' bytes (bodies.ts prepares them and writes their rows in this transaction).
 */

import type { AppendAnswer, Archive, Entry, Head, Journal, NewBody, Outcome } from '../interfaces'
import { checkBatch, type EventText, eventText, type ItemText, type PlaceKey, placesOf } from '../shared/checkBatch'
import { requireText, requireWhole } from '../shared/names'
import type { SqliteBodies } from './bodies'
import type { Connection } from './connection'
import type { DecisionIndex, FoundDecision } from './decisionIndex'
import type { DecisionRows } from './decisionRows'
import { hash48 } from './hash48'

type DecisionRow = { last: number; at: number; by: string; cause: string; events: string | ArrayBuffer }
type OutcomeRow = { id: string; seq: number | null; at: number; fault: string | null; reply: string | null }

/** Decisions unpacked at a time: many hold several entries. */
const ROWS_AT_ONCE = 200
/** Bodies up to here lie in the row of their decision, as long as they are not more than so much together. */
const BUNDLED_BYTES = 8 * 1024
const BUNDLE_BYTES = 48 * 1024
const DAY_MS = 24 * 3_600_000
const DECISION = 'select last, at, "by", cause, events from decision'

export function sqliteJournal(
  connection: Connection,
  bodies: SqliteBodies,
  { rows: decisions, index }: { rows: DecisionRows; index: DecisionIndex },
  now: () => number,
): Journal & Archive {
  const { read, write, query } = connection
  const headQuery = query<Head>('select seq, at, epoch from head')
  const headUpdate = query(
    'update head set seq = ?, at = ?, epoch = ?, journal_bytes = journal_bytes + ?, body_bytes = body_bytes + ?',
  )
  const decisionInsert = query('insert into decision values (?, ?, ?, ?, ?, ?, ?, ?)')
  const decisionsAfter = query<DecisionRow>(`${DECISION} where last > ? order by last limit ?`)
  const decisionsOf = query<DecisionRow>(`${DECISION} where last in (select value from json_each(?)) order by last`)
  const outcomeQuery = query<OutcomeRow>(
    `select cause as id, last as seq, at, null as fault, reply from decision where hash = ? and cause = ?
     union all select id, seq, at, fault, reply from outcome where id = ?`,
  )
  // One row whatever is found: reading many costs more than all the rest of the question.
  const knownQuery = query<{ ids: string }>(
    `select json_group_array(id) as ids from (
       select cause as id from decision
         where hash in (select value->>0 from json_each(?1)) and cause in (select value->>1 from json_each(?1))
       union all select id from outcome where id in (select value->>1 from json_each(?1)))`,
  )
  const outcomeInsert = query('insert into outcome (id, seq, at, until, fault, reply) values (?, ?, ?, ?, ?, ?)')
  const outcomeForget = query('delete from outcome where until is not null and at < ? and until < ?')
  const decisionForget = query(
    'update decision set hash = null, until = null, reply = null where until is not null and at < ? and until < ?',
  )
  const id = read('journal id', () => query<{ journal: string }>('select journal from head').get()?.journal ?? '')

  const headRow = (): Head => {
    const row = headQuery.get()
    if (!row) throw new Error('the head row is gone')
    return { seq: row.seq, at: row.at, epoch: row.epoch }
  }

  /** A decision's row. out: bytes of its JSON, and what its bodies take of the row */
  const insertDecision = (row: {
    last: number
    at: number
    by: string
    cause: string
    /** null: nobody asks what became of it */
    hash: number | null
    until: number | null
    reply: string | null
    events: EventText[]
    bundle: NewBody[]
  }): { bytes: number; bodyBytes: number } => {
    const { last, at, by, cause, hash, until, reply, events, bundle } = row
    const { row: kept, bytes } = decisions.pack(last, events, bundle)
    decisionInsert.run(last, at, by, cause, hash, until, reply, kept)
    const bundled = bundle.reduce((sum, body) => sum + body.bytes.length, 0)
    return { bytes, bodyBytes: Math.round((kept.length * bundled) / (bytes + bundled)) }
  }

  function entriesIn({ last, at, by, cause, events }: DecisionRow): Entry[] {
    const all = decisions.eventsIn(last, events)
    const first = last - all.length + 1
    return all.map((event, n) => ({ seq: first + n, at, by, cause, event }))
  }

  const known = (commandId: string): OutcomeRow | undefined => outcomeQuery.get(hash48(commandId), commandId, commandId)

  /** Entries of a place, whole pages of rows at a time: other places may share its hash. */
  const entriesOf = (place: string, key: PlaceKey, after: number, limit: number): Entry[] => {
    index.catchUp()
    const found: Entry[] = []
    for (let from = after; found.length < limit; ) {
      const rows = decisionsOf.all(JSON.stringify(index.decisionsOf(place, from, limit)))
      found.push(...rows.flatMap(entriesIn).filter(({ seq, event }) => seq > after && event[key] === place))
      const last = rows.at(-1)
      if (last === undefined || rows.length < limit) break
      from = last.last
    }
    return found.slice(0, limit)
  }

  /** Ids with an outcome already, and dead ones; null when the batch may be written. */
  const sortOut = (batch: ItemText[], at: number): Record<string, Outcome | 'EXPIRED'> | null => {
    const bad: Record<string, Outcome | 'EXPIRED'> = {}
    const asked = JSON.stringify(batch.map(({ item }) => [hash48(item.id), item.id]))
    const ids = new Set<string>(JSON.parse(knownQuery.get(asked)?.ids ?? '[]'))
    for (const { item } of batch) {
      const first = ids.has(item.id) ? known(item.id) : undefined
      if (first) bad[item.id] = outcomeOf(first)
      else if (item.until !== undefined && item.until < at) bad[item.id] = 'EXPIRED'
    }
    return Object.keys(bad).length > 0 ? bad : null
  }

  return {
    id,
    async take(node) {
      requireText('node', node)
      return write('take', () => {
        const head = headRow()
        const epoch = head.epoch + 1
        const seq = head.seq + 1
        const at = Math.max(now(), head.at)
        const events = [eventText({ type: 'sequencer.took', v: 1, epoch, node })]
        const row = { last: seq, at, by: node, cause: `take:${epoch}`, hash: null, until: null, reply: null, events }
        const { bytes } = insertDecision({ ...row, bundle: [] })
        headUpdate.run(seq, at, epoch, bytes, 0)
        return { epoch, seq }
      })
    },
    async append(epoch, expectedHead, batch, decidedAt): Promise<AppendAnswer> {
      connection.ensureUsable()
      if (decidedAt !== undefined) requireWhole({ decidedAt })
      const items = checkBatch(batch)
      const { small, rest } = sortBodies(items)
      const prepared = rest.length > 0 ? await bodies.prepare(rest) : []
      return write('append', () => {
        const head = headRow()
        if (head.epoch !== epoch) return { r: 'FENCED', epoch: head.epoch }
        if (head.seq !== expectedHead) return { r: 'MOVED', seq: head.seq }
        const at = Math.max(decidedAt ?? now(), head.at)
        const bad = sortOut(items, at)
        if (bad) return { r: 'SORT', bad }

        index.catchUp(head.seq)
        let seq = head.seq
        let [bytes, bodyBytes] = [0, bodies.insert(prepared, at)]
        const known = bodies.touchKnown([...small.keys()], at)
        const found: FoundDecision[] = []
        for (const { item, events, fault, reply } of items) {
          const until = item.until ?? null
          if (events.length === 0) {
            outcomeInsert.run(item.id, fault === null ? seq : null, at, until, fault, reply)
            continue
          }
          seq += events.length
          const bundle = (item.bodies ?? []).filter(({ sha }) => small.get(sha) === item && !known.has(sha))
          const hash = hash48(item.id)
          const made = insertDecision({
            last: seq,
            at,
            by: item.by,
            cause: item.id,
            hash,
            until,
            reply,
            events,
            bundle,
          })
          bytes += made.bytes
          bodyBytes += made.bodyBytes
          found.push({
            last: seq,
            places: events.flatMap(({ event }) => placesOf(event)),
            shas: bundle.map(({ sha }) => sha),
          })
        }
        index.add(found, seq)
        headUpdate.run(seq, at, epoch, bytes, bodyBytes)
        return { r: 'OK', first: head.seq + 1, at, last: seq }
      })
    },
    async read(after, limit, upTo = Number.MAX_SAFE_INTEGER) {
      requireWhole({ after, limit, upTo })
      return read('read', () => {
        // Each row holds one entry at least, so that many rows are enough.
        const entries: Entry[] = []
        for (let from = after; entries.length < limit; ) {
          const rows = decisionsAfter.all(from, Math.min(limit, ROWS_AT_ONCE))
          for (const row of rows) entries.push(...entriesIn(row).filter(({ seq }) => seq > after && seq <= upTo))
          const last = rows.at(-1)
          if (last === undefined || last.last >= upTo) break
          from = last.last
        }
        return entries.slice(0, limit)
      })
    },
    async outcome(commandId) {
      const row = read('outcome', () => known(commandId))
      return row ? outcomeOf(row) : null
    },
    async head() {
      return read('head', headRow)
    },
    async forgetOutcomes(atNow) {
      return write(
        'forgetOutcomes',
        () => outcomeForget.run(atNow - DAY_MS, atNow) + decisionForget.run(atNow - DAY_MS, atNow),
      )
    },
    async entriesOfTask(taskId, after, limit) {
      requireWhole({ after, limit })
      return read('entriesOfTask', () => entriesOf(taskId, 'task', after, limit))
    },
    async entriesOfStep(stepId, after = 0, limit = 1_000) {
      requireWhole({ after, limit })
      return read('entriesOfStep', () => entriesOf(stepId, 'step', after, limit))
    },
    async entriesOfRequest(requestId, after = 0, limit = 1_000) {
      requireWhole({ after, limit })
      return read('entriesOfRequest', () => entriesOf(requestId, 'request', after, limit))
    },
    async entriesOfThread(threadId, after, limit) {
      requireWhole({ after, limit })
      return read('entriesOfThread', () => entriesOf(threadId, 'thread', after, limit))
    },
  }
}

/**
 * Which bodies lie in the row of which decision of the batch, each once; the rest have rows or files of their own.
 */
function sortBodies(items: readonly ItemText[]): { small: Map<string, ItemText['item']>; rest: NewBody[] } {
  const small = new Map<string, ItemText['item']>()
  const rest: NewBody[] = []
  for (const { item, events } of items) {
    let room = events.length > 0 ? BUNDLE_BYTES : -1
    for (const body of item.bodies ?? []) {
      if (small.has(body.sha)) continue
      if (body.bytes.length > Math.min(BUNDLED_BYTES, room)) rest.push(body)
      else {
        room -= body.bytes.length
        small.set(body.sha, item)
      }
    }
  }
  return { small, rest }
}

function outcomeOf({ id, seq, at, fault, reply }: OutcomeRow): Outcome {
  return {
    id,
    seq,
    at,
    ...(fault === null ? {} : { fault: JSON.parse(fault) }),
    ...(reply === null ? {} : { reply: JSON.parse(reply) }),
  }
}
