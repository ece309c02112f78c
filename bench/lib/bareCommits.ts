/** The floor that other figures are read against: one row, one durable transaction, in a database like the store's. */
import { join } from 'node:path'
import Database from 'libsql'

const ROW = 'x'.repeat(400)

export type BareCommits = {
  /** Milliseconds that one commit takes, the mean of so many. */
  measure(times: number): number
  close(): void
}

export function openBareCommits(folder: string): BareCommits {
  const db = new Database(join(folder, 'bare.db'))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec('create table if not exists bare (id integer primary key, text text)')
  const begin = db.prepare('begin immediate')
  const insert = db.prepare('insert into bare (text) values (?)')
  const commit = db.prepare('commit')
  return {
    measure(times) {
      const start = performance.now()
      for (let n = 0; n < times; n++) {
        begin.run()
        insert.run(ROW)
        commit.run()
      }
      return (performance.now() - start) / times
    },
    close: () => void db.close(),
  }
}
