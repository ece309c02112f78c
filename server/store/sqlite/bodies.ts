/**
 * Bodies in SQLite: small ones of a decision in its content; others up to 64 KiB in their own row, larger ones in bodies/ab/<sha>
 * with a row that says so. The row is what counts: a file without one (its append was refused, or the process died in
 * between) does not exist for readers.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { recentMap } from '../../shared/recentMap'
import { sha256 } from '../../shared/sha256'
import { type Damage, StoreDamagedError } from '../errors'
import type { Bodies, NewBody } from '../interfaces'
import { requireText, requireWhole } from '../shared/names'
import { pack, unpack } from '../shared/pack'
import { readBodyFile, removeBodyFile, removeUnnamed, writeBodyFile } from './bodyFiles'
import { bodySeal, type SealedBody } from './chain'
import type { SqliteConnection } from './connection'
import { packContent, withoutBodies } from './content'
import { DATABASE, damaged, type EntryDecoder } from './entries'
import { asBytes, decodeText } from './textColumn'

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
  /** Inside a transaction of the caller's. out: bytes added, for the head row */
  insert(prepared: PreparedBody[], at: number): number
  /** Inside a transaction of the caller's: bodies that lie one after the other in that decision's content, where they take so many bytes. out: what was counted */
  insertBundled(made: readonly NewBody[], decision: number, at: number, taken: number): number
  /** At start: files that no row names go. */
  removeUnnamed(): Promise<void>
  /** What is wrong with a body's row, bytes or file; null: nothing, or there is none. */
  faultOf(sha: string): Promise<Damage | null>
  /** Inside a transaction of the caller's: those of these shas that the store has, touched. */
  touchKnown(shas: readonly string[], at: number): Set<string>
}

const SHA = /^[0-9a-f]{64}$/
const shaBytes = (sha: string): Uint8Array => Buffer.from(sha, 'hex')

/** A row by the sha that is bound first. */
export const BY_SHA = 'substr(sha, 1, 8) = substr(?1, 1, 8) and sha = ?1'
export const INSERT_BODY =
  'insert into body (sha, mime, bytes, touched, packed, stored, decision, start, data, seal) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'

/** Up to here, before compression, a body is a row. */
const ROW_BYTES = 64 * 1024
/** Bodies of a decision are mostly read together. */
const REMEMBERED = 16

type BodyRow = {
  mime: ArrayBuffer
  bytes: number
  packed: number
  stored: number
  seal: number
  decision: number | null
  start: number | null
  data: ArrayBuffer | null
}
type OwnRow = {
  touched: number
  bytes: number
  stored: number
  decision: number | null
  start: number | null
  is_file: number
}
type SizeRow = { body_bytes: number; journal_bytes: number }

export function sqliteBodies(
  connection: SqliteConnection,
  folder: string,
  decoder: EntryDecoder,
  now: () => number,
): SqliteBodies {
  const { read, write, query } = connection
  const bodyQuery = query<BodyRow>(
    `select ${asBytes('mime', 'mime')}, bytes, packed, stored, decision, start, data, seal from body where ${BY_SHA}`,
  )
  const hasQuery = query<{ touched: number }>(`select touched from body where ${BY_SHA}`)
  const knownQuery = query<{ shas: string }>(
    `select json_group_array(lower(hex(sha))) as shas from body
       where substr(sha, 1, 8) in (select unhex(substr(value, 1, 16)) from json_each(?1))
         and sha in (select unhex(value) from json_each(?1))`,
  )
  const touch = query(`update body set touched = ?2 where ${BY_SHA}`)
  const bodyInsert = query(INSERT_BODY)
  const ownQuery = query<OwnRow>(
    `select touched, bytes, stored, decision, start, data is null and decision is null as is_file from body where ${BY_SHA}`,
  )
  const removeOwn = query(`delete from body where ${BY_SHA}`)
  const contentUpdate = query('update content set packed = ?, data = ?, seal = ? where last = ?')
  const countBytes = query('update head set body_bytes = body_bytes + ?')
  const sizeQuery = query<SizeRow>('select body_bytes, journal_bytes from head')
  const filesFolder = join(folder, 'bodies')
  const bundles = recentMap<number, Buffer>(REMEMBERED)

  const prepareOne = async ({ sha, bytes, mime }: NewBody): Promise<PreparedBody> => {
    const { packed, data } = await pack(bytes)
    const row = { sha, mime, bytes: bytes.length, packed, stored: data.length }
    if (bytes.length <= ROW_BYTES) return { ...row, data }
    // A known sha lies there whole already: the row came after its file. Touched now, or it could be forgotten before it is named.
    const isKnown = write('body', () => touchOne(sha, now()))
    if (!isKnown) await writeFile(sha, data)
    return { ...row, data: null }
  }

  const prepare = async (made: NewBody[]): Promise<PreparedBody[]> => {
    const all: PreparedBody[] = []
    for (const body of made) all.push(await prepareOne(body))
    return all
  }

  /** Known: then it was touched. */
  const touchOne = (sha: string, at: number): boolean => touch.run(shaBytes(sha), at) > 0

  const writeFile = async (sha: string, data: Uint8Array): Promise<void> => {
    try {
      await writeBodyFile(filesFolder, sha, data)
    } catch (error) {
      throw connection.broke('body file', error)
    }
  }

  /** out: null when it was forgotten while it was being opened */
  const readFile = async (sha: string): Promise<Uint8Array | null> => {
    try {
      return await readBodyFile(filesFolder, sha)
    } catch (error) {
      if (!hasRow(sha)) return null
      throw connection.broke('body file', error)
    }
  }

  const hasRow = (sha: string): boolean => read('body', () => hasQuery.get(shaBytes(sha)) !== undefined)

  const bundleOf = (decision: number): Buffer =>
    bundles.getOrMake(decision, () => {
      const content = decoder.contentOf(decision)
      if (!content) throw damaged(decision, null, 'the content with its bodies is missing')
      return content.bodies
    })

  /** Rows of those that nobody has put since. */
  const oldRows = (shas: ReadonlySet<string>, before: number): (OwnRow & { sha: string })[] =>
    [...shas].flatMap((sha) => {
      const row = ownQuery.get(shaBytes(sha))
      return row !== undefined && row.touched < before ? [{ ...row, sha }] : []
    })

  /** Rows of content without the bodies that lie in it. faults: StoreDamagedError */
  const contentsWithout = (rows: readonly OwnRow[]) => {
    const places = new Map<number, { start: number; bytes: number }[]>()
    for (const { decision, start, bytes } of rows)
      if (decision !== null && start !== null) places.set(decision, [...(places.get(decision) ?? []), { start, bytes }])
    return [...places].flatMap(([decision, gone]) => {
      const content = decoder.contentOf(decision)
      const packed = content && packContent(content.texts, withoutBodies(content.bodies, gone))
      return packed ? [{ decision, ...packed }] : []
    })
  }

  const insertRow = (body: SealedBody, at: number): void => {
    const { sha, mime, bytes, packed, stored, decision, start, data } = body
    bodyInsert.run(shaBytes(sha), mime, bytes, at, packed, stored, decision, start, data, bodySeal(body))
  }

  const insert = (prepared: PreparedBody[], at: number): number => {
    let added = 0
    for (const body of prepared) {
      if (touchOne(body.sha, at)) continue
      insertRow({ ...body, packed: body.packed ? 1 : 0, decision: null, start: null }, at)
      added += body.stored
    }
    return added
  }

  /** out: null when it was forgotten meanwhile. faults: StoreDamagedError, or any that unpacking has */
  const bytesOf = async (sha: string, row: BodyRow): Promise<Uint8Array | null> => {
    // A copy: the other bodies of the decision lie in the same memory.
    if (row.decision !== null)
      return new Uint8Array(bundleOf(row.decision).subarray(row.start ?? 0, (row.start ?? 0) + row.bytes))
    const data = row.data ? new Uint8Array(row.data) : await readFile(sha)
    return data && unpack({ packed: row.packed === 1, data })
  }

  const get = async (sha: string): Promise<{ bytes: Uint8Array; mime: string } | null> => {
    if (!SHA.test(sha)) return null
    const row = read('body', () => bodyQuery.get(shaBytes(sha)))
    if (!row) return null
    const file = fileOf(sha, row)
    const bytes = await bytesOf(sha, row).catch((error: unknown) => {
      if (
        error instanceof RangeError ||
        (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))
      )
        throw damaged(row.decision, null, `the body ${sha} cannot be unpacked (${error.message})`, file)
      throw error
    })
    if (bytes === null) return null
    if (sha256(bytes) !== sha) throw damaged(row.decision, null, `the body ${sha} has other bytes`, file)
    return { bytes, mime: mimeIn(row.mime) }
  }

  const faultOf = async (sha: string): Promise<Damage | null> => {
    const row = read('body', () => bodyQuery.get(shaBytes(sha)))
    if (!row) return null
    const file = fileOf(sha, row) ?? DATABASE
    const wrong = (why: string): Damage => ({
      file,
      decision: row.decision,
      entry: null,
      why: `the body ${sha} ${why}`,
    })
    const own = { ...row, sha, mime: mimeIn(row.mime), data: row.data && new Uint8Array(row.data) }
    if (bodySeal(own) !== row.seal) return wrong('has another row')
    if (file !== DATABASE && (await sizeOf(join(folder, file))) === 0) return wrong('has no file')
    // What lies on the disk, not what is remembered of it.
    if (row.decision !== null) bundles.delete(row.decision)
    try {
      await get(sha)
      return null
    } catch (error) {
      if (error instanceof StoreDamagedError) return error.damage
      throw error
    }
  }

  return {
    faultOf,
    prepare,
    insert,
    insertBundled(made, decision, at, taken) {
      const whole = made.reduce((sum, { bytes }) => sum + bytes.length, 0)
      let [start, sum] = [0, 0]
      for (const { sha, mime, bytes } of made) {
        const stored = Math.round((taken * bytes.length) / Math.max(1, whole))
        insertRow({ sha, mime, bytes: bytes.length, packed: 0, stored, decision, start, data: null }, at)
        start += bytes.length
        sum += stored
      }
      return sum
    },
    touchKnown(shas, at) {
      if (shas.length === 0) return new Set()
      // Most are new, and one question says so of all of them.
      const known = new Set<string>(JSON.parse(knownQuery.get(JSON.stringify(shas))?.shas ?? '[]'))
      for (const sha of known) touchOne(sha, at)
      return known
    },
    async put(bytes, mime) {
      requireText('mime', mime)
      connection.ensureUsable()
      const sha = sha256(bytes)
      const prepared = await prepareOne({ sha, bytes, mime })
      write('body', () => countBytes.run(insert([prepared], now())))
      return { sha, bytes: bytes.length }
    },
    get,
    async has(sha) {
      return SHA.test(sha) && hasRow(sha)
    },
    async forget(shas, before) {
      requireWhole({ before })
      const named = new Set(shas.filter((sha) => SHA.test(sha)))
      if (named.size === 0) return 0
      const rows = read('forget bodies', () => oldRows(named, before))
      const contents = contentsWithout(rows)
      write('forget bodies', () => {
        for (const { sha } of rows) removeOwn.run(shaBytes(sha))
        for (const { decision, packed, data, seal } of contents) contentUpdate.run(packed, data, seal, decision)
        countBytes.run(-rows.reduce((sum, { stored }) => sum + stored, 0))
      })
      for (const { decision } of contents) bundles.delete(decision)
      // In the same turn: nobody can have put one of them again in between. What a death leaves goes at the next start.
      for (const { sha, is_file } of rows) if (is_file === 1) removeBodyFile(filesFolder, sha)
      return rows.length
    },
    removeUnnamed: () => removeUnnamed(filesFolder, hasRow),
    async sizes() {
      const row = read('sizes', () => sizeQuery.get())
      const [main, log] = await Promise.all(['convene.db', 'convene.db-wal'].map((name) => sizeOf(join(folder, name))))
      return { bodies: row?.body_bytes ?? 0, journal: row?.journal_bytes ?? 0, db: (main ?? 0) + (log ?? 0) }
    },
  }
}

/** A damaged one is as good as none. */
function mimeIn(kept: ArrayBuffer): string {
  try {
    return decodeText(kept)
  } catch {
    return 'application/octet-stream'
  }
}

/** In the data folder; undefined: it lies in the database. */
const fileOf = (sha: string, { decision, data }: Pick<BodyRow, 'decision' | 'data'>): string | undefined =>
  decision === null && data === null ? `bodies/${sha.slice(0, 2)}/${sha}` : undefined

/** By stat: opening the database's file here would drop the process's locks on it. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch {
    return 0
  }
}
