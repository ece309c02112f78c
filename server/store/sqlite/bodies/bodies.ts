/** Bodies in SQLite: up to 64 KiB in a row, larger ones in bodies/ab/<sha> with a row. */
import { join } from 'node:path'
import { sha256 } from '@/server/shared/sha256'
import type { Damage } from '../../errors'
import type { Bodies, NewBody } from '../../interfaces'
import { bodySeal, type SealedBody } from '../../shared/chain'
import { requireText, requireWhole } from '../../shared/names'
import { pack } from '../../shared/pack'
import type { SqliteConnection } from '../database/connection'
import { removeBodyFile, removeUnnamed, writeBodyFile } from './bodyFiles'
import { bodyReader } from './bodyReader'
import { BY_SHA, INSERT_BODY, SHA, shaBytes } from './bodyRows'

export type SqliteBodies = Bodies & {
  /** Rows for them; large ones are written to durable files. Before the transaction, so that the file of a row always exists. */
  prepare(made: NewBody[]): Promise<SealedBody[]>
  /** Inside a transaction of the caller. */
  insert(prepared: readonly SealedBody[], at: number): void
  has(sha: string): boolean
  /** At start: moves files without a row aside. */
  removeUnnamed(): Promise<void>
  /** The damage of a body's row, bytes or file; null: none, or no such body. */
  faultOf(sha: string): Promise<Damage | null>
}

/** Bodies up to this size, before compression, are in their rows. */
const ROW_BYTES = 64 * 1024

export function sqliteBodies(connection: SqliteConnection, folder: string, now: () => number): SqliteBodies {
  const { write, query } = connection
  const touch = query(`update body set touched = ?2 where ${BY_SHA}`)
  const bodyInsert = query(INSERT_BODY)
  const filesFolder = join(folder, 'bodies')
  const reader = bodyReader(connection, folder)

  const prepareOne = async ({ sha, bytes, mime }: NewBody): Promise<SealedBody> => {
    const { packed, data } = await pack(bytes)
    const row = { sha, mime, bytes: bytes.length, packed: packed ? 1 : 0 }
    if (bytes.length <= ROW_BYTES) return { ...row, data }
    // A known sha is complete: its row came after its file. Touched now, because it could be deleted before it is referred to.
    const isKnown = write('body', () => touchOne(sha, now()))
    if (!isKnown) await writeFile(sha, data)
    return { ...row, data: null }
  }

  const prepare = async (made: NewBody[]): Promise<SealedBody[]> => {
    const all: SealedBody[] = []
    for (const body of made) all.push(await prepareOne(body))
    return all
  }

  /** true: known, and touched. */
  const touchOne = (sha: string, at: number): boolean => touch.run(shaBytes(sha), at) > 0

  const writeFile = async (sha: string, data: Uint8Array): Promise<void> => {
    try {
      await writeBodyFile(filesFolder, sha, data)
    } catch (error) {
      throw connection.broke('body file', error)
    }
  }

  const insert = (prepared: readonly SealedBody[], at: number): void => {
    for (const body of prepared) {
      const { sha, mime, bytes, packed, data } = body
      if (!touchOne(sha, at)) bodyInsert.run(shaBytes(sha), mime, bytes, at, packed, data, bodySeal(body))
    }
  }

  return {
    faultOf: reader.faultOf,
    prepare,
    insert,
    async put(bytes, mime) {
      requireText('mime', mime)
      connection.ensureUsable()
      const sha = sha256(bytes)
      const prepared = await prepareOne({ sha, bytes, mime })
      write('body', () => insert([prepared], now()))
      return { sha, bytes: bytes.length }
    },
    get: reader.get,
    has: reader.has,
    forget: forgetting(connection, filesFolder),
    removeUnnamed: () => removeUnnamed(filesFolder, reader.has),
  }
}

/** Deletes bodies: their rows and their files. */
function forgetting({ read, write, query }: SqliteConnection, filesFolder: string): Bodies['forget'] {
  const ownQuery = query<{ touched: number; is_file: number }>(
    `select touched, data is null as is_file from body where ${BY_SHA}`,
  )
  const removeOwn = query(`delete from body where ${BY_SHA}`)

  return async (shas, before) => {
    requireWhole({ before })
    const named = new Set(shas.filter((sha) => SHA.test(sha)))
    if (named.size === 0) return 0
    const rows = read('forget bodies', () =>
      [...named].flatMap((sha) => {
        const row = ownQuery.get(shaBytes(sha))
        // It may have been stored again since.
        return row !== undefined && row.touched < before ? [{ ...row, sha }] : []
      }),
    )
    write('forget bodies', () => {
      for (const { sha } of rows) removeOwn.run(shaBytes(sha))
    })
    // In the same turn, so that none of them can be stored again meanwhile. The next start moves files left by a crash.
    for (const { sha, is_file } of rows) if (is_file === 1) removeBodyFile(filesFolder, sha)
    return rows.length
  }
}
