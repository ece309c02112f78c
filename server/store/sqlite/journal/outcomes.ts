/** The outcome of each command: in the row of its decision, or, without entries, in a separate row. */
import type { CommandOutcome, Unfit } from '../../interfaces'
import { decisionSeal, outcomeSeal, type SealedOutcome } from '../../shared/chain'
import type { CheckedItem } from '../../shared/checkBatch'
import { asBytes, asInteger, decodeText } from '../database/columns'
import type { Queries } from '../database/query'

type OutcomeRow = {
  by: ArrayBuffer
  seq: number | null
  at: number
  fault: ArrayBuffer | null
  reply: ArrayBuffer | null
}

const DAY_MS = 24 * 3_600_000

/** To be called inside reads and transactions of the caller. */
export function sqliteOutcomes({ query }: { query: Queries }) {
  const outcomeQuery = query<OutcomeRow>(
    `select ${asBytes('"by"', '"by"')}, last as seq, ${asInteger('at', 'at')}, null as fault, ${asBytes('reply', 'reply')} from decision where known = 1 and command = ?1
     union all select ${asBytes('"by"', '"by"')}, ${asInteger('seq', 'seq')}, ${asInteger('at', 'at')}, ${asBytes('fault', 'fault')}, ${asBytes('reply', 'reply')} from outcome where id = ?1`,
  )
  // One row in any case: reading many rows costs more than the rest of the query.
  const knownQuery = query<{ ids: string }>(
    `select json_group_array(id) as ids from (
       select command as id from decision where known = 1 and command in (select value from json_each(?1))
       union all select id from outcome where id in (select value from json_each(?1)))`,
  )
  const addOutcome = outcomeWriter(query)
  const outcomeForget = query('delete from outcome where until is not null and at < ? and until < ?')
  const oldDecisions = query<{ last: number }>(
    'select last from decision where until is not null and at < ? and until < ?',
  )
  const decisionForget = query('update decision set known = 0, until = null, reply = null, seal = ? where last = ?')

  return {
    /** null: none is known for this author */
    of(commandId: string, by: string): CommandOutcome | null {
      const row = outcomeQuery.get(commandId)
      return row && isOf(row, by) ? outcomeOf(commandId, row) : null
    },
    /** Ids with an outcome, of another author, and expired ones; null if the batch may be written. */
    unfit(batch: readonly CheckedItem[], at: number): Record<string, Unfit> | null {
      const bad: Record<string, Unfit> = {}
      const ids = new Set<string>(
        JSON.parse(knownQuery.get(JSON.stringify(batch.map(({ item }) => item.id)))?.ids ?? '[]'),
      )
      for (const { item } of batch) {
        const first = ids.has(item.id) ? outcomeQuery.get(item.id) : undefined
        if (first) bad[item.id] = isOf(first, item.by) ? outcomeOf(item.id, first) : 'FOREIGN'
        else if (item.until !== undefined && item.until < at) bad[item.id] = 'EXPIRED'
      }
      return Object.keys(bad).length > 0 ? bad : null
    },
    /** For a command without entries, decided at the head `last`. */
    add({ item, fault, reply }: CheckedItem, last: number, at: number): void {
      const { id, by, until = null } = item
      const seq = fault === null ? last : null
      addOutcome({ id, by, seq, at, until, fault, reply })
    },
    /** Deletes those that can no longer be requested. out: how many */
    forget(now: number): number {
      const old = oldDecisions.all(now - DAY_MS, now)
      for (const { last } of old) decisionForget.run(decisionSeal(last, 0, null, null), last)
      return old.length + outcomeForget.run(now - DAY_MS, now)
    },
  }
}

const isOf = (row: OutcomeRow, by: string): boolean => decodeText(row.by) === by

function outcomeOf(id: string, { seq, at, fault, reply }: OutcomeRow): CommandOutcome {
  return {
    id,
    seq,
    at,
    ...(fault === null ? {} : { fault: JSON.parse(decodeText(fault)) }),
    ...(reply === null ? {} : { reply: JSON.parse(decodeText(reply)) }),
  }
}

type KeptOutcome = {
  id: ArrayBuffer
  by: ArrayBuffer
  seq: number | null
  at: number
  until: number | null
  fault: ArrayBuffer | null
  reply: ArrayBuffer | null
  seal: number | null
}
const ROWS_AT_ONCE = 500

/** out: adds the outcome of a command without entries */
export function outcomeWriter(query: Queries): (outcome: SealedOutcome) => void {
  const row = query(
    `insert into outcome (id, "by", seq, at, until, fault, reply, seal) values (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  return (outcome) => {
    const { id, by, seq, at, until, fault, reply } = outcome
    row.run(id, by, seq, at, until, fault, reply, outcomeSeal(outcome))
  }
}

/** Outcomes of commands without entries, in order. null: an unreadable row. isWhole: whether its seal is correct. */
export function* outcomeRows(query: Queries): Generator<{ outcome: SealedOutcome | null; isWhole: boolean }> {
  const page = query<KeptOutcome>(
    `select ${['id', '"by"', 'fault', 'reply'].map((name) => asBytes(name, name)).join(', ')},
       ${['seq', 'at', 'until'].map((name) => asInteger(name, name)).join(', ')},
       ${asInteger('seal', 'seal')} from outcome order by id limit ${ROWS_AT_ONCE} offset ?`,
  )
  for (let from = 0; ; from += ROWS_AT_ONCE) {
    const rows = page.all(from)
    for (const row of rows) {
      const outcome = decoded(row)
      yield { outcome, isWhole: outcome !== null && outcomeSeal(outcome) === row.seal }
    }
    if (rows.length < ROWS_AT_ONCE) return
  }
}

function decoded({ seal: _, ...row }: KeptOutcome): SealedOutcome | null {
  const text = (bytes: ArrayBuffer | null): string | null => bytes && decodeText(bytes)
  try {
    return { ...row, id: decodeText(row.id), by: decodeText(row.by), fault: text(row.fault), reply: text(row.reply) }
  } catch {
    return null
  }
}
