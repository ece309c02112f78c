/** A synchronous standby, made by a base backup over a session: the package has no pg_basebackup. */
import { execFile } from 'node:child_process'
import { chownSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'

/** Where a server lies, and as whom it runs. */
export type ServerPlace = {
  /** The folder with its programs. */
  bin: string
  as: { uid?: number; gid?: number }
  folder: string
  data: string
  port: number
  url: string
}

const NAME = 'standby'
/** Of the running server, or sent over instead of copied. */
const NOT_COPIED = new Set(['postmaster.pid', 'postmaster.opts', 'pg_wal', 'pg_replslot'])
const LOOK_MS = 25
const FOLLOWS_WITHIN_MS = 60_000

/** Copies a running server's data to the place of a standby that follows it. */
export async function copyForStandby(primary: ServerPlace, standby: ServerPlace): Promise<void> {
  const client = new pg.Client({ connectionString: primary.url })
  await client.connect()
  try {
    // What was written while the copy was made is still there when the standby asks for it.
    await client.query(`alter system set wal_keep_size = '512MB'`)
    await client.query('select pg_reload_conf()')
    await client.query(`select pg_backup_start('${NAME}', true)`)
    mkdirSync(standby.data, { mode: 0o700 })
    own(standby, standby.data)
    const copied = readdirSync(primary.data).filter((name) => !NOT_COPIED.has(name))
    await copyFiles(
      copied.map((name) => join(primary.data, name)),
      standby,
    )
    for (const name of ['pg_wal', 'pg_replslot']) {
      mkdirSync(join(standby.data, name), { mode: 0o700 })
      own(standby, join(standby.data, name))
    }
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    const follow = `host=127.0.0.1 port=${primary.port} user=${client.user} application_name=${NAME}`
    const files = {
      backup_label: rows[0]?.labelfile ?? '',
      'standby.signal': '',
      'postgresql.auto.conf': `primary_conninfo = '${follow}'\n`,
    }
    for (const [name, text] of Object.entries(files)) {
      rmSync(join(standby.data, name), { force: true })
      writeFileSync(join(standby.data, name), text, { mode: 0o600 })
      own(standby, join(standby.data, name))
    }
  } finally {
    await client.end()
  }
}

/** From when this resolves, the server at that address acknowledges only what its standby has too. */
export async function waitForStandby(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`alter system set synchronous_standby_names = '${NAME}'`)
    await client.query('select pg_reload_conf()')
    const end = Date.now() + FOLLOWS_WITHIN_MS
    while ((await client.query(`select from pg_stat_replication where sync_state = 'sync'`)).rowCount !== 1) {
      if (Date.now() > end) throw new Error('the standby does not follow')
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
    // Commits wait for the standby as soon as the checkpointer has read the setting, which it does before a checkpoint.
    await client.query('checkpoint')
  } finally {
    await client.end()
  }
}

/** The log that is sent over holds what changes meanwhile, also that a file is gone. */
async function copyFiles(paths: readonly string[], { data, as }: ServerPlace): Promise<void> {
  const env = { ...process.env, LC_ALL: 'C' }
  await promisify(execFile)('cp', ['-R', ...paths, data], { ...as, env }).catch((error: unknown) => {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    if (!said.split('\n').every((line) => line.endsWith('No such file or directory'))) throw error
  })
}

function own({ as: { uid, gid } }: ServerPlace, path: string): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
}
