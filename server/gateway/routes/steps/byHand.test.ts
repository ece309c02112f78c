import { expect, it } from 'vitest'
import { PersonQueue } from '@/server/models'
import { openDouble } from '../../test/gatewayDouble'
import { ID } from '../../test/world'

const TURNS = [{ role: 'user' as const, content: '<section name="current_step">\nskill: think\n</section>' }]

function callsOfOneNode(now = 0) {
  const queue = new PersonQueue(() => now)
  return {
    queue,
    list: () => queue.list(),
    settle: async (...answer: Parameters<typeof queue.settle>) => queue.settle(...answer),
  }
}

function waitingCall({ queue }: ReturnType<typeof callsOfOneNode>) {
  const call = { model: 'hand', agent: 'Reader', skill: 'think', step: 'not-in-the-world', turns: TURNS }
  return queue.ask(call, new AbortController().signal)
}

it('a developer reads the prompt of a waiting call, and answers it once', async () => {
  const personCalls = callsOfOneNode(5)
  const double = await openDouble({ personCalls })
  const cookie = await double.signIn(ID.dev)
  const answer = waitingCall(personCalls)
  const listed = await double.call('GET', '/api/by_hand', { cookie })
  expect(listed.json.calls).toEqual([
    {
      id: 'not-in-the-world.1',
      model: 'hand',
      agent: 'Reader',
      skill: 'think',
      step: 'not-in-the-world',
      task: null,
      since: 5,
      parts: [{ role: 'user', name: 'current_step', text: 'skill: think' }],
    },
  ])
  const path = '/api/by_hand/not-in-the-world.1'
  const first = await double.call('POST', path, { cookie, body: { answer: '<think>3.20</think>' } })
  expect([first.status, first.json]).toEqual([200, { taken: true }])
  expect(await answer).toMatchObject({ text: '<think>3.20</think>' })
  const second = await double.call('POST', path, { cookie, body: { answer: 'again' } })
  expect([second.status, second.json.error]).toEqual([404, 'NOT_FOUND'])
})

it('a call can be refused with a reason, and not without one', async () => {
  const personCalls = callsOfOneNode()
  const double = await openDouble({ personCalls })
  const cookie = await double.signIn(ID.ana)
  const answer = waitingCall(personCalls)
  const path = '/api/by_hand/not-in-the-world.1'
  expect((await double.call('POST', path, { cookie, body: { refuse: ' ' } })).status).toBe(400)
  expect((await double.call('POST', path, { cookie, body: { refuse: 'no prices' } })).status).toBe(200)
  expect(await answer).toMatchObject({ refused: 'no prices' })
})

it('participants see no prompts and answer none', async () => {
  const personCalls = callsOfOneNode()
  const double = await openDouble({ personCalls })
  const cookie = await double.signIn(ID.ben)
  void waitingCall(personCalls)
  expect((await double.call('GET', '/api/by_hand', { cookie })).status).toBe(403)
  const answered = await double.call('POST', '/api/by_hand/not-in-the-world.1', { cookie, body: { answer: 'x' } })
  expect(answered.status).toBe(403)
  expect(personCalls.list()).toHaveLength(1)
})

it('operators try a configured model or tool server; others may not', async () => {
  const trial = {
    models: ['default'],
    tools: ['files'],
    tryOne: async (kind: string, name: string) =>
      name === 'default' ? { ok: false, words: `${kind} ${name} does not answer.`, hint: 'Start it.' } : null,
  }
  const double = await openDouble({ trial })
  const [ana, dev] = [await double.signIn(ID.ana), await double.signIn(ID.dev)]
  expect((await double.call('GET', '/api/system/try', { cookie: ana })).json).toEqual({
    models: ['default'],
    tools: ['files'],
  })
  const tried = await double.call('POST', '/api/system/try', { cookie: ana, body: { kind: 'model', name: 'default' } })
  expect(tried.json).toEqual({ ok: false, words: 'model default does not answer.', hint: 'Start it.' })
  const unknown = await double.call('POST', '/api/system/try', { cookie: ana, body: { kind: 'tool', name: 'x' } })
  expect(unknown.status).toBe(404)
  expect((await double.call('GET', '/api/system/try', { cookie: dev })).status).toBe(403)
})

it('a call of a step that is known is shown with its task and its agent, one of no step with neither', async () => {
  const personCalls = callsOfOneNode()
  const double = await openDouble({ personCalls })
  const asks = (step: string | null) =>
    void personCalls.queue.ask(
      { model: 'hand', agent: 'by its old name', skill: 'think', step, turns: TURNS },
      new AbortController().signal,
    )
  asks(ID.step)
  asks(null)
  const { json } = await double.call('GET', '/api/by_hand', { cookie: await double.signIn(ID.dev) })
  expect(json.calls).toMatchObject([
    { agent: 'Reader', task: { id: ID.prices, name: 'Prices' } },
    { agent: 'by its old name', task: null, step: null },
  ])
})
