/** Personal rows in PostgreSQL. shared/personRow.ts decides about conflicts. */
import type { People } from '../interfaces'
import { jsonText } from '../shared/checkBatch'
import { requireText } from '../shared/names'
import { decidePut, decideRemove, type KeptRow, type PutDecision, presentRow, seenRow } from '../shared/personRow'
import type { PostgresConnection } from './connection'

type FullRow = KeptRow & { key: string }

const COLUMNS = 'key, value, version, other, at'
const UPDATE = `update person_row set value = $3, version = $4, other = $5, at = $6
  where person = $1 and key = $2 and version = $7 and value is not distinct from $8 and other is not distinct from $9 returning 1`
const INSERT = `insert into person_row (person, key, value, version, other, at) values ($1, $2, $3, $4, $5, $6)
  on conflict do nothing returning 1`

export function postgresPeople({ read, write }: PostgresConnection, now: () => number): People {
  const rowOf = async (person: string, key: string): Promise<KeptRow | null> => {
    const rows = await read<FullRow>('person row', `select ${COLUMNS} from person_row where person = $1 and key = $2`, [
      person,
      key,
    ])
    return rows[0] ?? null
  }

  /** Decide on the stored row, and write unless it has changed; then repeat. */
  async function change<Decision extends PutDecision | null>(
    person: string,
    key: string,
    decide: (row: KeptRow | null) => Decision,
  ): Promise<Decision> {
    for (;;) {
      const before = await rowOf(person, key)
      const decision = decide(before)
      if (!decision?.kept) return decision
      const { value, version, other, at } = decision.kept
      const row = [person, key, value, version, other, at]
      const written =
        before === null
          ? await write('person row', INSERT, row)
          : await write('person row', UPDATE, [...row, before.version, before.value, before.other])
      if (written.length > 0) return decision
    }
  }

  return {
    async get(person, key) {
      return seenRow(key, await rowOf(person, key))
    },
    async list(person, prefix) {
      const rows = await read<FullRow>(
        'person rows',
        `select ${COLUMNS} from person_row where person = $1 and value is not null and starts_with(key, $2) order by key`,
        [person, prefix],
      )
      return rows.map((row) => presentRow(row.key, row))
    },
    async put(person, key, value, expectedVersion) {
      requireText('person', person)
      requireText('key', key)
      const text = jsonText(value)
      const { ok, row } = await change(person, key, (before) => decidePut(before, text, expectedVersion, now()))
      return ok ? { ok: true, version: row.version } : { ok: false, current: presentRow(key, row) }
    },
    async remove(person, key, expectedVersion) {
      const decision = await change(person, key, (before) => decideRemove(before, expectedVersion, now()))
      if (decision === null || decision.ok) return { ok: true }
      return { ok: false, current: presentRow(key, decision.row) }
    },
    async dropOther(person, key) {
      await write(
        'person row',
        'update person_row set other = null where person = $1 and key = $2 and other is not null',
        [person, key],
        'again',
      )
    },
  }
}
