/** Budgets over HTTP: operators see all of them with their use and stops, and set them; others see their own. */
import { expect, it } from 'vitest'
import { event } from '@/lib/mas/events'
import { asId, type StepId, type TaskId } from '@/lib/mas/ids'
import { agentKey, DAY_KEY, personKey } from '@/lib/mas/limits/limits'
import { budgetsAnswer } from '@/lib/wire/http'
import { call as paid } from '@/test/spending'
import { commandHead as head, openSetupDouble as open } from '../../test/setupDouble'
import { ID, seed } from '../../test/world'

const set = (id: string, limit: unknown, seen = 0) => ({
  ...head(),
  changes: [{ kind: 'budget', id, value: { limit }, seen }],
})

async function opened() {
  const double = await open()
  const { call, engine, signIn } = double
  const costs = () => engine.world().spent.costs
  const step = Object.values(engine.world().steps[ID.prices] ?? {}).length
  expect(step).toBeGreaterThan(0)
  const spend = async (costUsd: number): Promise<void> => {
    const command = { type: 'recordCall', step: ID.step, call: paid(`call-${costUsd}`, costUsd, 100) } as const
    await engine.commit({ id: `spend-${costUsd}`, by: 'system:runner', command })
  }
  const get = async (who: string) => {
    const { status, json } = await call('GET', '/api/budgets', { cookie: await signIn(who) })
    expect(status).toBe(200)
    return budgetsAnswer.parse(json)
  }
  const post = async (body: object, who = 'ana') => call('POST', '/api/setup', { cookie: await signIn(who), body })
  return { ...double, costs, spend, get, post }
}

it('[R535] operators see each budget with its use, by whom the most, who set it, and what has stopped at it', async () => {
  const { spend, get, post, costs } = await opened()
  const before = await get('ana')
  expect(before).toMatchObject({ mayChange: true })
  expect(before.budgets.map(({ key, limit, change }) => [key, limit, change])).toEqual([
    ['tokens_per_task', null, null],
    ['cost_per_task', null, null],
    ['cost_per_day', null, null],
    ['cost_per_agent_per_day', null, null],
    ['cost_per_person_per_day', null, null],
  ])
  await spend(3)
  expect(costs()).toMatchObject({ [DAY_KEY]: 3, [agentKey(ID.reader)]: 3 })
  expect((await post(set('cost_per_agent_per_day', 2))).status).toBe(200)
  const agent = (await get('ana')).budgets.find(({ kind }) => kind === 'agentCost')
  expect(agent).toMatchObject({
    limit: 2,
    most: { name: 'Reader', used: 3, limit: 2 },
    stops: [{ name: 'Reader', request: expect.any(String) }],
    change: { by: 'Ana', before: null },
  })
  const task = (await get('ana')).budgets.find(({ kind }) => kind === 'taskTokens')
  expect(task?.most).toMatchObject({ used: expect.any(Number), limit: null })
})

it('[R535] developers see them without a way to change them; participants see their own of a person and no other', async () => {
  const { get, post, engine, spend } = await opened()
  await spend(3)
  const asked = asId<TaskId>('00000000-0000-4000-8000-000000000199')
  const step = asId<StepId>('00000000-0000-4000-8000-000000000399')
  await engine.put([
    event('task.added', {
      task: asked,
      name: 'Of Ana',
      intention: 'Of Ana, whole',
      manager: ID.manager,
      group: [ID.manager, ID.reader, ID.ana],
      base: false,
      requestedBy: ID.ana,
      requestedIn: null,
    }),
    event('step.added', seed(step, asked, {})),
    event('model.called', { task: asked, agent: ID.reader, step, call: paid('for Ana', 4) }),
  ])
  const dev = await get('dev')
  expect([dev.mayChange, dev.budgets.length, dev.budgets[0]?.change]).toEqual([false, 5, null])
  expect(engine.world().spent.costs).toMatchObject({ [personKey(ID.ana)]: 4 })
  await post(set('cost_per_person_per_day', 9))
  const ben = await get('ben')
  expect(ben).toMatchObject({
    mayChange: false,
    budgets: [
      {
        kind: 'personCost',
        limit: 9,
        most: { name: 'Ben', used: 0, limit: 9 },
        stops: [],
        seen: 0,
        change: null,
      },
    ],
  })
  expect(ben.budgets).toHaveLength(1)
})

it('[R534] a participant and a developer set none, and a value that cannot be one is refused in words', async () => {
  const { post, engine } = await opened()
  for (const who of ['ben', 'dev']) expect((await post(set('cost_per_day', 5), who)).status).toBe(403)
  for (const limit of [0, -2, 1e9, 'many', undefined]) {
    const { status, json } = await post(set('cost_per_day', limit))
    expect([limit, status]).toEqual([limit, 400])
    if (typeof limit === 'number') expect(json).toMatchObject({ error: 'BUDGET_UNFIT' })
  }
  expect((await post(set('tokens_per_task', 1.5))).json).toMatchObject({
    error: 'BUDGET_UNFIT',
    message: 'A limit of tokens must be a whole number.',
  })
  expect(engine.world().team.limits.costPerDay ?? null).toBeNull()
  expect((await post(set('cost_per_day', 5))).status).toBe(200)
  expect((await post(set('cost_per_day', 6))).status).toBe(409)
  expect(engine.world().team.limits.costPerDay).toBe(5)
})
