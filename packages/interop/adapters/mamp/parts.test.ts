/** Parts of MAMP messages: what stands at an address comes along, and code and addresses leave as parts. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { sha256 } from '@/server/shared/sha256'
import { handClock } from '@/test/handClock'
import { sampleShapeOf } from '@/test/samples'
import { must, saysFyi } from '@/test/stories'
import { TEAM } from '@/test/worldHistories'
import { type MampMessage, type MampPart, mampParts } from '../../protocols/mamp/message'
import { mampMessage, openSystem, PEER } from '../../test/adapterSystem'
import { isIdle, listener } from '../../test/adapters/mamp'
import { fromParts, partsOfText, toContent } from './content'

const PAID = sampleShapeOf('model.called').call

/** A server of pictures that counts what it is asked for. */
async function pictures() {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    if (path === '/plan.png') response.writeHead(200, { 'Content-Type': 'image/png' }).end('PNG')
    else if (path === '/page') response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>')
    else if (path === '/moved') response.writeHead(302, { Location: '/plan.png' }).end()
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
const image = (url: string): MampPart => ({ type: 'image', source: { type: 'url', url } })

describe('a picture by its address', () => {
  it('000-5 [R154] is fetched once and stands beside its address, and a repeat hears the same', async () => {
    const { asked, base } = await pictures()
    const system = await openSystem({ peers: [{ ...PEER, allowPrivate: true }] })
    const text: MampPart = { type: 'text', text: 'Which door?' }
    const message = mampMessage({ content: [text, image(`${base}/plan.png`)] })
    const first = await system.post(message)
    const { text: shown, attachments } = must(system.messages()[0], 'message')
    expect(shown).toBe(`Which door?\n\n![image](<${base}/plan.png>)`)
    const [picture] = attachments
    expect(picture).toMatchObject({ name: 'image-2.png', copiedFrom: `${base}/plan.png`, body: { mime: 'image/png' } })
    const kept = await system.store.bodies.get(must(picture, 'picture').body.sha)
    expect(Buffer.from(must(kept, 'body').bytes).toString()).toBe('PNG')

    expect((await system.post(message)).json).toEqual(first.json)
    expect(asked).toEqual(['/plan.png'])
    const other = { ...message, content: [text, image(`${base}/other.png`)] }
    expect((await system.post(other)).json).toMatchObject({ error: 'id_taken' })
  })

  it('000-5 [R154] stays an address where it lies in a private network, is no picture, moved, or is one too many', async () => {
    const { asked, base } = await pictures()
    const closed = await openSystem()
    expect((await closed.post(mampMessage({ content: [image(`${base}/plan.png`)] }))).status).toBe(200)
    expect(must(closed.messages()[0], 'message')).toMatchObject({
      text: `![image](<${base}/plan.png>)`,
      attachments: [],
    })
    expect(asked).toEqual([])

    const open = await openSystem({ peers: [{ ...PEER, allowPrivate: true }] })
    const none = ['page', 'moved', 'gone'].map((path) => image(`${base}/${path}`))
    await open.post(mampMessage({ content: none }))
    expect(must(open.messages()[0], 'message').attachments).toEqual([])
    const many = Array.from({ length: 10 }, () => image(`${base}/plan.png`))
    await open.post(mampMessage({ message_id: 'many', content: many }))
    const second = must(
      open.messages().find(({ attachments }) => attachments.length > 0),
      'message',
    )
    expect(second.attachments).toHaveLength(8)
  })
})

describe('what ours say', () => {
  it('000-6 leaves as parts: text, code with its language, pictures and files by their address', async () => {
    const said = [
      'Run this:',
      '```python',
      'print("```")',
      '```',
      'and look:',
      '![the plan](https://pictures.example/plan.png)',
      '[report.pdf](<https://files.example/r?id=1>)',
      'More is on [the page](https://files.example).',
    ].join('\n')
    const south = await listener()
    const system = await openSystem({
      peers: [{ ...PEER, baseUrl: south.url, allowPrivate: true }],
      skill: (step) => (step.executor === 'send_message' ? saysFyi([], said) : null),
    })
    await system.post(mampMessage())
    const [got] = await south.until(1)
    expect(got?.message.content).toEqual([
      { type: 'text', text: 'Run this:' },
      { type: 'code', language: 'python', code: 'print("```")' },
      { type: 'text', text: 'and look:' },
      image('https://pictures.example/plan.png'),
      { type: 'file', name: 'report.pdf', source: { type: 'url', url: 'https://files.example/r?id=1' } },
      { type: 'text', text: 'More is on [the page](https://files.example).' },
    ])
  })

  it('000-6 parts that came in leave as the same parts; a text without any stays a text', async () => {
    const bodies = (await openSystem()).store.bodies
    const parts = mampParts([
      { type: 'text', text: 'See below.' },
      { type: 'code', language: 'c++', code: '````\nint a;\n\n```' },
      { type: 'code', code: '' },
      { type: 'image', source: { type: 'url', url: 'https://pictures.example/(a).png' } },
      { type: 'file', name: 'list.csv', source: { type: 'url', url: 'http://files.example/list.csv' } },
    ])
    const { text, attachments } = await fromParts(parts, bodies)
    expect(await toContent(text, attachments, bodies)).toEqual(parts)
    for (const plain of ['A text.\n\nOf two.', '```js\nno end', 'see ![a](https://a.example/a.png) here'])
      expect(await toContent(plain, [], bodies)).toBe(plain)
    expect(partsOfText('')).toEqual([])
  })
})

describe('a file with its bytes', () => {
  const file = (name: string): MampPart => ({
    type: 'file',
    name,
    source: { type: 'base64', media_type: 'image/png', data: Buffer.from('PNG').toString('base64') },
  })

  it('is named by the end of its path, and `file` where that names nothing or a folder', async () => {
    const { bodies } = (await openSystem()).store
    const { attachments } = await fromParts(['a/b.png', 'a\\c.png', 'a/', '.', 'a/..', ' \n'].map(file), bodies)
    expect(attachments.map(({ name }) => name)).toEqual(['b.png', 'c.png', 'file', 'file', 'file', 'file'])
  })

  it('000-6 leaves as an image where it is one, else as a file with its name', async () => {
    const { bodies } = (await openSystem()).store
    const { attachments } = await fromParts([file('a.png')], bodies)
    const data = Buffer.from('PNG').toString('base64')
    expect(await toContent('', attachments, bodies)).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
    ])
    const texts = attachments.map((one) => ({ ...one, body: { ...one.body, mime: 'text/image/' } }))
    expect(await toContent('', texts, bodies)).toMatchObject([{ type: 'file', name: 'a.png' }])
  })
})

describe('pictures of a message that do not come in time', () => {
  /** One server that never answers for /slow.png, and says when it is asked. */
  async function slowPictures() {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url ?? '')
      if (request.url !== '/slow.png') response.writeHead(200, { 'Content-Type': 'image/png' }).end('PNG')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    return { asked, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }

  it('000-5 [R154] are waited for 10 s in all: what came is kept, the rest stays an address and is not asked for', async () => {
    const clock = handClock()
    const { asked, base } = await slowPictures()
    const system = await openSystem({ clock, peers: [{ ...PEER, allowPrivate: true }] })
    let isAnswered = false
    const content = ['plan.png', 'slow.png', 'late.png'].map((name) => image(`${base}/${name}`))
    const posted = system.post(mampMessage({ content })).finally(() => {
      isAnswered = true
    })
    await vi.waitFor(() => expect(asked).toEqual(['/plan.png', '/slow.png']))
    clock.pass(9_999)
    await new Promise(setImmediate)
    expect(isAnswered).toBe(false)
    clock.pass(1)
    expect((await posted).status).toBe(200)
    const { text, attachments } = must(system.messages()[0], 'message')
    expect(attachments.map(({ name }) => name)).toEqual(['image-1.png'])
    expect(text.match(/!\[image\]/g)).toHaveLength(3)
    expect(asked).toEqual(['/plan.png', '/slow.png'])
  })

  it('000-5 [R187] a picture of a message that is refused is not fetched, and none of its files is stored', async () => {
    const { asked, base } = await slowPictures()
    const limits = { tasks: 5, tokensPerDay: 1, costPerDay: null }
    const system = await openSystem({
      peers: [{ ...PEER, agents: [TEAM.reader.id], allowPrivate: true, limits }],
      skill: (step) => (step.executor === 'send_message' ? { ...saysFyi([], 'It is 7.'), call: PAID } : null),
    })
    const data = Buffer.from('a,1').toString('base64')
    const content = [
      image(`${base}/plan.png`),
      { type: 'file' as const, name: 'a.csv', source: { type: 'base64' as const, data } },
    ]
    const refusals = async (more: Partial<MampMessage>) => {
      const { status, headers } = await system.post(mampMessage({ content, ...more }))
      return [status, headers.get('retry-after') !== null]
    }
    expect(await refusals({ to: 'agent://ours.example/manager' })).toEqual([404, false])
    expect(await refusals({ conversation_id: 'conv-none' })).toEqual([404, false])
    expect((await system.post(mampMessage({ message_id: 'msg-2', content: 'How many?' }))).status).toBe(200)
    await system.until((world) => (world.peers[PEER.id]?.spent ?? []).length > 0)
    expect(await refusals({ message_id: 'msg-3' })).toEqual([429, true])
    expect(asked).toEqual([])
    expect(await system.store.bodies.get(sha256(Buffer.from('a,1')))).toBeNull()
    // The refusal is a line of the peer all the same: it is no flood.
    expect(system.exchange().filter(({ verdict }) => verdict === 'too_many')).toHaveLength(1)
  })

  it('000-5 [R154] a message whose pictures came leaves no limit behind', async () => {
    const clock = handClock()
    const { base } = await slowPictures()
    const system = await openSystem({ clock, peers: [{ ...PEER, allowPrivate: true }] })
    /** out: timers that wait when all is done */
    const send = async (id: string, name: string): Promise<number> => {
      await system.post(mampMessage({ message_id: id, content: [image(`${base}/${name}`)] }))
      await system.until((world) => isIdle(world.work))
      return clock.waiting()
    }
    // The first one also begins the timers that run on with an idle team.
    await send('msg-1', 'plan.png')
    const waiting = await send('msg-2', 'map.png')
    expect(await send('msg-3', 'other.png')).toBe(waiting)
  })
})

it('[R40] a file that cannot be saved into the workspace stays in its message, and the message is taken', async () => {
  const system = await openSystem({ saveFiles: () => Promise.reject(new Error('the disk is full')) })
  const logged = vi.spyOn(system.parts.log, 'error').mockImplementation(() => {})
  const data = Buffer.from('a,1').toString('base64')
  const content = [{ type: 'file' as const, name: 'a.csv', source: { type: 'base64' as const, data } }]
  expect((await system.post(mampMessage({ content }))).status).toBe(200)
  expect(system.heard()[0]?.attachments).toMatchObject([{ name: 'a.csv', savedAs: null }])
  expect(logged).toHaveBeenCalledOnce()
})
