/** Work that an agent of another system asks for by an action of the envelope: over its own address, and over its web socket. */
import { expect, it, vi } from 'vitest'
import { KEY } from '@/test/adapterSystem'
import { type OutsideWork, openOutsideWork, WISH } from '@/test/outsideWork'
import { CREW } from '@/test/rehearsalTeam'
import { must } from '@/test/stories'
import { listener } from '../mamp/testing'
import { A2A_PEER, connect, envelope, post, type Said } from './testing'

type Other = { heard(): Said[]; reach(): Promise<void> }

const PEER = { ...A2A_PEER, actions: ['start_task'] }
const SECRETS = [{ id: PEER.id, key: KEY, sendKey: 'our-key', signingKey: null }]
const MANAGER = 'agent://ours.example/manager'
const { id, may, actions } = PEER

const statusOf = ({ payload }: Said): unknown => (payload.event_data ?? payload.parameters)?.task_status

/** From the request to the end, with two hard stops. */
async function story(team: OutsideWork, { heard, reach }: Other): Promise<void> {
  const told = (status: string): Promise<Said> =>
    vi.waitFor(
      () =>
        must(
          heard().find((one) => statusOf(one) === status),
          `${status}; heard ${JSON.stringify(heard(), null, 1)}\n${team.story()}`,
        ),
      15_000,
    )
  const request = envelope({
    receiver_id: 'manager',
    payload: { action: '执行任务', parameters: { goal: WISH } },
  })
  const { said } = await post(team.system(), request)
  expect(said).toMatchObject({ message_type: 'response', payload: { status: 'in_progress' } })
  await team.restart()
  await reach()
  const begun = await told('working')
  expect(begun).toMatchObject({
    message_type: 'event',
    payload: { event_name: '任务开始', event_data: { event: 'task_started' } },
    metadata: { correlation_id: 'm-1' },
  })
  const asked = await told('input_required')
  expect(asked).toMatchObject({
    message_type: 'request',
    sender_id: MANAGER,
    payload: { action: 'ask', parameters: { question: expect.stringContaining('apple: 3.20') } },
    metadata: { correlation_id: 'm-1' },
  })
  const answer = {
    ...envelope({ message_id: 'm-2', message_type: 'response', receiver_id: asked.sender_id }),
    payload: { status: 'success', result: { answer: '3.50' } },
    metadata: { correlation_id: asked.message_id },
  }
  expect((await post(team.system(), answer)).status).toBe(202)
  await team.restart()
  await reach()
  await team.confirmWrites()
  const end = await told('finished')
  expect(end.payload).toMatchObject({ event_name: '任务完成', event_data: { event: 'task_finished' } })
  expect(end.metadata?.correlation_id).toBe('m-1')
  const files = end.payload.event_data?.attachments
  const [report] = Array.isArray(files) ? files : []
  expect(report).toMatchObject({ name: 'report.md', mime_type: 'text/markdown' })
  expect(Buffer.from(String(report.data), 'base64').toString()).toContain('3.50')
  expect(String(end.payload.event_data?.text)).toContain('is finished')
  expect(must(team.work(), 'work').group).not.toContain(team.work()?.requestedBy)
}

it('[R147] [R148] [R192] 执行任务 over HTTP is done: progress, the question and the report come to the address of whoever asked', async () => {
  const other = await listener(() => ({ status: 200, body: {} }))
  const team = await openOutsideWork({ id, may, actions, baseUrl: other.url }, { secrets: SECRETS })
  const heard = (): Said[] => other.got.map(({ body }) => JSON.parse(body))
  await story(team, { heard, reach: () => Promise.resolve() })
})

it('[R147] [R148] 执行任务 over a web socket is done: what comes while the socket is away comes when it is back', async () => {
  const team = await openOutsideWork({ id, may, actions }, { secrets: SECRETS })
  const lines: Awaited<ReturnType<typeof connect>>[] = []
  const reach = async (): Promise<void> => {
    const line = await connect(team.system())
    lines.push(line)
    // Whoever has spoken on a socket is spoken to on it.
    line.say(envelope({ message_id: `hello-${lines.length}`, payload: { action: 'get_status', parameters: {} } }))
  }
  await reach()
  await story(team, { heard: () => lines.flatMap(({ came }) => came), reach })
})

it('[R149] a peer that has its tasks already hears so as an error of the protocol, and nothing begins', async () => {
  const limits = { tasks: 1, tokensPerDay: null, costPerDay: null }
  const team = await openOutsideWork({ id, may, actions, limits }, { secrets: SECRETS })
  const start = (message_id: string) =>
    post(
      team.system(),
      envelope({ message_id, receiver_id: 'manager', payload: { action: 'start_task', parameters: { goal: WISH } } }),
    )
  expect((await start('m-1')).status).toBe(200)
  await team.until(() => team.work() !== undefined)
  const refused = await start('m-2')
  expect(refused.status).toBe(429)
  expect(refused.said).toMatchObject({ message_type: 'error', payload: { code: 'too_many' } })
  expect(team.system().conversations()).toHaveLength(1)
})

it('[R192] 001-7 work that fails is told by that event, to whoever asked and on no other conversation', async () => {
  const team = await openOutsideWork({ id, may, actions }, { secrets: SECRETS })
  const line = await connect(team.system())
  const request = envelope({ receiver_id: 'manager', payload: { action: 'start_task', parameters: { goal: WISH } } })
  line.say(request)
  await team.until(() => team.work() !== undefined)
  const task = must(team.work(), 'work').id
  const ended = { type: 'finishTask' as const, task, state: 'failed' as const, summary: 'No time.', reason: 'No time.' }
  expect(await team.system().put(CREW.ana.id, ended)).toMatchObject({ ok: true })
  const failed = await vi.waitFor(
    () =>
      must(
        line.came.find(({ payload }) => payload.event_name === '任务失败'),
        'event',
      ),
    10_000,
  )
  expect(failed).toMatchObject({
    receiver_id: 'agent://other.example/planner',
    payload: { event_data: { event: 'task_failed', task_status: 'failed', text: expect.stringContaining('No time.') } },
    metadata: { correlation_id: 'm-1' },
  })
})
