/** Writes a decision: its row, the rows of its entries, their texts and small bodies. */
import { chainHash, type DecisionHeader, decisionSeal } from '../../shared/chain'
import { type EntryParts, textsJson } from '../../shared/entryRows'
import type { SqliteConnection } from '../database/connection'
import { packContent } from './content'

/** Columns of a decision besides its header. bundle: its small bodies, joined; absent: none. */
type DecisionMore = { known: number; until: number | null; reply: string | null; bundle?: Buffer }

const NO_BODIES = Buffer.alloc(0)

export function decisionWriter(query: SqliteConnection['query']) {
  const decisionInsert = query('insert into decision values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const entryInsert = query('insert into entry (seq, last, texts, event) values (?, ?, ?, ?)')
  const contentInsert = query('insert into content values (?, ?, ?, ?)')
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
      { known, until, reply, bundle = NO_BODIES }: DecisionMore,
    ): string {
      const { first, last, at, by, command } = header
      const hash = chainHash(
        before,
        header,
        rows.map(({ event }) => event),
      )
      const seal = decisionSeal(last, known, until, reply)
      decisionInsert.run(last, first, command, by, at, known, until, reply, Buffer.from(hash, 'hex'), seal)
      for (const [n, { event, texts }] of rows.entries()) entryInsert.run(first + n, last, texts, event)
      const content = packContent(textsJson(rows, first), bundle)
      if (content) contentInsert.run(last, content.packed, content.data, content.seal)
      return hash
    },
  }
}
