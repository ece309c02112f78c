/** Each command of docs/debugging.md is run against a store, and finds what it says. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { EventType } from '@/lib/mas/events'
import { SAMPLES } from '@/test/samples'
import { textBody } from '@/test/storeContract/harness'
import { openSqliteStore, type StoredEvent } from './index'

const PAGE = new URL('../../docs/debugging.md', import.meta.url)
const NAMES = ['TASK', 'MESSAGE', 'WAITING', 'STEP'] as const
/** Long enough to be deflated. */
const answer = textBody('An answer by hand. '.repeat(40))

let folder = ''
let sql: string[] = []
let shell: string[] = []
/** The rows of the commands of one heading. */
const rowsOf = new Map<string, Record<string, unknown>[][]>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convene-debugging-'))
  const page = await readFile(PAGE, 'utf8')
  const blocks = (language: string, text: string) =>
    [...text.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))].map(([, code = '']) => code.trim())
  sql = blocks('sql', page)
  shell = blocks('sh', page)

  const store = await openSqliteStore(folder)
  const { epoch, seq } = await store.journal.take('north')
  const message = SAMPLES.find(({ type }) => type === 'message.sent')
  const events: StoredEvent[] = [...SAMPLES].map((event) => ({ ...event }))
  await store.journal.append(epoch, seq, [
    { id: 'samples', by: 'ana', events },
    {
      id: 'sent',
      by: 'ana',
      events: [{ ...message, type: 'message.sent', v: 1, text: 'Hello by hand' }],
      bodies: [answer],
    },
    { id: 'refused', by: 'ben', events: [], fault: { code: 'TAKEN', data: null, message: 'ana has it' } },
  ])
  await store.close()

  const ids: Record<(typeof NAMES)[number], string> = {
    TASK: idIn('message.sent', 'task'),
    MESSAGE: idIn('message.sent', 'message'),
    WAITING: idIn('lock.released', 'waiting'),
    STEP: idIn('model.called', 'step'),
  }
  const db = new Database(join(folder, 'convene.db'))
  for (const section of page.split('\n## ')) {
    const commands = blocks('sql', section).map((one) =>
      NAMES.reduce((text, name) => text.replaceAll(`'${name}'`, `'${ids[name]}'`), one),
    )
    rowsOf.set(
      section.split('\n')[0] ?? '',
      commands.map((one) => db.prepare(one).all() as Record<string, unknown>[]),
    )
  }
  db.close()
})
afterAll(() => rm(folder, { recursive: true }))

/** An id as that sample names it. */
function idIn(type: EventType, key: string): string {
  const sample = SAMPLES.find((event) => event.type === type)
  return String(Object.entries(sample ?? {}).find(([name]) => name === key)?.[1])
}

it('[R85] every SQL command of the page runs and finds something', () => {
  expect(sql.length).toBeGreaterThan(3)
  for (const [heading, tables] of rowsOf)
    for (const [n, rows] of tables.entries()) expect(rows.length, `command ${n + 1} of ${heading}`).toBeGreaterThan(0)
})

it('[R85] [R555] a message with its whole text, a wait, a step and a refusal are found as the page says', () => {
  const eventsOf = (heading: string): StoredEvent[] =>
    (rowsOf.get(heading)?.[0] ?? []).map(({ event }) => JSON.parse(String(event)) as StoredEvent)
  const message = eventsOf('Follow a message')
  expect(message.map(({ type }) => type)).toEqual(expect.arrayContaining(['message.sent', 'message.delivery']))
  expect(message).toContainEqual(expect.objectContaining({ type: 'message.sent', text: 'Hello by hand' }))
  const wait = eventsOf('Follow a wait')
  expect(wait.map(({ type }) => type)).toEqual(expect.arrayContaining(['lock.added', 'lock.released']))
  const step = eventsOf('Follow a step')
  expect(step.map(({ type }) => type)).toEqual(expect.arrayContaining(['step.added', 'model.called', 'step.finished']))
  expect(rowsOf.get('Why was it refused')?.[0]?.[0]).toMatchObject({ code: 'TAKEN', by: 'ben' })
})

it('[R85] the commands of Node print what they say: entries, and the text of a body', () => {
  const path = join(folder, 'convene.db')
  const printed = shell
    .filter((command) => command.startsWith('node '))
    .map((command) => command.replace('.convene/convene.db', path).replace(/SHA$/, answer.sha))
    .map((command) => execFileSync('sh', ['-c', command], { encoding: 'utf8' }))
  expect(printed).toHaveLength(2)
  expect(printed[0]).toContain('Hello by hand')
  expect(printed[1]).toContain('An answer by hand. An answer by hand.')
})
