/** A person tries the model of a step with a changed prompt. */
import { expect, it } from 'vitest'
import { event } from '@/lib/mas/events'
import { findStep } from '@/lib/mas/team/agents'
import { auditPage, triedCall } from '@/lib/wire/http'
import { type Model, ModelError, type Turn } from '@/server/models/model'
import { sampleShapeOf } from '@/test/samples'
import { type Double, openDouble } from '../../test/gatewayDouble'
import { ID } from '../../test/world'

const USAGE = { promptTokens: 40, completionTokens: 2, estimated: false, costUsd: 0.5 }
/** A model with one answer. in: answer: its text; an error is thrown */
function scripted(answer: string | ModelError) {
  const asked: Turn[][] = []
  const model: Model = {
    name: 'default',
    provider: 'openai-compatible',
    contextTokens: 10_000,
    async *call(turns) {
      asked.push(turns)
      if (answer instanceof ModelError) throw answer
      yield { type: 'text', text: answer }
      yield { type: 'end', usage: USAGE, modelVersion: 'v1', finish: 'stop' }
    },
  }
  return { asked, modelOf: (name: string) => (name === 'default' ? model : unknownModel(name)) }
}
const unknownModel = (name: string): never => {
  throw new ModelError('MODEL_REFUSED', `there is no model ${name}`, false)
}

const CALL = { ...sampleShapeOf('model.called').call, id: 'call-1', model: 'default' }
const SECTIONS = [
  { name: 'role', role: 'system', text: 'You read.' },
  { name: 'task', role: 'user', text: 'Compare the prices.' },
  { name: 'now', role: 'user', text: 'Answer in one word.' },
]
let sent = 0
const body = (more: object = {}) => ({ id: `try-call-${++sent}`, call: 'call-1', sections: SECTIONS, ...more })

async function opened(answer: string | ModelError = 'bolts') {
  const model = scripted(answer)
  const double = await openDouble({ modelOf: model.modelOf })
  const head = (await double.store.journal.head()).seq
  await double.store.counters.add(0, head, [])
  await double.engine.put([event('model.called', { task: ID.prices, agent: ID.reader, step: ID.step, call: CALL })])
  return { double, ...model }
}
const post = (double: Double, cookie: string, given: object = body(), step: string = ID.step) =>
  double.call('POST', `/api/steps/${step}/try`, { cookie, body: given })

it('[R493] a developer tries a changed prompt: the answer comes back, the call is paid, and nothing of the step changes', async () => {
  const { double, asked } = await opened()
  const dev = await double.signIn('dev')
  const before = double.engine.world()
  const { status, json } = await post(double, dev)
  expect(status, JSON.stringify(json)).toBe(200)
  expect(triedCall.parse(json)).toMatchObject({ text: 'bolts', call: { outcome: 'taken', costUsd: 0.5 } })
  expect(asked).toEqual([
    [
      { role: 'system', content: 'You read.' },
      { role: 'user', content: 'Compare the prices.\n\nAnswer in one word.' },
    ],
  ])
  const world = double.engine.world()
  expect(findStep(world, ID.step)).toEqual(findStep(before, ID.step))
  expect({ ...world, seq: 0, at: 0, budgets: 0, spent: 0 }).toEqual({ ...before, seq: 0, at: 0, budgets: 0, spent: 0 })
  expect(world.budgets[ID.prices]?.costUsd).toBe((before.budgets[ID.prices]?.costUsd ?? 0) + 0.5)
  // Operators see who tried it, and in which session.
  const ana = await double.signIn('ana')
  const { rows } = auditPage.parse((await double.call('GET', '/api/audit', { cookie: ana })).json)
  expect(rows[0]).toMatchObject({ what: expect.stringContaining('Tried the model default'), who: { id: ID.dev } })
  expect(rows[0]?.session).not.toBeNull()
  // It is none of the agent's: it counts for who tried it.
  const counted = await double.store.counters.sum(['agent'], { from: 0, to: 1e9, tasks: null, agent: ID.dev })
  expect(counted).toMatchObject([{ calls: 1, nanoUsd: 500_000_000 }])
})

it('[R493] a participant may not try, nor may anybody try a call, a step or a model that is not there', async () => {
  const { double, asked } = await opened()
  const [ben, ana] = [await double.signIn('ben'), await double.signIn('ana')]
  expect((await post(double, ben)).json.error).toBe('NOT_ALLOWED')
  expect((await post(double, ana, body({ call: 'other' }))).json.error).toBe('NOT_FOUND')
  expect((await post(double, ana, body(), '00000000-0000-4000-8000-0000000000ff')).json.error).toBe('NOT_FOUND')
  expect((await post(double, ana, body({ sections: [] }))).status).toBe(400)
  const gone = { ...CALL, id: 'call-2', model: 'gone' }
  await double.engine.put([event('model.called', { task: ID.prices, agent: ID.reader, step: ID.step, call: gone })])
  expect((await post(double, ana, body({ call: 'call-2' }))).json).toMatchObject({ error: 'NOT_FOUND' })
  expect(asked).toEqual([])
})

it('[R493] a call that failed is recorded with its reason; a repeat of a request is not paid twice', async () => {
  const failed = new ModelError('MODEL_UNREACHABLE', 'nobody answers there', true)
  const { double, asked } = await opened(failed)
  const ana = await double.signIn('ana')
  const given = body()
  expect((await post(double, ana, given)).json).toMatchObject({
    text: '',
    call: { outcome: 'failed', error: 'nobody answers there', costUsd: null },
  })
  expect((await post(double, ana, given)).json.error).toBe('COMMAND_ID_TAKEN')
  expect(asked).toHaveLength(1)
})

it('[R493] work that has stopped at its budget is tried no more', async () => {
  const { double, asked } = await opened()
  const ana = await double.signIn('ana')
  await double.engine.put([
    event('budget.reached', {
      ...sampleShapeOf('budget.reached'),
      task: ID.prices,
      key: 'task',
      of: null,
      limit: 'taskCost',
    }),
  ])
  expect((await post(double, ana)).json.error).toBe('BUDGET_USED')
  expect(asked).toEqual([])
})

it('[R493] the same request twice at once is paid once', async () => {
  const { double, asked } = await opened()
  const ana = await double.signIn('ana')
  const given = body()
  const answers = await Promise.all([post(double, ana, given), post(double, ana, given)])
  // Refused as one too many, or, where the first has just ended, as known.
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect([409, 429]).toContain(answers.find(({ status }) => status !== 200)?.status)
  expect(asked).toHaveLength(1)
})
