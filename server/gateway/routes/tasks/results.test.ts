/** The result of a task over HTTP, and who may read it. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { event } from '@/lib/mas/events'
import { asId, type StageId, type TaskId } from '@/lib/mas/ids'
import { taskResult } from '@/lib/wire/http'
import { openDouble } from '../../test/gatewayDouble'
import { ID } from '../../test/world'

it('[R113] is for who may read the whole task, with the files that they may see', async () => {
  const double = await openDouble({ fileServers: ['files'] })
  const [ana, ben] = [await double.signIn('ana'), await double.signIn('ben')]
  const result = (cookie: string, task: string = ID.prices) =>
    double.call('GET', `/api/tasks/${task}/result`, { cookie })
  expect((await result(ana)).status).toBe(404)
  await writeFile(join(double.workspace, 'report.md'), 'text')
  await double.engine.put([
    event('files.changed', {
      task: ID.prices,
      agent: ID.reader,
      step: ID.toolStep,
      thread: null,
      more: 0,
      complete: true,
      keep: 20,
      changes: [
        {
          path: 'report.md',
          change: 'made',
          before: null,
          shared: false,
          now: { sha: 'a'.repeat(64), bytes: 4, kept: true },
        },
      ],
    }),
    event('task.finished', { task: ID.prices, state: 'finished', summary: 'All compared.' }),
    event('task.finished', { task: ID.secret, state: 'failed', summary: 'Hidden.' }),
  ])
  const seen = taskResult.parse((await result(ana)).json)
  expect(seen).toMatchObject({ task: ID.prices, state: 'finished', summary: 'All compared.' })
  expect(seen.files).toMatchObject([{ path: 'report.md', change: 'made', bytes: 4 }])
  const seq = double.engine.world().files['report.md']?.[0]?.seq
  expect(seen.files).toMatchObject([{ seq, isKept: true, isChanged: false }])
  // Ben is a member of Prices and holds no file tool.
  expect(taskResult.parse((await result(ben)).json).files).toEqual([])
  expect((await result(ben, ID.secret)).status).toBe(404)
  expect((await result(ana, ID.base)).status).toBe(404)
  expect(seen.notDone).toEqual([])
  // Who left before the end reads what there was until then.
  await double.engine.put([event('task.participantsChanged', { task: ID.prices, added: [], removed: [ID.ben] })])
  expect((await result(ben)).status).toBe(404)
})

it('[R113] names what was not done: a stage that failed or never ran, and whose part failed', async () => {
  const double = await openDouble()
  const [failed, never] = [500, 501].map((n) => asId<StageId>(`00000000-0000-4000-8000-000000000${n}`))
  if (!failed || !never) throw new Error('two stages are needed')
  const stage = (id: StageId, intention: string) =>
    event('stage.added', {
      task: ID.prices,
      stage: id,
      intention,
      allocation: { [ID.reader]: 'x' },
      after: null,
      retryOf: null,
    })
  const part = { task: ID.prices, stage: ID.stage, agent: ID.reader, state: 'failed', reason: 'no list' } as const
  await double.engine.put([
    event('stage.agentStateChanged', part),
    event('stage.finished', { task: ID.prices, stage: ID.stage, state: 'finished', reason: null, replacedBy: null }),
    stage(failed, 'compare them'),
    event('stage.started', { task: ID.prices, stage: failed }),
    event('stage.finished', {
      task: ID.prices,
      stage: failed,
      reason: 'they differ',
      replacedBy: null,
      state: 'failed',
    }),
    stage(never, 'write it'),
    event('task.finished', { task: ID.prices, state: 'failed', summary: 'Not all.' }),
  ])
  const { json } = await double.call('GET', `/api/tasks/${ID.prices}/result`, { cookie: await double.signIn('ben') })
  const { notDone } = taskResult.parse(json)
  expect(notDone.map(({ why, name, reason }) => [why, name, reason])).toEqual([
    ['part', 'Reader', 'no list'],
    ['failed', null, 'they differ'],
    ['notStarted', null, ''],
  ])
})

it('[R483] says who rated it, and whether the caller may; a second person sees the rating and is refused', async () => {
  const double = await openDouble()
  const [ana, ben] = [await double.signIn('ana'), await double.signIn('ben')]
  await double.engine.put([event('task.finished', { task: ID.prices, state: 'finished', summary: 'All compared.' })])
  const seen = async (cookie: string) =>
    taskResult.parse((await double.call('GET', `/api/tasks/${ID.prices}/result`, { cookie })).json)
  const rate = (cookie: string, id: string) =>
    double.call('POST', `/api/tasks/${ID.prices}/rate`, {
      cookie,
      body: { id, until: double.clock.now + 30_000, rating: 'up', sentence: 'Short.' },
    })
  expect((await rate(ana, 'rates-as-ana')).status).toBe(200)
  expect(await seen(ana)).toMatchObject({ mayRate: true, ratings: [{ name: 'Ana', rating: 'up', sentence: 'Short.' }] })
  const { mayRate, ratings } = await seen(ben)
  expect([mayRate, ratings.length]).toEqual([false, 1])
  expect((await rate(ben, 'rates-as-ben')).status).toBe(403)
})

it('[R516] says of a file whether it has changed since the task left it, with the version that it left', async () => {
  const double = await openDouble({ fileServers: ['files'] })
  const now = { sha: 'a'.repeat(64), bytes: 4, kept: true }
  const wrote = (task: TaskId, change: object = {}) =>
    event('files.changed', {
      task,
      agent: ID.reader,
      step: ID.toolStep,
      thread: null,
      more: 0,
      complete: true,
      keep: 20,
      changes: [{ path: 'report.md', change: 'made', before: null, shared: false, now: { ...now, ...change } }],
    })
  await double.engine.put([
    wrote(ID.prices, { kept: false }),
    event('task.finished', { task: ID.prices, state: 'finished', summary: 'All compared.' }),
  ])
  const ana = await double.signIn('ana')
  const files = async () =>
    taskResult.parse((await double.call('GET', `/api/tasks/${ID.prices}/result`, { cookie: ana })).json).files
  const [left] = await files()
  expect(left).toMatchObject({ isChanged: false, isKept: false })
  await double.engine.put([wrote(ID.secret, { sha: 'b'.repeat(64) })])
  expect(await files()).toEqual([{ ...left, isChanged: true }])
})
