/** What became of each command: with its decision, or, where it made no entries, in a row of its own. */

import type { CommandOutcome, Unfit } from '../interfaces'
import type { CheckedItem } from '../shared/checkBatch'
import { decisionSeal } from './chain'
import type { SqliteConnection } from './connection'
import { asBytes, decodeText } from './textColumn'

/** `by`: null in rows of a version that did not keep it; they count for everybody. */
type OutcomeRow = {
  id: string
  by: string | null
  seq: number | null
  at: number
  fault: string | null
  reply: ArrayBuffer | null
}

const DAY_MS = 24 * 3_600_000

/** To be called inside reads and transactions of the caller's. */
export type Outcomes = {
  /** null: none is known that is for this author */
  of(commandId: string, by: string): CommandOutcome | null
  /** Ids with an outcome already, of another author, and dead ones; null when the batch may be written. */
  unfit(batch: readonly CheckedItem[], at: number): Record<string, Unfit> | null
  /** Of a command without entries, decided when the head was `last`. */
  add(checked: CheckedItem, last: number, at: number): void
  /** Those that nobody may ask for any more. out: how many */
  forget(now: number): number
}

export function sqliteOutcomes({ query }: Pick<SqliteConnection, 'query'>): Outcomes {
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

  return {
    of(commandId, by) {
      const row = outcomeQuery.get(commandId)
      return row && isOf(row, by) ? outcomeOf(row) : null
    },
    unfit(batch, at) {
      const bad: Record<string, Unfit> = {}
      const ids = new Set<string>(
        JSON.parse(knownQuery.get(JSON.stringify(batch.map(({ item }) => item.id)))?.ids ?? '[]'),
      )
      for (const { item } of batch) {
        const first = ids.has(item.id) ? outcomeQuery.get(item.id) : undefined
        if (first) bad[item.id] = isOf(first, item.by) ? outcomeOf(first) : 'FOREIGN'
        else if (item.until !== undefined && item.until < at) bad[item.id] = 'EXPIRED'
      }
      return Object.keys(bad).length > 0 ? bad : null
    },
    add({ item, fault, reply }, last, at) {
      outcomeInsert.run(item.id, item.by, fault === null ? last : null, at, item.until ?? null, fault, reply)
    },
    forget(now) {
      const old = oldDecisions.all(now - DAY_MS, now)
      for (const { last } of old) decisionForget.run(decisionSeal(last, 0, null, null), last)
      return old.length + outcomeForget.run(now - DAY_MS, now)
    },
  }
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
