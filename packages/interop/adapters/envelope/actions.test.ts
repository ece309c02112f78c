/** Actions that the configuration gives our agents, and those that ours ask of others. */
import { describe, expect, it, vi } from 'vitest'
import { asId, type PeerId } from '@/lib/mas/ids'
import type { NamedAction } from '@/server/otherSystems'
import { must, saysFyi } from '@/test/stories'
import { TEAM, teamConfig } from '@/test/worldHistories'
import { openSystem, type System } from '../../test/adapterSystem'
import { connect, ENVELOPE_PEER, envelope, open, post, SECRETS } from '../../test/adapters/envelope'
import { textOfAction } from './actions'

const COUNT: NamedAction = {
  name: '处理数据',
  agent: 'reader',
  description: 'Counts what a table holds.',
  asks: 'Count {what} in this table.',
  parameters: {
    type: 'object',
    properties: { what: { type: 'string' }, rows: { type: 'array', items: { type: 'number' } } },
    required: ['what'],
    additionalProperties: false,
  },
}
const PEER_OF_ACTIONS = { ...ENVELOPE_PEER, actions: ['get_status', COUNT.name] }
const withAction = (more: Parameters<typeof open>[0] = {}) =>
  open({ ourselves: { actions: [COUNT] }, peers: [PEER_OF_ACTIONS], ...more })
const asksFor = (action: string, parameters: object, more: object = {}) =>
  envelope({ payload: { action, parameters }, ...more })

describe('an action of the configuration', () => {
  it('001-5 [R155] a named action sends its question to its agent, and the result is an event of the conversation', async () => {
    const system = await withAction({
      skill: (step) => (step.executor === 'send_message' ? saysFyi([], 'Three.') : null),
    })
    const line = await connect(system)
    line.say(asksFor(COUNT.name, { what: 'numbers', rows: [1, 2, 3] }))
    await vi.waitFor(() => expect(line.came).toHaveLength(2), 15_000)
    const [first, event] = line.came
    expect(first?.payload).toMatchObject({ status: 'in_progress', result: { conversation_id: expect.any(String) } })
    expect(event?.payload).toMatchObject({ event_name: 'message', event_data: { text: 'Three.' } })
    expect(event?.metadata).toEqual({ correlation_id: 'm-1' })
    const [asked] = system.heard()
    expect(asked).toMatchObject({ receivers: [TEAM.reader.id], type: 'action' })
    expect(asked?.text).toBe(
      'Count numbers in this table.\n\n```json\n{\n  "rows": [\n    1,\n    2,\n    3\n  ]\n}\n```',
    )
  })

  it('001-5 [R155] takes only parameters of its schema, is of its agent alone, and of peers that are given it', async () => {
    const system = await withAction()
    const refused = async (message: object): Promise<[number, string | undefined, string | undefined]> => {
      const { status, said } = await post(system, message)
      return [status, said.payload.code, said.payload.message]
    }
    expect(await refused(asksFor(COUNT.name, { rows: 'all' }, { message_id: '1' }))).toEqual([
      400,
      'invalid_parameters',
      expect.stringMatching(/what.*rows|rows.*what/s),
    ])
    expect(await refused(asksFor(COUNT.name, { what: 'a' }, { message_id: '2', receiver_id: 'manager' }))).toEqual([
      400,
      'unknown_action',
      expect.stringContaining('manager'),
    ])
    expect((await refused(asksFor('dance', {}, { message_id: '3' })))[1]).toBe('unknown_action')
    expect(system.messages()).toEqual([])
    const ungranted = await withAction({ peers: [ENVELOPE_PEER] })
    expect((await post(ungranted, asksFor(COUNT.name, { what: 'a' }))).said.payload.code).toBe('forbidden')
  })

  it('001-5 stands in the registry with its schema, for peers that may ask for it', async () => {
    const actionsOf = async (system: System) => {
      const { json } = await system.call('/envelope/v1/agents', {
        headers: { authorization: `Bearer ${must(SECRETS[0], 'secret').key}` },
      })
      return Array.isArray(json.agents) ? json.agents.map(({ agent_id, actions }) => [agent_id, actions]) : []
    }
    const { name, description, parameters } = COUNT
    const status = expect.objectContaining({ name: 'get_status', description: expect.any(String) })
    expect(await actionsOf(await withAction())).toEqual([
      ['reader', [status, { name, description, parameters }]],
      ['manager', [status]],
    ])
    const asks = expect.objectContaining({
      name: 'ask',
      parameters: expect.objectContaining({ required: ['question'] }),
    })
    const starts = expect.objectContaining({
      name: 'start_task',
      parameters: expect.objectContaining({ required: ['goal'] }),
    })
    const all = { ...ENVELOPE_PEER, actions: ['*'] }
    expect(await actionsOf(await withAction({ peers: [all] }))).toEqual([
      ['reader', [status, asks, { name, description, parameters }]],
      ['manager', [status, asks, starts]],
    ])
    expect(await actionsOf(await withAction({ peers: [{ ...ENVELOPE_PEER, actions: [] }] }))).toEqual([
      ['reader', []],
      ['manager', []],
    ])
  })

  it('001-5 执行任务 is start_task, and granted with it', async () => {
    const system = await open({ peers: [{ ...ENVELOPE_PEER, actions: ['start_task'] }] })
    const { said } = await post(system, {
      ...asksFor('执行任务', { goal: 'Compare the two files.' }),
      receiver_id: 'manager',
    })
    expect(said.payload.status).toBe('in_progress')
    expect(system.heard()).toMatchObject([{ text: 'Compare the two files.' }])
  })

  it('a parameter stands in its place as it is, and null where it was left out', () => {
    expect(textOfAction({ ...COUNT, asks: '{what} of {rows}, {what}' }, { what: '$& {rows}' })).toBe(
      '$& {rows} of null, $& {rows}',
    )
  })
})

describe('an action that we ask for', () => {
  const SOUTH = { ...ENVELOPE_PEER, uri: 'agent://south.example/*', allowPrivate: true }
  const ids = { agent: TEAM.manager.id, stage: null }

  /** North asks, South has the action. */
  async function both() {
    const secrets = [{ id: ENVELOPE_PEER.id, key: 'from', sendKey: 'from', signingKey: null }]
    const south = await openSystem({
      prefix: 'south',
      secrets,
      ourselves: { domain: 'south.example', actions: [COUNT] },
      skill: (step) => (step.executor === 'send_message' ? saysFyi([], 'Three.') : null),
    })
    const north = await openSystem({
      prefix: 'north',
      secrets,
      ourselves: { domain: 'north.example' },
      skill: () => null,
    })
    const peer = { ...ENVELOPE_PEER, actions: ['get_status', COUNT.name], allowPrivate: true }
    await north.put('system:start', {
      ...teamConfig(),
      peers: [{ ...peer, uri: 'agent://south.example/*', baseUrl: south.url }],
    })
    await south.put('system:start', {
      ...teamConfig(),
      peers: [{ ...peer, uri: 'agent://north.example/*', baseUrl: north.url }],
    })
    const task = must(north.world().baseTask, 'base task')
    const { signal } = new AbortController()
    return {
      north,
      south,
      ask: (step: string, name: string, parameters: Record<string, string>) =>
        north.adapters.agents.send(
          { ...ids, task, step },
          { target: 'agent://south.example/reader', message: null, conversation: null, action: { name, parameters } },
          signal,
        ),
    }
  }

  it('001-6 [R156] goes out under its name with its parameters, and its result comes back as a message', async () => {
    const { north, south, ask } = await both()
    expect(await ask('step-1', COUNT.name, { what: 'numbers' })).toMatchObject({ ok: true, status: 'delivered' })
    await vi.waitFor(() => expect(north.heard().map(({ text }) => text)).toEqual(['Three.']))
    expect(south.heard().map(({ text }) => text)).toEqual(['Count numbers in this table.'])
    const sent = north.messages().find(({ action }) => action !== undefined)
    expect(sent).toMatchObject({ action: { name: COUNT.name, parameters: { what: 'numbers' } } })
    expect(sent?.text).toContain('"what": "numbers"')
    expect(await ask('step-2', 'get_status', {})).toMatchObject({ ok: true })
    await vi.waitFor(() => expect(north.heard().at(-1)?.text).toContain('"state"'))
  })

  it('001-6 [R156] that the other side refuses is an answer that says why', async () => {
    const { north, ask } = await both()
    const asked = await ask('step-1', 'dance', {})
    expect(asked).toMatchObject({ ok: false, why: expect.stringContaining('unknown_action') })
    expect(north.heard()).toEqual([])
  })

  it('001-6 is refused where the other system knows no actions', async () => {
    const system = await openSystem({
      peers: [{ ...SOUTH, id: asId<PeerId>(ENVELOPE_PEER.id), may: ['mamp', 'envelope'] }],
    })
    const task = must(system.world().baseTask, 'base task')
    const answer = await system.adapters.agents.send(
      { ...ids, task, step: 'step-1' },
      {
        target: 'agent://south.example/reader',
        message: null,
        conversation: null,
        action: { name: 'get_status', parameters: {} },
      },
      new AbortController().signal,
    )
    expect(answer).toEqual({
      ok: false,
      why: "reader doesn't accept actions. Message it with send_to_agent.",
    })
    expect(system.messages()).toEqual([])
  })
})
