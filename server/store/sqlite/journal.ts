/**
 * The journal in SQLite: append and take as one transaction each, and reading by number, task and step.
 * Not here: bodies' bytes (bodies.ts prepares them and writes their rows in this transaction).
 */

import type { AppendAnswer, Archive, Entry, Head, Journal, Outcome } from '../interfaces'
import { checkBatch, type EventText, eventText, type ItemText } from '../shared/checkBatch'
import { requireText, requireWhole } from '../shared/names'
import type { SqliteBodies } from './bodies'
import type { Connection } from './connection'
import { hash48 } from './hash48'

type EntryRow = { seq: number; at: number; by: string; cause: string; event: string }
type OutcomeRow = { id: string; seq: number | null; at: number; fault: string | null; reply: string | null }

const DAY_MS = 24 * 3_600_000
const ENTRY = 'select seq, at, "by", cause, event from journal'

export function sqliteJournal(connection: Connection, bodies: SqliteBodies, now: () => number): Journal & Archive {
  const { read, write, query } = connection
  const headQuery = query<Head>('select seq, at, epoch from head')
  const headUpdate = query('update head set seq = ?, at = ?, epoch = ?, journal_bytes = journal_bytes + ?')
  const entryInsert = query('insert into journal values (?, ?, ?, ?, ?, ?, ?)')
  const entryRange = query<EntryRow>(`${ENTRY} where seq > ? and seq <= ? order by seq limit ?`)
  const entryOfTask = query<EntryRow>(
    `${ENTRY} where task = ? and seq > ? and event ->> '$.task' = ? order by seq limit ?`,
  )
  const entryOfStep = query<EntryRow>(
    `${ENTRY} where step = ? and seq > ? and event ->> '$.step' = ? order by seq limit ?`,
  )
  const outcomeQuery = query<OutcomeRow>('select id, seq, at, fault, reply from outcome where id = ?')
  const outcomeInsert = query('insert into outcome (id, seq, at, until, fault, reply) values (?, ?, ?, ?, ?, ?)')
  const outcomeForget = query('delete from outcome where until is not null and at < ? and until < ?')
  const id = read('journal id', () => query<{ journal: string }>('select journal from head').get()?.journal ?? '')

  const headRow = (): Head => {
    const row = headQuery.get()
    if (!row) throw new Error('the head row is gone')
    return { seq: row.seq, at: row.at, epoch: row.epoch }
  }

  const insertEntry = (seq: number, at: number, by: string, cause: string, event: EventText): number => {
    const task = event.task === null ? null : hash48(event.task)
    const step = event.step === null ? null : hash48(event.step)
    entryInsert.run(seq, at, by, cause, task, step, event.json)
    return Buffer.byteLength(event.json)
  }

  /** Ids with an outcome already, and dead ones; null when the batch may be written. */
  const sortOut = (batch: ItemText[], at: number): Record<string, Outcome | 'EXPIRED'> | null => {
    const bad: Record<string, Outcome | 'EXPIRED'> = {}
    for (const { item } of batch) {
      const known = outcomeQuery.get(item.id)
      if (known) bad[item.id] = outcomeOf(known)
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
        const bytes = insertEntry(
          seq,
          at,
          node,
          `take:${epoch}`,
          eventText({ type: 'sequencer.took', v: 1, epoch, node }),
        )
        headUpdate.run(seq, at, epoch, bytes)
        return { epoch, seq }
      })
    },
    async append(epoch, expectedHead, batch): Promise<AppendAnswer> {
      connection.ensureUsable()
      const items = checkBatch(batch)
      const made = batch.flatMap((item) => item.bodies ?? [])
      const prepared = made.length > 0 ? await bodies.prepare(made) : []
      return write('append', () => {
        const head = headRow()
        if (head.epoch !== epoch) return { r: 'FENCED', epoch: head.epoch }
        if (head.seq !== expectedHead) return { r: 'MOVED', seq: head.seq }
        const at = Math.max(now(), head.at)
        const bad = sortOut(items, at)
        if (bad) return { r: 'SORT', bad }

        let seq = head.seq
        let bytes = 0
        for (const { item, events, fault, reply } of items) {
          for (const event of events) bytes += insertEntry(++seq, at, item.by, item.id, event)
          outcomeInsert.run(item.id, fault === null ? seq : null, at, item.until ?? null, fault, reply)
        }
        bodies.insert(prepared, at)
        headUpdate.run(seq, at, epoch, bytes)
        return { r: 'OK', first: head.seq + 1, at, last: seq }
      })
    },
    async read(after, limit, upTo = Number.MAX_SAFE_INTEGER) {
      requireWhole({ after, limit, upTo })
      return read('read', () => entryRange.all(after, upTo, limit)).map(entryOf)
    },
    async outcome(commandId) {
      const row = read('outcome', () => outcomeQuery.get(commandId))
      return row ? outcomeOf(row) : null
    },
    async head() {
      return read('head', headRow)
    },
    async forgetOutcomes(atNow) {
      return write('forgetOutcomes', () => outcomeForget.run(atNow - DAY_MS, atNow))
    },
    async entriesOfTask(taskId, after, limit) {
      requireWhole({ after, limit })
      return read('entriesOfTask', () => entryOfTask.all(hash48(taskId), after, taskId, limit)).map(entryOf)
    },
    async entriesOfStep(stepId, after = 0, limit = 1_000) {
      requireWhole({ after, limit })
      return read('entriesOfStep', () => entryOfStep.all(hash48(stepId), after, stepId, limit)).map(entryOf)
    },
  }
}

function entryOf({ seq, at, by, cause, event }: EntryRow): Entry {
  return { seq, at, by, cause, event: JSON.parse(event) }
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
