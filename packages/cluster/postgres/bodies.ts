/** Bodies in PostgreSQL: rows of one table, compressed here. */
import { errorMessage } from '@/server/shared/errors'
import { sha256 } from '@/server/shared/sha256'
import type { Damage, StoreDamagedError } from '@/server/store/errors'
import type { Bodies, NewBody } from '@/server/store/interfaces'
import { bodySeal } from '@/server/store/shared/chain'
import { requireText, requireWhole } from '@/server/store/shared/names'
import { pack, unpack } from '@/server/store/shared/pack'
import type { PostgresConnection } from './connection'
import { damagedPart } from './entries'

const SHA = /^[0-9a-f]{64}$/

type BodyRow = { mime: string; bytes: number; packed: number; data: Buffer; seal: number }

/** What `keep_bodies` of journal.sql.ts takes: rows as JSON, and their bytes joined. null: none */
export async function packBodies(made: readonly NewBody[]): Promise<{ rows: string; data: Uint8Array } | null> {
  if (made.length === 0) return null
  const rows = []
  const parts: Uint8Array[] = []
  let start = 0
  for (const { sha, bytes, mime } of new Map(made.toReversed().map((body) => [body.sha, body])).values()) {
    const { packed, data } = await pack(bytes)
    const row = { sha, mime, bytes: bytes.length, packed: packed ? 1 : 0 }
    rows.push({ ...row, start, length: data.length, seal: bodySeal({ ...row, data }) })
    parts.push(data)
    start += data.length
  }
  return { rows: JSON.stringify(rows), data: Buffer.concat(parts) }
}

export function postgresBodies(
  connection: PostgresConnection,
  now: () => number,
): Bodies & {
  /** The damage of a body; null: none, or no such body. */
  faultOf(sha: string): Promise<Damage | null>
} {
  const { read, write } = connection
  const rowOf = async (sha: string): Promise<BodyRow | undefined> => {
    const rows = await read<BodyRow>(
      'body',
      "select mime, bytes, packed, data, seal from body where sha = decode($1, 'hex')",
      [sha],
    )
    return rows[0]
  }

  return {
    async put(bytes, mime) {
      requireText('mime', mime)
      connection.ensureUsable()
      const sha = sha256(bytes)
      const packed = await packBodies([{ sha, bytes, mime }])
      // The same bytes again change nothing.
      await write(
        'body',
        'select keep_bodies($1, $2, $3)',
        [packed?.rows ?? null, packed?.data ?? null, Math.trunc(now())],
        'again',
      )
      return { sha, bytes: bytes.length }
    },
    async get(sha) {
      if (!SHA.test(sha)) return null
      const row = await rowOf(sha)
      if (!row) return null
      const bytes = await bytesOf(sha, row)
      return { bytes, mime: row.mime }
    },
    async forget(shas, before) {
      requireWhole({ before })
      const named = [...new Set(shas.filter((sha) => SHA.test(sha)))]
      if (named.length === 0) return 0
      const [row] = await write<{ gone: number }>('forget bodies', 'select forget_bodies($1, $2) as gone', [
        named,
        before,
      ])
      return row?.gone ?? 0
    },
    async faultOf(sha) {
      const row = await rowOf(sha)
      if (!row) return null
      const { seal, ...rest } = row
      const { damage } = damagedPart(null, null, `the body ${sha} has another row`)
      if (bodySeal({ ...rest, sha }) !== seal) return damage
      return bytesOf(sha, row).then(
        () => null,
        (error: StoreDamagedError) => error.damage,
      )
    },
  }
}

/** faults: StoreDamagedError */
async function bytesOf(sha: string, { packed, data }: BodyRow): Promise<Uint8Array> {
  const bytes = await unpack({ packed: packed === 1, data }).catch((error: unknown) => {
    throw damagedPart(null, null, `the body ${sha} cannot be unpacked (${errorMessage(error)})`)
  })
  if (sha256(bytes) !== sha) throw damagedPart(null, null, `the body ${sha} has other bytes`)
  return new Uint8Array(bytes)
}
