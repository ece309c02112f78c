/** What a person may keep at the server: unsent files and drafts, each at its limit and past it, beside a second person. */
import { describe, expect, it } from 'vitest'
import { PERSON_LIMITS } from '../../shared/limits'
import { type Double, openDouble } from '../test/gatewayDouble'
import { ID } from '../test/world'

const KIB_256 = 256 * 1024
const open = (limits: Partial<typeof PERSON_LIMITS>) => openDouble({ personLimits: { ...PERSON_LIMITS, ...limits } })

let counter = 0
const upload = ({ call }: Double, cookie: string, bytes = 10, name = `${counter++}.txt`) =>
  call('POST', '/api/attachments', {
    cookie,
    body: { name, mime: 'text/plain', base64: Buffer.alloc(bytes, name).toString('base64') },
  })
const send = ({ call }: Double, cookie: string, sha: unknown) =>
  call('POST', '/api/messages', {
    cookie,
    body: {
      id: `send-a-file-${counter++}-xxxxxxxx`,
      until: Date.UTC(2030, 0),
      task: ID.prices,
      receivers: [ID.reader],
      text: 'see the file',
      type: 'fyi',
      stage: null,
      answers: null,
      replyTo: null,
      mention: false,
      attachments: [{ sha }],
    },
  })

describe('files that are not sent', () => {
  it('[R453] a person may have so many; one more is refused in words until one is sent, and nobody else is', async () => {
    const double = await open({ uploadsPerPerson: 2 })
    const [ben, ana] = [await double.signIn('ben'), await double.signIn('ana')]
    const first = await upload(double, ben, 10, 'first.txt')
    expect([first.status, (await upload(double, ben)).status]).toEqual([200, 200])
    const { status, json } = await upload(double, ben)
    expect([status, json.error]).toEqual([409, 'QUOTA'])
    expect(json.message).toContain('at most 2')
    expect(json.message).toContain('Send some of them first')
    expect((await upload(double, await double.signIn('ben'))).status).toBe(409)
    expect((await upload(double, ana)).status).toBe(200)
    // The same file again, after a lost answer.
    expect((await upload(double, ben, 10, 'first.txt')).json).toEqual(first.json)
    expect((await send(double, ben, first.json.sha)).status).toBe(200)
    expect((await upload(double, ben)).status).toBe(200)
    expect((await upload(double, ben)).status).toBe(409)
  })

  it('[R453] their size is limited too, also of files that arrive at the same time', async () => {
    const double = await open({ uploadsPerPersonMib: 1 })
    const [ben, ana] = [await double.signIn('ben'), await double.signIn('ana')]
    const all = await Promise.all(Array.from({ length: 6 }, () => upload(double, ben, KIB_256)))
    expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 409, 409])
    expect(all.find(({ status }) => status === 409)?.json.message).toContain('1 MiB')
    expect((await upload(double, ana, KIB_256)).status).toBe(200)
  })

  it('[R453] a file that was sent is noted, so that it counts no more when its task is archived', async () => {
    const double = await open({ uploadsPerPerson: 2 })
    const ben = await double.signIn('ben')
    const first = await upload(double, ben)
    expect((await send(double, ben, first.json.sha)).status).toBe(200)
    // Noted as sent by the next upload.
    expect((await upload(double, ben)).status).toBe(200)
    const rows = await double.store.people.list(ID.ben, 'upload:')
    expect(rows.filter(({ value }) => JSON.stringify(value).includes('"isSent":true'))).toHaveLength(1)
  })
})

describe('drafts', () => {
  const draft = ({ call }: Double, cookie: string, key: string, text = 'words', version: number | null = null) =>
    call('PUT', `/api/drafts/${key}`, { cookie, body: { text, version } })

  it('[R454] a person may have so many; one more is refused in words, those that are there can be changed and cleared', async () => {
    const double = await open({ draftsPerPerson: 2 })
    const [ben, ana] = [await double.signIn('ben'), await double.signIn('ana')]
    for (const key of ['act:one.1', 'act:two.2']) expect((await draft(double, ben, key)).status).toBe(200)
    const { status, json } = await draft(double, ben, 'act:three.3')
    expect([status, json.error]).toEqual([409, 'QUOTA'])
    expect(json.message).toContain('Send or clear another draft first')
    expect((await draft(double, ben, 'act:one.1', 'other words', 1)).json).toMatchObject({ text: 'other words' })
    expect((await draft(double, ana, 'act:three.3')).status).toBe(200)
    expect((await draft(double, ben, 'act:one.1', '', 2)).status).toBe(200)
    expect((await draft(double, ben, 'act:three.3')).status).toBe(200)
  })

  it('[R454] their size is limited too, also of those that arrive at the same time', async () => {
    const double = await open({ draftsPerPersonMib: 1 })
    const [ben, ana] = [await double.signIn('ben'), await double.signIn('ana')]
    const text = 'x'.repeat(200 * 1024)
    const all = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => draft(double, ben, `act:large.${n}`, text)))
    expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 409])
    expect((await draft(double, ana, 'act:large.1', text)).status).toBe(200)
  })

  it('[R454] a draft in a task is only for those who see the task', async () => {
    const double = await open({})
    const [ben, ana] = [await double.signIn('ben'), await double.signIn('ana')]
    const nowhere = '00000000-0000-4000-8000-000000000999'
    const put = async (cookie: string, key: string) => (await draft(double, cookie, key)).status
    expect(await put(ben, `task:${ID.prices}`)).toBe(200)
    expect(await put(ben, `task:${ID.secret}`)).toBe(404)
    expect(await put(ben, `task:${nowhere}`)).toBe(404)
    expect(await put(ana, `task:${ID.secret}`)).toBe(200)
    expect(await put(ben, 'task:new-work-1')).toBe(200)
  })
})
