/** States as far as a reader may read them: of agents their steps, notes and conversations, of tasks what was delivered. */
import { describe, expect, it } from 'vitest'
import { pieceOf } from '@/lib/mas/archive/branches'
import { event } from '@/lib/mas/events'
import { asId, type MessageId, type StepId, type TaskId, type WaitingId } from '@/lib/mas/ids'
import { sampleShapeOf } from '@/test/samples'
import { type Double, openDouble } from '../test/gatewayDouble'
import { facts, ID, seed } from '../test/world'

type States = Record<string, Record<string, unknown>>
const statesOf = async ({ call }: Pick<Double, 'call'>, cookie: string, query: string) =>
  (await call('GET', `/api/states?${query}`, { cookie })).json as States

async function opened() {
  const double = await openDouble()
  const [ana, ben] = [await double.signIn('ana'), await double.signIn('ben')]
  const agent = async (cookie: string, id: string) => (await statesOf(double, cookie, 'type=agent'))[id] ?? {}
  const reader = (cookie: string) => agent(cookie, `LLMAgent_${ID.reader}`)
  return { ...double, ana, ben, agent, reader }
}

describe('the state of an agent', () => {
  it('is listed of everybody for an operator, of the members of their tasks for a participant', async () => {
    const double = await opened()
    const idsOf = async (cookie: string, query = '') =>
      Object.keys(await statesOf(double, cookie, `type=agent${query}`)).map((id) => id.replace(/^.*_/, ''))
    await double.engine.put([event('task.participantsChanged', { task: ID.base, added: [], removed: [ID.dev] })])
    expect(await idsOf(double.ana)).toEqual(expect.arrayContaining([ID.dev, ID.gone]))
    const bens = await idsOf(double.ben)
    expect(bens).toEqual(expect.arrayContaining([ID.ben, ID.reader]))
    expect(bens).not.toContain(ID.dev)
    expect(await idsOf(double.ana, `&task=${ID.secret}`)).not.toContain(ID.ben)
  })

  it('has its steps but for those that were put away, and the one that runs, where the reader may read it', async () => {
    const { engine, ana, ben, reader } = await opened()
    const stepsOf = async (cookie: string) => {
      const { agent_step: steps, running_step: running } = await reader(cookie)
      return { list: (steps as { step_list: string[] }).step_list, running }
    }
    expect((await stepsOf(ben)).list).toEqual([ID.step, ID.toolStep])
    await engine.put([event('step.retired', { task: ID.prices, agent: ID.reader, steps: [ID.step] })])
    expect((await stepsOf(ben)).list).toEqual([ID.toolStep])
    const begun = { agent: ID.reader, node: 'test', epoch: 1, attempt: 1 }
    const [open, hidden] = ['3f1', '3f2'].map((n) => asId<StepId>(`00000000-0000-4000-8000-000000000${n}`))
    if (!open || !hidden) throw new Error('two steps are needed')
    await engine.put([
      event('step.added', seed(hidden, ID.secret, {})),
      event('step.started', { ...begun, task: ID.secret, step: hidden }),
    ])
    expect([(await stepsOf(ana)).running, (await stepsOf(ben)).running]).toEqual([hidden, null])
    await engine.put([
      event('step.finished', {
        task: ID.secret,
        agent: ID.reader,
        step: hidden,
        repairs: [],
        result: { kind: 'text', text: 'done', body: null, made: null },
      }),
      event('step.added', seed(open, ID.prices, {})),
      event('step.started', { ...begun, task: ID.prices, step: open }),
    ])
    expect([(await stepsOf(ana)).running, (await stepsOf(ben)).running]).toEqual([open, open])
  })

  it('has its notes: those of a task for who may read it, those of none for who sees all', async () => {
    const { engine, ana, ben, reader } = await opened()
    await engine.put([
      event('memory.added', { agent: ID.reader, note: { key: '20261121T102111', text: '### own note', task: null } }),
    ])
    const notesOf = async (cookie: string) => Object.values((await reader(cookie)).persistent_memory as object)
    expect(await notesOf(ana)).toEqual(['### secret note', '### open note', '### own note'])
    expect(await notesOf(ben)).toEqual(['### open note'])
  })

  it('has the conversations with members of a person, as long as their task is not over', async () => {
    const { engine, ben, agent } = await opened()
    const partners = async () => {
      const { conversation_pool: pool } = await agent(ben, `HumanAgent_${ID.ben}`)
      return Object.keys((pool as { conversation_privates: object }).conversation_privates)
    }
    expect(await partners()).toEqual([ID.reader])
    await engine.put([event('task.finished', { task: ID.prices, state: 'finished', summary: 'All.' })])
    expect(await partners()).toEqual([])
  })

  it('has its waits where the reader may read the task, and the notices of a person for them and for who sees all', async () => {
    const { engine, ana, ben, agent, reader } = await opened()
    const { lock } = sampleShapeOf('lock.added')
    const { notice } = sampleShapeOf('notice.given')
    const [open, hidden] = ['w-open', 'w-hidden'].map((id) => asId<WaitingId>(id))
    if (!open || !hidden) throw new Error('two waits are needed')
    await engine.put([
      event('lock.added', {
        agent: ID.reader,
        task: ID.prices,
        lock: { ...lock, id: open, step: ID.step, on: ID.ben },
      }),
      event('lock.added', {
        agent: ID.reader,
        task: ID.secret,
        lock: { ...lock, id: hidden, step: ID.secretStep, on: ID.ana },
      }),
      event('notice.given', { task: ID.prices, agent: ID.ana, notice }),
    ])
    const locks = async (cookie: string) => (await reader(cookie)).step_lock
    expect(await locks(ana)).toEqual([open, hidden])
    expect(await locks(ben)).toEqual([open])
    const told = async (cookie: string) => {
      const { conversation_pool: pool } = await agent(cookie, `HumanAgent_${ID.ana}`)
      return (pool as { global_messages: string[] }).global_messages.length
    }
    expect([await told(ana), await told(ben)]).toEqual([1, 0])
  })

  it('says that it waits, and for whom and where only to those who may read the task', async () => {
    const { engine, ana, ben, agent } = await opened()
    const { lock } = sampleShapeOf('lock.added')
    const id = asId<WaitingId>('w-secret')
    await engine.put([
      event('lock.added', {
        agent: ID.reader,
        task: ID.secret,
        lock: { ...lock, id, step: ID.secretStep, stage: null, request: ID.confirm, on: ID.ana },
      }),
    ])
    const progress = async (cookie: string) => (await agent(cookie, `LLMAgent_${ID.reader}`)).progress as object
    expect(await progress(ana)).toMatchObject({ waits_for: [ID.ana], task_id: ID.secret })
    const seen = await progress(ben)
    expect(seen).toMatchObject({ state: expect.any(String), since: expect.any(String) })
    for (const hidden of ['waits_for', 'task_id', 'request_id']) expect(seen).not.toHaveProperty(hidden)
  })

  it('says what stops it, and whom that waits for only to those who may read the task', async () => {
    const { engine, ana, ben, agent } = await opened()
    await engine.put([event('agent.paused', { agent: ID.reader, by: ID.ana, reason: 'for now' })])
    const progress = async (cookie: string) => (await agent(cookie, `LLMAgent_${ID.reader}`)).progress
    for (const cookie of [ana, ben])
      expect(await progress(cookie)).toMatchObject({ state: 'blocked', cause: 'paused', waits_for: [ID.reader] })
    const [paused, other] = [await agent(ana, `LLMAgent_${ID.reader}`), await agent(ana, `LLMAgent_${ID.manager}`)]
    expect(paused.paused).toMatchObject({ by: ID.ana, reason: 'for now' })
    expect([other.paused, other.progress]).toEqual([null, { state: 'idle' }])
  })
})

describe('the state of a task', () => {
  const taskOf = async (double: Double, cookie: string) =>
    (await statesOf(double, cookie, `type=task&task=${ID.prices}`))[`TaskState_${ID.prices}`] ?? {}

  it('has a message in its queue until somebody has it, and in its conversation from then on', async () => {
    const double = await opened()
    const sent = facts.find((one) => one.type === 'message.sent')
    if (sent?.type !== 'message.sent') throw new Error('nothing was sent')
    const message = asId<MessageId>('00000000-0000-4000-8000-000000000477')
    const idsIn = async () => {
      const { communication_queue: queue, shared_conversation_pool: pool } = await taskOf(double, double.ben)
      const has = (list: unknown) => (list as { message_id: string }[]).filter((one) => one.message_id === message)
      return { queue: has(queue), pool: has(pool).length }
    }
    await double.engine.put([
      { ...sent, message, receivers: [ID.manager, ID.ben], instruction: null },
      event('message.delivery', { task: ID.prices, message, agent: ID.manager, state: 'queued', note: null }),
      event('message.delivery', { task: ID.prices, message, agent: ID.ben, state: 'queued', note: null }),
    ])
    const held = await idsIn()
    const isHeld = Object.values(double.engine.world().deliveries[ID.prices]?.[ID.ben] ?? {}).some(
      (delivery) => delivery.message === message && delivery.state === 'queued',
    )
    expect(isHeld).toBe(true)
    expect(held).toMatchObject({ queue: [{ not_yet_delivered_to: [ID.manager, ID.ben] }], pool: 0 })
    const delivery = { task: ID.prices, message, state: 'delivered', note: null } as const
    await double.engine.put([event('message.delivery', { ...delivery, agent: ID.ben })])
    expect(await idsIn()).toMatchObject({ queue: [{ not_yet_delivered_to: [ID.manager] }], pool: 1 })
    await double.engine.put([event('message.delivery', { ...delivery, agent: ID.manager })])
    expect(await idsIn()).toEqual({ queue: [], pool: 1 })
  })

  it('has its summary once it is over', async () => {
    const double = await opened()
    expect((await taskOf(double, double.ben)).task_summary).toBeNull()
    await double.engine.put([event('task.finished', { task: ID.prices, state: 'finished', summary: 'All compared.' })])
    expect(await taskOf(double, double.ben)).toMatchObject({
      task_summary: 'All compared.',
      execution_state: 'finished',
    })
  })

  it('stands by when the task was made, also when it left the world and came back', async () => {
    const double = await opened()
    const { engine, clock, ana } = double
    clock.now += 1_000
    const later = asId<TaskId>('00000000-0000-4000-8000-000000000177')
    const about = { name: 'Later', intention: 'later', manager: ID.manager, group: [ID.manager], base: false }
    await engine.put([event('task.added', { task: later, ...about, requestedBy: null, requestedIn: null })])
    const { tasks } = pieceOf(engine.world(), ID.prices)
    await engine.put([
      event('task.archived', { task: ID.prices, agents: [] }),
      event('task.woken', { task: ID.prices, agents: [], piece: { tasks } }),
    ])
    expect(Object.keys(engine.world().tasks).at(-1)).toBe(ID.prices)
    const ids = Object.keys(await statesOf(double, ana, 'type=task')).map((id) => id.replace(/^.*_/, ''))
    expect(ids.indexOf(ID.prices)).toBeLessThan(ids.indexOf(later))
    expect(ids.at(-1)).toBe(later)
  })
})
