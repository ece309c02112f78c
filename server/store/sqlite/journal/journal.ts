/** The journal in SQLite: append and take are one transaction each. Texts and small bodies are in content.ts. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Acts, AppendAnswer, Archive, BatchItem, Journal, NewBody, PlaceKey } from '../../interfaces'
import { checkBatch } from '../../shared/checkBatch'
import { entryRows, saltsOf } from '../../shared/entryRows'
import { requireText, requireWhole } from '../../shared/names'
import { blankTexts, isKept } from '../../shared/texts'
import type { SqliteBodies } from '../bodies/bodies'
import { counterWriter } from '../counters'
import { asBytes } from '../database/columns'
import type { SqliteConnection } from '../database/connection'
import { sqliteActs } from './acts'
import { type ContentRow, packContent } from './content'
import { decisionWriter } from './decisions'
import { damaged, ENTRY, type EntryDecoder, type EntryRow } from './entries'
import { headOf, headReader } from './head'
import { BEGINNING } from './journal.sql'
import { sqliteOutcomes } from './outcomes'

/** Bodies up to this size are in the content of their decision, up to a total. */
const BUNDLED_BYTES = 8 * 1024
const BUNDLE_BYTES = 48 * 1024
/** Building so many rows takes about 50 ms, and writing them as long: the event loop runs in between. */
const MANY_ROWS = 500

/** What can be read of a journal of every form. */
export function readingJournal(
  { read, query }: SqliteConnection,
  decoder: EntryDecoder,
): Pick<Journal, 'id' | 'read' | 'head' | 'hashAt'> {
  const head = headReader(query)
  const hashQuery = query<{ hash: ArrayBuffer }>(`select ${asBytes('hash', 'hash')} from decision where last = ?`)
  const entriesAfter = query<EntryRow>(`${ENTRY} where e.seq > ? and e.seq <= ? order by e.seq limit ?`)
  return {
    id: read('journal id', head).journal,
    async read(after, limit, upTo = Number.MAX_SAFE_INTEGER) {
      requireWhole({ after, limit, upTo })
      const rows = read('read', () => entriesAfter.all(after, upTo, limit))
      const entries = decoder.decode(rows)
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
  decoder: EntryDecoder,
  now: () => number,
  random: (n: number) => Uint8Array,
): Journal & Archive & Acts {
  const { read, write, query } = connection
  const head = headOf(query)
  const { insert } = decisionWriter(query)
  const outcomes = sqliteOutcomes(connection)
  const actInsert = query('insert into act (last, session) values (?, ?)')
  const counters = counterWriter(query)
  const salts = saltsOf(random)
  const reading = readingJournal(connection, decoder)
  const { id } = reading

  return {
    ...sqliteArchive(connection, decoder),
    acts: sqliteActs(connection, decoder),
    ...reading,
    async take(node) {
      requireText('node', node)
      return write('take', () => {
        const before = head.get()
        const epoch = before.epoch + 1
        const seq = before.seq + 1
        const at = Math.max(now(), before.at)
        const made = entryRows([{ type: 'sequencer.took', v: 1, epoch, node }], salts)
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
        return { ...one, first, last: next - 1, entries: entryRows(one.item.events, salts) }
      })
      const { small, rest } = sortBodies(batch)
      const prepared = rest.length > 0 ? await bodies.prepare(rest) : []
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
        const touched = bodies.touchKnown([...small.keys()], at)
        for (const one of made) {
          const { item, first, last, entries, reply } = one
          if (item.events.length === 0) {
            outcomes.add(one, last, at)
            continue
          }
          const bundled = (item.bodies ?? []).filter(({ sha }) => small.get(sha) === item && !touched.has(sha))
          const bundle = Buffer.concat(bundled.map((body) => body.bytes))
          const header = { first, last, at, by: item.by, command: item.id }
          hash = insert(hash, header, entries, { known: 1, until: item.until ?? null, reply, bundle })
          bodies.insertBundled(bundled, last, at)
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
    async forgetOutcomes(atNow) {
      return write('forgetOutcomes', () => outcomes.forget(atNow))
    },
  }
}

const MISSING = 'it is missing'

/** The bodies in the content of each decision of the batch, each once; the others have rows or files. */
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

/** Entries whose texts are removed in one transaction. */
const REMOVED_AT_ONCE = 200

/** Entries of a task, a step, a request or a thread, and the removal of their texts. */
function sqliteArchive(
  { read, write, query }: SqliteConnection,
  decoder: EntryDecoder,
): Archive & Pick<Journal, 'removeTexts'> {
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
  const contentUpdate = query('update content set packed = ?, data = ?, seal = ? where last = ?')
  const secureDelete = query("pragma secure_delete = 'on'")
  const checkpoint = query('pragma wal_checkpoint(TRUNCATE)')

  /** The entries among these that have texts, by the last entry of their decision. */
  const byDecision = (seqs: number[]): Map<number, number[]> => {
    const own = new Map<number, number[]>()
    for (const { seq, last } of read('remove texts', () => lastsQuery.all(JSON.stringify(seqs))))
      own.set(last, [...(own.get(last) ?? []), seq])
    return own
  }

  return {
    async removeTexts(seqs) {
      for (const seq of seqs) requireWhole({ seq })
      // Overwritten data does not remain in the file's free space.
      read('remove texts', () => secureDelete.get())
      let removed = 0
      for (let from = 0; from < seqs.length; from += REMOVED_AT_ONCE) {
        const own = byDecision(seqs.slice(from, from + REMOVED_AT_ONCE))
        const changed = [...own].flatMap(([last, gone]) => blanked(decoder, last, gone) ?? [])
        write('remove texts', () => {
          for (const { last, packed, data, seal } of changed) contentUpdate.run(packed, data, seal, last)
        })
        removed += changed.reduce((sum, { count }) => sum + count, 0)
      }
      read('remove texts', () => checkpoint.get())
      return removed
    },
    async entriesOf(key, id, after = 0, limit = 1_000) {
      requireWhole({ after, limit })
      const rows = read(`entries of a ${key}`, () => places[key].all(id, after, limit))
      // An id is a text; another value may look like one to SQLite.
      return decoder.decode(rows).filter(({ event }) => event[key] === id)
    },
  }
}

/** The content of a decision without the texts of these entries. out: null: they were blank already. faults: StoreDamagedError */
function blanked(
  decoder: EntryDecoder,
  last: number,
  gone: readonly number[],
): (ContentRow & { last: number; count: number }) | null {
  const content = decoder.contentOf(last)
  if (!content) throw damaged(last, gone[0] ?? null, 'its texts are missing')
  let count = 0
  for (const seq of gone) {
    const texts = content.texts[seq]
    if (texts === undefined || !isKept(texts)) continue
    content.texts[seq] = blankTexts(texts)
    count += 1
  }
  const packed = packContent(JSON.stringify(content.texts), content.bodies)
  return count > 0 && packed ? { last, count, ...packed } : null
}
