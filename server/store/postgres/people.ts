/** Personal rows in PostgreSQL. */
import { IN_POSTGRES } from '../errors'
import type { KeptRow, PersonRows } from '../shared/personRow'
import type { PostgresConnection } from './connection'

type FullRow = KeptRow & { key: string }

const SELECT = 'select key, value, version, other, at from person_row'
const UPDATE = `update person_row set value = $3, version = $4, other = $5, at = $6
  where person = $1 and key = $2 and version = $7 and value is not distinct from $8 and other is not distinct from $9 returning 1`
const INSERT = `insert into person_row (person, key, value, version, other, at) values ($1, $2, $3, $4, $5, $6)
  on conflict do nothing returning 1`

export function postgresPeople({ read, write }: PostgresConnection): PersonRows {
  const get = async (person: string, key: string): Promise<KeptRow | null> =>
    (await read<FullRow>('person row', `${SELECT} where person = $1 and key = $2`, [person, key]))[0] ?? null

  return {
    file: IN_POSTGRES,
    get,
    list: (person, prefix) =>
      read<FullRow>(
        'person rows',
        `${SELECT} where person = $1 and value is not null and starts_with(key, $2) order by key`,
        [person, prefix],
      ),
    async change(person, key, decide) {
      // It is written unless it has changed since; then the decision is made again.
      for (;;) {
        const before = await get(person, key)
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
