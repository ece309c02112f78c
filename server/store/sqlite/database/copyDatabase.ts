/** A consistent copy of convene.db by a second connection, while another process may write to it. */
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Database from 'libsql'
import { flushFile, flushFolder } from '@/server/shared/flush'
import { StoreBrokenError } from '../../errors'
import { asBytes, decodeText } from './columns'

/** schema: the version of the tables. head: number of the last entry. */
type CopiedDatabase = { journal: string; schema: number; head: number; decisions: number }

/** without: rows of people to leave out. out: the state of the copy, which is flushed, 0600. Throws StoreBrokenError. */
export async function copyDatabase(
  from: string,
  to: string,
  { without = [] }: { without?: readonly { person: string; key: string }[] } = {},
): Promise<CopiedDatabase> {
  await copyFileOf(from, to)
  const copied = attempt('copy', () =>
    using(to, {}, (db) => {
      db.pragma('secure_delete = on')
      const remove = db.prepare('delete from person_row where person = ? and key = ?')
      for (const { person, key } of without) remove.run(person, key)
      return contentsOf(db)
    }),
  )
  await flushFile(to)
  return copied
}

/** Copies any database: flushed to the disk, 0600. faults: StoreBrokenError; an error if the file exists */
async function copyFileOf(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  // VACUUM INTO accepts an empty file, so the copy is never readable by others.
  await (await open(to, 'wx', 0o600)).close()
  attempt('copy', () => using(from, { readonly: true }, (db) => db.prepare('vacuum into ?').run(to)))
  await flushFile(to)
}

/** Makes a durable copy of a database in the same folder before its form changes. Throws StoreBrokenError. */
export async function copyBefore(folder: string, version: number): Promise<void> {
  const name = `convene.db.before-${version}`
  const temporary = join(folder, `${name}.tmp`)
  await rm(temporary, { force: true })
  await copyFileOf(join(folder, 'convene.db'), temporary)
  await rename(temporary, join(folder, name))
  await flushFolder(folder)
}

/** The same, if the file lacks a schema; a new file has no data to copy. Throws StoreBrokenError: nothing was changed. */
export async function copyBeforeMigration(folder: string, newest: number): Promise<void> {
  const found = attempt('open', () => using(join(folder, 'convene.db'), {}, versionOf))
  if (found > 0 && found < newest) await copyBefore(folder, found)
}

const versionOf = (db: Database.Database): number =>
  (db.prepare('pragma user_version').get() as { user_version: number }).user_version

function contentsOf(db: Database.Database): CopiedDatabase {
  const named = db.prepare(`select ${asBytes('journal', 'journal')}, seq from head`).get() as {
    journal: ArrayBuffer
    seq: number
  }
  const schema = versionOf(db)
  const { decisions } = db.prepare('select count(*) as decisions from decision').get() as { decisions: number }
  return { journal: decodeText(named.journal), schema, head: named.seq, decisions }
}

function using<T>(path: string, options: Database.Options, work: (db: Database.Database) => T): T {
  const db = new Database(path, options)
  try {
    return work(db)
  } finally {
    db.close()
  }
}

function attempt<T>(doing: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new StoreBrokenError(doing, error)
  }
}
