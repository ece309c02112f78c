/** The journal in SQLite: append and take are one transaction each. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Acts, AppendAnswer, Archive, Journal, PlaceKey } from '../../interfaces'
import { checkBatch } from '../../shared/checkBatch'
import { entryRows } from '../../shared/entryRows'
import { requireText, requireWhole } from '../../shared/names'
import type { SqliteBodies } from '../bodies/bodies'
import { counterWriter } from '../counters'
import { asBytes } from '../database/columns'
import type { SqliteConnection } from '../database/connection'
import { envelopeWriter } from '../envelopes'
import { sqliteActs } from './acts'
import { decisionWriter } from './decisions'
import { damaged, decodeRows, ENTRY, type EntryRow } from './entries'
import { sqliteEraser } from './erasing'
import { headOf, headReader } from './head'
import { BEGINNING } from './journal.sql'
import { sqliteOutcomes } from './outcomes'

/** Building so many rows takes about 50 ms, and writing them as long: the event loop runs in between. */
const MANY_ROWS = 500

/** What can be read of a journal. */
export function readingJournal({ read, query }: SqliteConnection): Pick<Journal, 'id' | 'read' | 'head' | 'hashAt'> {
  const head = headReader(query)
  const hashQuery = query<{ hash: ArrayBuffer }>(`select ${asBytes('hash', 'hash')} from decision where last = ?`)
  const entriesAfter = query<EntryRow>(`${ENTRY} where e.seq > ? and e.seq <= ? order by e.seq limit ?`)
  return {
    id: read('journal id', head).journal,
    async read(after, limit, upTo = Number.MAX_SAFE_INTEGER) {
      requireWhole({ after, limit, upTo })
      const rows = read('read', () => entriesAfter.all(after, upTo, limit))
      const entries = decodeRows(rows)
      for (const [n, { seq }] of entries.entries())
        if (seq !== after + n + 1) throw damaged(null, after + n + 1, MISSING)
      if (rows.length < limit && after + rows.length < Math.min(upTo, read('head', head).seq))
        throw damaged(null, after + rows.length + 1, MISSING)
      return entries
    },
    async head() {
      const { seq, at, epoch } = read('head', head)
      return { seq, at, epoch }
    },
    async hashAt(seq) {
      requireWhole({ seq })
      const row = read('hash', () => hashQuery.get(seq))
      return row ? Buffer.from(row.hash).toString('hex') : null
    },
  }
}

export function sqliteJournal(
  connection: SqliteConnection,
  bodies: SqliteBodies,
  now: () => number,
  random: (n: number) => Uint8Array,
): Journal & Archive & Acts {
  const { read, write, query } = connection
  const head = headOf(query)
  const { insert } = decisionWriter(query)
  const outcomes = sqliteOutcomes(connection)
  const actInsert = query('insert into act (last, session) values (?, ?)')
  const counters = counterWriter(query)
  const envelopes = envelopeWriter(query)
  const reading = readingJournal(connection)
  const { id } = reading

  return {
    ...sqliteArchive(connection),
    acts: sqliteActs(connection),
    ...reading,
    async take(node) {
      requireText('node', node)
      return write('take', () => {
        const before = head.get()
        const epoch = before.epoch + 1
        const seq = before.seq + 1
        const at = Math.max(now(), before.at)
        const made = entryRows([{ type: 'sequencer.took', v: 1, epoch, node }], random)
        const header = { first: seq, last: seq, at, by: node, command: `take:${epoch}` }
        const hash = insert(before.hash, header, made, { known: 0, until: null, reply: null })
        head.move({ journal: id, seq, at, epoch, hash })
        counters.appended(before.seq, seq, [])
        return { epoch, seq }
      })
    },
    async append(epoch, expectedHead, batch, decidedAt): Promise<AppendAnswer> {
      connection.ensureUsable()
      if (decidedAt !== undefined) requireWhole({ decidedAt })
      const items = checkBatch(batch)
      let next = expectedHead + 1
      const made = items.map((one) => {
        const first = next
        next += one.item.events.length
        return { ...one, first, last: next - 1, entries: entryRows(one.item.events, random) }
      })
      const brought = batch.flatMap((item) => item.bodies ?? [])
      const prepared = brought.length > 0 ? await bodies.prepare(brought) : []
      if (next - expectedHead > MANY_ROWS) await nextTurn()
      return write('append', () => {
        const before = head.get()
        if (before.epoch !== epoch) return { r: 'FENCED', epoch: before.epoch }
        if (before.seq !== expectedHead) return { r: 'MOVED', seq: before.seq }
        const at = Math.max(decidedAt ?? now(), before.at)
        const bad = outcomes.unfit(items, at)
        if (bad) return { r: 'SORT', bad }

        let { hash } = before
        bodies.insert(prepared, at)
        for (const item of batch) envelopes(item, at)
        for (const one of made) {
          const { item, first, last, entries, reply } = one
          if (item.events.length === 0) {
            outcomes.add(one, last, at)
            continue
          }
          const header = { first, last, at, by: item.by, command: item.id }
          hash = insert(hash, header, entries, { known: 1, until: item.until ?? null, reply })
          if (item.session !== undefined) actInsert.run(last, item.session)
        }
        head.move({ journal: id, seq: next - 1, at, epoch, hash })
        counters.appended(
          before.seq,
          next - 1,
          batch.flatMap((item) => item.counters ?? []),
        )
        return { r: 'OK', first: before.seq + 1, at, last: next - 1 }
      })
    },
    async outcome(commandId, by) {
      return read('outcome', () => outcomes.of(commandId, by))
    },
    erase: sqliteEraser(connection),
    async forgetOutcomes(atNow) {
      return write('forgetOutcomes', () => outcomes.forget(atNow))
    },
  }
}

const MISSING = 'it is missing'

/** Entries of a task, a step, a request or a thread. */
function sqliteArchive({ read, query }: SqliteConnection): Archive {
  const entriesBy = (key: PlaceKey) =>
    query<EntryRow>(
      `${ENTRY} where substr(e.${key}, 1, ${BEGINNING}) = substr(?1, 1, ${BEGINNING}) and e.${key} = ?1 and e.seq > ?2
       order by e.seq limit ?3`,
    )
  const places = {
    task: entriesBy('task'),
    step: entriesBy('step'),
    request: entriesBy('request'),
    thread: entriesBy('thread'),
  } satisfies Record<PlaceKey, unknown>
  return {
    async entriesOf(key, id, after = 0, limit = 1_000) {
      requireWhole({ after, limit })
      const rows = read(`entries of a ${key}`, () => places[key].all(id, after, limit))
      // An id is a text; another value may look like one to SQLite.
      return decodeRows(rows).filter(({ event }) => event[key] === id)
    },
  }
}
