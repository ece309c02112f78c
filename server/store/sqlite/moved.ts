/** Moves the rows of a data folder to or from another store. */
import { mkdir, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import Database from 'libsql'
import { type Damage, StoreBrokenError } from '../errors'
import type { MoveSource, MoveTarget } from '../moveRows'
import { snapshotsOf } from '../shared/snapshots'
import type { WholeHead } from '../shared/wholeStore'
import { sqliteBodies } from './bodies/bodies'
import { openForReading } from './database/openForReading'
import { queriesOf } from './database/query'
import { decisionWriter } from './journal/decisions'
import { DATABASE, damaged } from './journal/entries'
import { headOf } from './journal/head'
import { readingJournal } from './journal/journal'
import { outcomeWriter } from './journal/outcomes'
import { openSqliteStore } from './openSqliteStore'
import { wholeSqlite } from './repair/wholeSqlite'

/** A data folder that no process uses, opened for reading. */
type SqliteSource = MoveSource & {
  /** Of the write-ahead log; null: none. */
  damage: Damage | null
}

/** in: a data folder, which may be damaged. No file of it is changed. Throws StoreLockedError, StoreBrokenError, StoreTooNewError. */
export async function sqliteSource(dataFolder: string): Promise<SqliteSource> {
  const folder = resolve(dataFolder)
  const { connection, damage } = openForReading(folder)
  const close = async (): Promise<void> => connection.close()
  try {
    const bodies = sqliteBodies(connection, folder, Date.now)
    const whole = wholeSqlite(connection, bodies)
    const journal = readingJournal(connection)
    const snapshots = snapshotsOf(whole.tables)
    return { bodies, journal, snapshots, whole, damage, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** in: an empty or missing folder; the end of the journal. Throws StoreBrokenError: it is not empty. */
export async function sqliteTarget(dataFolder: string, head: WholeHead): Promise<MoveTarget> {
  const folder = resolve(dataFolder)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0) throw new StoreBrokenError('move', new Error(`${folder} is not empty`))
  const store = await openSqliteStore(folder)
  const db = new Database(join(folder, DATABASE))
  const query = queriesOf(db)
  const { insert } = decisionWriter(query)
  const addOutcome = outcomeWriter(query)
  let before = head.journal

  /** One transaction. */
  const whole = (work: () => void): void => {
    db.exec('begin immediate')
    try {
      work()
      db.exec('commit')
    } catch (error) {
      if (db.inTransaction) db.exec('rollback')
      throw error
    }
  }

  return {
    async addDecisions(decisions) {
      whole(() => {
        for (const { rows, ...decision } of decisions) {
          before = insert(before, decision, rows, decision)
          if (before !== decision.hash) throw damaged(decision.last, null, 'its hash is another one')
        }
      })
    },
    async addOutcomes(outcomes) {
      whole(() => outcomes.forEach(addOutcome))
    },
    async addBody({ bytes, mime }) {
      await store.bodies.put(bytes, mime)
    },
    async addRows(rows) {
      whole(() => {
        for (const [sql, values] of rows) query(sql.replaceAll('$', '?')).run(...values)
      })
    },
    async finish() {
      whole(() => {
        query('update head set journal = ?').run(head.journal)
        headOf(query).move(head)
      })
    },
    async close() {
      db.close()
      await store.close()
    },
  }
}
