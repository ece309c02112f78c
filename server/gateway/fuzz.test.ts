/** Fuzz: no request is answered 500, and every refusal has the one form. A failure prints its seed. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Double, errorsIn, openDouble } from './test/gatewayDouble'
import { ID } from './test/world'

const isAll = process.env.CONVENE_ALL === '1'

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    'constructor',
    '__proto__',
    'toString',
    '',
    '\0',
    '../..',
    'no_relative',
    'HumanAgent_',
    '\ud800',
    '%00',
    '%E0%A4%A',
  ),
)
const someId = fc.oneof(oddText, fc.constantFrom(...Object.values(ID)))
const anything = fc.oneof(fc.jsonValue({ maxDepth: 3 }), oddText, someId)
const head = { id: fc.uuid(), until: fc.oneof(fc.constant(4e12), fc.integer(), fc.constant(-1)) }

/** Nearly valid bodies: each field is valid most of the time, else anything. */
const nearly = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(
    Object.fromEntries(
      Object.entries(fields).map(([name, good]) => [
        name,
        fc.oneof({ weight: 6, arbitrary: good }, { weight: 1, arbitrary: anything }),
      ]),
    ),
    { requiredKeys: [] },
  )

const BODIES: [method: string, path: string, body: fc.Arbitrary<unknown>][] = [
  [
    'POST',
    '/api/send_message',
    nearly({
      human_agent_id: fc.constant('ben'),
      task_id: someId,
      receiver: fc.array(someId),
      content: oddText,
      stage_relative: someId,
      need_reply: fc.boolean(),
      waiting: fc.boolean(),
    }),
  ],
  [
    'POST',
    '/api/messages',
    nearly({
      ...head,
      task: someId,
      receivers: fc.oneof(fc.array(someId), fc.constant('all')),
      text: oddText,
      type: fc.constantFrom('fyi', 'action', 'urgent'),
      stage: fc.option(someId),
      answers: fc.option(someId),
      replyTo: fc.option(someId),
      mention: fc.boolean(),
    }),
  ],
  [
    'POST',
    `/api/requests/${ID.ask}/answer`,
    nearly({
      ...head,
      decision: fc.constantFrom('answer', 'approve', 'approve_edited', 'refuse', 'done', 'cannot'),
      text: oddText,
      arguments: fc.option(fc.json()),
      digest: fc.option(oddText),
    }),
  ],
  ['POST', `/api/requests/${ID.ask}/claim`, nearly(head)],
  ['POST', '/api/receipts', nearly({ ...head, shown: fc.array(someId) })],
  ['POST', `/api/messages/${ID.question}/undo`, nearly(head)],
  [
    'POST',
    '/api/work',
    nearly({
      ...head,
      wish: oddText,
      pasted: oddText,
      files: fc.array(fc.record({ name: oddText, text: oddText }), { maxLength: 3 }),
    }),
  ],
  ['PUT', '/api/me/settings', nearly({ theme: fc.constant('dark'), textScale: fc.double() })],
  [
    'PUT',
    '/api/drafts/task:x',
    nearly({
      text: oddText,
      more: fc.dictionary(oddText, fc.jsonValue()),
      version: fc.option(fc.integer()),
      other: fc.option(fc.record({ text: oddText })),
    }),
  ],
  ['POST', '/api/sessions/link', nearly({ token: oddText })],
]

const expectAnswer = ({ status, json }: Awaited<ReturnType<Double['call']>>) => {
  expect(status).not.toBe(500)
  if (status >= 400)
    expect(json).toMatchObject({ error: expect.any(String), message: expect.any(String), status_code: status })
}

describe('fuzz', () => {
  it('nearly valid bodies never cause a 500', async () => {
    const { call, clock, logged, signIn } = await openDouble()
    const cookie = await signIn('ben')
    const some = fc
      .constantFrom(...BODIES)
      .chain(([method, path, body]) => fc.tuple(fc.constant(method), fc.constant(path), body))
    await fc.assert(
      fc.asyncProperty(some, async ([method, path, body]) => {
        clock.now += 1
        expectAnswer(await call(method, path, { cookie, body: body ?? null }))
      }),
      { numRuns: isAll ? 2_000 : 150 },
    )
    expect(errorsIn(logged)).toEqual([])
  })

  it('bodies of any bytes never cause a 500', async () => {
    const { call, signIn } = await openDouble()
    const cookie = await signIn('ben')
    const some = fc.tuple(
      fc.constantFrom(...BODIES),
      fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.constant('{"__proto__":{"id":1}}')),
    )
    await fc.assert(
      fc.asyncProperty(some, async ([[method, path], raw]) => {
        expectAnswer(await call(method, path, { cookie, raw, headers: { 'content-type': 'application/json' } }))
      }),
      { numRuns: isAll ? 600 : 100 },
    )
  })

  it('any ids and queries in the URL never cause a 500', async () => {
    const { call, logged, signIn } = await openDouble()
    const cookie = await signIn('ben')
    const segment = fc
      .oneof(someId, oddText)
      .map((text) => (/%/.test(text) ? text : encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '?'))))
    const paths = fc.oneof(
      segment.map((id) => `/api/steps/${id}`),
      segment.map((id) => `/api/steps/${id}/prompt?call=${id}`),
      segment.map((id) => `/api/requests/${id}/arguments`),
      segment.map((id) => `/api/tasks/${id}/steps?after=${id}&limit=${id}`),
      segment.map((id) => `/api/drafts/${id}`),
      fc
        .tuple(fc.constantFrom('task', 'stage', 'agent', 'step', 'x'), segment)
        .map(([type, id]) => `/api/states?type=${type}&after=${id}`),
      segment.map((id) => `/api/states?type=agent&task=${id}`),
    )
    await fc.assert(
      fc.asyncProperty(paths, async (path) => {
        expectAnswer(await call('GET', path, { cookie }))
      }),
      { numRuns: isAll ? 2_000 : 150 },
    )
    expect(errorsIn(logged)).toEqual([])
  })

  it('any cookies and headers are refused as not signed in or as foreign', async () => {
    const { call, signIn } = await openDouble()
    const [name] = (await signIn('ben')).split('=')
    const header = fc.string({ unit: fc.constantFrom(...'abc=;,"%_ -'), maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(header, header, async (cookie, origin) => {
        const { status } = await call('GET', '/api/me', {
          headers: { cookie: `${name}=${cookie}`, origin, 'x-forwarded-for': cookie },
        })
        expect([401, 403]).toContain(status)
      }),
      { numRuns: 80 },
    )
  })
})
