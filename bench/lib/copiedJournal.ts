/**
 * A journal of many days in PostgreSQL: rows as `append` writes them, hashes and all, brought in by COPY. Its bodies and the lines of the
 * search are left out.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { decodeEntry } from '@/lib/mas/decode'
import { emptyWorld, reduceEntry } from '@/lib/mas/reduce'
import { reduceAll } from '@/lib/mas/reduce/reduceAll'
import { openWorldSnapshots } from '@/server/engine/snapshots/worldSnapshots'
import { openStore, type Store } from '@/server/store'
import { chainHash, decisionSeal } from '@/server/store/shared/chain'
import { entryRow, NONCE_BYTES } from '@/server/store/shared/entryRows'
import { SEARCH_VERSION } from '@/server/store/shared/searchTerms'
import { copiesFor, copyPrefix, historyOf, partsOf, recordOneTask, type Timed } from './longJournal'

/** address: with its schema, which is made. entries: about so many. tail: entries behind the newest snapshot */
export type CopyOptions = { databaseUrl: string; schema: string; entries: number; days: number; tail: number }
/** bytes: of the schema, with its indexes */
export type Copied = { entries: number; tasks: number; seconds: number; bytes: number }

/** Entries of one file. */
const AT_ONCE = 100_000
/** Copies of the task that are in the world or in a list of it: checkpoints, of which an agent has a thousand. */
const REDUCED = 1_100
/** Created after the rows are loaded, which is much faster than updating them. */
const INDEXES = `select indexname as name, indexdef as made from pg_indexes
  where schemaname = current_schema() and tablename in ('entry', 'decision') and indexdef not like '% UNIQUE %'`

export async function copyJournal({ databaseUrl, schema, entries, days, tail }: CopyOptions): Promise<Copied> {
  const began = performance.now()
  const recorded = await recordOneTask()
  const copies = copiesFor(recorded, entries)
  const history = historyOf(recorded, copies, days)
  const first = history.next().value as Timed
  const open = (): Promise<Store> => openStore({ databaseUrl, dataFolder: '' }, { now: () => first.at })
  // Closed while rows are copied: its lease could not be renewed in time beside them.
  const beginning = await open()
  await beginning.journal.take('bench')
  let world = reduceAll(emptyWorld, (await beginning.journal.read(0, 10)).map(decodeEntry))
  await beginning.close()
  const session = new pg.Client({ connectionString: databaseUrl.replace(/[?&]schema=.*/, '') })
  // Without it the end of the server would hide the error that stopped the copying.
  session.on('error', () => {})
  await session.connect()
  await session.query(`set search_path = ${schema}; set synchronous_commit = off; set maintenance_work_mem = '512MB'`)
  const [head] = (await session.query<{ seq: string; hash: string }>('select seq, hash from head')).rows
  const { rows: indexes } = await session.query<{ name: string; made: string }>(INDEXES)
  for (const { name } of indexes) await session.query(`drop index ${name}`)
  const files = filesFor(session)

  const templates = recorded.life.map(({ events }) => events.map((event) => partsOf(recorded, JSON.stringify(event))))

  let [seq, hash, at, made] = [Number(head?.seq), head?.hash ?? '', first.at, 0]
  let isKept = false
  let [entryLines, decisionLines]: [string[], string[]] = [[], []]

  async function flush(): Promise<void> {
    await files.copy('decision', decisionLines)
    await files.copy('entry (seq, last, nonce, hash, event)', entryLines)
    ;[entryLines, decisionLines] = [[], []]
  }
  async function put({ at: when, copy, place, decision }: Timed): Promise<void> {
    at = when
    made += 1
    const template = place === null ? undefined : templates[place]
    const texts =
      template?.map((parts) => parts.join(copyPrefix(copy ?? 0))) ?? decision().events.map((one) => JSON.stringify(one))
    const rows = texts.map((text) => entryRow(text, randomBytes(NONCE_BYTES)))
    const by = (place === null ? undefined : recorded.life[place]?.by) ?? decision().by
    const [from, last, command] = [seq + 1, seq + rows.length, `made-${made}`]
    hash = chainHash(
      hash,
      { first: from, last, at, by, command },
      rows.map((row) => row.hash),
    )
    for (const { event, nonce, hash: own } of rows) {
      seq += 1
      entryLines.push(line([seq, last, `\\x${Buffer.from(nonce).toString('hex')}`, `\\x${own}`, event]))
    }
    decisionLines.push(
      line([last, from, command, by, at, 1, null, null, `\\x${hash}`, decisionSeal(last, 1, null, null)]),
    )
    // What left the world long ago is not in it, so the world is the same without ever having had it.
    if (copy === null || copy >= copies - REDUCED)
      for (const [n, event] of decision().events.entries())
        world = reduceEntry(world, decodeEntry({ seq: from + n, at, by, cause: command, event }))
    if (!isKept && seq >= entries - tail) {
      isKept = true
      await flush()
      await files.settled()
      const store = await open()
      await openWorldSnapshots(store.snapshots).save(world)
      await store.close()
    }
    if (entryLines.length >= AT_ONCE) await flush()
  }
  await put(first)
  for (const timed of history) await put(timed)
  await flush()
  await files.end()
  for (const { made } of indexes) await session.query(made)
  await session.query('update head set seq = $1, at = $2, hash = $3', [seq, at, hash])
  await session.query('update head set seal = head_seal(head)')
  // As if all of it had been looked through: else that is what a server does first.
  await session.query('update search_cursor set seq = $1, version = $2', [seq, SEARCH_VERSION])
  await session.query('vacuum analyze entry')
  await session.query('vacuum analyze decision')
  const [size] = (
    await session.query<{ bytes: string }>(
      'select sum(pg_total_relation_size(oid)) as bytes from pg_class where relkind = $1 and relnamespace = $2::regnamespace',
      ['r', schema],
    )
  ).rows
  await session.end()
  return { entries: seq, tasks: copies, seconds: (performance.now() - began) / 1_000, bytes: Number(size?.bytes) }
}

/** The server reads a file while the next one is being made. */
function filesFor(session: pg.Client): {
  copy(table: string, lines: readonly string[]): Promise<void>
  /** All files are in. */
  settled(): Promise<void>
  end(): Promise<void>
} {
  const folder = mkdtempSync(join(tmpdir(), 'convene-copy-'))
  chmodSync(folder, 0o755)
  let [before, made]: [Promise<unknown>, number] = [Promise.resolve(), 0]
  return {
    async copy(table, lines) {
      made += 1
      const path = join(folder, `${made}`)
      writeFileSync(path, lines.join(''))
      // One file waits at most.
      await before
      before = session.query(`copy ${table} from '${path}'`).then(() => rmSync(path))
    },
    settled: async () => void (await before),
    async end() {
      await before
      rmSync(folder, { recursive: true })
    },
  }
}

/** As COPY reads it. */
const line = (values: readonly (string | number | null)[]): string =>
  `${values.map((value) => (value === null ? '\\N' : `${value}`.replace(SPECIAL, escaped))).join('\t')}\n`
const SPECIAL = /[\\\t\n\r]/g
const escaped = (one: string): string => ({ '\t': '\\t', '\n': '\\n', '\r': '\\r' })[one] ?? '\\\\'
