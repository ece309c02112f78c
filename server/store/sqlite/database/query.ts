/** Prepared statements of one database. */
import type Database from 'libsql'

type Bound = string | number | null | Uint8Array

/** A prepared statement, with the type of its rows. */
export type Query<Row> = {
  get(...bound: Bound[]): Row | undefined
  all(...bound: Bound[]): Row[]
  /** out: the number of changed rows */
  run(...bound: Bound[]): number
}
export type Queries = <Row = never>(sql: string) => Query<Row>

export const queriesOf =
  (db: Database.Database): Queries =>
  <Row>(sql: string): Query<Row> => {
    const statement = db.prepare(sql)
    return {
      get: (...bound) => statement.get(bound) as Row | undefined,
      all: (...bound) => statement.all(bound) as Row[],
      run: (...bound) => statement.run(bound).changes,
    }
  }
