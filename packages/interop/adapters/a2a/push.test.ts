/** Push notifications: what an address of the caller gets, when it is tried again, and which addresses are not called. */
import { StreamResponse, TaskState } from '@a2a-js/sdk'
import { expect, it, onTestFinished } from 'vitest'
import { handClock } from '@/test/handClock'
import { says, saysFyi } from '@/test/stories'
import type { SkillScript } from '@/test/testEngine'
import { A2A_PEER, A2A_URI, openA2aSystem, send, textOf, userMessage } from '../../test/a2a/a2aPeer'
import { untilRetryPause } from '../../test/adapterSystem'
import { openListener } from '../../test/outside/listener'

const REACHED = [{ ...A2A_PEER, allowPrivate: true }]
const config = (url: string) => ({
  ...{ tenant: '', id: '', taskId: '', url, token: 'token-of-theirs' },
  authentication: { scheme: 'Bearer', credentials: 'let-me-in' },
})
const asksFirst: SkillScript = (step, { world }) => {
  if (step.executor !== 'send_message') return null
  const asked = step.answers && world.messages[step.task]?.[step.answers.message]
  return asked?.text === 'North' ? saysFyi([], 'It is 3.20.') : says([A2A_URI], { message: 'Which list?' })
}
const eventIn = (body: string) => {
  const { payload } = StreamResponse.fromJSON(JSON.parse(body))
  if (payload?.$case !== 'statusUpdate') throw new Error(`no status: ${body}`)
  return payload.value
}

it('[R867] PUSH-DELIVER-001 PUSH-DELIVER-002 PUSH-DELIVER-003 an address gets each state with its credentials, again after a failure, and no more after the end', async () => {
  const listener = await openListener((_, count) => ({ status: count === 1 ? 503 : 200 }))
  onTestFinished(() => listener.close())
  const clock = handClock()
  const system = await openA2aSystem({ peers: REACHED, skill: asksFirst, clock })
  const client = await system.client()
  const push = { taskPushNotificationConfig: config(listener.url) }
  const { id } = await send(client, userMessage('What?'), push)
  await listener.until(1)
  await untilRetryPause(system)
  clock.pass(5_000)
  const [first, again] = await listener.until(2)
  expect(again?.body).toBe(first?.body)
  expect(again?.headers).toMatchObject({
    authorization: 'Bearer let-me-in',
    'x-a2a-notification-token': 'token-of-theirs',
  })
  expect(eventIn(again?.body ?? '')).toMatchObject({
    taskId: id,
    status: { state: TaskState.TASK_STATE_INPUT_REQUIRED },
  })
  expect(await system.parts.rows.list(`peer:${A2A_PEER.id}`, 'a2a-push:')).toHaveLength(1)
  await send(client, userMessage('North', { taskId: id }))
  const [, , last] = await listener.until(3)
  const { status } = eventIn(last?.body ?? '')
  expect([status?.state, textOf(status?.message)]).toEqual([TaskState.TASK_STATE_COMPLETED, 'It is 3.20.'])
  await expect.poll(() => system.parts.rows.list(`peer:${A2A_PEER.id}`, 'a2a-push:')).toEqual([])
})

it('[R867] an address in a private network is refused, and called by a peer for which that is configured only', async () => {
  const system = await openA2aSystem()
  const push = { taskPushNotificationConfig: config('http://127.0.0.1:9/hook') }
  await expect(send(await system.client(), userMessage('What?'), push)).rejects.toThrow('private network')
  expect(system.heard()).toEqual([])
})

it('[R867] an address that refuses for good keeps nothing from the caller, which reads it in the task', async () => {
  const listener = await openListener(() => ({ status: 410 }))
  onTestFinished(() => listener.close())
  const system = await openA2aSystem({ peers: REACHED })
  const client = await system.client()
  const task = await send(client, userMessage('How many?'), { taskPushNotificationConfig: config(listener.url) })
  await listener.until(1)
  expect(textOf(task.status?.message)).toBe('It is 7.')
  await expect
    .poll(() =>
      Object.values(system.world().deliveries)
        .flatMap(Object.values)
        .flatMap(Object.values)
        .map(({ state }) => state),
    )
    .not.toContain('queued')
})
