/** Creates the schema, or updates it to the newest version; each step as a whole or not at all. */
import type pg from 'pg'
import { errorCode } from '@/server/shared/errors'
import { DatabaseUnfitError, StoreTooNewError } from '@/server/store/errors'
import type { DatabaseAddress } from './address'
import { FORMS_TABLE, OLD_FORMS_TABLE, POSTGRES_SCHEMAS, type PostgresSchema } from './schema'

const OLDEST_SERVER = 150_000

/** in: a separate session. Throws DatabaseUnfitError, StoreTooNewError, errors of the driver. */
export async function migrate(
  session: pg.Client,
  { schema, shown }: DatabaseAddress,
  schemas: readonly PostgresSchema[] = POSTGRES_SCHEMAS,
): Promise<void> {
  await ensureFit(session, shown)
  // One start at a time: the others find it updated.
  const lock = [`convene schema ${schema}`]
  await session.query('select pg_advisory_lock(hashtext($1))', lock)
  try {
    await migrateAlone(session, { schema, shown }, schemas)
  } finally {
    await session.query('select pg_advisory_unlock(hashtext($1))', lock).catch(() => {})
  }
}

async function migrateAlone(
  session: pg.Client,
  { schema, shown }: Pick<DatabaseAddress, 'schema' | 'shown'>,
  schemas: readonly PostgresSchema[],
): Promise<void> {
  const versions = schemas.map(({ version }) => version)
  const [oldest, newest] = [Math.min(...versions), Math.max(...versions)]
  const found = await versionOf(session, { schema, shown })
  if (found > 0 && found < oldest) throw oldFormat(shown)
  if (found > newest) throw new StoreTooNewError(found, newest)
  for (const { version, sql } of schemas) {
    if (version <= found) continue
    try {
      // Several statements without values are one transaction.
      await session.query(
        `${version === oldest ? firstSql(found, schema) : ''}${sql};insert into ${FORMS_TABLE} values (${version});`,
      )
    } catch (error) {
      if (errorCode(error) !== '42501') throw error
      throw new DatabaseUnfitError(
        `the schema ${schema} of ${shown} has form ${found}, this version needs form ${newest}, and the role in DATABASE_URL may not make it: start Convene once as the role that owns the schema`,
      )
    }
  }
}

const oldFormat = (shown: string): DatabaseUnfitError =>
  new DatabaseUnfitError(
    `the journal in ${shown} has an old format, which this version does not read; nothing was changed: keep it with the version that wrote it, or begin with an empty database or another schema (?schema=…)`,
  )

const firstSql = (found: number, schema: string): string =>
  `${found === NO_SCHEMA ? `create schema ${schema};` : ''}create table ${FORMS_TABLE} (version integer primary key);`

const NO_SCHEMA = -1

/** out: 0: it is empty. faults: DatabaseUnfitError: it has an old form */
async function versionOf(
  session: pg.Client,
  { schema, shown }: Pick<DatabaseAddress, 'schema' | 'shown'>,
): Promise<number> {
  const there = await session.query<{ made: boolean; known: boolean; old: boolean }>(
    `select to_regnamespace($1) is not null as made, to_regclass($2) is not null as known, to_regclass($3) is not null as old`,
    [schema, `${schema}.${FORMS_TABLE}`, `${schema}.${OLD_FORMS_TABLE}`],
  )
  const { made = false, known = false, old = false } = there.rows[0] ?? {}
  if (!made) return NO_SCHEMA
  if (old && !known) throw oldFormat(shown)
  if (!known) return 0
  const { rows } = await session.query<{ version: number }>(
    `select coalesce(max(version), 0) as version from ${FORMS_TABLE}`,
  )
  return rows[0]?.version ?? 0
}

async function ensureFit(session: pg.Client, shown: string): Promise<void> {
  const { rows } = await session.query<{ server: number; encoding: string; commits: string }>(
    `select current_setting('server_version_num')::integer as server, current_setting('server_encoding') as encoding,
       current_setting('synchronous_commit') as commits`,
  )
  const { server = 0, encoding = '', commits = '' } = rows[0] ?? {}
  if (server < OLDEST_SERVER)
    throw new DatabaseUnfitError(`${shown} is PostgreSQL ${Math.floor(server / 10_000)}; Convene needs 15 or newer`)
  if (encoding !== 'UTF8')
    throw new DatabaseUnfitError(`${shown} has the encoding ${encoding}; make a database with the encoding UTF8`)
  if (commits === 'off')
    throw new DatabaseUnfitError(
      `${shown} acknowledges what it may still lose (synchronous_commit = off): set it to on for this role or database`,
    )
}
