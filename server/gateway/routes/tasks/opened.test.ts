/** The archive of a task from elsewhere: who opens and reads it, what is refused, and where nothing of it appears. */
import { createHash } from 'node:crypto'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { event } from '@/lib/mas/events'
import type { AgentId } from '@/lib/mas/ids'
import { ARCHIVE_MOST, checkArchive } from '@/server/engine/snapshots/opened/archiveFile'
import { OPENED_MOST, openOpenedTasks } from '@/server/engine/snapshots/opened/openedArchives'
import { withRestoredTask } from '@/server/engine/snapshots/restoredTasks'
import { scopeOfView } from '@/server/monitor/scopes'
import { filesOfZip, ZipError } from '@/server/shared/unzip'
import { type Double, openDouble } from '../../test/gatewayDouble'
import { ID } from '../../test/world'

type Files = Record<string, Uint8Array>
type Manifest = {
  version: number
  format: string
  files: { name: string; sha256: string; bytes: number }[]
  bodies: { sha256: string; bytes: number; mime: string }[]
}

const shaOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const ended = event('task.finished', { task: ID.prices, state: 'finished', summary: 'All compared.' })

async function exported(double: Double, cookie: string, task: string = ID.prices): Promise<Files> {
  const answer = await fetch(`${double.url}/api/tasks/${task}/export?as=archive`, { headers: { cookie } })
  return unzipSync(new Uint8Array(await answer.arrayBuffer()))
}

/** The archive of an ended task of another Convene that has the same ids, and this one, in which nothing has ended. */
async function stage() {
  const there = await openDouble()
  await there.engine.put([ended])
  const files = await exported(there, await there.signIn('ana'))
  const here = await openDouble()
  const ana = await here.signIn('ana')
  const opened = openOpenedTasks({
    store: here.store,
    tryViews: () => {},
    now: () => 0,
    newId: () => '',
    log: { warn: () => {} },
  })
  const upload = (content: Uint8Array, cookie = ana, name = 'Prices.zip') =>
    here.call('POST', '/api/archives', { cookie, body: { name, base64: Buffer.from(content).toString('base64') } })
  return { there, here, ana, files, upload, opened }
}

/** With a manifest that fits the changed entries. */
function withEntries(files: Files, change: (lines: string[]) => string[]): Files {
  const lines = strFromU8(files['entries.jsonl'] ?? new Uint8Array())
    .trim()
    .split('\n')
  const entries = strToU8(`${change(lines).join('\n')}\n`)
  return withManifest({ ...files, 'entries.jsonl': entries }, (manifest) => ({
    ...manifest,
    files: manifest.files.map((file) =>
      file.name === 'entries.jsonl' ? { ...file, sha256: shaOf(entries), bytes: entries.length } : file,
    ),
  }))
}

const manifestIn = (files: Files): Manifest => JSON.parse(strFromU8(files['manifest.json'] ?? new Uint8Array()))
const withManifest = (files: Files, change: (manifest: Manifest) => object): Files => ({
  ...files,
  'manifest.json': strToU8(JSON.stringify(change(manifestIn(files)))),
})
const textOf = (value: unknown): string => String(value)

it('[R525] operators open, list and remove an archive; a participant and a developer do none of it and read none of it', async () => {
  const { here, ana, files, upload, opened } = await stage()
  const others = [await here.signIn('ben'), await here.signIn('dev')]
  for (const cookie of others)
    expect((await upload(zipSync(files), cookie)).json).toMatchObject({ error: 'NOT_ALLOWED' })
  const { status, json } = await upload(zipSync(files))
  expect([status, json]).toMatchObject([
    200,
    { name: 'Prices', file: 'Prices.zip', by: 'Ana', exported: { by: 'Ana' } },
  ])
  expect((await here.call('GET', '/api/archives', { cookie: ana })).json).toEqual({ archives: [json] })
  const task = textOf(json.task)
  const steps = `/api/tasks/${task}/steps`
  const read = await here.call('GET', steps, { cookie: ana })
  const [step] = read.json.steps as { id: string }[]
  expect(read.status).toBe(200)
  for (const cookie of others) {
    expect((await here.call('GET', '/api/archives', { cookie })).status).toBe(403)
    expect((await here.call('DELETE', `/api/archives/${json.archive}`, { cookie })).status).toBe(403)
    for (const path of [
      steps,
      `/api/steps/${step?.id}`,
      `/api/tasks/${task}/result`,
      `/api/states?type=task&task=${task}`,
    ])
      expect([path, (await here.call('GET', path, { cookie })).status]).toEqual([path, 404])
  }
  const found = await opened.task(task)
  if (!found) throw new Error('not opened')
  const seenBy = (person: string) =>
    scopeOfView(withRestoredTask(here.engine.world(), found), person as AgentId, { kind: 'task', task: found.task })
  expect([seenBy(ID.ana).closed, seenBy(ID.ben).closed, seenBy(ID.dev).closed]).toEqual([
    null,
    'not-allowed',
    'not-allowed',
  ])
})

it('[R526] a file that is not wholly known is refused in words, and nothing of it is kept', async () => {
  const { here, ana, there, files, upload } = await stage()
  const [body] = manifestIn(files).bodies
  const open = await openDouble()
  const unfit: [string, Uint8Array, string][] = [
    ['noZip', strToU8('a text'), 'ZIP'],
    ['noZip', zipSync(files).subarray(0, 900), 'ZIP'],
    ['noManifest', zipSync({ 'entries.jsonl': strToU8('') }), 'manifest.json'],
    ['noManifest', zipSync(withManifest(files, (all) => ({ ...all, format: 'other' }))), 'manifest.json'],
    ['version', zipSync(withManifest(files, (all) => ({ ...all, version: 2 }))), 'version 2'],
    [
      'event',
      zipSync(withEntries(files, (lines) => lines.map((line) => line.replace('task.finished', 'task.melted')))),
      'task.melted',
    ],
    ['unknownFile', zipSync({ ...files, '../../etc/passwd': strToU8('x') }), '../../etc/passwd'],
    ['unknownFile', zipSync({ ...files, [`bodies/${'0'.repeat(64)}`]: strToU8('x') }), 'bodies/0000'],
    ['damaged', zipSync({ ...files, [`bodies/${body?.sha256}`]: strToU8('x') }), 'bodies/'],
    ['damaged', zipSync({ ...files, [`bodies/${body?.sha256}`]: new Uint8Array(body?.bytes ?? 0) }), 'bodies/'],
    ['damaged', zipSync({ ...files, 'entries.jsonl': strToU8('{}\n') }), 'entries.jsonl'],
    [
      'damaged',
      zipSync(withEntries(files, (lines) => lines.map((line) => line.replaceAll('"at":', '"then":')))),
      'entries',
    ],
    [
      'damaged',
      zipSync(withEntries(files, (lines) => lines.map((line) => line.replaceAll(ID.prices, ID.secret)))),
      'entries.jsonl',
    ],
    ['damaged', zipSync(withEntries(files, (lines) => lines.toReversed())), 'entries.jsonl'],
    [
      'damaged',
      zipSync(withEntries(files, (lines) => lines.map((line) => line.replace('"group":[', '"group":{},"was":[')))),
      'entries.jsonl',
    ],
    [
      'damaged',
      zipSync(
        withEntries(files, (lines) => lines.map((line) => line.replace('"state":"', '"__proto__":{},"state":"'))),
      ),
      'entries.jsonl',
    ],
    ['open', zipSync(await exported(open, await open.signIn('ana'))), 'its end'],
    ['base', zipSync(await exported(there, await there.signIn('ana'), ID.base)), 'base task'],
  ]
  for (const [n, [why, content, words]] of unfit.entries()) {
    const { status, json } = await upload(content)
    expect([n, status, json]).toMatchObject([n, 422, { error: 'ARCHIVE_UNFIT', details: { why } }])
    expect(json.message).toContain(words)
    expect(json.message).toContain('nothing of it was kept')
  }
  expect((await here.call('GET', '/api/archives', { cookie: ana })).json).toEqual({ archives: [] })
  expect(await here.store.people.list('system:archives', '')).toEqual([])
})

it('[R526] a file that unpacks to more than it says, or to more than the limit, is refused before it is unpacked', async () => {
  const { files } = await stage()
  const zip = Buffer.from(zipSync(files))
  const bytes = Object.values(files).reduce((sum, file) => sum + file.length, 0)
  const entries = files['entries.jsonl']?.length ?? 0
  const fits = { ...ARCHIVE_MOST, unpacked: bytes, entries, files: Object.keys(files).length }
  expect((await checkArchive(zip, fits)).manifest.task.id).toBe(ID.prices)
  for (const less of [
    { ...fits, unpacked: bytes - 1 },
    { ...fits, entries: entries - 1 },
    { ...fits, files: fits.files - 1 },
  ])
    await expect(checkArchive(zip, less)).rejects.toMatchObject({ data: { why: 'tooMuch' } })
  // A megabyte of zeros in a body of one byte, also where the ZIP file itself understates it.
  const one = strToU8('x')
  const bomb = withManifest({ ...files, [`bodies/${shaOf(one)}`]: new Uint8Array(1024 * 1024) }, (manifest) => ({
    ...manifest,
    bodies: [...manifest.bodies, { sha256: shaOf(one), bytes: 1, mime: 'text/plain' }],
  }))
  const [zeros] = filesOfZip(Buffer.from(zipSync({ zeros: new Uint8Array(1024 * 1024) })), 1) ?? []
  expect((await zeros?.read(1024 * 1024))?.length).toBe(1024 * 1024)
  await expect(zeros?.read(1024 * 1024 - 1)).rejects.toThrow(ZipError)
  const lying = Buffer.from(zipSync(bomb))
  const listed = lying.lastIndexOf(`bodies/${shaOf(one)}`) - 46
  lying.writeUInt32LE(1, listed + 24)
  for (const content of [Buffer.from(zipSync(bomb)), lying])
    await expect(checkArchive(content)).rejects.toMatchObject({ data: { why: 'damaged' } })
})

it('[R526] so many archives are open at a time; one more fits when one was removed', async () => {
  const { here, ana, files, upload } = await stage()
  const zip = zipSync(files)
  const first = await upload(zip)
  for (let n = 1; n < OPENED_MOST; n++) {
    here.clock.now += 60_000
    expect((await upload(zip)).status).toBe(200)
  }
  expect((await upload(zip)).json).toMatchObject({ error: 'ARCHIVE_UNFIT', details: { why: 'tooMany' } })
  expect((await here.call('DELETE', `/api/archives/${first.json.archive}`, { cookie: ana })).status).toBe(200)
  expect((await upload(zip)).status).toBe(200)
})

it('[R527] it has ids of its own and members of its own, and nothing of it is in the journal, the counters or the search', async () => {
  const { here, ana, files, upload, opened } = await stage()
  const before = await here.store.journal.head()
  const worldBefore = here.engine.world()
  const { json } = await upload(zipSync(files))
  const found = await opened.task(textOf(json.task))
  if (!found) throw new Error('not opened')
  const text = JSON.stringify(found)
  const ours = [...new Set(JSON.stringify(here.engine.world()).match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [])]
  expect(ours).toContain(ID.reader)
  expect(ours.filter((id) => text.includes(id))).toEqual([])
  const names = Object.values(found.agents ?? {}).map(({ name, removed, access, tools }) => ({
    name,
    removed,
    access,
    tools,
  }))
  expect(names).toContainEqual({ name: 'Reader', removed: true, access: 'none', tools: [] })
  expect(await here.store.journal.head()).toEqual(before)
  expect(here.engine.world()).toBe(worldBefore)
  for (const query of [textOf(json.task), 'All compared'])
    expect(
      JSON.stringify((await here.call('GET', `/api/search?q=${encodeURIComponent(query)}`, { cookie: ana })).json),
    ).not.toContain(textOf(json.task))
})

it('[R527] each node has it, also after a restart, until it is removed with all that was kept', async () => {
  const { here, ana, files, upload, opened } = await stage()
  const { json } = await upload(zipSync(files))
  const task = textOf(json.task)
  expect((await opened.task(task))?.task).toBe(task)
  const [row] = await here.store.people.list('system:archives', '')
  const sha = textOf(Reflect.get(Object(row?.value), 'sha'))
  expect(await here.store.bodies.get(sha)).not.toBeNull()
  expect((await here.call('DELETE', `/api/archives/${json.archive}`, { cookie: ana })).json).toEqual({
    removed: json.archive,
  })
  expect([await opened.task(task), await here.store.bodies.get(sha)]).toEqual([null, null])
  expect((await here.call('GET', `/api/tasks/${task}/result`, { cookie: ana })).status).toBe(404)
  expect((await here.call('DELETE', `/api/archives/${json.archive}`, { cookie: ana })).status).toBe(404)
})

it('[R528] its steps, prompts, answers, results and states are read as those of an archived task', async () => {
  const { here, there, ana, files, upload } = await stage()
  const { json } = await upload(zipSync(files))
  const theirs = await there.signIn('ana')
  const stepsOf = async (double: Double, cookie: string, task: string) =>
    (await double.call('GET', `/api/tasks/${task}/steps`, { cookie })).json.steps as { id: string; intention: string }[]
  const [opened, original] = [await stepsOf(here, ana, textOf(json.task)), await stepsOf(there, theirs, ID.prices)]
  expect(opened.map(({ intention }) => intention)).toEqual(original.map(({ intention }) => intention))
  // No body of it is in this store: each comes from the file.
  const shas = manifestIn(files).bodies.map(({ sha256 }) => sha256)
  expect(await here.store.bodies.forget(shas, Number.MAX_SAFE_INTEGER)).toBeGreaterThan(0)
  for (const part of ['prompt', 'response', 'result']) {
    for (const [at, { id }] of opened.entries()) {
      const mine = await here.call('GET', `/api/steps/${id}/${part}`, { cookie: ana })
      const other = await there.call('GET', `/api/steps/${original[at]?.id}/${part}`, { cookie: theirs })
      expect([part, mine.status]).toEqual([part, other.status])
      expect(mine.json.sections ?? mine.json.text ?? '').toEqual(other.json.sections ?? other.json.text ?? '')
    }
  }
  // What shows it makes no links of its paths, and offers no act.
  const step = await here.call('GET', `/api/steps/${opened[0]?.id}`, { cookie: ana })
  expect(step.json).toMatchObject({ archived: true, opened: true, taskName: 'Prices' })
  const result = await here.call('GET', `/api/tasks/${json.task}/result`, { cookie: ana })
  expect(result.json).toMatchObject({ name: 'Prices', summary: 'All compared.', mayRate: false, opened: true })
  const text = await fetch(`${here.url}/api/tasks/${json.task}/export?as=result`, { headers: { cookie: ana } })
  expect(await text.text()).toMatch(/^# Prices\n\nAll compared\.\n/)
})

it('[R528] every write on it is refused, and changes nothing', async () => {
  const { here, ana, files, upload } = await stage()
  const { json } = await upload(zipSync(files))
  const head = await here.store.journal.head()
  const [step] = (await here.call('GET', `/api/tasks/${json.task}/steps`, { cookie: ana })).json.steps as {
    id: string
  }[]
  const command = (n: number) => ({ id: `a-command-${n}`, until: here.clock.now + 60_000 })
  const message = { stage: null, answers: null, replyTo: null, mention: false, attachments: [] }
  const writes: [string, object][] = [
    ['/api/messages', { ...message, task: json.task, receivers: [ID.manager], text: 'go on', type: 'fyi' }],
    [`/api/tasks/${json.task}/rate`, { rating: 'up', sentence: '' }],
    [`/api/steps/${step?.id}/retry`, { reason: 'again' }],
    [`/api/tasks/${json.task}/pause`, { reason: 'wait' }],
    [`/api/tasks/${json.task}/rename`, { name: 'Mine' }],
    [`/api/tasks/${json.task}/change`, { comment: 'shorter', passage: '' }],
  ]
  for (const [n, [path, body]] of writes.entries()) {
    const answer = await here.call('POST', path, { cookie: ana, body: { ...command(n), ...body } })
    expect([path, answer.json.error]).toEqual([path, expect.stringMatching(/NOT_FOUND|ONLY_READ/)])
  }
  const again = await here.call('POST', '/api/work/again', { cookie: ana, body: { task: json.task } })
  expect(again.json.error).toBe('ONLY_READ')
  const exporting = await fetch(`${here.url}/api/tasks/${json.task}/export?as=archive`, { headers: { cookie: ana } })
  expect(await exporting.json()).toMatchObject({ error: 'ONLY_READ' })
  expect(await here.store.journal.head()).toEqual(head)
})
