/** Templates and schedules over HTTP. */
import { describe, expect, it } from 'vitest'
import { event } from '@/lib/mas/events'
import { asId, type MessageId, type ScheduleId, type TaskId, type ThreadId } from '@/lib/mas/ids'
import { openDouble } from '../../test/gatewayDouble'
import { ID } from '../../test/world'

let counter = 0
const head = () => ({ id: `template-${counter++}-${'x'.repeat(8)}`, until: Date.UTC(2030, 0) })
const fields = [
  { name: 'Month', kind: 'choice', choices: ['May', 'June'], required: true },
  { name: 'List', kind: 'file', choices: [], required: true },
  { name: 'Note', kind: 'text', choices: [], required: false },
]
const template = (more: object = {}) => ({
  ...head(),
  template: null,
  name: 'Monthly report',
  text: 'Report for {Month} from {List}. {Note}',
  fields,
  ...more,
})
const work = (more: object = {}) => ({ ...head(), wish: '', pasted: '', files: [], ...more })

describe('[R127] a template', () => {
  it('is saved by an operator and used by everybody, who see no removed one', async () => {
    const { call, signIn } = await openDouble()
    const [ana, ben] = [await signIn('ana'), await signIn('ben')]
    expect((await call('POST', '/api/templates', { cookie: ben, body: template() })).status).toBe(403)
    const saved = await call('POST', '/api/templates', { cookie: ana, body: template() })
    const { template: id } = saved.json.reply as { template: string }
    expect((await call('GET', '/api/templates', { cookie: ben })).json).toMatchObject({
      templates: [{ id, name: 'Monthly report', fields, by: 'Ana', removed: false }],
    })
    await call('POST', '/api/templates', { cookie: ana, body: template({ template: id, text: 'Report for {Month}' }) })
    const history = await call('GET', `/api/templates/${id}/history`, { cookie: ana })
    expect(history.json).toMatchObject({ versions: [{ text: 'Report for {Month} from {List}. {Note}', by: 'Ana' }] })
    expect((await call('GET', `/api/templates/${id}/history`, { cookie: ben })).status).toBe(403)
    expect((await call('POST', `/api/templates/${id}/remove`, { cookie: ben, body: head() })).status).toBe(403)
    expect((await call('POST', `/api/templates/${id}/remove`, { cookie: ana, body: head() })).status).toBe(200)
    expect((await call('GET', '/api/templates', { cookie: ben })).json).toEqual({ templates: [] })
    expect((await call('GET', '/api/templates', { cookie: ana })).json).toMatchObject({
      templates: [{ removed: true }],
    })
  })

  it('gives a request its text; a value that is missing or no choice is refused in words', async () => {
    const { call, engine, signIn } = await openDouble()
    const [ana, ben] = [await signIn('ana'), await signIn('ben')]
    const { json } = await call('POST', '/api/templates', { cookie: ana, body: template() })
    const { template: id } = json.reply as { template: string }
    const files = [{ name: 'east.csv', text: 'a,1' }]
    const asks = async (values: object) =>
      call('POST', '/api/work', { cookie: ben, body: work({ files, template: { id, values } }) })
    expect((await asks({ Month: 'May' })).json.message).toBe('Fill in List.')
    expect((await asks({ Month: 'July', List: 'east.csv' })).json.message).toBe('Month is not one of the choices.')
    expect((await asks({ Month: 'May', List: 'east.csv', Note: '{Month}' })).status).toBe(200)
    expect(engine.envelopes.at(-1)?.command).toMatchObject({
      type: 'sendMessage',
      text: 'Report for May from inbox/2026-11-21-1/east.csv. {Month}',
      // The task for it is one of this template.
      fromTemplate: id,
    })
    const again = template({ template: id, reviewPlans: true })
    expect((await call('POST', '/api/templates', { cookie: ana, body: again })).status).toBe(200)
    expect((await call('GET', '/api/templates', { cookie: ben })).json.templates).toMatchObject([{ reviewPlans: true }])
    await call('POST', `/api/templates/${id}/remove`, { cookie: ana, body: head() })
    expect((await asks({ Month: 'May', List: 'east.csv' })).json.error).toBe('NOT_FOUND')
  })
})

describe('[R128] a schedule', () => {
  const weekly = (more: object = {}) =>
    work({ wish: 'Compare the lists', name: 'Every Monday', cron: '0 9 * * 1', timeZone: 'Europe/Berlin', ...more })

  it('is of the person who made it; operators see and stop it, others do not', async () => {
    const { call, engine, signIn } = await openDouble()
    const [ana, ben, dev] = [await signIn('ana'), await signIn('ben'), await signIn('dev')]
    const files = [{ name: 'east.csv', text: 'a,1' }]
    const made = await call('POST', '/api/schedules', { cookie: ben, body: weekly({ files }) })
    const { schedule: id } = made.json.reply as { schedule: string }
    const list = async (cookie: string) => (await call('GET', '/api/schedules', { cookie })).json.schedules
    const shown = {
      id,
      name: 'Every Monday',
      of: { id: ID.ben, name: 'Ben' },
      files: [{ name: 'east.csv' }],
      last: null,
    }
    expect(await list(ben)).toMatchObject([shown])
    expect(await list(ana)).toMatchObject([shown])
    expect(await list(dev)).toEqual([])
    expect((await call('POST', `/api/schedules/${id}/pause`, { cookie: dev, body: head() })).json.error).toBe(
      'NOT_FOUND',
    )
    expect((await call('POST', `/api/schedules/${id}/pause`, { cookie: ana, body: head() })).status).toBe(200)
    expect(await list(ben)).toMatchObject([{ paused: { by: 'Ana' }, next: null }])
    const change = { ...head(), name: 'Every day', text: 'Compare them', cron: '30 8 * * *', timeZone: 'UTC' }
    expect((await call('POST', `/api/schedules/${id}`, { cookie: dev, body: change })).json.error).toBe('NOT_FOUND')
    expect((await call('POST', `/api/schedules/${id}`, { cookie: ben, body: { ...change, ...head() } })).status).toBe(
      200,
    )
    expect(await list(ben)).toMatchObject([
      { name: 'Every day', text: 'Compare them', files: [{ name: 'east.csv' }], paused: null },
    ])
    expect(engine.world().schedules).toMatchObject({ [id]: { of: ID.ben } })
    expect((await call('POST', `/api/schedules/${id}/remove`, { cookie: ben, body: head() })).status).toBe(200)
    expect(await list(ana)).toEqual([])
  })

  it('stands by its next time, then by its name, and the paused ones last', async () => {
    const { call, signIn } = await openDouble()
    const cookie = await signIn('ben')
    const make = async (name: string, cron: string): Promise<string> => {
      const { json } = await call('POST', '/api/schedules', { cookie, body: weekly({ name, cron }) })
      return (json.reply as { schedule: string }).schedule
    }
    const paused = await make('A paused one', '0 1 * * *')
    await make('Monday', '0 9 * * 1')
    await make('Daily, second', '0 12 * * *')
    await make('Daily, first', '0 12 * * *')
    await call('POST', `/api/schedules/${paused}/pause`, { cookie, body: head() })
    const { schedules } = (await call('GET', '/api/schedules', { cookie })).json as { schedules: { name: string }[] }
    expect(schedules.map(({ name }) => name)).toEqual(['Daily, first', 'Daily, second', 'Monday', 'A paused one'])
  })

  it('shows when it asked last, and the task that came of it, by its id once that has left the world', async () => {
    const { call, engine, signIn } = await openDouble()
    const cookie = await signIn('ben')
    const made = await call('POST', '/api/schedules', { cookie, body: weekly() })
    const schedule = asId<ScheduleId>((made.json.reply as { schedule: string }).schedule)
    const message = asId<MessageId>('00000000-0000-4000-8000-000000000777')
    const last = async () => {
      const { schedules } = (await call('GET', '/api/schedules', { cookie })).json as { schedules: { last: unknown }[] }
      return schedules[0]?.last
    }
    await engine.put([event('schedule.asked', { schedule, due: 5, message, next: null })])
    expect(await last()).toMatchObject({ due: 5, message, task: null })
    const task = asId<TaskId>('00000000-0000-4000-8000-000000000778')
    const about = { task, name: 'Lists', intention: 'compare', manager: ID.manager, group: [ID.manager, ID.ben] }
    const requestedIn = { task: ID.base, thread: asId<ThreadId>(message) }
    await engine.put([event('task.added', { ...about, base: false, requestedBy: ID.ben, requestedIn })])
    expect(await last()).toMatchObject({ task: { id: task, name: 'Lists', state: 'init' } })
    await engine.put([event('task.archived', { task, agents: [] })])
    expect(await last()).toMatchObject({ task: { id: task, name: null, state: null } })
  })

  it('that cannot be is refused in words, and nothing of it is kept', async () => {
    const { call, engine, signIn } = await openDouble()
    const cookie = await signIn('ben')
    const said = async (more: object) =>
      (await call('POST', '/api/schedules', { cookie, body: weekly(more) })).json.message
    expect(await said({ cron: '* * * * *' })).toBe('A request can be asked again once an hour at most.')
    expect(await said({ cron: 'at nine' })).toMatch(/five fields/)
    expect(await said({ timeZone: 'Nowhere/City' })).toMatch(/time zone/)
    expect(await said({ name: ' ' })).toBe('It needs a name.')
    expect(engine.world().schedules).toEqual({})
  })
})
