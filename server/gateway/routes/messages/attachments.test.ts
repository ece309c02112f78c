import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bodyOf } from '@/lib/mas/bodies'
import { type AgentId, asId, type MessageId } from '@/lib/mas/ids'
import type { AgentConfig } from '@/lib/mas/records'
import type { AttachmentAnswer } from '@/lib/wire'
import { attachmentAnswer, filesPage } from '@/lib/wire/http'
import { LONGEST_BLOCK_MS, longestBlock } from '@/test/loopBlocks'
import { type Double, openDouble, passwordHash } from '../../test/gatewayDouble'
import { configured, facts, ID } from '../../test/world'

const later = Date.UTC(2030, 0)
const file = (name: string, text: string, mime = 'text/plain') => ({
  name,
  mime,
  base64: Buffer.from(text).toString('base64'),
})
const message = (attachments: { sha: string }[], text = 'see the file') => ({
  id: `send-${attachments.length}-${text.length}-${'x'.repeat(8)}`,
  until: later,
  task: ID.prices,
  receivers: [ID.reader],
  text,
  type: 'fyi',
  stage: null,
  answers: null,
  replyTo: null,
  mention: false,
  attachments,
})

/** A participant who is in no task but the base task. */
async function withLee(double: Double, more: Partial<AgentConfig> = {}): Promise<string> {
  const lee = asId<AgentId>('00000000-0000-4000-8000-000000000015')
  const { command } = configured
  if (command.type !== 'applyConfig') throw new Error('not the configuration')
  const ben = command.agents.find(({ id }) => id === ID.ben)
  if (!ben) throw new Error('there is no Ben')
  const agents = [...command.agents, { ...ben, id: lee, configId: 'lee', name: 'Lee', ...more }]
  const answer = await double.engine.commit({ ...configured, id: 'configure:lee', command: { ...command, agents } })
  if (!answer.ok) throw answer.fault
  await double.store.accounts.setPassword(lee, await passwordHash)
  return double.signIn('lee')
}

describe('files of messages', () => {
  it('a file is stored, saved in the workspace under a safe name, and can be sent by its uploader', async () => {
    const double = await openDouble()
    const cookie = await double.signIn('ben')
    const taken = await double.call('POST', '/api/attachments', { cookie, body: file('../prices.csv', 'item,price\n') })
    expect(taken.status).toBe(200)
    const { sha, bytes } = taken.json as AttachmentAnswer
    expect(bytes).toBe(11)
    const sent = await double.call('POST', '/api/messages', { cookie, body: message([{ sha }], '') })
    expect(sent.status).toBe(200)
    const { command } = double.engine.envelopes.at(-1) ?? {}
    expect(command).toMatchObject({ attachments: [{ name: 'prices.csv', body: { sha, preview: 'item,price\n' } }] })
    const [folder = ''] = await readdir(join(double.workspace, 'inbox'))
    expect(await readFile(join(double.workspace, 'inbox', folder, 'prices.csv'), 'utf8')).toBe('item,price\n')
  })

  it.each([
    ['../../../evil.sh', 'evil.sh'],
    ['\u202Egpj.exe', 'gpj.exe'],
    ['a\u200Bb\u0007.txt', 'ab.txt'],
  ])('[R356] a file that its uploader names %j is %s wherever it is shown', async (given, shown) => {
    const double = await openDouble()
    const { call, signIn, engine } = double
    const cookie = await signIn('ben')
    const { json } = await call('POST', '/api/attachments', { cookie, body: file(given, 'text') })
    expect(json.name).toBe(shown)
    const sent = await call('POST', '/api/messages', { cookie, body: message([{ sha: String(json.sha) }]) })
    expect(sent.status).toBe(200)
    const named = Object.values(engine.world().messages[ID.prices] ?? {}).flatMap(({ attachments }) => attachments)
    expect(named.map(({ name }) => name)).toContain(shown)
    expect(JSON.stringify(named)).not.toContain(given)
  })

  it('a file that is uploaded several times is stored once', async () => {
    const double = await openDouble()
    const cookie = await double.signIn('ben')
    const body = file('a.txt', 'once')
    const [first, again] = [
      await double.call('POST', '/api/attachments', { cookie, body }),
      await double.call('POST', '/api/attachments', { cookie, body }),
    ]
    expect(again.json).toEqual(first.json)
    expect(await readdir(join(double.workspace, 'inbox'))).toHaveLength(1)
  })

  it('the same bytes under two names are two files of a message, each with its name', async () => {
    const { call, signIn, engine, workspace } = await openDouble()
    const cookie = await signIn('ben')
    const names = ['first.txt', 'second.txt']
    const sent: AttachmentAnswer[] = []
    for (const name of names)
      sent.push((await call('POST', '/api/attachments', { cookie, body: file(name, 'same') })).json as AttachmentAnswer)
    expect(sent.map(({ name }) => name)).toEqual(names)
    const body = message(sent.map(({ sha, name }) => ({ sha, name })))
    expect((await call('POST', '/api/messages', { cookie, body })).status).toBe(200)
    const carried = Object.values(engine.world().messages[ID.prices] ?? {}).flatMap(({ attachments }) => attachments)
    expect(carried.map(({ name }) => name)).toEqual(names)
    expect(await readdir(join(workspace, 'inbox'))).toHaveLength(1)
  })

  it('files of one drop are saved in one folder, equal names too, without files of other people', async () => {
    const double = await openDouble()
    const [ben, ana] = [await double.signIn('ben'), await double.signIn('ana')]
    const take = (cookie: string, name: string, text: string, drop: string) =>
      double.call('POST', '/api/attachments', { cookie, body: { ...file(name, text), drop } })
    const drop = 'drop-of-a-moment'
    await Promise.all([take(ben, 'a.txt', 'one', drop), take(ben, 'a.txt', 'two', drop), take(ben, 'b.txt', '3', drop)])
    await take(ben, 'c.txt', 'later', 'drop-of-another')
    await take(ana, 'd.txt', 'hers', drop)
    const inbox = join(double.workspace, 'inbox')
    const folders = (await readdir(inbox)).sort()
    const held = await Promise.all(folders.map((folder) => readdir(join(inbox, folder))))
    expect(held.map((names) => names.sort())).toEqual([['a-2.txt', 'a.txt', 'b.txt'], ['c.txt'], ['d.txt']])
  })

  it('a file cannot be sent by another person, nor by a made-up hash', async () => {
    const double = await openDouble()
    const taken = await double.call('POST', '/api/attachments', {
      cookie: await double.signIn('ana'),
      body: file('secret.txt', 'mine'),
    })
    const { sha } = taken.json as AttachmentAnswer
    for (const other of [sha, 'f'.repeat(64)]) {
      const cookie = await double.signIn('ben')
      expect((await double.call('POST', '/api/messages', { cookie, body: message([{ sha: other }]) })).status).toBe(404)
    }
  })

  it('[R78] [R94] the workspace lists a file for its uploader, then for readers of a message that carries it', async () => {
    const double = await openDouble({ fileServers: ['files'] })
    const [ana, ben, dev, lee] = [
      await double.signIn('ana'),
      await double.signIn('ben'),
      await double.signIn('dev'),
      await withLee(double),
    ]
    await writeFile(join(double.workspace, 'report.md'), 'for those with a file tool')
    const taken = await double.call('POST', '/api/attachments', { cookie: ben, body: file('salary.csv', 'Ben,9000') })
    const { sha } = taken.json as AttachmentAnswer
    const seen = async (cookie: string): Promise<string[]> => {
      const { json } = await double.call('GET', '/api/files?depth=3', { cookie })
      return filesPage.parse(json).entries.map(({ path }) => path)
    }
    const folder = 'inbox/2026-11-21-1'
    const [own, others] = [['inbox', folder, `${folder}/salary.csv`], ['report.md']]
    expect(await seen(ben)).toEqual(own)
    expect(await seen(lee)).toEqual([])
    for (const cookie of [ana, dev]) expect(await seen(cookie)).toEqual(others)

    // To Ana, in the base task: a thread of the two.
    const sent = await double.call('POST', '/api/messages', {
      cookie: ben,
      body: { ...message([{ sha }]), task: ID.base, receivers: [ID.ana] },
    })
    expect(sent.status).toBe(200)
    expect(await seen(lee)).toEqual([])
    for (const cookie of [ana, dev]) expect(await seen(cookie)).toEqual([...own, ...others])
    const read = async (cookie: string) => {
      const { messages } = (sent.json as { reply: { messages: string[] } }).reply
      return (await double.call('GET', `/api/messages/${messages[0]}/attachments/0`, { cookie })).status
    }
    expect([await read(ana), await read(dev), await read(ben), await read(lee)]).toEqual([200, 200, 200, 404])
  })

  it('[R78] members of the task see the files of its messages; a file tool shows the rest of the workspace but not these', async () => {
    const double = await openDouble({ fileServers: ['files'] })
    const [ana, ben, lee] = [
      await double.signIn('ana'),
      await double.signIn('ben'),
      await withLee(double, { tools: ['files', 'search'] }),
    ]
    await writeFile(join(double.workspace, 'report.md'), 'for those with a file tool')
    const taken = await double.call('POST', '/api/attachments', { cookie: ana, body: file('plan.md', 'of Prices') })
    const { sha } = taken.json as AttachmentAnswer
    await double.call('POST', '/api/messages', { cookie: ana, body: message([{ sha }]) })
    const seen = async (cookie: string): Promise<string> =>
      JSON.stringify((await double.call('GET', '/api/files?depth=3', { cookie })).json)
    // Ben is a member of Prices, where the message went to Reader; Lee is not, and has a file tool.
    expect(await seen(ben)).toContain('plan.md')
    expect(await seen(ben)).not.toContain('report.md')
    expect(await seen(lee)).not.toContain('plan.md')
    expect(await seen(lee)).not.toContain('inbox')
    expect(await seen(lee)).toContain('report.md')
  })

  it('a file whose content was deleted is not found', async () => {
    const { call, engine, signIn } = await openDouble()
    const sent = facts.find((one) => one.type === 'message.sent' && one.message === ID.question)
    if (sent?.type !== 'message.sent') throw new Error('no question')
    const id = asId<MessageId>('00000000-0000-4000-8000-00000000048b')
    const { ref } = bodyOf('kept nowhere'.repeat(50))
    await engine.put([{ ...sent, message: id, attachments: [{ name: 'a.txt', body: ref, savedAs: null }] }])
    const { status, json } = await call('GET', `/api/messages/${id}/attachments/0`, { cookie: await signIn('ben') })
    expect([status, json.error]).toEqual([404, 'NOT_FOUND'])
  })

  it('a file of a message that it has not is not found', async () => {
    const { call, signIn } = await openDouble()
    const cookie = await signIn('ben')
    for (const at of [0, 7]) {
      const { status, json } = await call('GET', `/api/messages/${ID.question}/attachments/${at}`, { cookie })
      expect([status, json.error]).toEqual([404, 'NOT_FOUND'])
    }
  })

  it('a file is refused when it is not base64, or has no valid media type', async () => {
    const { call, signIn } = await openDouble()
    const cookie = await signIn('ben')
    const cases: [object, number][] = [
      [{ ...file('a.txt', 'x'), base64: '*' }, 400],
      [{ ...file('a.txt', 'x'), mime: 'text' }, 400],
      [{ ...file('', 'x') }, 400],
    ]
    for (const [body, status] of cases)
      expect((await call('POST', '/api/attachments', { cookie, body })).status).toBe(status)
    // Three letters of base64 are no whole one, although they hold bytes.
    const unfinished = { ...file('a.txt', 'x'), base64: 'eHg' }
    expect((await call('POST', '/api/attachments', { cookie, body: unfinished })).json.error).toBe('BAD_INPUT')
  })

  it('a file of more than 25 MiB is refused, with its name cut', async () => {
    // Made first: while it is made, the server in this process would close an idle connection.
    const raw = JSON.stringify(file('n'.repeat(150), 'x'.repeat(25 * 1024 * 1024 + 1), 'application/octet-stream'))
    const { call, signIn } = await openDouble()
    const cookie = await signIn('ben')
    const headers = { 'content-type': 'application/json' }
    const { status, json } = await call('POST', '/api/attachments', { cookie, raw, headers })
    expect([status, /^(n+) is 25/.exec(String(json.message))?.[1]?.length]).toEqual([413, 100])
  })

  it('files without a drop are saved apart, one of text has a preview, and a picture says what it shows', async () => {
    const double = await openDouble()
    const cookie = await double.signIn('ben')
    const take = async (name: string, text: string, mime: string) =>
      (await double.call('POST', '/api/attachments', { cookie, body: file(name, text, mime) })).json as AttachmentAnswer
    const [list, picture] = [await take('a.csv', 'a,1', 'text/csv'), await take('b.png', 'png', 'image/png')]
    expect((await readdir(join(double.workspace, 'inbox'))).sort()).toEqual(['2026-11-21-1', '2026-11-21-2'])
    const attachments = [{ sha: list.sha }, { sha: picture.sha, alt: 'a chart' }]
    await double.call('POST', '/api/messages', { cookie, body: message(attachments) })
    const { command } = double.engine.envelopes.at(-1) ?? {}
    expect(command).toMatchObject({
      attachments: [{ body: { preview: 'a,1' } }, { body: { preview: '' }, alt: 'a chart' }],
    })
    expect(command?.type === 'sendMessage' && command.attachments[0]).not.toHaveProperty('alt')
  })
})

const LARGEST_BYTES = 25 * 1024 * 1024

/** Runs in a thread of its own: what it does is not counted. */
const CLIENT = `
const { randomBytes } = require('node:crypto')
const { parentPort, workerData: { url, headers, length } } = require('node:worker_threads')
const bytes = randomBytes(length)
parentPort.on('message', async (path) => {
  if (path === null) {
    const body = JSON.stringify({ name: 'a.bin', mime: 'application/x-a', base64: bytes.toString('base64') })
    return parentPort.postMessage(await (await fetch(url + '/api/attachments', { method: 'POST', headers, body })).json())
  }
  const { name, base64 } = await (await fetch(url + path, { headers })).json()
  parentPort.postMessage({ name, isSame: Buffer.from(base64, 'base64').equals(bytes) })
})
`

/** A client with the largest file that may be sent. */
function openClient(url: string, cookie: string) {
  const headers = { cookie, 'content-type': 'application/json' }
  const thread = new Worker(CLIENT, { eval: true, workerData: { url, headers, length: LARGEST_BYTES } })
  onTestFinished(async () => void (await thread.terminate()))
  const ask = async (path: string | null): Promise<unknown> => {
    thread.postMessage(path)
    const [answer] = await once(thread, 'message')
    return answer
  }
  return {
    upload: async () => attachmentAnswer.parse(await ask(null)),
    download: (path: string) => ask(path),
  }
}

/** The limit, or twice what this machine takes to parse one text of that length, where its memory is that slow. out: ms */
async function mostOfThisMachine(): Promise<number> {
  const text = JSON.stringify({ base64: 'a'.repeat((LARGEST_BYTES / 3) * 4) })
  const { blockMs } = await longestBlock(() => JSON.parse(text.slice(0, -1).concat('}')))
  return Math.max(LONGEST_BLOCK_MS, 2 * blockMs)
}

describe('the largest file', { timeout: 120_000 }, () => {
  it('[R75] the event loop keeps turning while the largest file is uploaded and downloaded', async () => {
    const { signIn, url, call } = await openDouble()
    const cookie = await signIn('ben')
    const client = openClient(url, cookie)
    const most = await mostOfThisMachine()
    const taken = await longestBlock(client.upload)
    expect(taken.outcome).toMatchObject({ bytes: LARGEST_BYTES })
    expect(taken.blockMs).toBeLessThan(most)
    const sent = await call('POST', '/api/messages', { cookie, body: message([{ sha: taken.outcome.sha }]) })
    const { messages } = (sent.json as { reply: { messages: string[] } }).reply
    const given = await longestBlock(() => client.download(`/api/messages/${messages[0]}/attachments/0`))
    expect(given.blockMs).toBeLessThan(most)
    expect(given.outcome).toEqual({ name: 'a.bin', isSame: true })
  })

  it('[R73] a body that nests deeply or has a million values is refused with a reason before it is parsed', async () => {
    const { signIn, call } = await openDouble()
    const cookie = await signIn('ben')
    const headers = { 'content-type': 'application/json' }
    for (const [raw, words] of [
      ['['.repeat(10_000_000), 'The body nests deeper than 128 levels.'],
      [`[${'0,'.repeat(1_000_000)}0]`, 'The body holds more than 200,000 values.'],
    ]) {
      const { blockMs, outcome } = await longestBlock(() => call('POST', '/api/attachments', { cookie, raw, headers }))
      expect([outcome.status, outcome.json.message]).toEqual([400, words])
      expect(blockMs).toBeLessThan(LONGEST_BLOCK_MS)
    }
  })
})
