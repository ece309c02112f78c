/** Work that an agent of another system asks for by an action of the envelope: over its own address, and over its web socket. */
import { expect, it } from 'vitest'
import { sha256 } from '@/server/shared/sha256'
import { CREW } from '@/test/rehearsalTeam'
import { must } from '@/test/stories'
import { EVENT_NAMES } from '../../protocols/envelope/events'
import { KEY } from '../../test/adapterSystem'
import { connect, ENVELOPE_PEER, envelope, post } from '../../test/adapters/envelope'
import { listener } from '../../test/adapters/mamp'
import { envelopeRequester } from '../../test/outside/envelope'
import { openInProcess } from '../../test/outside/inProcess'
import { interrupt } from '../../test/outside/interrupt'
import { found, wishFor } from '../../test/outside/place'
import { play, restartTwice } from '../../test/outside/play'

const PEER = { ...ENVELOPE_PEER, actions: ['start_task'] }
const SECRETS = [{ id: PEER.id, key: KEY, sendKey: 'our-key', signingKey: null }]
const { id, may, actions } = PEER

it('[R147] [R148] [R192] 执行任务 over HTTP is done: progress, the question and the report come to the address of the requester, over two restarts', async () => {
  const other = await listener(() => ({ status: 200, body: {} }))
  const place = await openInProcess({ id, may, actions, baseUrl: other.url }, { secrets: SECRETS })
  await play(place, [envelopeRequester(place, { key: KEY, folder: 'prices', listener: other })], restartTwice(place))
})

it('[R147] [R148] 执行任务 over a web socket is done: what comes while the socket is away comes when it is back', async () => {
  const place = await openInProcess({ id, may, actions }, { secrets: SECRETS })
  await play(place, [envelopeRequester(place, { key: KEY, folder: 'prices', listener: null })], restartTwice(place))
})

it('[R147] a requester hears that its work was paused, resumed, stopped at a limit and ended as failed, without the reasons', async () => {
  const other = await listener(() => ({ status: 200, body: {} }))
  const place = await openInProcess({ id, may, actions, baseUrl: other.url }, { secrets: SECRETS })
  await interrupt(place, envelopeRequester(place, { key: KEY, folder: 'prices', listener: other }))
})

it('[R192] failed work is reported by the event for it', async () => {
  const team = await openInProcess({ id, may, actions }, { secrets: SECRETS })
  const { came, say } = await connect(team.system())
  say(
    envelope({
      receiver_id: 'manager',
      payload: { action: 'start_task', parameters: { goal: wishFor('prices') } },
    }),
  )
  await team.until(() => team.work() !== undefined)
  const task = must(team.work(), 'work').id
  await team.system().put(CREW.ana.id, {
    type: 'finishTask',
    task,
    state: 'failed',
    summary: 'The lists are not there.',
    reason: 'no lists',
  })
  const event = await found(
    () => `the event in ${JSON.stringify(came)}`,
    () => came.find(({ payload }) => payload.event_name === EVENT_NAMES.task_failed) ?? null,
  )
  expect(event).toMatchObject({
    payload: { event_name: '任务失败', event_data: { event: 'task_failed', task_status: 'failed' } },
    metadata: { correlation_id: 'm-1' },
  })
})

it('[R149] a peer at its limit of tasks gets an error of the protocol, and nothing begins', async () => {
  const limits = { tasks: 1, tokensPerDay: null, costPerDay: null }
  const team = await openInProcess({ id, may, actions, limits }, { secrets: SECRETS })
  const start = (message_id: string) =>
    post(
      team.system(),
      envelope({
        message_id,
        receiver_id: 'manager',
        payload: { action: 'start_task', parameters: { goal: wishFor('prices') } },
      }),
    )
  expect((await start('m-1')).status).toBe(200)
  await team.until(() => team.work() !== undefined)
  const refused = await start('m-2')
  expect(refused.status).toBe(429)
  expect(refused.said).toMatchObject({ message_type: 'error', payload: { code: 'too_many' } })
  expect(team.system().conversations()).toHaveLength(1)
})

it('[R187] start_task asked of an agent that manages no tasks is no action of it, and begins nothing', async () => {
  const team = await openInProcess(
    { id, may, actions, agents: [CREW.manager.id, CREW.reader.id] },
    { secrets: SECRETS },
  )
  const ask = (receiver_id: string) =>
    post(
      team.system(),
      envelope({ receiver_id, payload: { action: 'start_task', parameters: { goal: wishFor('prices') } } }),
    )
  const refused = await ask('reader')
  expect(refused).toMatchObject({ status: 400, said: { message_type: 'error', payload: { code: 'unknown_action' } } })
  expect(team.system().conversations()).toEqual([])
  expect((await ask('manager')).status).toBe(200)
})

it('[R187] the files of an envelope that is refused are not stored', async () => {
  const limits = { tasks: 0, tokensPerDay: null, costPerDay: null }
  const team = await openInProcess({ id, may, actions, limits }, { secrets: SECRETS })
  const data = Buffer.from('a secret list').toString('base64')
  const parameters = { goal: wishFor('prices'), attachments: [{ name: 'a.csv', data }] }
  const refused = await post(
    team.system(),
    envelope({ receiver_id: 'manager', payload: { action: 'start_task', parameters } }),
  )
  expect(refused.status).toBe(429)
  expect(await team.system().store.bodies.get(sha256(Buffer.from('a secret list')))).toBeNull()
})
