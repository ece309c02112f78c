import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AttachmentAnswer } from '@/lib/wire'
import { openDouble } from './test/gatewayDouble'
import { ID } from './test/world'

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

describe('files that come along with a message', () => {
  it('are kept, saved in the workspace under a safe name, and sent by whoever took them in', async () => {
    const double = await openDouble()
    const cookie = await double.signIn('ben')
    const taken = await double.call('POST', '/api/attachments', { cookie, body: file('../prices.csv', 'item,price\n') })
    expect(taken.status).toBe(200)
    const { sha, bytes } = taken.json as AttachmentAnswer
    expect(bytes).toBe(11)
    const sent = await double.call('POST', '/api/messages', { cookie, body: message([{ sha }], '') })
    expect(sent.status).toBe(200)
    const { command } = double.engine.envelopes.at(-1) ?? {}
    expect(command).toMatchObject({ attachments: [{ name: '../prices.csv', body: { sha, preview: 'item,price\n' } }] })
    const [folder = ''] = await readdir(join(double.workspace, 'inbox'))
    expect(await readFile(join(double.workspace, 'inbox', folder, 'prices.csv'), 'utf8')).toBe('item,price\n')
  })

  it('are taken in once, however often they are sent', async () => {
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

  it('that were dropped at once lie in one folder, also two of one name, and nobody else’s among them', async () => {
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

  it('cannot be named by somebody who did not bring them, nor by a made-up hash', async () => {
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

  it('are refused when they are too large, or no base64, or of no media type', async () => {
    const { call, signIn } = await openDouble()
    const cookie = await signIn('ben')
    const cases: [object, number][] = [
      [{ ...file('a.txt', 'x'), base64: '*' }, 400],
      [{ ...file('a.txt', 'x'), mime: 'text' }, 400],
      [{ ...file('', 'x') }, 400],
      [file('big.bin', 'x'.repeat(25 * 1024 * 1024 + 1), 'application/octet-stream'), 413],
    ]
    for (const [body, status] of cases)
      expect((await call('POST', '/api/attachments', { cookie, body })).status).toBe(status)
  })
})
