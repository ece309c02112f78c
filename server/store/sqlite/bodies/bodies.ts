/** Bodies in SQLite: small ones in their decision's content, up to 64 KiB in a row, larger ones in bodies/ab/<sha> with a row. */
import { join } from 'node:path'
import { sha256 } from '@/server/shared/sha256'
import type { Damage } from '../../errors'
import type { Bodies, NewBody } from '../../interfaces'
import { bodySeal, type SealedBody } from '../../shared/chain'
import { requireText, requireWhole } from '../../shared/names'
import { pack } from '../../shared/pack'
import type { SqliteConnection } from '../database/connection'
import { packContent, withoutBodies } from '../journal/content'
import type { EntryDecoder } from '../journal/entries'
import { removeBodyFile, removeUnnamed, writeBodyFile } from './bodyFiles'
import { bodyReader } from './bodyReader'
import { BY_SHA, INSERT_BODY, SHA, shaBytes } from './bodyRows'

/** A body ready for its row; data null: it is in a durable file. */
type PreparedBody = {
  sha: string
  mime: string
  bytes: number
  packed: boolean
  stored: number
  data: Uint8Array | null
}

export type SqliteBodies = Bodies & {
  /** Compress, and write large ones to durable files. Before the transaction, so that the file of a row always exists. */
  prepare(made: NewBody[]): Promise<PreparedBody[]>
  /** Inside a transaction of the caller. */
  insert(prepared: PreparedBody[], at: number): void
  /** Inside a transaction of the caller: bodies that are stored in that decision's content. */
  insertBundled(made: readonly NewBody[], decision: number, at: number): void
  has(sha: string): boolean
  /** At start: moves files without a row aside. */
  removeUnnamed(): Promise<void>
  /** The damage of a body's row, bytes or file; null: none, or no such body. */
  faultOf(sha: string): Promise<Damage | null>
  /** Inside a transaction of the caller: those of these shas that the store has, touched. */
  touchKnown(shas: readonly string[], at: number): Set<string>
}

/** Bodies up to this size, before compression, are rows. */
const ROW_BYTES = 64 * 1024

export function sqliteBodies(
  connection: SqliteConnection,
  folder: string,
  decoder: EntryDecoder,
  now: () => number,
): SqliteBodies {
  const { write, query } = connection
  const knownQuery = query<{ shas: string }>(
    `select json_group_array(lower(hex(sha))) as shas from body
       where substr(sha, 1, 8) in (select unhex(substr(value, 1, 16)) from json_each(?1))
         and sha in (select unhex(value) from json_each(?1))`,
  )
  const touch = query(`update body set touched = ?2 where ${BY_SHA}`)
  const bodyInsert = query(INSERT_BODY)
  const filesFolder = join(folder, 'bodies')
  const reader = bodyReader(connection, folder, decoder)

  const prepareOne = async ({ sha, bytes, mime }: NewBody): Promise<PreparedBody> => {
    const { packed, data } = await pack(bytes)
    const row = { sha, mime, bytes: bytes.length, packed, stored: data.length }
    if (bytes.length <= ROW_BYTES) return { ...row, data }
    // A known sha is complete: its row came after its file. Touched now, because it could be deleted before it is referred to.
    const isKnown = write('body', () => touchOne(sha, now()))
    if (!isKnown) await writeFile(sha, data)
    return { ...row, data: null }
  }

  const prepare = async (made: NewBody[]): Promise<PreparedBody[]> => {
    const all: PreparedBody[] = []
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

  const insertRow = (body: SealedBody, at: number): void => {
    const { sha, mime, bytes, packed, stored, decision, start, data } = body
    bodyInsert.run(shaBytes(sha), mime, bytes, at, packed, stored, decision, start, data, bodySeal(body))
  }

  const insert = (prepared: PreparedBody[], at: number): void => {
    for (const body of prepared)
      if (!touchOne(body.sha, at)) insertRow({ ...body, packed: body.packed ? 1 : 0, decision: null, start: null }, at)
  }

  return {
    faultOf: reader.faultOf,
    prepare,
    insert,
    insertBundled(made, decision, at) {
      let start = 0
      for (const { sha, mime, bytes } of made) {
        insertRow({ sha, mime, bytes: bytes.length, packed: 0, stored: 0, decision, start, data: null }, at)
        start += bytes.length
      }
    },
    touchKnown(shas, at) {
      if (shas.length === 0) return new Set()
      // Most are new: one query for all of them.
      const known = new Set<string>(JSON.parse(knownQuery.get(JSON.stringify(shas))?.shas ?? '[]'))
      for (const sha of known) touchOne(sha, at)
      return known
    },
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
    forget: forgetting(connection, decoder, filesFolder),
    removeUnnamed: () => removeUnnamed(filesFolder, reader.has),
  }
}

type OwnRow = {
  touched: number
  bytes: number
  decision: number | null
  start: number | null
  is_file: number
}
/** Deletes bodies: their rows, their files, and their bytes in the content of decisions. */
function forgetting(
  { read, write, query }: SqliteConnection,
  decoder: EntryDecoder,
  filesFolder: string,
): Bodies['forget'] {
  const ownQuery = query<OwnRow>(
    `select touched, bytes, decision, start, data is null and decision is null as is_file from body where ${BY_SHA}`,
  )
  const removeOwn = query(`delete from body where ${BY_SHA}`)
  const contentUpdate = query('update content set packed = ?, data = ?, seal = ? where last = ?')

  /** Rows of those that were not stored again since. */
  const oldRows = (shas: ReadonlySet<string>, before: number): (OwnRow & { sha: string })[] =>
    [...shas].flatMap((sha) => {
      const row = ownQuery.get(shaBytes(sha))
      return row !== undefined && row.touched < before ? [{ ...row, sha }] : []
    })

  return async (shas, before) => {
    requireWhole({ before })
    const named = new Set(shas.filter((sha) => SHA.test(sha)))
    if (named.size === 0) return 0
    const rows = read('forget bodies', () => oldRows(named, before))
    const contents = contentsWithout(decoder, rows)
    write('forget bodies', () => {
      for (const { sha } of rows) removeOwn.run(shaBytes(sha))
      for (const { decision, packed, data, seal } of contents) contentUpdate.run(packed, data, seal, decision)
    })
    // In the same turn, so that none of them can be stored again meanwhile. The next start moves files left by a crash.
    for (const { sha, is_file } of rows) if (is_file === 1) removeBodyFile(filesFolder, sha)
    return rows.length
  }
}

/** Content without the bodies of these rows. faults: StoreDamagedError */
function contentsWithout(decoder: EntryDecoder, rows: readonly OwnRow[]) {
  const places = new Map<number, { start: number; bytes: number }[]>()
  for (const { decision, start, bytes } of rows)
    if (decision !== null && start !== null) places.set(decision, [...(places.get(decision) ?? []), { start, bytes }])
  return [...places].flatMap(([decision, gone]) => {
    const content = decoder.contentOf(decision)
    const packed = content && packContent(JSON.stringify(content.texts), withoutBodies(content.bodies, gone))
    return packed ? [{ decision, ...packed }] : []
  })
}
