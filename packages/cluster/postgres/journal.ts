/** The journal in PostgreSQL: append and take are one function of the database each (journal.sql.ts). */
import { JournalTakenError, StoreUnansweredError } from '@/server/store/errors'
import type { Acts, AppendAnswer, Archive, BatchItem, Journal, StoredFault, Unfit } from '@/server/store/interfaces'
import { decisionSeal } from '@/server/store/shared/chain'
import { type CheckedItem, checkBatch } from '@/server/store/shared/checkBatch'
import { COUNTERS_VERSION } from '@/server/store/shared/counterRows'
import { entryRows, NONCE_BYTES } from '@/server/store/shared/entryRows'
import { envelopeRow } from '@/server/store/shared/envelopes'
import { requireText, requireWhole } from '@/server/store/shared/names'
import { actRows, postgresActs } from './acts'
import { packBodies } from './bodies'
import type { PostgresConnection } from './connection'
import { counterJson } from './counters'
import { damagedPart, entriesIn, JOINED, type JoinedRow } from './entries'
import { postgresEraser } from './erasing'
import { HOLD_MS } from './holding'

type HeadRow = { seq: number; at: number; epoch: number }
type UnfitRow = {
  id: string
  is: 'EXPIRED' | 'FOREIGN' | 'KNOWN'
  seq: number | null
  at: number | null
  fault: string | null
  reply: string | null
}
type Appended = Exclude<AppendAnswer, { r: 'SORT' }> | { r: 'SORT'; bad: UnfitRow[] }

type JournalParts = {
  /** Of the journal. */
  id: string
  /** Identifies the process in the head row; null: it takes the journal from any process. */
  lock: number | null
  now: () => number
  random: (n: number) => Uint8Array
}

export function postgresJournal(
  connection: PostgresConnection,
  { id, lock, now, random }: JournalParts,
): Journal & Archive & Acts {
  const { read, write } = connection

  const headNow = async (): Promise<HeadRow> => {
    const [row] = await read<HeadRow>('head', 'select seq, at, epoch from head')
    if (!row) throw damagedPart(null, null, 'the head row is gone')
    return row
  }

  return {
    ...postgresArchive(connection),
    acts: postgresActs(connection),
    id,
    async take(node) {
      requireText('node', node)
      // A repeated take is allowed: the newer epoch counts.
      const [row] = await write<{ took: { epoch: number; seq: number } | null }>(
        'take',
        'select take($1, $2, $3, $4) as took',
        [JSON.stringify(node), Math.trunc(now()), lock, random(NONCE_BYTES)],
        'again',
      )
      if (!row?.took) throw new JournalTakenError()
      return row.took
    },
    async append(epoch, expectedHead, batch, decidedAt): Promise<AppendAnswer> {
      connection.ensureUsable()
      requireWhole({ epoch, expectedHead, ...(decidedAt === undefined ? {} : { decidedAt }) })
      const items = checkBatch(batch)
      const made = itemRows(items, expectedHead, random)
      const bodies = await packBodies(batch.flatMap((item) => item.bodies ?? []))
      const [row] = await write<{ answer: Appended }>(
        'append',
        'select append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) as answer',
        [
          epoch,
          expectedHead,
          Math.trunc(decidedAt ?? now()),
          JSON.stringify(made),
          bodies?.rows ?? null,
          bodies?.data ?? null,
          HOLD_MS,
          JSON.stringify(actRows(items, expectedHead)),
          COUNTERS_VERSION,
          counterJson(batch.flatMap((item) => item.counters ?? [])),
          envelopeJson(batch),
        ],
        { unanswered: (cause) => new StoreUnansweredError('append', cause) },
      )
      if (!row) throw new StoreUnansweredError('append')
      const { answer } = row
      return answer.r === 'SORT' ? { r: 'SORT', bad: unfitIn(answer.bad) } : answer
    },
    async read(after, limit, upTo = Number.MAX_SAFE_INTEGER) {
      requireWhole({ after, limit, upTo })
      const rows = await read<JoinedRow>('read', `${JOINED} where e.seq > $1 and e.seq <= $2 order by e.seq limit $3`, [
        after,
        upTo,
        limit,
      ])
      const entries = entriesIn(rows)
      for (const [n, { seq }] of entries.entries())
        if (seq !== after + n + 1) throw damagedPart(null, after + n + 1, MISSING)
      if (rows.length < limit && after + rows.length < Math.min(upTo, (await headNow()).seq)) {
        // It may have been appended meanwhile.
        const next = after + rows.length + 1
        const there = await read('read', 'select 1 as one from entry where seq = $1', [next])
        if (there.length === 0) throw damagedPart(null, next, MISSING)
      }
      return entries
    },
    async outcome(commandId, by) {
      const rows = await read<{ unfit: UnfitRow[] | null }>('outcome', 'select unfit($1, -1) as unfit', [
        JSON.stringify([{ id: commandId, by }]),
      ])
      const outcome = unfitIn(rows[0]?.unfit ?? [])[commandId]
      return typeof outcome === 'object' ? outcome : null
    },
    head: headNow,
    async hashAt(seq) {
      requireWhole({ seq })
      const sql = "select encode(hash, 'hex') as hash from decision where last = $1"
      return (await read<{ hash: string }>('hash', sql, [seq]))[0]?.hash ?? null
    },
    erase: postgresEraser(connection),
    async forgetOutcomes(atNow) {
      const [row] = await write<{ gone: number }>(
        'forgetOutcomes',
        'select forget_outcomes($1) as gone',
        [atNow],
        'again',
      )
      return row?.gone ?? 0
    },
  }
}

const MISSING = 'it is missing'

/** The items as `append` of journal.sql.ts takes them. */
function itemRows(items: readonly CheckedItem[], expectedHead: number, random: (n: number) => Uint8Array) {
  let last = expectedHead
  return items.map(({ item, fault, reply }) => {
    const { id, by, until = null, events } = item
    const rows = entryRows(events, random)
    last += events.length
    const hasEvents = events.length > 0
    return {
      id,
      by,
      until,
      fault,
      reply,
      names: hasEvents ? namesOf(by, id) : namesOf(id, by),
      tail: JSON.stringify([until, fault, reply]).slice(1),
      seal: hasEvents ? decisionSeal(last, 1, until, reply) : 0,
      events: rows.map(({ event, nonce, hash }) => [event, Buffer.from(nonce).toString('hex'), hash]),
    }
  })
}

/** As `envelopes_add` takes them, which gives them their time; null: none. */
function envelopeJson(batch: readonly BatchItem[]): string | null {
  const rows = batch.flatMap((item) => (item.envelopes ?? []).map((one) => envelopeRow(one, 0)))
  return rows.length === 0 ? null : JSON.stringify(rows)
}

/** Both as in the hashed JSON (../shared/chain.ts). */
const namesOf = (first: string, second: string): string => `${JSON.stringify(first)},${JSON.stringify(second)}`

function unfitIn(rows: readonly UnfitRow[]): Record<string, Unfit> {
  return Object.fromEntries(rows.map((row) => [row.id, unfitOf(row)]))
}

function unfitOf({ id, is, seq, at, fault, reply }: UnfitRow): Unfit {
  if (is !== 'KNOWN') return is
  return {
    id,
    seq,
    at: at ?? 0,
    ...(fault === null ? {} : { fault: JSON.parse(fault) as StoredFault }),
    ...(reply === null ? {} : { reply: JSON.parse(reply) as unknown }),
  }
}

/** Entries of a task, a step, a request or a thread. */
const postgresArchive = ({ read }: PostgresConnection): Archive => ({
  async entriesOf(key, id, after = 0, limit = 1_000) {
    requireWhole({ after, limit })
    const rows = await read<JoinedRow>(
      `entries of a ${key}`,
      `${JOINED} where e.json->>'${key}' = $1 and e.seq > $2 order by e.seq limit $3`,
      [id, after, limit],
    )
    // An id is a text; another value may look like one.
    return entriesIn(rows).filter(({ event }) => event[key] === id)
  },
})
