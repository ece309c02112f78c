/** Reads bodies from their row or their file, and checks their sha. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, errorMessage } from '@/server/shared/errors'
import { sha256 } from '@/server/shared/sha256'
import { type Damage, StoreDamagedError } from '../../errors'
import { bodySeal } from '../../shared/chain'
import { unpack } from '../../shared/pack'
import { asBytes, asInteger, decodeText } from '../database/columns'
import type { SqliteConnection } from '../database/connection'
import { DATABASE, damaged } from '../journal/entries'
import { readBodyFile } from './bodyFiles'
import { BY_SHA, SHA, shaBytes } from './bodyRows'

type BodyRow = {
  mime: ArrayBuffer
  bytes: number
  packed: number
  seal: number
  data: ArrayBuffer | null
}

const BODY_COLUMNS = [
  asBytes('mime', 'mime'),
  asBytes('data', 'data'),
  ...['bytes', 'packed', 'seal'].map((name) => asInteger(name, name)),
].join(', ')

/** in: folder: the data folder */
export function bodyReader(connection: SqliteConnection, folder: string) {
  const { read, query } = connection
  const bodyQuery = query<BodyRow>(`select ${BODY_COLUMNS} from body where ${BY_SHA}`)
  const hasQuery = query<{ touched: number }>(`select touched from body where ${BY_SHA}`)

  const has = (sha: string): boolean => read('body', () => hasQuery.get(shaBytes(sha)) !== undefined)

  /** out: null if it was deleted while it was being opened */
  const readFile = async (sha: string): Promise<Uint8Array | null> => {
    try {
      return await readBodyFile(join(folder, 'bodies'), sha)
    } catch (error) {
      if (!has(sha)) return null
      throw connection.broke('body file', error)
    }
  }

  /** out: null if it was deleted meanwhile. faults: those of decompression */
  const bytesOf = async (sha: string, row: BodyRow): Promise<Uint8Array | null> => {
    const data = row.data ? new Uint8Array(row.data) : await readFile(sha)
    return data && unpack({ packed: row.packed === 1, data })
  }

  /** faults: StoreDamagedError */
  const get = async (sha: string): Promise<{ bytes: Uint8Array; mime: string } | null> => {
    if (!SHA.test(sha)) return null
    const row = read('body', () => bodyQuery.get(shaBytes(sha)))
    if (!row) return null
    const file = fileOf(sha, row)
    const bytes = await bytesOf(sha, row).catch((error: unknown) => {
      if (error instanceof RangeError || errorCode(error).startsWith('Z_'))
        throw damaged(null, null, `the body ${sha} cannot be unpacked (${errorMessage(error)})`, file)
      throw error
    })
    if (bytes === null) return null
    if (sha256(bytes) !== sha) throw damaged(null, null, `the body ${sha} has other bytes`, file)
    return { bytes, mime: mimeIn(row.mime) }
  }

  /** The damage of a body's row, bytes or file; null: none, or no such body. */
  const faultOf = async (sha: string): Promise<Damage | null> => {
    const row = read('body', () => bodyQuery.get(shaBytes(sha)))
    if (!row) return null
    const file = fileOf(sha, row) ?? DATABASE
    const wrong = (why: string): Damage => ({ file, decision: null, entry: null, why: `the body ${sha} ${why}` })
    const own = { ...row, sha, mime: mimeIn(row.mime), data: row.data && new Uint8Array(row.data) }
    if (bodySeal(own) !== row.seal) return wrong('has another row')
    if (file !== DATABASE && (await sizeOf(join(folder, file))) === 0) return wrong('has no file')
    try {
      await get(sha)
      return null
    } catch (error) {
      if (error instanceof StoreDamagedError) return error.damage
      throw error
    }
  }

  return { get, has, faultOf }
}

/** A damaged one counts as none. */
function mimeIn(kept: ArrayBuffer): string {
  try {
    return decodeText(kept)
  } catch {
    return 'application/octet-stream'
  }
}

/** In the data folder; undefined: it is in the database. */
const fileOf = (sha: string, { data }: Pick<BodyRow, 'data'>): string | undefined =>
  data === null ? `bodies/${sha.slice(0, 2)}/${sha}` : undefined

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch {
    return 0
  }
}
