/** Tables that are the same in every store: their columns, and how a store reads and writes their rows. */
import { StoreDamagedError } from '../errors'

/** `text?`, `number?`: null where there is none. */
export const TABLES = {
  person_row: { person: 'text', key: 'text', value: 'text?', version: 'number', other: 'text?', at: 'number' },
  password: { person: 'text', hash: 'text', at: 'number' },
  session: {
    token_hash: 'text',
    id: 'text',
    person: 'text',
    agent: 'text?',
    created_at: 'number',
    last_seen: 'number',
    expires_at: 'number',
    token_name: 'text?',
    scopes: 'text?',
  },
  session_origin: {
    id: 'text',
    person: 'text',
    agent: 'text?',
    address: 'text?',
    created_at: 'number',
    ended_at: 'number?',
    token_name: 'text?',
  },
  link: { token_hash: 'text', person: 'text', expires_at: 'number' },
  sealed_key: { id: 'text', sealed: 'text', at: 'number' },
  act: { last: 'number', session: 'text?' },
  envelope: {
    number: 'number',
    id: 'text',
    at: 'number',
    peer: 'text',
    direction: 'text',
    protocol: 'text',
    conversation: 'text?',
    task: 'text?',
    outsider: 'text?',
    message: 'text?',
    theirs: 'text',
    verdict: 'text',
    status: 'number?',
    why: 'text?',
    reason: 'text?',
    by: 'text?',
    bytes: 'number',
    sha: 'text',
    content: 'text?',
    body: 'text?',
  },
  snapshot: { key: 'text', reducer: 'number', seq: 'number', at: 'number', packed: 'number', data: 'bytes' },
} as const
type ColumnTypes = { text: string; 'text?': string | null; number: number; 'number?': number | null; bytes: Uint8Array }
export type Table = keyof typeof TABLES
export type TableRow<Of extends Table> = {
  -readonly [Column in keyof (typeof TABLES)[Of]]: (typeof TABLES)[Of][Column] extends keyof ColumnTypes
    ? ColumnTypes[(typeof TABLES)[Of][Column]]
    : never
}
export type ColumnOf<Of extends Table> = keyof TableRow<Of> & string
export type TableValue = string | number | null | Uint8Array
/** One statement with its values for $1, $2 … */
export type TableChange = [sql: string, values: readonly TableValue[]]
/** What a lost answer to a write means: that it failed, or that it may be repeated. */
export type WhenTableLost = 'fails' | 'again'

export type Tables = {
  /** Where damage is reported. */
  readonly file: string
  /** faults: StoreBrokenError, StoreClosedError; before work outside the database */
  ensureUsable(): void
  /**
   * in      what: such as `a password`, for a report; null: a damaged row is left out
   *         rest: what follows `from`, such as `where key = $1 order by at`
   * faults  StoreDamagedError, StoreBrokenError, StoreClosedError
   */
  select<Of extends Table, Column extends ColumnOf<Of>>(
    what: string | null,
    table: Of,
    columns: readonly Column[],
    rest: string,
    values: readonly TableValue[],
  ): Promise<Pick<TableRow<Of>, Column>[]>
  /** How many rows fit. in: where: such as `where peer = $1`; empty: all. faults: those of select */
  count(table: Table, where: string, values: readonly TableValue[]): Promise<number>
  /** Deletes the rows that fit. out: those columns of them. faults: those of select */
  take<Of extends Table, Column extends ColumnOf<Of>>(
    what: string,
    table: Of,
    columns: readonly Column[],
    where: string,
    values: readonly TableValue[],
  ): Promise<Pick<TableRow<Of>, Column>[]>
  /** In order; in one transaction where a transaction cannot hang. out: how many rows they changed. faults: StoreBrokenError */
  change(table: Table, changes: readonly TableChange[], lost?: WhenTableLost): Promise<number>
}

export const columnsOf = <Of extends Table>(table: Of): ColumnOf<Of>[] => Object.keys(TABLES[table]) as ColumnOf<Of>[]

/** Adds a row. in: onConflict: what happens with a row of the same key; absent: an error */
export function insertion<Of extends Table>(table: Of, row: TableRow<Of>, onConflict = ''): TableChange {
  const columns = columnsOf(table)
  const names = columns.map((name) => `"${name}"`).join(', ')
  const places = columns.map((_, n) => `$${n + 1}`).join(', ')
  return [`insert into ${table} (${names}) values (${places}) ${onConflict}`, columns.map((name) => row[name])]
}

/** Adds a row, or replaces the one with the same key. */
export function replacement<Of extends Table>(table: Of, key: readonly ColumnOf<Of>[], row: TableRow<Of>): TableChange {
  const rest = columnsOf(table).filter((name) => !key.includes(name))
  const updates = rest.map((name) => `${name} = excluded.${name}`).join(', ')
  return insertion(table, row, `on conflict (${key.join(', ')}) do update set ${updates}`)
}

/** A value of a row that was parsed from JSON. faults: StoreDamagedError */
export function jsonIn({ file }: Tables, what: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new StoreDamagedError({ file, decision: null, entry: null, why: `${what} cannot be read (${String(error)})` })
  }
}
