/**
 * The journal in SQLite: append and take as one transaction each, and reading by number, task, step, request and thread.
 * An entry is a row; a decision is a row too, and the first outcome of its command. The texts that people and models wrote, and
 * small bodies, lie beside the entries (content.ts).
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type {
  AppendAnswer,
  Archive,
  BatchItem,
  CommandOutcome,
  Journal,
  JournalHead,
  NewBody,
  StoredEntry,
  Unfit,
} from '../interfaces'
import { type CheckedItem, checkBatch, type PlaceKey } from '../shared/checkBatch'
import { requireText, requireWhole } from '../shared/names'
import { blankTexts, isKept } from '../shared/texts'
import type { SqliteBodies } from './bodies'
import { decisionSeal } from './chain'
import type { SqliteConnection } from './connection'
import { packContent } from './content'
import { decisionWriter, entryRows, NO_BODIES, saltsOf } from './decisions'
import { damaged, ENTRY, type EntryDecoder, type EntryRow } from './entries'
import { BEGINNING } from './journal.sql'
import { asBytes, decodeText } from './textColumn'

type HeadRow = JournalHead & { hash: string }
/** `by`: null in rows of a version that did not keep it; they count for everybody. */
type OutcomeRow = {
  id: string
  by: string | null
  seq: number | null
  at: number
  fault: string | null
  reply: ArrayBuffer | null
}

/** Bodies up to here lie in the content of their decision, as long as they are not more than so much together. */
const BUNDLED_BYTES = 8 * 1024
const BUNDLE_BYTES = 48 * 1024
/** To make so many rows takes some 50 ms, and to write them as long again: the loop turns in between. */
const MANY_ROWS = 500
/** Entries whose texts are removed in one transaction. */
const REMOVED_AT_ONCE = 200
const DAY_MS = 24 * 3_600_000

export function sqliteJournal(
  connection: SqliteConnection,
  bodies: SqliteBodies,
  decoder: EntryDecoder,
  now: () => number,
  random: (n: number) => Uint8Array,
): Journal & Archive {
  const { read, write, query } = connection
  const headQuery = query<HeadRow>('select seq, at, epoch, hash from head')
  const headUpdate = query(
    'update head set seq = ?, at = ?, epoch = ?, hash = ?, journal_bytes = journal_bytes + ?, body_bytes = body_bytes + ?',
  )
  const { insert } = decisionWriter(query)
  const contentUpdate = query('update content set packed = ?, data = ?, seal = ? where last = ?')
  const entriesAfter = query<EntryRow>(`${ENTRY} where e.seq > ? and e.seq <= ? order by e.seq limit ?`)
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
  const lastsQuery = query<{ seq: number; last: number }>(
    'select seq, last from entry where texts > 0 and seq in (select value from json_each(?)) order by seq',
  )
  const outcomeQuery = query<OutcomeRow>(
    `select command as id, "by", last as seq, at, null as fault, ${asBytes('reply', 'reply')} from decision where known = 1 and command = ?1
     union all select id, "by", seq, at, fault, ${asBytes('reply', 'reply')} from outcome where id = ?1`,
  )
  // One row whatever is found: reading many costs more than all the rest of the question.
  const knownQuery = query<{ ids: string }>(
    `select json_group_array(id) as ids from (
       select command as id from decision where known = 1 and command in (select value from json_each(?1))
       union all select id from outcome where id in (select value from json_each(?1)))`,
  )
  const outcomeInsert = query(
    'insert into outcome (id, "by", seq, at, until, fault, reply) values (?, ?, ?, ?, ?, ?, ?)',
  )
  const outcomeForget = query('delete from outcome where until is not null and at < ? and until < ?')
  const oldDecisions = query<{ last: number }>(
    'select last from decision where until is not null and at < ? and until < ?',
  )
  const decisionForget = query('update decision set known = 0, until = null, reply = null, seal = ? where last = ?')
  const secureDelete = query("pragma secure_delete = 'on'")
  const checkpoint = query('pragma wal_checkpoint(TRUNCATE)')
  const id = read('journal id', () => query<{ journal: string }>('select journal from head').get()?.journal ?? '')

  const headRow = (): HeadRow => {
    const row = headQuery.get()
    if (!row) throw new Error('the head row is gone')
    return row
  }

  const known = (commandId: string): OutcomeRow | undefined => outcomeQuery.get(commandId)

  const entriesOf = (key: PlaceKey, place: string, after: number, limit: number): StoredEntry[] => {
    requireWhole({ after, limit })
    const rows = read(`entries of a ${key}`, () => places[key].all(place, after, limit))
    // An id is a text; what else stands there may look like one to SQLite.
    return decoder.decode(rows).filter(({ event }) => event[key] === place)
  }

  /** Ids with an outcome already, of another author, and dead ones; null when the batch may be written. */
  const sortOut = (batch: CheckedItem[], at: number): Record<string, Unfit> | null => {
    const bad: Record<string, Unfit> = {}
    const ids = new Set<string>(
      JSON.parse(knownQuery.get(JSON.stringify(batch.map(({ item }) => item.id)))?.ids ?? '[]'),
    )
    for (const { item } of batch) {
      const first = ids.has(item.id) ? known(item.id) : undefined
      if (first) bad[item.id] = isOf(first, item.by) ? outcomeOf(first) : 'FOREIGN'
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
        const made = entryRows([{ type: 'sequencer.took', v: 1, epoch, node }], seq, saltsOf(random, 0))
        const header = { first: seq, last: seq, at, by: node, command: `take:${epoch}` }
        const nothing = { known: 0, until: null, reply: null, bundle: NO_BODIES } as const
        const { hash, bytes } = insert(head.hash, header, made, nothing)
        headUpdate.run(seq, at, epoch, hash, bytes, 0)
        return { epoch, seq }
      })
    },
    async append(epoch, expectedHead, batch, decidedAt): Promise<AppendAnswer> {
      connection.ensureUsable()
      if (decidedAt !== undefined) requireWhole({ decidedAt })
      const items = checkBatch(batch)
      const salts = saltsOf(
        random,
        items.reduce((sum, { item }) => sum + item.events.length, 0),
      )
      let next = expectedHead + 1
      const made = items.map((one) => {
        const first = next
        next += one.item.events.length
        return { ...one, first, last: next - 1, entries: entryRows(one.item.events, first, salts) }
      })
      const { small, rest } = sortBodies(batch)
      const prepared = rest.length > 0 ? await bodies.prepare(rest) : []
      if (next - expectedHead > MANY_ROWS) await nextTurn()
      return write('append', () => {
        const head = headRow()
        if (head.epoch !== epoch) return { r: 'FENCED', epoch: head.epoch }
        if (head.seq !== expectedHead) return { r: 'MOVED', seq: head.seq }
        const at = Math.max(decidedAt ?? now(), head.at)
        const bad = sortOut(items, at)
        if (bad) return { r: 'SORT', bad }

        let { hash } = head
        let [bytes, bodyBytes] = [0, bodies.insert(prepared, at)]
        const touched = bodies.touchKnown([...small.keys()], at)
        for (const { item, first, last, entries, fault, reply } of made) {
          const until = item.until ?? null
          if (item.events.length === 0) {
            outcomeInsert.run(item.id, item.by, fault === null ? last : null, at, until, fault, reply)
            continue
          }
          const bundled = (item.bodies ?? []).filter(({ sha }) => small.get(sha) === item && !touched.has(sha))
          const bundle = Buffer.concat(bundled.map((body) => body.bytes))
          const header = { first, last, at, by: item.by, command: item.id }
          const written = insert(hash, header, entries, { known: 1, until, reply, bundle })
          hash = written.hash
          bodyBytes += bodies.insertBundled(bundled, last, at, written.bodyBytes)
          bytes += written.bytes
        }
        headUpdate.run(next - 1, at, epoch, hash, bytes, bodyBytes)
        return { r: 'OK', first: head.seq + 1, at, last: next - 1 }
      })
    },
    async read(after, limit, upTo = Number.MAX_SAFE_INTEGER) {
      requireWhole({ after, limit, upTo })
      const rows = read('read', () => entriesAfter.all(after, upTo, limit))
      const entries = decoder.decode(rows)
      for (const [n, { seq }] of entries.entries())
        if (seq !== after + n + 1) throw damaged(null, after + n + 1, MISSING)
      if (rows.length < limit && after + rows.length < Math.min(upTo, read('head', headRow).seq))
        throw damaged(null, after + rows.length + 1, MISSING)
      return entries
    },
    async outcome(commandId, by) {
      const row = read('outcome', () => known(commandId))
      return row && isOf(row, by) ? outcomeOf(row) : null
    },
    async head() {
      const { seq, at, epoch } = read('head', headRow)
      return { seq, at, epoch }
    },
    async forgetOutcomes(atNow) {
      return write('forgetOutcomes', () => {
        const old = oldDecisions.all(atNow - DAY_MS, atNow)
        for (const { last } of old) decisionForget.run(decisionSeal(last, 0, null, null), last)
        return old.length + outcomeForget.run(atNow - DAY_MS, atNow)
      })
    },
    async removeTexts(seqs) {
      for (const seq of seqs) requireWhole({ seq })
      // What is overwritten is not left in the file's free space.
      read('remove texts', () => secureDelete.get())
      let removed = 0
      for (let from = 0; from < seqs.length; from += REMOVED_AT_ONCE) {
        const own = new Map<number, number[]>()
        for (const { seq, last } of read('remove texts', () =>
          lastsQuery.all(JSON.stringify(seqs.slice(from, from + REMOVED_AT_ONCE))),
        ))
          own.set(last, [...(own.get(last) ?? []), seq])
        const changed = [...own].flatMap(([last, gone]) => {
          const content = decoder.contentOf(last)
          if (!content) throw damaged(last, gone[0] ?? null, 'its texts are missing')
          let count = 0
          for (const seq of gone) {
            const texts = content.texts[seq]
            if (texts === undefined || !isKept(texts)) continue
            content.texts[seq] = blankTexts(texts)
            count += 1
          }
          const packed = packContent(content.texts, content.bodies)
          return count > 0 && packed ? [{ last, count, ...packed }] : []
        })
        write('remove texts', () => {
          for (const { last, packed, data, seal } of changed) contentUpdate.run(packed, data, seal, last)
        })
        removed += changed.reduce((sum, { count }) => sum + count, 0)
      }
      read('remove texts', () => checkpoint.get())
      return removed
    },
    async entriesOfTask(taskId, after, limit) {
      return entriesOf('task', taskId, after, limit)
    },
    async entriesOfStep(stepId, after = 0, limit = 1_000) {
      return entriesOf('step', stepId, after, limit)
    },
    async entriesOfRequest(requestId, after = 0, limit = 1_000) {
      return entriesOf('request', requestId, after, limit)
    },
    async entriesOfThread(threadId, after, limit) {
      return entriesOf('thread', threadId, after, limit)
    },
  }
}

const MISSING = 'it is missing'

/** Which bodies lie in the content of which decision of the batch, each once; the rest have rows or files of their own. */
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

const isOf = (row: OutcomeRow, by: string): boolean => row.by === null || row.by === by

function outcomeOf({ id, seq, at, fault, reply }: OutcomeRow): CommandOutcome {
  return {
    id,
    seq,
    at,
    ...(fault === null ? {} : { fault: JSON.parse(fault) }),
    ...(reply === null ? {} : { reply: JSON.parse(decodeText(reply)) }),
  }
}
