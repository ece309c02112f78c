/** Reading archived tasks over HTTP. */
import { describe, expect, it } from 'vitest'
import { event } from '@/lib/mas/events'
import { asId, type RequestId, type TaskId, type ThreadId } from '@/lib/mas/ids'
import { REDUCER_VERSION } from '@/lib/mas/reduce'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { pieceKey } from '@/server/engine/snapshots/worldSnapshots'
import { openDouble } from '../test/gatewayDouble'
import { ID } from '../test/world'

describe('an archived task', () => {
  const open = async () => {
    const double = await openDouble()
    const cookie = await double.signIn('ben')
    const paths = [
      `/api/tasks/${ID.prices}/steps`,
      `/api/states?type=task&task=${ID.prices}`,
      `/api/states?type=stage&task=TaskState_${ID.prices}`,
      `/api/states?type=step&task=${ID.prices}`,
      `/api/steps/${ID.step}`,
    ]
    const read = (who = cookie) => Promise.all(paths.map(async (path) => double.call('GET', path, { cookie: who })))
    const before = await read()
    await double.engine.put([event('task.archived', { task: ID.prices, agents: [ID.reader, ID.manager] })])
    expect(double.engine.world().tasks[ID.prices]).toBeUndefined()
    return { ...double, read, before }
  }

  it('an archived task gives its steps, its states and each step as before, marked as archived', async () => {
    const { read, before } = await open()
    const after = await read()
    expect(after.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(after.slice(0, 4).map(({ json }) => json)).toEqual(before.slice(0, 4).map(({ json }) => json))
    expect(before[4]?.json).toMatchObject({ archived: false })
    expect(after[4]?.json).toEqual({ ...before[4]?.json, archived: true })
  })

  it('an archived task is readable by the same people as before', async () => {
    const { call, signIn, engine, read } = await open()
    await engine.put([event('task.archived', { task: ID.secret, agents: [] })])
    const cookie = await signIn('ben')
    for (const path of [`/api/tasks/${ID.secret}/steps`, `/api/states?type=task&task=${ID.secret}`])
      expect((await call('GET', path, { cookie })).status).toBe(404)
    expect((await call('GET', `/api/steps/${ID.secretStep}`, { cookie })).status).toBe(404)
    expect((await read(await signIn('ana'))).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  })

  it('a request of an archived task can be read by those who could read it before, and answered by nobody', async () => {
    const { call, signIn, engine } = await openDouble()
    const ana = await signIn('ana')
    const request = Object.values(engine.world().requests[ID.prices] ?? {})[0]
    if (!request) throw new Error('no request in the double')
    const before = await call('GET', `/api/requests/${request.id}`, { cookie: ana })
    await engine.put([event('task.archived', { task: ID.prices, agents: [ID.reader, ID.manager] })])
    const after = await call('GET', `/api/requests/${request.id}`, { cookie: ana })
    expect(before.json).toMatchObject({ archived: false })
    expect(after).toMatchObject({
      status: 200,
      json: { request: before.json.request, taskName: before.json.taskName, archived: true },
    })
    const claim = { id: `command-${'x'.repeat(8)}`, until: Date.now() + 60_000 }
    expect((await call('POST', `/api/requests/${request.id}/claim`, { cookie: ana, body: claim })).status).toBe(404)
    expect((await call('GET', '/api/requests/never-there', { cookie: ana })).status).toBe(404)
  })

  it('a request of an archived task is read by those who were asked, members of it or not', async () => {
    const { call, signIn, engine } = await openDouble()
    const request = asId<RequestId>('00000000-0000-4000-8000-000000000559')
    const was = engine.world().requests[ID.secret]?.[ID.confirm]
    if (!was) throw new Error('no request in the double')
    const { kind, asker, type, message, step, stage, lock, thread, question, choices, call: held, fingerprint } = was
    const asked = {
      kind,
      asker,
      type,
      message,
      step,
      stage,
      lock,
      thread,
      question,
      choices,
      call: held,
      fingerprint,
    }
    await engine.put([
      event('request.opened', { task: ID.secret, request, seed: { ...asked, number: 9, asked: [ID.ben] } }),
      event('task.archived', { task: ID.secret, agents: [ID.reader] }),
    ])
    const statusOf = async (person: string, id: string) =>
      (await call('GET', `/api/requests/${id}`, { cookie: await signIn(person) })).status
    expect([await statusOf('ben', request), await statusOf('ana', request)]).toEqual([200, 200])
    // What Ana alone was asked in that task is not Ben's.
    expect([await statusOf('ben', ID.confirm), await statusOf('ana', ID.confirm)]).toEqual([404, 200])
  })

  it('the list of archived tasks shows a task to those who could read it', async () => {
    const { call, signIn, engine, store } = await openDouble()
    for (const task of [ID.prices, ID.secret]) {
      const kept = { key: pieceKey(asId<TaskId>(task)), seq: 0, reducer: REDUCER_VERSION - 1, at: 5 }
      await store.snapshots.save({ ...kept, data: new Uint8Array() })
    }
    const list = async (who: string, query = '') =>
      (await call('GET', `/api/tasks/archived${query}`, { cookie: await signIn(who) })).json
    expect(await list('ana')).toEqual({ tasks: [], next: null })
    for (const task of [ID.prices, ID.secret]) await engine.put([event('task.archived', { task, agents: [] })])
    expect(await list('ben')).toMatchObject({
      tasks: [{ task: ID.prices, name: 'Prices', archivedAt: 5, asker: null }],
      next: null,
    })
    const first = await list('ana', '?limit=1')
    const second = await list('ana', `?limit=1&after=${first.next}`)
    for (const id of [ID.prices, ID.secret]) expect(JSON.stringify([first.tasks, second.tasks])).toContain(id)
    expect(second.next).toBeNull()
    expect(await list('ana', '?after=nobody')).toMatchObject({ error: 'BAD_INPUT' })
  })

  it('an archived task is not among the live ones', async () => {
    const { call, signIn } = await open()
    const { json } = await call('GET', '/api/states?type=task', { cookie: await signIn('ben') })
    expect(Object.keys(json)).not.toContain(`TaskState_${ID.prices}`)
  })

  it('a step of a retired thread of the base task is shown to the people of the thread, and to nobody else', async () => {
    const { call, signIn, engine } = await openDouble()
    const [ana, ben] = [await signIn('ana'), await signIn('ben')]
    const stepsFor = async (cookie: string, text: string) => {
      const body = {
        human_agent_id: cookie === ben ? 'ben' : 'ana',
        task_id: ID.base,
        receiver: ['manager'],
        content: text,
      }
      expect((await call('POST', '/api/send_message', { cookie, body })).status).toBe(200)
      const message = Object.values(engine.world().messages[ID.base] ?? {}).find((one) => one.text === text)
      const step = stepsIn(engine.world().steps[ID.base]?.[ID.manager]).find((one) => one.text === text)
      if (!message || !step) throw new Error('nothing came of it')
      return { thread: asId<ThreadId>(message.id), step: step.id }
    }
    const [own, other] = [await stepsFor(ben, 'count my lines'), await stepsFor(ana, 'count hers')]
    for (const { thread } of [own, other])
      await engine.put([event('thread.retired', { task: ID.base, thread, agents: [ID.manager] })])
    const read = async (step: string, cookie: string) => (await call('GET', `/api/steps/${step}`, { cookie })).status
    expect([await read(own.step, ben), await read(other.step, ben), await read(own.step, ana)]).toEqual([200, 404, 200])
  })
})

it('[R570] an operator erases an archived task: its addresses say by whom and when, and no list has it', async () => {
  const { call, signIn, engine, store } = await openDouble()
  await engine.put([event('task.archived', { task: ID.prices, agents: [ID.reader, ID.manager] })])
  await store.counters.add(0, (await store.journal.head()).seq, [])
  const [ana, ben] = [await signIn('ana'), await signIn('ben')]
  const body = { id: 'erase-it-1', until: Date.UTC(2030, 0), reason: 'they asked' }
  const path = `/api/tasks/${ID.prices}/erase`
  expect((await call('POST', path, { cookie: ben, body })).status).toBe(403)
  expect((await call('POST', `/api/tasks/none/erase`, { cookie: ana, body })).json.error).toBe('NOT_FOUND')
  const done = await call('POST', path, { cookie: ana, body })
  expect(done.status).toBe(200)
  const { at } = engine.world()
  for (const [method, address] of [
    ['GET', `/api/tasks/${ID.prices}/steps`],
    ['GET', `/api/tasks/${ID.prices}/result`],
  ] as const) {
    const said = await call(method, address, { cookie: ben })
    expect([said.status, said.json.error, said.json.message], address).toEqual([
      410,
      'TASK_ERASED',
      `Ana erased this task on ${new Date(at).toISOString().slice(0, 10)}.`,
    ])
  }
  expect((await call('POST', path, { cookie: ana, body: { ...body, id: 'erase-it-2' } })).json.error).toBe(
    'TASK_ERASED',
  )
  const list = (await call('GET', '/api/tasks/archived', { cookie: ana })).json
  expect(list.tasks).toEqual([])
})
