/** Each command of docs/debugging.md is run against a store, and finds what it says. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { EventType } from '@/lib/mas/events'
import { SAMPLES } from '@/test/samples'
import { openSqliteStore, type StoredEvent } from './index'

const PAGE = new URL('../../docs/debugging.md', import.meta.url)
const NAMES = ['TASK', 'MESSAGE', 'THREAD', 'STEP', 'AGENT', 'REQUEST', 'COMMAND'] as const

let folder = ''
let sql: string[] = []
let shell: string[] = []
let sent = 0
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
  const threaded: StoredEvent = { ...message, type: 'message.sent', v: 1, thread: 'THREAD', text: 'Hello by hand' }
  await store.journal.append(epoch, seq, [
    { id: 'samples', by: 'ana', events },
    { id: 'COMMAND', by: 'ana', events: [threaded], reply: { messages: ['m1'] } },
    {
      id: 'begun',
      by: 'ana',
      events: [{ type: 'step.started', v: 1, task: 't', agent: 'a', step: 'begun', node: 'n', epoch, attempt: 1 }],
    },
    { id: 'refused', by: 'ben', events: [], fault: { code: 'TAKEN', data: null, message: 'ana has it' } },
  ])
  sent = seq + events.length + 1
  await store.close()

  const ids: Record<(typeof NAMES)[number], string> = {
    TASK: idIn('message.sent', 'task'),
    MESSAGE: idIn('message.sent', 'message'),
    THREAD: 'THREAD',
    STEP: idIn('model.called', 'step'),
    AGENT: idIn('model.called', 'agent'),
    REQUEST: idIn('request.opened', 'request'),
    COMMAND: 'COMMAND',
  }
  const db = new Database(join(folder, 'convene.db'))
  for (const section of page.split('\n## ')) {
    const commands = blocks('sql', section).map((one) =>
      NAMES.reduce((text, name) => text.replaceAll(`'${name}'`, `'${ids[name]}'`), one).replaceAll(
        '4711',
        String(sent),
      ),
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
  expect(sql.length).toBeGreaterThan(10)
  for (const [heading, tables] of rowsOf)
    for (const [n, rows] of tables.entries()) expect(rows.length, `command ${n + 1} of ${heading}`).toBeGreaterThan(0)
})

it('[R85] a message, its texts, a wait and a refusal are found as the page says', () => {
  const text = rowsOf.get('Read a text')?.[0]
  expect(text).toContainEqual(expect.objectContaining({ place: '/text', text: 'Hello by hand' }))
  const message = rowsOf.get('Follow a message')
  expect(message?.[0]?.map(({ type }) => type)).toEqual(expect.arrayContaining(['message.sent', 'message.receipt']))
  expect(message?.[1]).toHaveLength(1)
  const wait = rowsOf.get('Follow a wait')
  expect(wait?.[0]?.[0]).toMatchObject({ outcome: 'answered' })
  expect(wait?.[1]?.map(({ type }) => type)).toEqual(expect.arrayContaining(['request.opened', 'request.answered']))
  expect(rowsOf.get('Why was it refused')?.[0]?.[0]).toMatchObject({ code: 'TAKEN', by: 'ben' })
})

it('[R85] the commands for a system without sqlite3 print what they say', () => {
  const path = join(folder, 'convene.db')
  const printed = shell
    .filter((command) => command.startsWith('node '))
    .map((command) => command.replace('.convene/convene.db', path).replace('4711', String(sent)))
    .map((command) => execFileSync('sh', ['-c', command], { encoding: 'utf8' }))
  expect(printed).toHaveLength(2)
  expect(printed[0]).toContain(String(sent + 1))
  expect(printed[1]).toContain('Hello by hand')
  // Of a squeezed content too: the samples are one decision.
  const squeezed = shell.filter((command) => command.startsWith('node '))[1] ?? ''
  const whole = squeezed.replace('.convene/convene.db', path).replace('4711', String(sent - 1))
  expect(Object.keys(JSON.parse(execFileSync('sh', ['-c', whole], { encoding: 'utf8' }))).length).toBeGreaterThan(20)
})
