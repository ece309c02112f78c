/** Wrong input over HTTP gets a clear error, changes nothing, and stops nothing else. */
import { randomUUID } from 'node:crypto'
import { expect, test } from '@playwright/test'
import { fulfilRequest, openPerson, type Person } from '../fixtures/person'
import { startServer, type TestServer } from '../fixtures/server'
import { type Caller, callerOf, isBase, newCommandHead, type Refusal, tasksOf } from './http'

const NO_ID = '00000000-0000-4000-8000-00000000dead'

test.describe
  .serial('wrong input', () => {
    let server: TestServer
    let ana: Caller
    let ben: Caller
    let person: Person
    let work = ''
    const seq = async () => (await ana.get<{ seq: number }>('/api/health')).body.seq

    test.beforeAll(async ({ browserName: _ }, info) => {
      test.skip(info.project.name !== 'desktop', 'there is no page in this test')
      server = await startServer()
      ana = await callerOf(server, 'ana')
      ben = await callerOf(server, 'ben')
      person = await openPerson(server, 'ana')
      expect((await person.post('/api/work/demo')).status).toBe(200)
      await expect.poll(() => person.requests().length).toBeGreaterThan(0)
      work = (await tasksOf(ana)).find((task) => !isBase(task))?.task_id ?? ''
    })
    test.afterAll(async () => {
      person?.close()
      await server?.stop()
    })

    const exact = (more: object = {}) => ({
      human_agent_id: 'ana',
      task_id: work,
      receiver: ['manager'],
      content: 'hello',
      need_reply: false,
      ...more,
    })
    const message = (more: object = {}) => ({
      ...newCommandHead(),
      task: work,
      receivers: ['manager'],
      text: 'hello',
      type: 'fyi',
      stage: null,
      answers: null,
      replyTo: null,
      mention: false,
      ...more,
    })
    const answer = (more: object = {}) => ({
      ...newCommandHead(),
      decision: 'answer',
      text: 'yes',
      arguments: null,
      digest: null,
      ...more,
    })

    test('[R12] wrong input of every kind is refused by name, and no entry is written', async () => {
      const [row] = person.requests()
      const open = row?.request.id ?? ''
      const before = await seq()
      const json = '{"human_agent_id": "ana", '
      type Case = [
        what: string,
        reply: Promise<{ status: number; body: Refusal }>,
        status: number,
        error: string,
        says: RegExp,
      ]
      const cases: Case[] = [
        ['unknown task', ana.post('/api/send_message', exact({ task_id: NO_ID })), 404, 'NOT_FOUND', /no task .*dead/],
        [
          'a task called constructor',
          ana.post('/api/send_message', exact({ task_id: 'constructor' })),
          404,
          'NOT_FOUND',
          /task constructor/,
        ],
        [
          'unknown receiver',
          ana.post('/api/send_message', exact({ receiver: ['manager', 'nobody'] })),
          422,
          'RECEIVER_UNKNOWN',
          /nobody/,
        ],
        [
          'a receiver outside the task',
          ana.post('/api/send_message', exact({ receiver: ['manager', 'lee'] })),
          422,
          'NOT_A_MEMBER',
          /Lee isn't in the task/,
        ],
        ['no receivers', ana.post('/api/send_message', exact({ receiver: [] })), 422, 'NO_RECEIVERS', /empty/],
        ['only oneself', ana.post('/api/send_message', exact({ receiver: ['ana'] })), 422, 'NO_RECEIVERS', /empty/],
        [
          "another's id",
          ana.post('/api/send_message', exact({ human_agent_id: 'ben' })),
          403,
          'NOT_YOU',
          /human_agent_id/,
        ],
        [
          'an agent as person',
          ana.post('/api/send_message', exact({ human_agent_id: 'manager' })),
          403,
          'NOT_YOU',
          /human_agent_id/,
        ],
        ['unknown stage', ana.post('/api/send_message', exact({ stage_relative: NO_ID })), 404, 'NOT_FOUND', /stage/],
        ['no text', ana.post('/api/send_message', exact({ content: '  ' })), 422, 'EMPTY_TEXT', /no text/],
        [
          'a text over the limit',
          ana.post('/api/send_message', exact({ content: 'x'.repeat(64 * 1024 + 1) })),
          413,
          'TOO_LARGE',
          /64 KiB/,
        ],
        [
          'a body over the limit',
          ana.post('/api/send_message', exact({ content: 'x'.repeat(1024 * 1024) })),
          413,
          'TOO_LARGE',
          /1 MiB/,
        ],
        [
          'many bytes in few characters',
          ana.post('/api/messages', message({ text: '价'.repeat(22_000) })),
          413,
          'TOO_LARGE',
          /64 KiB/,
        ],
        ['no JSON', ana.post('/api/send_message', json), 400, 'BAD_INPUT', /not valid JSON/],
        ['a list as body', ana.post('/api/send_message', []), 400, 'BAD_INPUT', /body/],
        [
          'a field of another kind',
          ana.post('/api/send_message', exact({ receiver: 'manager' })),
          400,
          'BAD_INPUT',
          /receiver/,
        ],
        [
          'a form',
          ana.post('/api/send_message', exact(), { 'content-type': 'application/x-www-form-urlencoded' }),
          415,
          'NOT_JSON',
          /application\/json/,
        ],
        [
          'a foreign page',
          ana.post('/api/send_message', exact(), { origin: 'https://elsewhere.example' }),
          403,
          'FOREIGN_ORIGIN',
          /elsewhere/,
        ],
        [
          'nobody signed in',
          (await callerOf(server, null)).post('/api/send_message', exact()),
          401,
          'NOT_SIGNED_IN',
          /signed in/,
        ],
        [
          'past its time',
          ana.post('/api/messages', message({ until: Date.now() - 1_000 })),
          409,
          'EXPIRED',
          /too late/,
        ],
        ['an id that is none', ana.post('/api/messages', message({ id: '!' })), 400, 'BAD_INPUT', /id/],
        ['a type that is none', ana.post('/api/messages', message({ type: 'ding' })), 400, 'BAD_INPUT', /type/],
        ['unknown request', ana.post(`/api/requests/${NO_ID}/answer`, answer()), 404, 'NOT_FOUND', /request/],
        [
          'a decision that does not fit',
          ana.post(`/api/requests/${open}/answer`, answer({ decision: 'approve' })),
          422,
          'DECISION_UNFIT',
          /approve/,
        ],
        [
          'an answer without words',
          ana.post(`/api/requests/${open}/answer`, answer({ text: ' ' })),
          422,
          'EMPTY_TEXT',
          /no text/,
        ],
        ["someone else's request", ben.post(`/api/requests/${open}/answer`, answer()), 404, 'NOT_FOUND', /request/],
        ['unknown step', ana.get(`/api/steps/${NO_ID}`), 404, 'NOT_FOUND', /step/],
        ['steps of an unknown task', ana.get(`/api/tasks/${NO_ID}/steps`), 404, 'NOT_FOUND', /task/],
        ["another's task", ben.get(`/api/tasks/${work}/steps`), 404, 'NOT_FOUND', /task/],
        ['states of no kind', ana.get('/api/states?type=weather'), 400, 'BAD_INPUT', /type/],
        [
          'a wish without words',
          ana.post('/api/work', { ...newCommandHead(), wish: '', pasted: '', files: [] }),
          422,
          'EMPTY_TEXT',
          /no text/,
        ],
        [
          'a dropped file over the limit',
          ana.post('/api/work', {
            ...newCommandHead(),
            wish: 'Count it',
            pasted: '',
            files: [{ name: 'big.txt', text: 'x'.repeat(2 * 1024 * 1024 + 1) }],
          }),
          413,
          'TOO_LARGE',
          /big\.txt.*2 MiB/,
        ],
        ['a page that is not there', ana.get('/api/no-such-thing'), 404, 'NOT_FOUND', /.+/],
      ]
      for (const [what, reply, status, error, says] of cases) {
        const { status: got, body } = await reply
        expect
          .soft({ got, error: body.error, code: body.status_code }, what)
          .toEqual({ got: status, error, code: status })
        expect.soft(body.message, what).toMatch(says)
      }
      expect(await seq()).toBe(before)
      expect((await ana.post<Refusal>('/api/send_message', exact({ receiver: [] }))).body.success).toBe(false)
    })

    test('[R4] a repeated command id has the first answer and no second effect', async () => {
      const body = message({ text: `once ${randomUUID()}` })
      const first = await ana.post<unknown>('/api/messages', body)
      expect(first.status).toBe(200)
      const again = await Promise.all([1, 2, 3].map(() => ana.post<unknown>('/api/messages', body)))
      for (const reply of again) expect(reply).toEqual(first)
      const pool = (await tasksOf(ana)).find((task) => task.task_id === work)?.shared_conversation_pool ?? []
      expect(pool.filter((one) => one.message === body.text)).toHaveLength(1)
    })

    test('[R11] a confirmation takes only the digest that was seen, and arguments that fit the tool', async () => {
      await expect
        .poll(
          async () => {
            const rows = person.requests()
            if (rows.some((row) => row.request.kind === 'confirm')) return true
            for (const row of rows) if (row.request.kind === 'answer') await fulfilRequest(person, row)
            return false
          },
          { timeout: 20_000, intervals: [50] },
        )
        .toBe(true)
      const { id, call } = person.requests().find((row) => row.request.kind === 'confirm')?.request ?? {}
      const put = (more: object) =>
        ana.post(`/api/requests/${id}/answer`, answer({ text: '', digest: call?.digest ?? null, ...more }))
      const before = await seq()
      expect((await put({ decision: 'approve', digest: 'f'.repeat(64) })).body).toMatchObject({
        error: 'DIGEST_CHANGED',
        status_code: 409,
      })
      expect((await put({ decision: 'approve_edited', arguments: '{"path": 7}' })).body).toMatchObject({
        error: 'BAD_ARGUMENTS',
        status_code: 422,
      })
      expect((await put({ decision: 'approve_edited', arguments: '{' })).body).toMatchObject({ error: 'BAD_ARGUMENTS' })
      expect((await put({ decision: 'approve_edited', arguments: null })).body).toMatchObject({
        error: 'BAD_ARGUMENTS',
      })
      expect(
        (await put({ decision: 'approve_edited', arguments: JSON.stringify('x'.repeat(1024 * 1024)) })).body,
      ).toMatchObject({
        error: 'TOO_LARGE',
        message: expect.stringContaining('1 MiB'),
      })
      expect((await put({ decision: 'approve', arguments: '{"path": "other.md", "content": ""}' })).body).toMatchObject(
        {
          error: 'ARGUMENTS_UNUSED',
          status_code: 422,
        },
      )
      expect((await put({ decision: 'refuse' })).body).toMatchObject({ error: 'REASON_MISSING', status_code: 422 })
      expect(await seq()).toBe(before)
      expect((await put({ decision: 'approve' })).status).toBe(200)
    })

    test('[R5] an answer to a closed request says who was first and when, and the task ends all the same', async () => {
      const answered: string[] = []
      await expect
        .poll(
          async () => {
            for (const row of person.requests()) {
              await fulfilRequest(person, row)
              if (row.request.kind === 'part') answered.push(row.request.id)
            }
            return (await tasksOf(ana)).find((task) => task.task_id === work)?.execution_state
          },
          { timeout: 30_000, intervals: [100] },
        )
        .toBe('finished')
      const late = await ana.post(`/api/requests/${answered[0]}/answer`, answer({ decision: 'done', text: 'again' }))
      expect(late.body).toMatchObject({
        error: 'REQUEST_OVER',
        status_code: 409,
        details: { by: 'Ana', how: 'answered' },
      })
      expect(late.body.details?.at).toEqual(expect.any(Number))
      expect((await ana.post('/api/send_message', exact())).body).toMatchObject({
        error: 'TASK_OVER',
        status_code: 409,
      })
    })

    test('[R5] of two people who answer one request at random moments one is first, and the other learns who', async () => {
      const olga = await callerOf(server, 'olga')
      const names = { ana: 'Ana', olga: 'Olga' }
      const times = 50
      for (let n = 0; n < times; n++) {
        expect(
          (
            await ana.post('/api/work', {
              ...newCommandHead(),
              wish: `Please do something nice, number ${n}`,
              pasted: '',
              files: [],
            })
          ).status,
        ).toBe(200)
      }
      await expect.poll(() => person.requests().length, { timeout: 20_000 }).toBeGreaterThanOrEqual(times)
      const ids = person
        .requests()
        .slice(0, times)
        .map((row) => row.request.id)
      const wins = { ana: 0, olga: 0 }
      for (const [n, id] of ids.entries()) {
        const put = async (who: 'ana' | 'olga', caller: Caller) => {
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 4))
          return {
            who,
            reply: await caller.post(
              `/api/requests/${id}/answer`,
              // Olga was not asked: an operator who answers for somebody gives a reason.
              answer({ text: `nothing ${n} ${who}`, reason: who === 'olga' ? 'Ana is away' : null }),
            ),
          }
        }
        const replies = await Promise.all([put('ana', ana), put('olga', olga)])
        const [winner, ...more] = replies.filter(({ reply }) => reply.status === 200)
        const [loser] = replies.filter(({ reply }) => reply.status !== 200)
        expect(more).toEqual([])
        if (!winner || !loser) throw new Error(`request ${n}: nobody was first`)
        wins[winner.who] += 1
        expect(loser.reply.body).toMatchObject({
          error: 'REQUEST_OVER',
          status_code: 409,
          details: { by: names[winner.who], request: id },
        })
      }
      const pool = (await tasksOf(ana)).find(isBase)?.shared_conversation_pool ?? []
      const texts = pool.map((one) => one.message).filter((text) => /^nothing \d+ (ana|olga)$/.test(text))
      expect(texts).toHaveLength(times)
      expect(new Set(texts.map((text) => text.split(' ')[1])).size).toBe(times)
      expect(wins.ana + wins.olga).toBe(times)
    })
  })

test('a wrong configuration is reported with line and hint, and the program exits with 1', async ({
  browserName: _,
}, info) => {
  test.skip(info.project.name !== 'desktop', 'there is no page in this test')
  const good =
    'team: { name: Test }\nmodels:\n  default: { provider: rehearsal }\nagents:\n' +
    '  - { id: boss, name: Boss, role: manager, manager: true, skills: [all] }\nhumans:\n' +
    '  - { id: ana, name: Ana, role: operator, access: operator }\n'
  const cases: [what: string, config: string, says: RegExp][] = [
    ['broken YAML', 'team: { name: "x\nagents: [', /convene\.yaml.*\b(line )?\d/s],
    ['an unknown key', `${good}limts: { steps_per_part: 3 }\n`, /limts.*limits/s],
    ['a model that is not there', good.replace('id: boss,', 'id: boss, model: deflaut,'), /deflaut.*default/s],
    ['a value of another kind', `${good}limits: { steps_per_part: many }\n`, /steps_per_part/],
    ['nothing', '', /empty/],
  ]
  const endOf = (config: string): Promise<string> =>
    startServer({ config }).then(
      async (server) => {
        await server.stop()
        return 'it started'
      },
      (error: Error) => error.message,
    )
  const ends = await Promise.all(cases.map(([, config]) => endOf(config)))
  for (const [at, [what, , says]] of cases.entries()) {
    const ended = ends[at]
    expect.soft(ended, what).toMatch(/the server ended with 1: /)
    expect.soft(ended, what).toMatch(says)
    expect.soft(ended, what).not.toMatch(/ {4}at .*\.(ts|mjs|js):\d+/)
  }
})
