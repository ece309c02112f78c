/**
 * The journal in SQLite: append and take as one transaction each, and reading by number, task and step. A row is a decision,
 * under the number of its last entry; it is its command's first outcome too.
 * Not here: bodies' bytes (bodies.ts prepares them and writes their rows in this transaction).
 */

import type { AppendAnswer, Archive, BatchItem, Entry, Head, Journal, NewBody, Outcome } from '../interfaces'
import { type CheckedItem, checkBatch, jsonText, type PlaceKey, placesOf } from '../shared/checkBatch'
import { requireText, requireWhole } from '../shared/names'
import type { SqliteBodies } from './bodies'
import type { Connection } from './connection'
import type { DecisionIndex, FoundDecision } from './decisionIndex'
import type { DecisionRows, NewDecision } from './decisionRows'
import { hash48 } from './hash48'

type DecisionRow = { last: number; at: number; by: string; cause: string; events: string | ArrayBuffer }
type OutcomeRow = { id: string; seq: number | null; at: number; fault: string | null; reply: string | null }

/** A decision of the batch that has events. */
type Made = NewDecision & Pick<CheckedItem, 'item' | 'reply'>

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
  const sortOut = (batch: CheckedItem[], at: number): Record<string, Outcome | 'EXPIRED'> | null => {
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
        const event = { type: 'sequencer.took', v: 1, epoch, node }
        const events = Buffer.from(jsonText([event]))
        for (const { row } of decisions.pack([{ last: seq, begins: event, events, bodies: [] }]))
          decisionInsert.run(seq, at, node, `take:${epoch}`, null, null, null, row)
        headUpdate.run(seq, at, epoch, events.length, 0)
        return { epoch, seq }
      })
    },
    async append(epoch, expectedHead, batch, decidedAt): Promise<AppendAnswer> {
      connection.ensureUsable()
      if (decidedAt !== undefined) requireWhole({ decidedAt })
      const items = checkBatch(batch).map((one) => ({ ...one, events: Buffer.from(jsonText(one.item.events)) }))
      const { small, rest } = sortBodies(batch)
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
        const made: Made[] = []
        for (const { item, events, fault, reply } of items) {
          if (item.events.length === 0) {
            outcomeInsert.run(item.id, fault === null ? seq : null, at, item.until ?? null, fault, reply)
            continue
          }
          seq += item.events.length
          const bundle = (item.bodies ?? []).filter(({ sha }) => small.get(sha) === item && !known.has(sha))
          made.push({ last: seq, begins: item.events[0], events, bodies: bundle, item, reply })
        }
        for (const { last, item, reply, events, bodies: bundle, row } of decisions.pack(made)) {
          decisionInsert.run(last, at, item.by, item.id, hash48(item.id), item.until ?? null, reply, row)
          const bundled = bundle.reduce((sum, body) => sum + body.bytes.length, 0)
          bytes += events.length
          bodyBytes += Math.round((row.length * bundled) / (events.length + bundled))
        }
        index.add(made.map(foundBy), seq)
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
function sortBodies(batch: readonly BatchItem[]): { small: Map<string, BatchItem>; rest: NewBody[] } {
  const small = new Map<string, BatchItem>()
  const rest: NewBody[] = []
  for (const item of batch) {
    let room = item.events.length > 0 ? BUNDLE_BYTES : -1
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

const foundBy = ({ last, item, bodies }: Made): FoundDecision => ({
  last,
  places: item.events.flatMap(placesOf),
  shas: bodies.map(({ sha }) => sha),
})

function outcomeOf({ id, seq, at, fault, reply }: OutcomeRow): Outcome {
  return {
    id,
    seq,
    at,
    ...(fault === null ? {} : { fault: JSON.parse(fault) }),
    ...(reply === null ? {} : { reply: JSON.parse(reply) }),
  }
}
