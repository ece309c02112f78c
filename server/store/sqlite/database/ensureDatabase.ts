/** Is what lies in a data folder as convene.db a database of this program? A start must neither use nor replace anything else. */
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Database from 'libsql'
import { JournalUnfitError } from '../../errors'
import { DATABASE } from '../journal/entries'
import { asBytes, textOrNull } from './columns'
import { APPLICATION_ID, OLDEST } from './schema'
import { logOf } from './writeAheadLog'

const MAGIC = 'SQLite format 3\0'
/** Of the header of a database. The numbers have 4 bytes. */
const [HEADER_BYTES, USER_VERSION_AT, APPLICATION_ID_AT] = [100, 60, 68]
/** Tables of the journal, of which each form from before the forms began at 1 has some. */
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
  const header = headerOf(path)
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC)
    throw new JournalUnfitError(folder, `${DATABASE} is not an SQLite database`, anew(DATABASE))
  const application = header.readUInt32BE(APPLICATION_ID_AT)
  const form = header.readUInt32BE(USER_VERSION_AT)
  if (application === APPLICATION_ID && form >= OLDEST) return
  const names = tablesIn(path)
  if (application === APPLICATION_ID || (application === 0 && names.some((name) => OWN.includes(name))))
    throw new JournalUnfitError(
      folder,
      `its journal has the old format ${form}, which this version does not read; nothing was changed`,
      'Keep it with the version that wrote it, or begin with an empty data folder (CONVENE_DATA).',
    )
  const named = names.slice(0, MOST_NAMED).join(', ')
  const what = names.length === 0 ? 'has no tables' : `belongs to another program (its tables: ${named})`
  throw new JournalUnfitError(folder, `${DATABASE} ${what}`, anew(DATABASE))
}

/** in: a database of another form or program. Its write-ahead log is not read: that would change the file. */
function tablesIn(path: string): string[] {
  const db = new Database(`${pathToFileURL(path).href}?immutable=1`)
  try {
    const rows = db.prepare(`select ${asBytes('name', 'name')} from sqlite_schema where type = 'table'`).all()
    return (rows as { name: ArrayBuffer }[]).flatMap(({ name }) => textOrNull(name) ?? [])
  } catch {
    return []
  } finally {
    db.close()
  }
}

export const anew = (what: string): string =>
  `Put the whole copy of this folder back (npm run restore, into an empty folder), or, to begin a new team, move ${what} away from it.`

function headerOf(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(HEADER_BYTES)
    readSync(file, bytes, 0, bytes.length, 0)
    return bytes
  } finally {
    closeSync(file)
  }
}
