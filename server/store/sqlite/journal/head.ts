/** The head row: the end of the journal, and who may append. */
import { headSeal } from '../../shared/chain'
import { asBytes, asInteger, decodeText } from '../database/columns'
import type { Queries } from '../database/query'

/** hash: of the last decision, in hex; the journal's id before the first */
type HeadRow = { journal: string; seq: number; at: number; epoch: number; hash: string }
type KeptHead = Omit<HeadRow, 'journal' | 'hash'> & { journal: ArrayBuffer; hash: ArrayBuffer }

const HEAD = `select ${asBytes('journal', 'journal')}, ${asInteger('seq', 'seq')}, ${asInteger('at', 'at')},
  ${asInteger('epoch', 'epoch')}, ${asBytes('hash', 'hash')}`

/** To be called inside reads and transactions of the caller. faults: Error: missing or unreadable */
export function headReader(query: Queries): () => HeadRow {
  const headQuery = query<KeptHead>(`${HEAD} from head`)
  return () => decoded(headQuery.get())
}

/** To be called inside reads and transactions of the caller. */
export function headOf(query: Queries) {
  const update = query('update head set seq = ?, at = ?, epoch = ?, hash = ?, seal = ?')
  return {
    get: headReader(query),
    /** The new head. */
    move(to: HeadRow): void {
      update.run(to.seq, to.at, to.epoch, to.hash, headSeal(to))
    },
  }
}

/** Creates the head of an empty journal, if it is missing. */
export function makeHead(query: Queries, journal: string): void {
  const head: HeadRow = { journal, seq: 0, at: 0, epoch: 0, hash: journal }
  query(`insert or ignore into head (one, journal, seq, at, epoch, hash, seal) values (1, ?1, 0, 0, 0, ?1, ?2)`).run(
    journal,
    headSeal(head),
  )
}

/** faults: Error: missing or unreadable. out: with whether the seal is correct */
export function checkedHead(query: Queries): HeadRow & { isWhole: boolean } {
  const row = query<KeptHead & { seal: number | null }>(`${HEAD}, ${asInteger('seal', 'seal')} from head`).get()
  const head = decoded(row)
  return { ...head, isWhole: headSeal(head) === row?.seal }
}

function decoded(row: KeptHead | undefined): HeadRow {
  if (!row) throw new Error('the head row is gone')
  const { seq, at, epoch } = row
  return { journal: decodeText(row.journal), seq, at, epoch, hash: decodeText(row.hash) }
}
