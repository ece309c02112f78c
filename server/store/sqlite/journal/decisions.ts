/** Writes a decision: its row and the rows of its entries. */
import { chainHash, type DecisionHeader, decisionSeal } from '../../shared/chain'
import type { EntryParts } from '../../shared/entryRows'
import type { SqliteConnection } from '../database/connection'

/** Columns of a decision besides its header. */
type DecisionMore = { known: number; until: number | null; reply: string | null }

export function decisionWriter(query: SqliteConnection['query']) {
  const decisionInsert = query('insert into decision values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const entryInsert = query('insert into entry (seq, last, nonce, hash, event) values (?, ?, ?, ?, ?)')
  return {
    /**
     * Inside a transaction of the caller.
     *
     * in      before: the previous hash, in hex
     * out     its own hash
     */
    insert(
      before: string,
      header: DecisionHeader,
      rows: readonly EntryParts[],
      { known, until, reply }: DecisionMore,
    ): string {
      const { first, last, at, by, command } = header
      const hash = chainHash(
        before,
        header,
        rows.map((row) => row.hash),
      )
      const seal = decisionSeal(last, known, until, reply)
      decisionInsert.run(last, first, command, by, at, known, until, reply, Buffer.from(hash, 'hex'), seal)
      for (const [n, { event, nonce, hash: own }] of rows.entries())
        entryInsert.run(first + n, last, nonce, Buffer.from(own, 'hex'), event)
      return hash
    },
  }
}
