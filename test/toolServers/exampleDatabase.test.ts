/** The example of a tool server, called as Convene calls it. */
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, beforeEach, expect, it } from 'vitest'

let folder = ''
let client: Client
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convene-db-'))
  client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [resolve('config/examples/db.mjs'), join(folder, 'a.db')],
    }),
  )
})
afterEach(async () => {
  await client.close()
  await rm(folder, { recursive: true })
})

const call = async (name: string, sql: string) => client.callTool({ name, arguments: { sql } })
const isRefused = async (name: string, sql: string): Promise<boolean> => (await call(name, sql)).isError === true
const bytes = () => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString('base64')])

it('[R370] the tool that promises to change nothing runs one SELECT or WITH, and refuses all that writes', async () => {
  const before = bytes()
  for (const sql of [
    'select name from item order by id limit 1',
    "  SELECT name -- the first; only\n from item where name <> ';' order by id limit 1;",
    '/* one */ with one as (select name from item order by id limit 1) select * from one ; -- that is all',
    'with recursive n(i) as (select 1 union all select i + 1 from n where i < 3) select "name" from item, n limit 1',
  ])
    expect(await call('query', sql), sql).toMatchObject({ structuredContent: { rows: [{ name: 'bolt' }] } })
  const other = join(folder, 'other.db')
  for (const sql of [
    "insert into item values (9, 'nail', 1)",
    'drop table sale',
    "update item set name = 'x' returning name",
    "with x as (select 1) insert into item select 9, 'nail', 1 returning name",
    `vacuum into '${other}'`,
    `attach '${other}' as other`,
    'pragma user_version = 3',
    'pragma journal_mode = wal',
    'pragma query_only = 0',
    'create temp table t (a)',
    'begin immediate',
    'select 1; drop table sale',
    "select 1 /* ; */; attach 'b.db' as b",
    '',
    '-- select 1',
    "'' insert into item values (9, 'nail', 1)",
  ])
    expect(await isRefused('query', sql), sql).toBe(true)
  expect(bytes()).toEqual(before)
})

it('[R370] the tool that writes changes rows, and neither makes files nor drops tables', async () => {
  expect(await call('write', "insert into item values (9, 'nail', 1)")).toMatchObject({
    structuredContent: { changes: 1 },
  })
  for (const sql of [
    'drop table sale',
    `attach '${join(folder, 'b.db')}' as b`,
    `vacuum into '${join(folder, 'b.db')}'`,
    "delete from sale; attach 'b.db' as b",
  ])
    expect(await isRefused('write', sql), sql).toBe(true)
  expect(readdirSync(folder)).toEqual(['a.db'])
  expect(await call('query', 'select count(*) as n from sale')).toMatchObject({
    structuredContent: { rows: [{ n: 3 }] },
  })
})
