/**
 * Bodies in SQLite: small ones of a decision in its row; others up to 64 KiB in their own, larger ones in bodies/ab/<sha>
 * with a row that says so. The row is what counts: a file without one (its append was refused, or the process died in
 * between) does not exist for readers.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../../shared/sha256'
import type { Bodies, NewBody } from '../interfaces'
import { requireText, requireWhole } from '../shared/names'
import { pack, unpack, unpackLike } from '../shared/pack'
import { readBodyFile, removeBodyFile, removeUnnamed, writeBodyFile } from './bodyFiles'
import type { Connection } from './connection'
import type { DecisionIndex } from './decisionIndex'
import type { DecisionRows } from './decisionRows'
import { first48 } from './hash48'

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
  /** At start: files that no row names go. */
  removeUnnamed(): Promise<void>
  /** Inside a transaction of the caller's: those of these shas that the store has, touched. */
  touchKnown(shas: readonly string[], at: number): Set<string>
}

const SHA = /^[0-9a-f]{64}$/
const shaBytes = (sha: string): Uint8Array => Buffer.from(sha, 'hex')

/** Up to here, before compression, a body is a row. */
const ROW_BYTES = 64 * 1024

type BodyRow = { mime: string; packed: number; base: ArrayBuffer | null; data: ArrayBuffer | null }
type SizeRow = { body_bytes: number; journal_bytes: number }

export function sqliteBodies(
  connection: Connection,
  folder: string,
  { rows, index }: { rows: DecisionRows; index: DecisionIndex },
  now: () => number,
): SqliteBodies {
  const { read, write, query } = connection
  const bodyQuery = query<BodyRow>('select mime, packed, base, data from body where hash = ? and sha = ?')
  const hasQuery = query<{ touched: number }>('select touched from body where hash = ? and sha = ?')
  const touch = query('update body set touched = ? where hash = ? and sha = ?')
  const bodyInsert = query('insert into body values (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const alikeQuery = query<{ hashes: string }>(
    `select json_group_array(hash) as hashes from (
       select hash from body where hash in (select value from json_each(?1))
       union all select hash from bundled where hash in (select value from json_each(?1)))`,
  )
  const ownQuery = query<{ touched: number; stored: number; is_file: number }>(
    'select touched, stored, data is null as is_file from body where hash = ? and sha = ?',
  )
  const removeOwn = query('delete from body where hash = ? and sha = ?')
  const basesQuery = query<{ base: ArrayBuffer }>('select distinct base from body where base is not null')
  const oldBundlesQuery = query<{ last: number }>(
    `select bundled.last from bundled join decision on decision.last = bundled.last
       where bundled.hash = ? and coalesce(bundled.touched, decision.at) < ?`,
  )
  const removeBundled = query('delete from bundled where hash = ? and last = ?')
  const rowUpdate = query('update decision set events = ? where last = ?')
  const countBytes = query('update head set body_bytes = body_bytes + ?')
  const sizeQuery = query<SizeRow>('select body_bytes, journal_bytes from head')
  const filesFolder = join(folder, 'bodies')

  const prepareOne = async ({ sha, bytes, mime }: NewBody): Promise<PreparedBody> => {
    const { packed, data } = await pack(bytes)
    const row = { sha, mime, bytes: bytes.length, packed, stored: data.length }
    if (bytes.length <= ROW_BYTES) return { ...row, data }
    // A known sha lies there whole already: the row came after its file. Touched now, or it could be forgotten before it is named.
    const isKnown = write('body', () => touch.run(now(), first48(sha), shaBytes(sha)) > 0)
    if (!isKnown) await writeFile(sha, data)
    return { ...row, data: null }
  }

  const prepare = async (made: NewBody[]): Promise<PreparedBody[]> => {
    const all: PreparedBody[] = []
    for (const body of made) all.push(await prepareOne(body))
    return all
  }

  /** The decision in whose row it lies. */
  const bundleOf = (sha: string): number | null =>
    index.holdersOf(sha).find((last) => rows.bodyIn(last, sha) !== null) ?? null

  /** Known: then it was touched. */
  const touchOne = (sha: string, at: number): boolean => {
    const [hash, key] = [first48(sha), shaBytes(sha)]
    if (hasQuery.get(hash, key)) return touch.run(at, hash, key) > 0
    const last = bundleOf(sha)
    return last !== null && index.touch(sha, last, at)
  }

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
      if (!hasOwnRow(sha)) return null
      throw connection.broke('body file', error)
    }
  }

  const hasOwnRow = (sha: string): boolean =>
    read('body', () => hasQuery.get(first48(sha), shaBytes(sha)) !== undefined)

  /** Inside a transaction, all of the index in its tables. out: how many, and what they took; `files` gets those that lie in one. */
  const forgetAll = (shas: ReadonlySet<string>, before: number, files: string[]): { count: number; stored: number } => {
    const bases = new Set(basesQuery.all().map(({ base }) => Buffer.from(base).toString('hex')))
    const bundles = new Map<number, Set<string>>()
    let [count, stored] = [0, 0]
    for (const sha of shas) {
      const [hash, key] = [first48(sha), shaBytes(sha)]
      const row = ownQuery.get(hash, key)
      if (row === undefined) {
        for (const { last } of oldBundlesQuery.all(hash, before)) {
          bundles.set(last, (bundles.get(last) ?? new Set()).add(sha))
        }
      } else if (row.touched < before && !bases.has(sha)) {
        removeOwn.run(hash, key)
        if (row.is_file === 1) files.push(sha)
        count += 1
        stored += row.stored
      }
    }
    for (const [last, gone] of bundles) {
      const without = rows.without(last, gone)
      if (without === null) continue
      for (const changed of without.rows) rowUpdate.run(changed.row, changed.last)
      for (const sha of gone) removeBundled.run(first48(sha), last)
      count += without.count
      stored += without.saved
    }
    return { count, stored }
  }

  const insert = (prepared: PreparedBody[], at: number): number => {
    let added = 0
    for (const { sha, mime, bytes, packed, stored, data } of prepared) {
      if (touchOne(sha, at)) continue
      bodyInsert.run(first48(sha), shaBytes(sha), mime, bytes, at, packed ? 1 : 0, stored, null, data)
      added += stored
    }
    return added
  }

  const bundledBody = (sha: string): { bytes: Uint8Array; mime: string } | null =>
    read('body', () => {
      index.catchUp()
      const last = bundleOf(sha)
      const body = last === null ? null : rows.bodyIn(last, sha)
      // A copy: the row's other bodies lie in the same memory.
      return body && { bytes: new Uint8Array(body.bytes), mime: body.mime }
    })

  const get = async (sha: string): Promise<{ bytes: Uint8Array; mime: string } | null> => {
    if (!SHA.test(sha)) return null
    const row = read('body', () => bodyQuery.get(first48(sha), shaBytes(sha)))
    if (!row) return bundledBody(sha)
    const data = row.data ? new Uint8Array(row.data) : await readFile(sha)
    if (data === null) return null
    if (row.base === null) return { bytes: await unpack({ packed: row.packed === 1, data }), mime: row.mime }
    const base = await get(Buffer.from(row.base).toString('hex'))
    if (!base) throw connection.broke('body', new Error(`the body that ${sha} was packed against is gone`))
    return { bytes: unpackLike(data, base.bytes), mime: row.mime }
  }

  return {
    prepare,
    insert,
    touchKnown(shas, at) {
      if (shas.length === 0) return new Set()
      // Most are new, and one question says so of all of them.
      const alike = new Set<number>(JSON.parse(alikeQuery.get(`[${shas.map(first48).join(',')}]`)?.hashes ?? '[]'))
      const mayBeKnown = (hash: number): boolean => alike.has(hash) || index.isHeldLate(hash)
      return new Set(shas.filter((sha) => mayBeKnown(first48(sha)) && touchOne(sha, at)))
    },
    async put(bytes, mime) {
      requireText('mime', mime)
      connection.ensureUsable()
      const sha = sha256(bytes)
      const prepared = await prepareOne({ sha, bytes, mime })
      write('body', () => {
        index.catchUp()
        countBytes.run(insert([prepared], now()))
      })
      return { sha, bytes: bytes.length }
    },
    get,
    async has(sha) {
      if (!SHA.test(sha)) return false
      return read('body', () => {
        index.catchUp()
        return hasQuery.get(first48(sha), shaBytes(sha)) !== undefined || bundleOf(sha) !== null
      })
    },
    async forget(shas, before) {
      requireWhole({ before })
      const named = new Set(shas.filter((sha) => SHA.test(sha)))
      if (named.size === 0) return 0
      read('body', () => index.catchUp())
      index.settle()
      const files: string[] = []
      const count = write('forget bodies', () => {
        const gone = forgetAll(named, before, files)
        countBytes.run(-gone.stored)
        return gone.count
      })
      // In the same turn: nobody can have put one of them again in between. What a death leaves goes at the next start.
      for (const sha of files) removeBodyFile(filesFolder, sha)
      return count
    },
    removeUnnamed: () => removeUnnamed(filesFolder, hasOwnRow),
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
