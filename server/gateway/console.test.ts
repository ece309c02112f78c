/** The console's own interface: messages, requests, receipts, new work, drafts, steps. */
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { workText } from './routes/work'
import { noServers, openDouble } from './test/gatewayDouble'
import { ID } from './test/world'
import { safeName } from './workspace'

const later = Date.UTC(2030, 0)
let counter = 0
const head = () => ({ id: `command-${counter++}-${'x'.repeat(8)}`, until: later })
const message = (more: object = {}) => ({
  ...head(),
  task: ID.prices,
  receivers: [ID.reader],
  text: 'hello',
  type: 'fyi',
  stage: null,
  answers: null,
  replyTo: null,
  mention: false,
  ...more,
})

describe('what runs here', () => {
  it('is told to operators: version, models, and each limit by the name that it has in the configuration', async () => {
    const { call, signIn } = await openDouble()
    const { status, json } = await call('GET', '/api/system', { cookie: await signIn('ana') })
    expect(status).toBe(200)
    expect(json.limits).toContainEqual({ name: 'tokens_per_task', value: null })
    const names = ['steps_per_part', 'reflections_per_part', 'talk_in_a_row', 'cost_per_task', 'cost_per_day']
    for (const name of names) expect(json.limits).toContainEqual(expect.objectContaining({ name }))
    expect((await call('GET', '/api/system', { cookie: await signIn('ben') })).status).toBe(403)
  })
})

describe('messages and receipts', () => {
  it('sends each type to whom it names, or to everyone else, and a repeat is the first answer again', async () => {
    const { call, engine, signIn } = await openDouble()
    const cookie = await signIn('ben')
    const body = message({ type: 'action', receivers: 'all', mention: true })
    const first = await call('POST', '/api/messages', { cookie, body })
    expect(first.status).toBe(200)
    expect(engine.envelopes[0]).toMatchObject({
      id: body.id,
      until: later,
      by: ID.ben,
      command: { receivers: [ID.manager, ID.reader, ID.ana], needReply: true, waiting: false, mention: true },
    })
    expect((await call('POST', '/api/messages', { cookie, body })).json).toEqual(first.json)
    for (const [type, needs] of [
      ['fyi', { needReply: false, waiting: false }],
      ['urgent', { needReply: true, waiting: true }],
    ] as const) {
      await call('POST', '/api/messages', { cookie, body: message({ type }) })
      expect(engine.envelopes.at(-1)?.command).toMatchObject(needs)
    }
  })

  it('refuses what cannot be sent', async () => {
    const { call, clock, signIn } = await openDouble()
    const cookie = await signIn('ben')
    const cases: [more: object, status: number, error: string][] = [
      [{ receivers: [] }, 422, 'NO_RECEIVERS'],
      [{ receivers: ['nobody'] }, 422, 'RECEIVER_UNKNOWN'],
      [{ task: ID.secret }, 404, 'NOT_FOUND'],
      [{ text: '' }, 422, 'EMPTY_TEXT'],
      [{ answers: 'nothing' }, 404, 'NOT_FOUND'],
      [{ answers: ID.confirm, receivers: [ID.reader] }, 404, 'NOT_FOUND'],
      [{ until: clock.now - 1 }, 409, 'EXPIRED'],
      [{ id: 'timer:cfca4231-0000-4000-8000-000000000000' }, 400, 'BAD_INPUT'],
      [{ id: 'x' }, 400, 'BAD_INPUT'],
      [{ type: 'ding' }, 400, 'BAD_INPUT'],
    ]
    for (const [more, status, error] of cases) {
      const { json } = await call('POST', '/api/messages', { cookie, body: message(more) })
      expect(json).toMatchObject({ error, status_code: status })
      expect(json).not.toHaveProperty('success')
    }
  })

  it('keeps shown, acknowledged, done and their undoing', async () => {
    const { call, engine, signIn } = await openDouble()
    const cookie = await signIn('ben')
    const state = () => engine.world().receipts[ID.prices]?.[ID.ben]?.[ID.question]?.state
    expect((await call('POST', '/api/receipts', { cookie, body: { ...head(), shown: [ID.question] } })).status).toBe(
      200,
    )
    expect(state()).toBe('shown')
    expect((await call('POST', `/api/messages/${ID.question}/acknowledge`, { cookie, body: head() })).status).toBe(200)
    expect(state()).toBe('acknowledged')
    expect((await call('POST', `/api/messages/${ID.question}/undo`, { cookie, body: head() })).status).toBe(200)
    expect(state()).toBe('shown')
    expect((await call('POST', '/api/messages/nothing/done', { cookie, body: head() })).json.error).toBe('NOT_FOUND')
  })
})

describe('requests', () => {
  it('is read by those asked and those who see its task, claimed and answered', async () => {
    const { call, engine, signIn } = await openDouble()
    const [ana, ben] = [await signIn('ana'), await signIn('ben')]
    expect((await call('GET', `/api/requests/${ID.ask}`, { cookie: ben })).json).toMatchObject({
      request: { id: ID.ask, question: 'Which holds?', state: 'open' },
      taskName: 'Prices',
      askerName: 'Reader',
    })
    expect((await call('GET', `/api/requests/${ID.confirm}`, { cookie: ben })).json.error).toBe('NOT_FOUND')
    expect((await call('GET', '/api/requests/nothing', { cookie: ben })).json.error).toBe('NOT_FOUND')
    expect((await call('POST', `/api/requests/${ID.ask}/claim`, { cookie: ben, body: head() })).status).toBe(200)
    const answer = { ...head(), decision: 'answer', text: '3.20', arguments: null, digest: null }
    expect((await call('POST', `/api/requests/${ID.ask}/answer`, { cookie: ben, body: answer })).status).toBe(200)
    expect(engine.world().requests[ID.prices]?.[ID.ask]?.state).toBe('answered')
    const second = await call('POST', `/api/requests/${ID.ask}/answer`, { cookie: ana, body: { ...answer, ...head() } })
    expect([second.status, second.json.error]).toEqual([409, 'REQUEST_OVER'])
  })

  it('shows exactly what would run, and checks edited arguments before anything is decided', async () => {
    const checked: unknown[] = []
    const { call, engine, signIn } = await openDouble({
      tools: {
        ...noServers,
        schema: async () => ({ type: 'object' }),
        check: async (server, tool, args) => {
          checked.push([server, tool, args])
          return JSON.stringify(args).includes('path') ? null : 'path is missing'
        },
      },
    })
    const cookie = await signIn('ana')
    expect((await call('GET', `/api/requests/${ID.confirm}/arguments`, { cookie })).json).toEqual({
      json: { path: 'prices/report.md', content: 'total' },
      text: '{"path":"prices/report.md","content":"total"}',
      digest: 'digest-1',
      schema: { type: 'object' },
    })
    const answer = (args: string) => ({
      ...head(),
      decision: 'approve_edited',
      text: '',
      arguments: args,
      digest: 'digest-1',
    })
    for (const [args, why] of [
      ['{"path":', 'JSON'],
      ['{"content":"x"}', 'path is missing'],
    ] as const) {
      const { json } = await call('POST', `/api/requests/${ID.confirm}/answer`, { cookie, body: answer(args) })
      expect(json).toMatchObject({ error: 'BAD_ARGUMENTS', message: expect.stringContaining(why) })
    }
    expect(engine.envelopes).toEqual([])
    await call('POST', `/api/requests/${ID.confirm}/answer`, { cookie, body: answer('{"path": "other.md"}') })
    const [envelope] = engine.envelopes
    const [body] = envelope?.bodies ?? []
    expect(new TextDecoder().decode(body?.bytes)).toBe('{"path": "other.md"}')
    expect(envelope?.command).toMatchObject({
      decision: 'approve_edited',
      arguments: { sha: body?.sha },
      digest: 'digest-1',
    })
    expect(checked.at(-1)).toEqual(['files', 'write_file', { path: 'other.md' }])
  })
})

describe('new work', () => {
  const work = (more: object = {}) => ({ ...head(), wish: 'Count the lines', pasted: '', files: [], ...more })

  it('goes to the manager of the base task alone, as Action, with the saved files named', async () => {
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
      needReply: true,
      waiting: false,
      stage: null,
    })
    expect(command).toMatchObject({ text: workText('en', 'Count the lines', 'x | y', saved) })
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

  it('carries files that were taken in before, and none that somebody else took in', async () => {
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
    expect(sent?.attachments.map(({ name }) => name)).toEqual(['a.csv'])
    expect(sent?.text).toContain('inbox/2026-11-21-1/a.csv')
    const others = { ...work(), taken: [{ sha }] }
    expect((await call('POST', '/api/work', { cookie: await signIn('ana'), body: others })).json.error).toBe(
      'NOT_FOUND',
    )
  })

  it('pasted text stands in a fence that it cannot close, and becomes a file when a message cannot hold it', async () => {
    expect(workText('en', ' do ', '```\n</x>\n````', [])).toBe('do\n\n`````\n```\n</x>\n````\n`````')
    const { call, engine, signIn, workspace } = await openDouble()
    const cookie = await signIn('ben')
    const pasted = 'apple 3.20\n'.repeat(10_000)
    const { json } = await call('POST', '/api/work', { cookie, body: work({ pasted }) })
    expect(json.saved).toEqual(['inbox/2026-11-21-1/pasted.txt'])
    expect(await readFile(join(workspace, 'inbox/2026-11-21-1/pasted.txt'), 'utf8')).toBe(pasted)
    expect(engine.envelopes[0]?.command).toMatchObject({
      text: 'Count the lines\n\nFiles:\n- `inbox/2026-11-21-1/pasted.txt`',
    })
  })

  it('names the limit that is passed, and saves nothing then', async () => {
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

  it('never writes through a link that leads out of the workspace', async () => {
    const { call, folder, signIn, workspace } = await openDouble()
    await mkdir(join(folder, 'outside'))
    await symlink(join(folder, 'outside'), join(workspace, 'inbox'))
    const cookie = await signIn('ben')
    const body = work({ files: [{ name: 'a', text: 'b' }] })
    expect((await call('POST', '/api/work', { cookie, body })).json.error).toBe('NOT_ALLOWED')
    expect(await readdir(join(folder, 'outside'))).toEqual([])
  })

  it('the demo puts the documents into the workspace once, and asks in the name of whoever clicked', async () => {
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

  it('lists the workspace, tells only operators and developers where it is, and shows nothing hidden', async () => {
    const { call, signIn, workspace } = await openDouble({ fileServers: ['files'] })
    await mkdir(join(workspace, 'prices'))
    await writeFile(join(workspace, 'prices', 'a.csv'), 'abc')
    await writeFile(join(workspace, '.env'), 'KEY=1')
    await symlink('/etc', join(workspace, 'etc'))
    const entries = [
      { path: 'prices', kind: 'folder', bytes: 0 },
      { path: 'prices/a.csv', kind: 'file', bytes: 3 },
    ]
    expect((await call('GET', '/api/workspace', { cookie: await signIn('ana') })).json).toEqual({
      root: workspace,
      entries,
      more: 0,
    })
    // Ben holds no tool that reaches files.
    const none = { root: 'workspace', entries: [], more: 0 }
    expect((await call('GET', '/api/workspace', { cookie: await signIn('ben') })).json).toEqual(none)
  })

  it('names from outside become names only', () => {
    const cases: [string, string][] = [
      ['C:\\dir\\a.csv', 'a.csv'],
      ['../..', 'file.txt'],
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

describe('drafts', () => {
  it('are a person’s own; written over another version both are kept; empty means none', async () => {
    const { call, signIn } = await openDouble()
    const [ana, ben] = [await signIn('ana'), await signIn('ben')]
    const path = `/api/drafts/task:${ID.prices}`
    const put = (text: string, version: number | null) => call('PUT', path, { cookie: ben, body: { text, version } })
    expect((await call('GET', path, { cookie: ben })).json).toEqual({ text: '', version: null, other: null, at: 0 })
    const first = await put('from the desk', null)
    expect(first.json).toMatchObject({ text: 'from the desk', other: null })
    expect((await put('from the phone', null)).json).toMatchObject({ text: 'from the desk', other: 'from the phone' })
    expect((await call('GET', '/api/drafts', { cookie: ben })).json.drafts).toMatchObject([
      { key: `task:${ID.prices}` },
    ])
    expect((await call('GET', path, { cookie: ana })).json.text).toBe('')
    const dropped = await call('DELETE', `${path}/other`, { cookie: ben })
    expect(dropped.json).toMatchObject({ text: 'from the desk', other: null })
    expect((await put('', Number(dropped.json.version))).json).toEqual({ text: '', version: null, other: null, at: 0 })
    expect((await call('GET', '/api/drafts', { cookie: ben })).json).toEqual({ drafts: [] })
    expect((await call('GET', '/api/drafts/settings', { cookie: ben })).status).toBe(400)
  })

  it('keep what was chosen beside a text and what was set aside for it, and tell the writer’s other pages', async () => {
    const { call, engine, signIn } = await openDouble()
    const heard: unknown[] = []
    engine.onEphemeral((said) => heard.push(said))
    const ben = await signIn('ben')
    const path = `/api/drafts/task:${ID.prices}`
    const more = { to: [ID.ana], type: 'urgent', files: [{ sha: 'a', name: 'a.txt', mime: 'text/plain', bytes: 1 }] }
    const put = (body: object) => call('PUT', path, { cookie: ben, body })
    expect((await put({ text: '', more, version: null })).json).toMatchObject({ text: '', more, other: null })
    const aside = { text: 'from the phone', more: { type: 'action' } }
    expect((await put({ text: 'words', more, version: 1, other: aside })).json).toMatchObject({
      text: 'words',
      more,
      other: 'from the phone',
      otherMore: { type: 'action' },
    })
    // Sent: what was set aside is not.
    const left = await put({ text: '', version: 2, other: aside })
    expect(left.json).toMatchObject({ text: '', other: 'from the phone' })
    expect((await call('GET', '/api/drafts', { cookie: ben })).json.drafts).toMatchObject([{ isWritten: true }])
    expect((await put({ text: '', more: { to: [ID.ana] }, version: 3, other: null })).json).toMatchObject({
      other: null,
    })
    expect((await call('GET', '/api/drafts', { cookie: ben })).json.drafts).toMatchObject([{ isWritten: false }])
    expect((await put({ text: '', version: 4 })).json).toEqual({ text: '', version: null, other: null, at: 0 })
    const note = { kind: 'draft', person: ID.ben, key: `task:${ID.prices}` }
    expect(heard).toMatchObject([
      { ...note, version: 1, isWritten: true },
      { ...note, version: 2, isWritten: true },
      { ...note, version: 3, isWritten: true },
      { ...note, version: 4, isWritten: false },
      { ...note, version: null, isWritten: false },
    ])
    const large = { text: '', more: { form: 'x'.repeat(65 * 1024) }, version: null }
    expect((await put(large)).status).toBe(400)
    for (const key of [`act:release.${ID.ask}`, `request:${ID.ask}.arguments`])
      expect(
        (await call('PUT', `/api/drafts/${key}`, { cookie: ben, body: { text: 'x', version: null } })).status,
      ).toBe(200)
  })
})

describe('how far one has read', () => {
  it('only goes on, unless it is to be unread again; it is one’s own, and one’s other pages hear of it', async () => {
    const { call, engine, signIn } = await openDouble()
    const [ana, ben] = [await signIn('ana'), await signIn('ben')]
    const path = `/api/read/task:${ID.prices}`
    const put = async (body: object) => (await call('PUT', path, { cookie: ben, body })).json.seq
    const heard: unknown[] = []
    engine.onEphemeral((note) => heard.push(note))
    expect((await call('GET', path, { cookie: ben })).json).toEqual({ seq: null })
    expect(await put({ seq: 40 })).toBe(40)
    expect(await put({ seq: 12 })).toBe(40)
    expect(await put({ seq: 12, isBack: true })).toBe(12)
    expect((await call('GET', path, { cookie: ben })).json).toEqual({ seq: 12 })
    expect((await call('GET', path, { cookie: ana })).json).toEqual({ seq: null })
    expect(heard).toMatchObject([
      { kind: 'read', person: ID.ben, place: `task:${ID.prices}`, seq: 40 },
      { kind: 'read', seq: 12 },
    ])
    expect((await call('GET', '/api/read/settings', { cookie: ben })).status).toBe(400)
  })
})

describe('steps', () => {
  it('shows a step, its prompt, response and result by record', async () => {
    const { call, signIn } = await openDouble()
    const cookie = await signIn('ben')
    const get = async (path: string) => (await call('GET', `/api/steps/${ID.step}${path}`, { cookie })).json
    expect(await get('')).toMatchObject({
      step: { id: ID.step },
      taskName: 'Prices',
      agentName: 'Reader',
      archived: false,
    })
    expect(await get('/prompt')).toMatchObject({
      call: { id: 'call-1' },
      sections: [{ name: 'system', text: 'You are Reader.' }],
    })
    expect(await get('/prompt?call=nothing')).toMatchObject({ error: 'NOT_FOUND' })
    expect(await get('/response')).toMatchObject({ text: '<think>north.csv has 7 lines</think>' })
    expect(await get('/result')).toEqual({ kind: 'text', text: 'north.csv has 7 lines', json: null })
    expect(await get('/tool')).toMatchObject({ error: 'NOT_FOUND' })
  })

  it('shows a tool call up to 256 KiB and says that it was cut', async () => {
    const { call, signIn } = await openDouble()
    const cookie = await signIn('ben')
    const { json } = await call('GET', `/api/steps/StepState_${ID.toolStep}/tool`, { cookie })
    expect(json).toMatchObject({
      server: 'files',
      name: 'write_file',
      arguments: { path: 'prices/report.md', content: 'total' },
      approvedBy: null,
      isError: false,
      cut: true,
    })
    expect(String(json.result)).toHaveLength(256 * 1024)
    const whole = await call('GET', `/api/steps/${ID.toolStep}/result`, { cookie })
    expect(String(whole.json.text)).toHaveLength(300_077)
  })

  it('shows what a tool answered, and whether it is an error', async () => {
    const { call, signIn } = await openDouble()
    const { json } = await call('GET', `/api/steps/${ID.badStep}/tool`, { cookie: await signIn('ana') })
    expect(json).toMatchObject({ result: { isError: true, content: [{ text: 'ENOENT' }] }, isError: true, cut: false })
  })

  it('[R94] what a participant may not read is, to the letter, what does not exist, and an operator reads it', async () => {
    const { call, signIn } = await openDouble()
    const [ana, ben] = [await signIn('ana'), await signIn('ben')]
    const paths: [string, (id: string) => string][] = [
      [ID.secret, (id) => `/api/tasks/${id}/steps`],
      [ID.secret, (id) => `/api/states?type=task&task=${id}`],
      [ID.secret, (id) => `/api/states?type=task&task=TaskState_${id}`],
      ...['', '/prompt', '/response', '/result', '/tool'].map((part): [string, (id: string) => string] => [
        ID.secretStep,
        (id) => `/api/steps/${id}${part}`,
      ]),
    ]
    for (const [id, path] of paths) {
      const unknown = id.replaceAll(/[0-9a-f]/g, '0')
      const hidden = await call('GET', path(id), { cookie: ben })
      const missing = await call('GET', path(unknown), { cookie: ben })
      const withoutIds = (json: unknown, own: string) => JSON.stringify(json).replaceAll(own, 'ID')
      expect([path(''), hidden.status, withoutIds(hidden.json, id)]).toEqual([
        path(''),
        404,
        withoutIds(missing.json, unknown),
      ])
    }
    expect((await call('GET', `/api/tasks/${ID.secret}/steps`, { cookie: ana })).status).toBe(200)
    expect((await call('GET', `/api/states?type=task&task=${ID.secret}`, { cookie: ana })).status).toBe(200)
  })

  it('of a task that is not theirs a participant reads nothing', async () => {
    const { call, signIn } = await openDouble()
    const [ana, ben] = [await signIn('ana'), await signIn('ben')]
    for (const path of ['', '/prompt', '/response', '/result', '/tool']) {
      const { json } = await call('GET', `/api/steps/${ID.secretStep}${path}`, { cookie: ben })
      expect([path, json.error]).toEqual([path, 'NOT_FOUND'])
    }
    expect((await call('GET', `/api/tasks/${ID.secret}/steps`, { cookie: ben })).json.error).toBe('NOT_FOUND')
    expect((await call('GET', `/api/steps/${ID.secretStep}`, { cookie: ana })).status).toBe(200)
    for (const id of ['nothing', 'constructor', '__proto__']) {
      expect((await call('GET', `/api/steps/${id}`, { cookie: ana })).json.error).toBe('NOT_FOUND')
    }
  })

  it('pages all steps of a task by cursor, those too that left the world', async () => {
    const { call, engine, signIn } = await openDouble()
    const cookie = await signIn('ana')
    const walk = async () => {
      const ids: unknown[] = []
      for (let next: unknown = '', rounds = 0; next !== null && rounds < 20; rounds++) {
        const after = next === '' ? '' : `&after=${next}`
        const { json } = await call('GET', `/api/tasks/${ID.prices}/steps?limit=1${after}`, { cookie })
        ids.push(...(json.steps as { id: string; state: string }[]).map(({ id, state }) => `${id} ${state}`))
        next = json.next
      }
      return ids
    }
    const live = await walk()
    expect(live).toEqual([`${ID.step} finished`, `${ID.toolStep} finished`])
    const { steps } = engine.world()
    steps[ID.prices] = {}
    expect(await walk()).toEqual(live)
    expect((await call('GET', `/api/steps/${ID.step}`, { cookie })).json).toMatchObject({
      archived: true,
      step: { state: 'finished' },
    })
    expect((await call('GET', `/api/tasks/${ID.prices}/steps?after=x`, { cookie })).json.error).toBe('BAD_INPUT')
  })
})
