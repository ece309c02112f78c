/** States: fields that are null or left out where there is nothing, orders, and what a conversation with a member holds. */
import { describe, expect, it } from 'vitest'
import { event } from '@/lib/mas/events'
import {
  type AgentId,
  asId,
  type MessageId,
  type PeerId,
  type StepId,
  type ThreadId,
  type WaitingId,
} from '@/lib/mas/ids'
import { sampleShapeOf } from '@/test/samples'
import { openDouble } from '../test/gatewayDouble'
import { call, facts, ID, seed } from '../test/world'

type States = Record<string, Record<string, unknown>>
const idOf = <Id extends string>(n: string) => asId<Id>(`00000000-0000-4000-8000-000000000${n}`)
const STEP = idOf<StepId>('3f1')

async function opened() {
  const double = await openDouble()
  const [ana, ben] = [await double.signIn('ana'), await double.signIn('ben')]
  const states = async (cookie: string, query: string) =>
    (await double.call('GET', `/api/states?${query}`, { cookie })).json as States
  return { ...double, ana, ben, states }
}

const sent = (() => {
  const found = facts.find((one) => one.type === 'message.sent' && one.message === ID.question)
  if (found?.type !== 'message.sent') throw new Error('the world has no question')
  return found
})()
/** A message of this task without a request, a wait or an instruction. */
const said = (n: string, more: Partial<typeof sent>) => ({
  ...sent,
  waiting: null,
  kind: 'fyi' as const,
  dispatch: n,
  message: idOf<MessageId>(n),
  text: `said ${n}`,
  ...more,
})

describe('the state of a step', () => {
  it('has what each call took, and null for what its server did not say', async () => {
    const { engine, ana, states } = await opened()
    const about = { task: ID.prices, agent: ID.reader, step: STEP }
    const counted = {
      cachedTokens: 4,
      leftOutTokens: 3,
      waitedMs: 7,
      reasoningTokens: 2,
      costUsd: 0.5,
      firstTokenMs: 1,
    }
    await engine.put([
      event('step.added', seed(STEP, ID.prices, {})),
      event('model.called', { ...about, call: { ...call, id: 'c-1', ...counted } }),
      event('model.called', { ...about, call: { ...call, id: 'c-2', costUsd: null, firstTokenMs: null } }),
    ])
    const { calls } = (await states(ana, 'type=step'))[`StepState_${STEP}`] ?? {}
    expect(calls).toMatchObject([
      { call_id: 'c-1', cached_tokens: 4, left_out_tokens: 3, waited_ms: 7, reasoning_tokens: 2, cost_usd: 0.5 },
      { call_id: 'c-2', cached_tokens: null, left_out_tokens: 0, waited_ms: 0, reasoning_tokens: null, cost_usd: null },
    ])
    expect(calls).toMatchObject([{ first_token_ms: 1 }, { first_token_ms: null }])
  })

  it('names the message that it answers and its attempt, and null where there is none', async () => {
    const { engine, ana, states } = await opened()
    const stateOf = async (step: StepId) => (await states(ana, 'type=step'))[`StepState_${step}`]
    const answers = { message: ID.question, to: ID.ben, waiting: asId<WaitingId>('w-1'), stage: null }
    await engine.put([event('step.added', seed(STEP, ID.prices, { answers }))])
    expect(await stateOf(STEP)).toMatchObject({
      answers: { message_id: ID.question, waiting_id: 'w-1' },
      attempt: null,
      stage_id: 'no_relative',
    })
    const begun = { agent: ID.reader, node: 'test', epoch: 1, attempt: 2 }
    await engine.put([event('step.started', { ...begun, task: ID.prices, step: STEP })])
    expect(await stateOf(STEP)).toMatchObject({ attempt: 2 })
    expect(await stateOf(ID.step)).toMatchObject({ answers: null, stage_id: ID.stage })
  })

  it('stands by when the step was made, no matter who made it', async () => {
    const { engine, ben, states } = await opened()
    const [first, second] = [STEP, idOf<StepId>('3f2')]
    await engine.put([
      event('step.added', seed(first, ID.prices, { agent: ID.manager })),
      event('step.added', seed(second, ID.prices, {})),
    ])
    const ids = Object.keys(await states(ben, `type=step&task=${ID.prices}`))
    expect(ids).toEqual([ID.step, ID.toolStep, first, second].map((id) => `StepState_${id}`))
  })
})

describe('the state of a task', () => {
  it('says who paused it and why, and what was shared in which stage', async () => {
    const { engine, ben, states } = await opened()
    const taskOf = async () => (await states(ben, 'type=task'))[`TaskState_${ID.prices}`]
    expect(await taskOf()).toMatchObject({ paused: null, shared_info_pool: [] })
    const none = { kind: 'none', text: '', body: null, made: null } as const
    const ended = { task: ID.prices, agent: ID.reader, step: asId<StepId>('gone'), result: none, repairs: [] }
    const line = (stage: typeof ID.stage | null, content: string) =>
      event('step.finished', { ...ended, line: { role: 'reader', stage, content } })
    await engine.put([
      line(ID.stage, 'seven lines'),
      line(null, 'of the whole task'),
      event('task.paused', { task: ID.prices, by: ID.ana, reason: 'for now' }),
    ])
    expect(await taskOf()).toMatchObject({
      paused: { by: ID.ana, reason: 'for now', at: '2026-11-21T10:00:00.000Z' },
      shared_info_pool: [
        { stage_id: ID.stage, content: 'seven lines' },
        { stage_id: 'no_relative', content: 'of the whole task' },
      ],
    })
  })
})

describe('the state of an agent', () => {
  it('of another system has its address, and no other agent has one', async () => {
    const { engine, ana, states } = await opened()
    const seller = idOf<AgentId>('ddd')
    const outside = { uri: 'agent://south.example/seller', peer: asId<PeerId>('p-1') }
    const { config } = sampleShapeOf('agent.created')
    const made = { ...config, id: seller, configId: '', kind: 'outside', access: 'none', outside } as const
    await engine.put([event('agent.created', { agent: seller, runtime: true, config: made })])
    const agents = await states(ana, 'type=agent')
    expect(agents[`OutsideAgent_${seller}`]).toMatchObject({ outside_config: { uri: 'agent://south.example/seller' } })
    for (const key of ['llm_config', 'human_config', 'conversation_pool'])
      expect(agents[`OutsideAgent_${seller}`]).not.toHaveProperty(key)
    expect(agents[`LLMAgent_${ID.reader}`]).not.toHaveProperty('outside_config')
  })

  it('who is in no task any more is listed for themselves, and among the members of a task is nobody else', async () => {
    const { engine, ben, states, signIn } = await opened()
    const idsOf = async (cookie: string, query = '') => Object.keys(await states(cookie, `type=agent${query}`))
    const gone = [ID.base, ID.prices].map((task) =>
      event('task.participantsChanged', { task, added: [], removed: [ID.ben] }),
    )
    await engine.put(gone)
    expect(await idsOf(ben)).toContain(`HumanAgent_${ID.ben}`)
    expect(await idsOf(await signIn('dev'), `&task=${ID.secret}`)).toEqual([
      `LLMAgent_${ID.manager}`,
      `LLMAgent_${ID.reader}`,
      `HumanAgent_${ID.ana}`,
    ])
  })

  it('of the base task shows a participant the waits of steps that they may read, elsewhere all of them', async () => {
    const { engine, ana, ben, states } = await opened()
    const { lock } = sampleShapeOf('lock.added')
    const [bens, anas] = ['4f1', '4f2'].map((n) => idOf<MessageId>(n))
    const [open, hidden, old] = ['3f3', '3f4', '3f5'].map((n) => idOf<StepId>(n))
    if (!bens || !anas || !open || !hidden || !old) throw new Error('ids are needed')
    const wish = (message: MessageId, sender: AgentId) => ({
      ...said('4f0', { task: ID.base, sender, receivers: [ID.manager], stage: null, fromStep: null }),
      message,
      thread: asId<ThreadId>(message),
    })
    const waits = (id: string, task: typeof ID.base, step: StepId) =>
      event('lock.added', {
        agent: ID.manager,
        task,
        lock: { ...lock, id: asId<WaitingId>(id), step, stage: null, on: ID.ben },
      })
    const own = (step: StepId, thread: MessageId) =>
      event('step.added', seed(step, ID.base, { agent: ID.manager, thread: asId<ThreadId>(thread) }))
    await engine.put([
      ...[wish(bens, ID.ben), wish(anas, ID.ana), own(open, bens), own(hidden, anas)],
      ...[waits('w-ben', ID.base, open), waits('w-ana', ID.base, hidden), waits('w-old', ID.prices, old)],
    ])
    const locks = async (cookie: string) => (await states(cookie, 'type=agent'))[`LLMAgent_${ID.manager}`]?.step_lock
    expect(await locks(ana)).toEqual(['w-ben', 'w-ana', 'w-old'])
    // The step of the last one is no longer live; its task is theirs.
    expect(await locks(ben)).toEqual(['w-ben', 'w-old'])
  })

  it('has no step in its working memory that was put away, nor one without a stage that is over', async () => {
    const { engine, ana, states } = await opened()
    const memory = async () => (await states(ana, 'type=agent'))[`LLMAgent_${ID.reader}`]?.working_memory
    const about = { task: ID.prices, agent: ID.reader }
    await engine.put([
      event('step.added', seed(STEP, ID.prices, {})),
      event('step.retired', { ...about, steps: [ID.step] }),
    ])
    expect(await memory()).toMatchObject({ [ID.prices]: { [ID.stage]: [ID.toolStep], no_relative: [STEP] } })
    const result = { kind: 'text', text: 'done', body: null, made: null } as const
    await engine.put([event('step.finished', { ...about, step: STEP, result, repairs: [] })])
    expect((await memory()) as States).toMatchObject({ [ID.prices]: { [ID.stage]: [ID.toolStep] } })
    expect(((await memory()) as States)[ID.prices]).not.toHaveProperty('no_relative')
  })
})

describe('a conversation with a member', () => {
  const linesOf = async (states: (cookie: string, query: string) => Promise<States>, cookie: string, other: string) => {
    const pool = (await states(cookie, 'type=agent'))[`HumanAgent_${ID.ben}`]?.conversation_pool
    return (pool as { conversation_privates: Record<string, { message_id: string }[]> }).conversation_privates[other]
  }

  it('holds what a person sent under each receiver but themselves, and the wait on it as theirs', async () => {
    const { engine, ben, states } = await opened()
    const [waiting, plain] = [idOf<MessageId>('4f3'), idOf<MessageId>('4f4')]
    await engine.put([
      said('4f3', {
        sender: ID.ben,
        receivers: [ID.ana, ID.ben],
        waiting: [asId<WaitingId>('w-2'), asId<WaitingId>('w-3')],
      }),
      said('4f4', { sender: ID.ben, receivers: [ID.ana], returnWaiting: asId<WaitingId>('w-9') }),
    ])
    const lines = await linesOf(states, ben, ID.ana)
    expect(lines).toMatchObject([
      { message_id: waiting, waiting: true, return_waiting_id: null, request_id: null },
      { message_id: plain, waiting: false, return_waiting_id: 'w-9', request_id: null },
    ])
    expect(await linesOf(states, ben, ID.ben)).toBeUndefined()
  })

  it('holds what was said to a person with the wait on them, in order, and the request only while it is open', async () => {
    const { engine, ben, states } = await opened()
    await engine.put([
      said('4f5', { receivers: [ID.ana, ID.ben], waiting: [asId<WaitingId>('w-ana'), asId<WaitingId>('w-ben')] }),
      said('4f6', { receivers: [ID.ben] }),
      said('4f7', { receivers: [ID.ben], instruction: { type: 'start_stage', stage: ID.stage } }),
      said('4f8', { receivers: [ID.ana] }),
    ])
    const read = () => linesOf(states, ben, ID.reader)
    expect(await read()).toMatchObject([
      { message_id: ID.question, request_id: ID.ask, return_waiting_id: 'w-1' },
      { message_id: idOf('4f5'), waiting: true, return_waiting_id: 'w-ben', request_id: null },
      { message_id: idOf('4f6'), waiting: false, return_waiting_id: null },
    ])
    expect(await read()).toHaveLength(3)
    const over = { state: 'released', by: ID.ana, reason: 'not needed' } as const
    await engine.put([event('request.ended', { task: ID.prices, request: ID.ask, ...over })])
    expect(await read()).toMatchObject([{ message_id: ID.question, request_id: null }, {}, {}])
  })
})
