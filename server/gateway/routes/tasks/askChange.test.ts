/** A change of a result over HTTP: what is asked of the manager, who may ask, and which tasks the caller sees linked. */
import { expect, it } from 'vitest'
import { event } from '@/lib/mas/events'
import { asId, type TaskId } from '@/lib/mas/ids'
import { taskHandle } from '@/lib/mas/team/handles'
import { PASSAGE_CHARACTERS, taskChanges } from '@/lib/wire/http'
import { openDouble } from '../../test/gatewayDouble'
import { ID } from '../../test/world'

let count = 0

async function ended(task: TaskId = ID.prices) {
  const double = await openDouble({ fileServers: ['files'] })
  const file = (path: string, now: { sha: string; bytes: number; kept: boolean } | null) =>
    ({ path, change: now === null ? 'removed' : 'made', before: null, shared: false, now }) as const
  const now = { sha: 'abcdef12'.repeat(8), bytes: 4, kept: true }
  await double.engine.put([
    event('files.changed', {
      task,
      agent: ID.reader,
      step: ID.toolStep,
      thread: null,
      more: 0,
      complete: true,
      keep: 20,
      changes: [file('report.md', now), file('old.md', null)],
    }),
    event('task.finished', {
      task,
      state: 'finished',
      summary: 'All\ncompared.',
      result: { headline: 'Pears cost 3.20.', facts: [{ label: 'Lists', value: '2', source: null }], leftOut: [] },
    }),
  ])
  const ask = async (who: string, body: object = {}, of: string = task) => {
    count += 1
    const head = { id: `asks-a-change-${count}`, until: double.clock.now + 30_000 }
    const asked = { ...head, comment: 'Leave out south.', passage: '', ...body }
    return double.call('POST', `/api/tasks/${of}/change`, { cookie: await double.signIn(who), body: asked })
  }
  const sent = () => Object.values(double.engine.world().messages[ID.base] ?? {}).at(-1)
  return { ...double, ask, sent }
}

it('[R510] asks the manager of the base task, and names task, result, passage, comment and files', async () => {
  const { ask, sent } = await ended()
  expect((await ask('ana', { passage: ' Pears\ncost 3.20. ' })).status).toBe(200)
  const message = sent()
  expect(message).toMatchObject({
    task: ID.base,
    receivers: [ID.manager],
    type: 'action',
    said: { say: 'changeWork' },
  })
  expect(message?.change).toEqual({
    of: ID.prices,
    name: 'Prices',
    passage: 'Pears\ncost 3.20.',
    comment: 'Leave out south.',
    files: ['report.md'],
  })
  const says = [
    `Change the result of \`Prices\` (${taskHandle({ id: ID.prices })}): Leave out south.`,
    'About this passage of it:\n> Pears\n> cost 3.20.',
    'The result so far:\n> Pears cost 3.20.\n>\n> - Lists: 2\n>\n> All\n> compared.',
    'Its files, to begin with:\n- `report.md` (abcdef12)',
    `Task: ${ID.prices}`,
  ]
  expect(message?.text).toBe(says.join('\n\n'))
})

it('[R510] a comment may be on all of the result; without a comment, or with one that is too long, nothing is asked', async () => {
  const { ask, sent } = await ended()
  const before = sent()?.id
  expect((await ask('ana', { comment: ' \n' })).json.error).toBe('EMPTY_TEXT')
  expect((await ask('ana', { comment: 'x'.repeat(16 * 1024 + 1) })).json.error).toBe('TOO_LARGE')
  expect((await ask('ana', { passage: 'x'.repeat(PASSAGE_CHARACTERS + 1) })).status).toBe(400)
  expect(sent()?.id).toBe(before)
  expect((await ask('ana', { comment: 'x'.repeat(16 * 1024) })).status).toBe(200)
  expect(sent()?.text).not.toContain('About this passage')
})

it('[R511] who may not read the result cannot ask for a change of it; a member without file access gets no paths', async () => {
  const { ask, sent, engine } = await ended()
  expect((await ask('ben')).status).toBe(200)
  expect(sent()).toMatchObject({ sender: ID.ben, change: { files: [] } })
  await engine.put([event('task.participantsChanged', { task: ID.prices, added: [], removed: [ID.ben] })])
  expect((await ask('ben')).status).toBe(404)
  // An open task has no result yet.
  expect((await ask('ana', {}, ID.secret)).status).toBe(404)
})

it('[R511] both tasks name each other, to those who may see the other one', async () => {
  const { call, engine, signIn } = await ended()
  const by = asId<TaskId>('00000000-0000-4000-8000-000000000777')
  const added = {
    name: 'Without south',
    intention: 'x',
    manager: ID.manager,
    group: [ID.manager, ID.ana],
    base: false,
    requestedBy: ID.ana,
    requestedIn: null,
  }
  await engine.put([
    event('task.added', { task: by, ...added, changeOf: ID.prices }),
    event('task.changeBegun', { task: ID.prices, by }),
  ])
  const [ana, ben] = [await signIn('ana'), await signIn('ben')]
  const seen = async (cookie: string, task: TaskId) =>
    taskChanges.parse((await call('GET', `/api/tasks/${task}/changes`, { cookie })).json)
  expect(await seen(ana, ID.prices)).toEqual({ of: null, by: [{ task: by, name: 'Without south', state: 'init' }] })
  expect(await seen(ana, by)).toMatchObject({ of: { task: ID.prices, name: 'Prices', state: 'finished' }, by: [] })
  expect(await seen(ben, ID.prices)).toEqual({ of: null, by: [] })
  expect((await call('GET', `/api/tasks/${by}/changes`, { cookie: ben })).status).toBe(404)
})
