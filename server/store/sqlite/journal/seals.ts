/** The form from which on the head and the outcomes of commands without entries are sealed. */
import { headSeal, outcomeSeal } from '../../shared/chain'
import type { Queries } from '../database/query'
import { checkedHead } from './head'
import { outcomeRows } from './outcomes'

export const SEALED_FORM = 14

/** seal: of the row, without the counts of the head (chain.ts) */
export const sealsSql = `
alter table head add column seal integer not null default 0;
alter table outcome add column seal integer not null default 0;
`

/** For existing rows. */
export function sealRows(query: Queries): void {
  if (query('select one from head').get() === undefined) return
  query('update head set seal = ?').run(headSeal(checkedHead(query, false)))
  const update = query('update outcome set seal = ? where id = ?')
  for (const row of outcomeRows(query, false)) if (row.outcome) update.run(outcomeSeal(row.outcome), row.outcome.id)
}
