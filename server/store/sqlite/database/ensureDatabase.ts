/** Is what lies in a data folder as convene.db a database of this program? A start must neither use nor replace anything else. */
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type Database from 'libsql'
import { JournalUnfitError } from '../../errors'
import { DATABASE } from '../journal/entries'
import { asBytes, decodeText } from './columns'
import { logOf } from './writeAheadLog'

const MAGIC = 'SQLite format 3\0'
/** Tables of the journal, of every form. */
const OWN = ['head', 'entry', 'decision', 'journal']
const MOST_NAMED = 5

/** 0: the file does not exist */
export const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** in: a folder with a convene.db that no process uses. faults: JournalUnfitError */
export function ensureDatabase(folder: string): void {
  const path = join(folder, DATABASE)
  if (sizeOf(path) === 0) {
    const log = sizeOf(logOf(path)) > 0 ? ` beside a ${logOf(DATABASE)} with data` : ''
    throw new JournalUnfitError(folder, `${DATABASE} is empty (0 bytes)${log}`, anew(DATABASE))
  }
  if (beginningOf(path) !== MAGIC)
    throw new JournalUnfitError(folder, `${DATABASE} is not an SQLite database`, anew(DATABASE))
}

/** in: its database, opened. faults: JournalUnfitError; errors of SQLite */
export function ensureOwn(folder: string, db: Database.Database): void {
  const rows = db.prepare(`select ${asBytes('name', 'name')} from sqlite_schema where type = 'table'`).all() as {
    name: ArrayBuffer
  }[]
  const names = rows.map(({ name }) => decodeText(name))
  if (names.some((name) => OWN.includes(name))) return
  const named = names.slice(0, MOST_NAMED).join(', ')
  const what = names.length === 0 ? 'has no tables' : `belongs to another program (its tables: ${named})`
  throw new JournalUnfitError(folder, `${DATABASE} ${what}`, anew(DATABASE))
}

export const anew = (what: string): string =>
  `Put the whole copy of this folder back (npm run restore, into an empty folder), or, to begin a new team, move ${what} away from it.`

function beginningOf(path: string): string {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(MAGIC.length)
    readSync(file, bytes, 0, bytes.length, 0)
    return bytes.toString('latin1')
  } finally {
    closeSync(file)
  }
}
