/**
 * Bodies in SQLite: up to 64 KiB in their row, larger ones in bodies/ab/<sha> with a row that says so. The row is what counts:
 * a file without one (its append was refused, or the process died in between) does not exist for readers.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bodies, NewBody } from '../interfaces'
import { requireText, shaOf } from '../shared/names'
import { pack, unpack } from '../shared/pack'
import { readBodyFile, writeBodyFile } from './bodyFiles'
import type { Connection } from './connection'

/** A body ready for its row; data null: it lies in its file, already durable. */
export type PreparedBody = {
  sha: string
  mime: string
  bytes: number
  packed: boolean
  stored: number
  data: Uint8Array | null
}

export type SqliteBodies = Bodies & {
  /** Compress, and make large ones durable as files. Before the transaction, so that a row never names a file that is not there. */
  prepare(made: NewBody[]): Promise<PreparedBody[]>
  /** Inside a transaction of the caller's. */
  insert(prepared: PreparedBody[], at: number): void
}

/** Up to here, before compression, a body is a row. */
const ROW_BYTES = 64 * 1024

type BodyRow = { mime: string; packed: number; data: ArrayBuffer | null }
type SizeRow = { body_bytes: number; journal_bytes: number }

export function sqliteBodies(connection: Connection, folder: string, now: () => number): SqliteBodies {
  const { read, write, query } = connection
  const bodyQuery = query<BodyRow>('select mime, packed, data from body where sha = ?')
  const hasQuery = query<{ touched: number }>('select touched from body where sha = ?')
  const touch = query('update body set touched = ? where sha = ?')
  const bodyInsert = query(
    'insert into body (sha, mime, bytes, touched, packed, stored, data) values (?, ?, ?, ?, ?, ?, ?)',
  )
  const countBytes = query('update head set body_bytes = body_bytes + ?')
  const sizeQuery = query<SizeRow>('select body_bytes, journal_bytes from head')
  const filesFolder = join(folder, 'bodies')

  const prepareOne = async ({ sha, bytes, mime }: NewBody): Promise<PreparedBody> => {
    const { packed, data } = await pack(bytes)
    const row = { sha, mime, bytes: bytes.length, packed, stored: data.length }
    if (bytes.length <= ROW_BYTES) return { ...row, data }
    // A known sha lies there whole already: the row came after its file.
    if (!read('body', () => hasQuery.get(sha))) await writeFile(sha, data)
    return { ...row, data: null }
  }

  const writeFile = async (sha: string, data: Uint8Array): Promise<void> => {
    try {
      await writeBodyFile(filesFolder, sha, data)
    } catch (error) {
      throw connection.broke('body file', error)
    }
  }

  const readFile = async (sha: string): Promise<Uint8Array> => {
    try {
      return await readBodyFile(filesFolder, sha)
    } catch (error) {
      throw connection.broke('body file', error)
    }
  }

  const insert = (prepared: PreparedBody[], at: number): void => {
    let added = 0
    for (const { sha, mime, bytes, packed, stored, data } of prepared) {
      if (hasQuery.get(sha)) touch.run(at, sha)
      else {
        bodyInsert.run(sha, mime, bytes, at, packed ? 1 : 0, stored, data)
        added += stored
      }
    }
    if (added > 0) countBytes.run(added)
  }

  return {
    prepare: (made) => Promise.all(made.map(prepareOne)),
    insert,
    async put(bytes, mime) {
      requireText('mime', mime)
      connection.ensureUsable()
      const sha = shaOf(bytes)
      const prepared = await prepareOne({ sha, bytes, mime })
      write('body', () => insert([prepared], now()))
      return { sha, bytes: bytes.length }
    },
    async get(sha) {
      const row = read('body', () => bodyQuery.get(sha))
      if (!row) return null
      const data = row.data ? new Uint8Array(row.data) : await readFile(sha)
      return { bytes: await unpack({ packed: row.packed === 1, data }), mime: row.mime }
    },
    async has(sha) {
      return read('body', () => hasQuery.get(sha)) !== undefined
    },
    async sizes() {
      const row = read('sizes', () => sizeQuery.get())
      const [main, log] = await Promise.all(['convene.db', 'convene.db-wal'].map((name) => sizeOf(join(folder, name))))
      return { bodies: row?.body_bytes ?? 0, journal: row?.journal_bytes ?? 0, db: (main ?? 0) + (log ?? 0) }
    },
  }
}

/** By stat: opening the database's file here would drop the process's locks on it. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch {
    return 0
  }
}
