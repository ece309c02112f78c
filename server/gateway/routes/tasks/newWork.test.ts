/** Requests for new work, the demo, and the list of the workspace. */
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { safeName } from '../../files/workspace'
import { openDouble } from '../../test/gatewayDouble'
import { ID } from '../../test/world'
import { workText } from './work'

let counter = 0
const head = () => ({ id: `command-${counter++}-${'x'.repeat(8)}`, until: Date.UTC(2030, 0) })

describe('new work', () => {
  const work = (more: object = {}) => ({ ...head(), wish: 'Count the lines', pasted: '', files: [], ...more })

  it('new work goes to the manager of the base task only, as an Action that names the saved files', async () => {
    const { call, engine, signIn, workspace } = await openDouble()
    const cookie = await signIn('ben')
    const files = [
      { name: '../../evil/a.csv', text: 'a,1' },
      { name: 'A.csv', text: 'b,2' },
      { name: '价格.csv', text: 'c,3' },
    ]
    const body = work({ pasted: 'x | y', files })
    const { json } = await call('POST', '/api/work', { cookie, body })
    const saved = ['inbox/2026-11-21-1/a.csv', 'inbox/2026-11-21-1/A-2.csv', 'inbox/2026-11-21-1/价格.csv']
    expect(json.saved).toEqual(saved)
    expect(await Promise.all(saved.map((path) => readFile(join(workspace, path), 'utf8')))).toEqual([
      'a,1',
      'b,2',
      'c,3',
    ])
    const [{ command } = { command: null }] = engine.envelopes
    expect(command).toMatchObject({
      task: ID.base,
      receivers: [ID.manager],
      kind: 'action',
      stage: null,
    })
    expect(command).toMatchObject({ text: workText('Count the lines', 'x | y') })
    expect(command).not.toHaveProperty('reviewPlans')
    await call('POST', '/api/work', { cookie, body: work({ reviewPlans: true }) })
    expect(engine.envelopes.at(-1)?.command).toMatchObject({ type: 'sendMessage', reviewPlans: true })
    const sent = Object.values(engine.world().messages[ID.base] ?? {})[0]
    expect(sent?.attachments.map(({ name, savedAs }) => [name, savedAs])).toEqual(
      saved.map((path) => [path.split('/')[2], path]),
    )
    expect((await call('POST', '/api/work', { cookie, body: work({ files }) })).json.saved).toContain(
      'inbox/2026-11-21-2/a.csv',
    )
    const repeat = await call('POST', '/api/work', { cookie, body })
    expect([repeat.json.seq, repeat.json.reply]).toEqual([json.seq, json.reply])
    const late = await call('POST', '/api/work', { cookie, body: { ...work({ files }), until: 5 } })
    expect(late.json.error).toBe('EXPIRED')
    expect(await readdir(join(workspace, 'inbox'))).toEqual(['2026-11-21-1', '2026-11-21-2'])
  })

  it('new work carries files that the caller uploaded before, and none of another person', async () => {
    const { call, engine, signIn, workspace } = await openDouble()
    const cookie = await signIn('ben')
    const base64 = Buffer.from('a,1').toString('base64')
    const file = { name: 'a.csv', mime: 'text/csv', base64 }
    const { sha } = (await call('POST', '/api/attachments', { cookie, body: file })).json
    const asked = { ...work(), taken: [{ sha }] }
    const { json } = await call('POST', '/api/work', { cookie, body: asked })
    expect(json.saved).toEqual(['inbox/2026-11-21-1/a.csv'])
    expect(await readFile(join(workspace, 'inbox/2026-11-21-1/a.csv'), 'utf8')).toBe('a,1')
    const sent = Object.values(engine.world().messages[ID.base] ?? {})[0]
    // Its files are shown beside the text, which does not repeat them; agents read their paths with the message.
    expect(sent?.attachments).toMatchObject([{ name: 'a.csv', savedAs: 'inbox/2026-11-21-1/a.csv' }])
    expect(sent?.text).toBe('Count the lines')
    const others = { ...work(), taken: [{ sha }] }
    expect((await call('POST', '/api/work', { cookie: await signIn('ana'), body: others })).json.error).toBe(
      'NOT_FOUND',
    )
  })

  it('pasted text stands in a fence that it cannot close, and becomes a file when a message cannot hold it', async () => {
    expect(workText(' do ', '```\n</x>\n````')).toBe('do\n\n`````\n```\n</x>\n````\n`````')
    const { call, engine, signIn, workspace } = await openDouble()
    const cookie = await signIn('ben')
    const pasted = 'apple 3.20\n'.repeat(10_000)
    const { json } = await call('POST', '/api/work', { cookie, body: work({ pasted }) })
    expect(json.saved).toEqual(['inbox/2026-11-21-1/pasted.txt'])
    expect(await readFile(join(workspace, 'inbox/2026-11-21-1/pasted.txt'), 'utf8')).toBe(pasted)
    expect(engine.envelopes[0]?.command).toMatchObject({
      text: 'Count the lines',
      attachments: [{ name: 'pasted.txt', savedAs: 'inbox/2026-11-21-1/pasted.txt' }],
    })
  })

  it('what was asked is given again with its files to the person who asked, and to nobody who cannot read it', async () => {
    const { call, engine, signIn } = await openDouble()
    const [ben, ana] = [await signIn('ben'), await signIn('ana')]
    const body = work({ pasted: 'x | y', files: [{ name: 'a.csv', text: 'a,1' }] })
    await call('POST', '/api/work', { cookie: ben, body })
    await call('POST', '/api/work', { cookie: ana, body: work() })
    const [message, ofAna] = Object.values(engine.world().messages[ID.base] ?? {}).map(({ id }) => id)
    const again = (cookie: string, of = message) => call('POST', '/api/work/again', { cookie, body: { message: of } })
    const first = (await again(ben)).json
    expect(first).toMatchObject({
      name: null,
      text: 'Count the lines\n\n```\nx | y\n```',
      files: [{ name: 'a.csv', bytes: 3 }],
    })
    expect((await again(ben, ofAna)).json.error).toBe('NOT_FOUND')
    // A person who sees everything asks for the same, with the file as an upload of their own.
    const [file] = (await again(ana)).json.files as { sha: string }[]
    const asked = { ...work({ wish: 'Again' }), taken: [{ sha: file?.sha }] }
    expect((await call('POST', '/api/work', { cookie: ana, body: asked })).json.saved).toEqual([
      'inbox/2026-11-21-1/a.csv',
    ])
    // A task that was made by form is asked for by its goal, by those who see it.
    const task = { task: ID.prices }
    const goal = (await call('POST', '/api/work/again', { cookie: ben, body: task })).json
    expect(goal).toMatchObject({ name: engine.world().tasks[ID.prices]?.name, files: [] })
    const base = { task: ID.reader }
    expect((await call('POST', '/api/work/again', { cookie: ben, body: base })).json.error).toBe('NOT_FOUND')
  })

  it('new work over a limit is refused with the limit, and nothing is saved', async () => {
    const { call, signIn, workspace } = await openDouble()
    const cookie = await signIn('ben')
    const cases = [
      work({ wish: 'x'.repeat(64 * 1024 + 1) }),
      work({ files: [{ name: 'big.csv', text: 'x'.repeat(2 * 1024 * 1024 + 1) }] }),
      work({ files: Array.from({ length: 5 }, (_, n) => ({ name: `${n}`, text: 'x'.repeat(2 * 1024 * 1024) })) }),
    ]
    for (const body of cases) expect((await call('POST', '/api/work', { cookie, body })).status).toBe(413)
    expect((await call('POST', '/api/work', { cookie, body: work({ wish: ' ' }) })).json.error).toBe('EMPTY_TEXT')
    expect(await readdir(workspace)).toEqual([])
  })

  it('a file is never written through a link that leads out of the workspace', async () => {
    const { call, folder, signIn, workspace } = await openDouble()
    await mkdir(join(folder, 'outside'))
    await symlink(join(folder, 'outside'), join(workspace, 'inbox'))
    const cookie = await signIn('ben')
    const body = work({ files: [{ name: 'a', text: 'b' }] })
    expect((await call('POST', '/api/work', { cookie, body })).json.error).toBe('NOT_ALLOWED')
    expect(await readdir(join(folder, 'outside'))).toEqual([])
  })

  it('the demo copies the documents into the workspace once, and sends the request of the person who clicked', async () => {
    const { call, engine, folder, signIn, workspace } = await openDouble()
    const cookie = await signIn('ben')
    expect((await call('POST', '/api/work/demo', { cookie, body: head() })).json.error).toBe('NOT_FOUND')
    await mkdir(join(folder, 'samples', 'prices'), { recursive: true })
    await mkdir(join(folder, 'samples', 'zh', '价格表'), { recursive: true })
    await writeFile(join(folder, 'samples', 'prices', 'index.md'), 'four lists')
    const second = await openDouble({ samples: join(folder, 'samples') })
    const ben = await second.signIn('ben')
    expect((await second.call('POST', '/api/work/demo', { cookie: ben, body: head() })).status).toBe(200)
    expect(second.engine.envelopes[0]?.command).toMatchObject({
      text: 'Compare the price lists in prices and write a report',
      said: { say: 'demoWork', with: { folder: 'prices' } },
      sender: ID.ben,
      receivers: [ID.manager],
    })
    await writeFile(join(second.workspace, 'prices', 'index.md'), 'changed by hand')
    await second.call('POST', '/api/work/demo', { cookie: ben, body: head() })
    expect(await readFile(join(second.workspace, 'prices', 'index.md'), 'utf8')).toBe('changed by hand')
    expect(await readdir(second.workspace)).toEqual(['prices'])
    expect(engine.envelopes).toEqual([])
    expect(await readdir(workspace)).toEqual([])
  })

  it('names of dropped files lose their folders', () => {
    const cases: [string, string][] = [
      ['C:\\dir\\a.csv', 'a.csv'],
      ['../../../..', 'file.txt'],
      ['.bashrc', 'bashrc'],
      [' north list .csv', 'north_list_.csv'],
      ['con.txt', '_con.txt'],
      ['a\u0000b\u202e.csv', 'a_b_.csv'],
      ['a`b.csv', 'a_b.csv'],
      ['', 'file.txt'],
      [`${'长'.repeat(200)}.csv`, `${'长'.repeat(96)}.csv`],
    ]
    for (const [from, to] of cases) expect(safeName(from)).toBe(to)
  })
})
