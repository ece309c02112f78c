/** What PostgreSQL alone can do to the store: another process, a death, a restart, sessions that are cut, few rights. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { DatabaseUnfitError, StoreBrokenError, StoreLockedError } from '@/server/store/errors'
import type { Store } from '@/server/store/interfaces'
import { startChild } from '@/test/sqlite/children'
import { batchItem, said, textBody } from '@/test/storeContract/harness'
import { newSchema, startServer, type TestServer, testServer } from '../test'
import { readAddress } from './address'
import { openPostgresStore } from './openPostgresStore'

// Each starts processes, where others may want the machine too.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 90_000 })

const opened: Store[] = []
const open = async (...args: Parameters<typeof openPostgresStore>): Promise<Store> => {
  const store = await openPostgresStore(...args)
  opened.push(store)
  return store
}
afterAll(async () => {
  for (const store of opened) await store.close()
})

beforeAll(async () => {
  await testServer()
})

describe('one process', () => {
  it('[R240] a second process hears which one holds the database, and gets it as soon as that one is gone', async () => {
    const { url } = await newSchema()
    const child = startChild('hold', url)
    await child.said((line) => line === 'READY')
    const refused = await openPostgresStore(url).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(StoreLockedError)
    expect(String(refused)).toContain(`is in use by process ${child.process.pid} on `)
    expect(String(refused)).toContain(readAddress(url).shown)
    child.process.kill('SIGKILL')
    await child.ended
    const store = await open(url)
    await store.close()
    await (await open(url)).close()
  })

  it('[R240] a process that stood still hears that another took its database, and writes nothing any more', async () => {
    const { url, schema } = await newSchema()
    const { ask } = await testServer()
    const due: (() => void)[] = []
    const still = await open(url, {
      self: { node: 'north', address: null, mark: '' },
      schedule: (run) => {
        due.push(run)
        return () => {}
      },
    })
    const { epoch, seq } = await still.journal.take('north')
    await ask(`update ${schema}.head set until = now() - interval '1 s'`)
    const next = await open(url, { self: { node: 'south', address: null, mark: '' } })
    const took = await next.journal.take('south')
    expect(await still.journal.append(epoch, seq, [batchItem('late')])).toEqual({ r: 'FENCED', epoch: took.epoch })
    for (const run of due.splice(0)) run()
    await vi.waitFor(() =>
      expect(still.state()).toMatchObject({ is: 'lost', reason: expect.stringContaining('another process took') }),
    )
    await expect(still.people.put('ana', 'k', 1, null)).rejects.toThrow(StoreBrokenError)
  })

  it('[R241] what was acknowledged is there after kill -9, in a journal that adds up', async () => {
    const { url } = await newSchema()
    const child = startChild('append', url)
    await child.said((line) => /^ACK \S+ \d{2,}$/.test(line))
    child.process.kill('SIGKILL')
    await child.ended
    const acknowledged = child.lines.flatMap((line) => /^ACK (\S+) (\d+)$/.exec(line)?.slice(1) ?? [])
    const store = await open(url)
    const entries = await store.journal.read(0, 100_000)
    const causes = new Set(entries.map(({ cause }) => cause))
    for (let at = 0; at < acknowledged.length; at += 2) expect(causes).toContain(acknowledged[at])
    for (const { event } of entries)
      if (typeof event.sha === 'string') expect(await store.bodies.get(event.sha)).not.toBeNull()
    expect((await store.verify()).damage).toEqual([])
  })
})

describe('a database that goes and comes', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.remove())

  it.each(['stop', 'crash'] as const)(
    '[R242] when PostgreSQL goes (%s) writes are refused, who is signed in reads on, and the store comes back by itself',
    async (how) => {
      const { url } = await newSchema(server)
      const store = await open(url)
      const states: string[] = []
      store.onState(({ is }) => states.push(is))
      const { epoch, seq } = await store.journal.take('north')
      const token = await store.accounts.startSession('ana', { expiresAt: Date.now() + 60_000 })
      expect(await store.accounts.session(token)).toMatchObject({ person: 'ana' })
      await server.stop(how)
      await expect(store.journal.take('north')).rejects.toThrow(StoreBrokenError)
      expect(store.state().is).toBe('refusing')
      // Whatever noticed it first: on a busy machine that is the lock, which is renewed by itself.
      await expect(store.journal.append(epoch, seq, [batchItem('c1')])).rejects.toThrow(/store failed at (take|hold)/)
      expect(await store.accounts.session(token)).toMatchObject({ person: 'ana' })
      await expect(store.accounts.session('another')).rejects.toThrow(StoreBrokenError)
      await server.start()
      await vi.waitFor(() => expect(store.state().is).toBe('ok'), { timeout: 30_000 })
      expect(states).toEqual(['refusing', 'ok'])
      const again = await store.journal.take('north')
      expect((await store.journal.append(again.epoch, again.seq, [batchItem('c1')])).r).toBe('OK')
      await expect(openPostgresStore(url)).rejects.toThrow(StoreLockedError)
      await store.close()
    },
  )

  it.each(['53100', '25006'])(
    '[R242] what PostgreSQL says when its disk is full or it is read only (%s) is waited for in the same way',
    async (code) => {
      const { url, schema } = await newSchema(server)
      const store = await open(url)
      const { epoch, seq } = await store.journal.take('north')
      await server.ask(`create function ${schema}.fail() returns trigger language plpgsql as
        $$ begin raise exception 'cannot write' using errcode = '${code}'; end $$`)
      for (const table of ['entry', 'probe'])
        await server.ask(`create trigger fail before insert on ${schema}.${table} execute function ${schema}.fail()`)
      await expect(store.journal.append(epoch, seq, [batchItem('c1')])).rejects.toThrow(/append: cannot write/)
      await expect(store.people.put('ana', 'k', 1, null)).rejects.toThrow(StoreBrokenError)
      expect(store.state().is).toBe('refusing')
      expect(await store.journal.read(0, 10)).toHaveLength(1)
      await server.ask(`drop function ${schema}.fail cascade`)
      await vi.waitFor(() => expect(store.state().is).toBe('ok'), { timeout: 30_000 })
      const again = await store.journal.take('north')
      expect((await store.journal.append(again.epoch, again.seq, [batchItem('c1')])).r).toBe('OK')
      await store.close()
    },
  )

  it('[R242] sessions that are cut while nothing goes on are replaced unnoticed, and an append without an answer says so', async () => {
    const { url } = await newSchema(server)
    const store = await open(url)
    const { epoch, seq } = await store.journal.take('north')
    await server.ask(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null',
    )
    expect(await store.journal.head()).toMatchObject({ seq })
    expect((await store.journal.append(epoch, seq, [batchItem('c1')])).r).toBe('OK')
    // An append that waits for the head is cut off: nobody knows whether it happened.
    const blocker = server
      .ask(
        `set search_path = ${new URL(url).searchParams.get('schema')}; begin; select 1 from head for update; select pg_sleep(20)`,
      )
      .catch(() => {})
    await vi.waitFor(async () => expect(await waiting(server, 'pg_sleep')).toBeGreaterThan(0))
    const cut = store.journal.append(epoch, seq + 1, [batchItem('c2')]).catch((error: unknown) => error)
    await vi.waitFor(async () => expect(await waiting(server, 'select append')).toBeGreaterThan(0))
    await server.ask(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like '%append(%' and pid <> pg_backend_pid()",
    )
    expect(await cut).toMatchObject({ name: 'StoreUnansweredError' })
    expect(store.state().is).toBe('ok')
    await server.ask(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep%' and pid <> pg_backend_pid()",
    )
    await blocker
    await store.close()
  })
})

const waiting = async (server: TestServer, query: string): Promise<number> =>
  (
    await server.ask(
      `select 1 from pg_stat_activity where query like '%${query}%' and state = 'active' and pid <> pg_backend_pid()`,
    )
  ).length

describe('what is kept', () => {
  it('[R243] [R555] an entry is the text that was written and jsonb, also with what jsonb cannot hold', async () => {
    const { url, schema } = await newSchema()
    const store = await open(url)
    const { epoch, seq } = await store.journal.take('north')
    const odd = { type: 'odd.kind', v: 1, task: 't1', b: ['\0', '\\u0000', '\ud83d', '\\\\\0', '😀'], a: 1 }
    await store.journal.append(epoch, seq, [batchItem('c1', [odd])])
    const { ask } = await testServer()
    const [row] = await ask(`select event, json, json->>'task' as task from ${schema}.entry where seq = ${seq + 1}`)
    expect(row?.event).toBe(
      String.raw`{"type":"odd.kind","v":1,"task":"t1","b":["\u0000","\\u0000","\ud83d","\\\\\u0000","😀"],"a":1}`,
    )
    expect(row?.json).toEqual({ ...odd, b: ['\\u0000', '\\u0000', '\\ud83d', '\\\\\\u0000', '😀'] })
    expect(row?.task).toBe('t1')
    expect((await store.journal.read(seq, 1))[0]?.event).toEqual(odd)
    expect((await store.verify()).damage).toEqual([])
  })

  it('[R243] a value changed in rows of the head, decisions, entries, outcomes and bodies is named', async () => {
    const { url, schema } = await newSchema()
    const store = await open(url)
    const { epoch, seq } = await store.journal.take('north')
    await store.journal.append(epoch, seq, [
      batchItem('c1', [said('one'), said('two')], { bodies: [textBody('a body '.repeat(100))], reply: { n: 1 } }),
      batchItem('c2', [], { fault: { code: 'NO', data: null, message: 'no' } }),
    ])
    const whole = await store.verify()
    expect(whole).toEqual({ decisions: 2, entries: 3, bodies: 1, damage: [] })
    const changes = [
      ['head', 'at = at + 1'],
      ['head', 'hash = reverse(hash)'],
      ['decision', '"by" = \'ben\' where last = 3'],
      ['decision', "reply = '{}' where last = 3"],
      ['decision', 'at = at + 1 where last = 1'],
      ['entry', 'event = replace(event, \'"v":1\', \'"v":2\') where seq = 2'],
      ['entry', "event = replace(event, 'two', 'owt') where seq = 3"],
      ['entry', 'nonce = set_byte(nonce, 3, (get_byte(nonce, 3) + 1) % 256) where seq = 2'],
      ['entry', 'hash = set_byte(hash, 3, (get_byte(hash, 3) + 1) % 256) where seq = 1'],
      ['outcome', "fault = replace(fault, 'no', 'on')"],
      ['body', 'data = set_byte(data, 3, (get_byte(data, 3) + 1) % 256)'],
      ['body', "mime = 'text/html'"],
    ]
    const { ask } = await testServer()
    const named = await ask(`select attrelid::regclass::text as name, string_agg(quote_ident(attname), ', ') as columns
      from pg_attribute join pg_class c on c.oid = attrelid where relnamespace = '${schema}'::regnamespace and relkind = 'r'
        and attnum > 0 and attgenerated = '' and not attisdropped group by attrelid`)
    const columnsOf = (table: string) => named.find(({ name }) => name === `${schema}.${table}`)?.columns
    for (const [table = '', change] of changes) {
      const full = `${schema}.${table}`
      await ask(`create table ${schema}.kept as select * from ${full}; update ${full} set ${change}`)
      expect((await store.verify()).damage, `${table} ${change}`).not.toEqual([])
      const columns = columnsOf(table)
      await ask(
        `delete from ${full}; insert into ${full} (${columns}) select ${columns} from ${schema}.kept; drop table ${schema}.kept`,
      )
    }
    expect(await store.verify()).toEqual(whole)
  })
})

describe('who may open it', () => {
  it('[R244] a role that may only use the tables runs Convene, and hears what to do where it would have to make them', async () => {
    const { url, schema } = await newSchema()
    const { ask, url: server } = await testServer()
    const role = `${schema}_app`
    const asRole = `${server.replace(/\/\/[^@]*@/, `//${role}@`)}?schema=${schema}`
    await ask(`create role ${role} login`)
    await expect(openPostgresStore(asRole)).rejects.toThrow(DatabaseUnfitError)
    await (await openPostgresStore(url)).close()
    for (const statement of grants(schema, role)) await ask(statement)
    const store = await open(asRole)
    const { epoch, seq } = await store.journal.take('north')
    const body = textBody('a body')
    expect((await store.journal.append(epoch, seq, [batchItem('c1', [said('one')], { bodies: [body] })])).r).toBe('OK')
    await store.people.put('ana', 'k', 1, null)
    await store.accounts.setPassword('ana', 'hash')
    await store.snapshots.save({ key: 'world', seq: 2, reducer: 1, at: 0, data: new Uint8Array(9) })
    expect(await store.search.add(0, 2, [], [], [])).toBe(true)
    expect(await store.bodies.forget([body.sha], Date.now() + 60_000)).toBe(1)
    await store.close()
    await ask(`delete from ${schema}.convene_form`)
    await expect(openPostgresStore(asRole)).rejects.toThrow(/start Convene once as the role that owns the schema/)
  })

  it.each(['convene_schema', 'convene_form'])(
    '[R554] a database of a form that is read no more is refused in one sentence, and stays as it was: %s',
    async (table) => {
      const { url, schema } = await newSchema()
      const { ask } = await testServer()
      await ask(`create schema if not exists ${schema}; create table ${schema}.${table} (version integer)`)
      await ask(`insert into ${schema}.${table} values (2)`)
      await expect(openPostgresStore(url)).rejects.toThrow(
        /^the journal in .* has an old format, .* nothing was changed: keep it with .* or begin with an empty database/,
      )
      const tables = await ask(`select relname from pg_class where relnamespace = '${schema}'::regnamespace`)
      expect(tables).toEqual([{ relname: table }])
    },
  )

  it('[R244] the address sets schema, encryption and sessions, and is shown without its password', () => {
    const { schema, shown, url } = readAddress(
      'postgres://ana:secret@db.example:5433/team?sslmode=require&schema=south',
    )
    expect({ schema, shown }).toEqual({ schema: 'south', shown: 'postgres://db.example:5433/team?schema=south' })
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      sslmode: 'require',
      uselibpqcompat: 'true',
      application_name: 'convene',
      options: String.raw`-c search_path=south -c default_transaction_isolation=read\ committed`,
    })
    for (const wrong of ['mysql://ana:secret@h/d', 'postgres://ana:secret@h/d?schema=A;b', 'secret'])
      expect(() => readAddress(wrong)).toThrow(/^(?!.*secret)/s)
  })

  it('[R288] an address of several hosts is refused: the driver connects to one', () => {
    for (const several of ['postgres://ana:secret@a,b/d?target_session_attrs=read-write', 'postgres://a:5432,b:5432/d'])
      expect(() => readAddress(several)).toThrow(/^DATABASE_URL names several hosts, and the driver supports one/)
  })

  it('[R244] a database that would lose what it acknowledged is refused, and a stricter isolation is not taken over', async () => {
    const { url } = await newSchema()
    const withOption = (option: string) => `${url}&options=${encodeURIComponent(option)}`
    const losing = openPostgresStore(withOption('-c synchronous_commit=off'))
    await expect(losing).rejects.toThrow(/acknowledges what it may still lose/)
    const store = await open(withOption('-c default_transaction_isolation=serializable'))
    const { epoch, seq } = await store.journal.take('north')
    const answers = await Promise.all(['c1', 'c2'].map((id) => store.journal.append(epoch, seq, [batchItem(id)])))
    expect(answers.map(({ r }) => r).sort()).toEqual(['MOVED', 'OK'])
  })

  it('[R244] a server that cannot be reached is named, without its password', async () => {
    const failing = openPostgresStore('postgres://ana:secret@127.0.0.1:1/team')
    await expect(failing).rejects.toThrow(/^postgres:\/\/127\.0\.0\.1:1\/team cannot be used: .*ECONNREFUSED/)
    await expect(failing).rejects.toThrow(DatabaseUnfitError)
  })
})

/** As docs/operate/postgresql.md gives them. */
const grants = (schema: string, role: string): string[] => [
  `grant usage on schema ${schema} to ${role}`,
  `grant select, insert, update, delete on all tables in schema ${schema} to ${role}`,
  `revoke delete on ${schema}.entry, ${schema}.decision from ${role}`,
  `revoke insert, update, delete on ${schema}.convene_form from ${role}`,
]
