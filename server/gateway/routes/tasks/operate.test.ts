/** Acts of operators over HTTP: each becomes a command of the session's person, with a reason. */
import { describe, expect, it } from 'vitest'
import { openDouble } from '../../test/gatewayDouble'
import { ID } from '../../test/world'

let counter = 0
const act = (more: object = {}) => ({
  id: `operate-${counter++}-${'x'.repeat(8)}`,
  until: Date.UTC(2030, 0),
  reason: 'it goes wrong',
  ...more,
})

describe('[R15] an operator', () => {
  it('an operator pauses and resumes, and the answer has the journal’s entry number', async () => {
    const { call, engine, signIn } = await openDouble()
    const cookie = await signIn('ana')
    for (const [path, read] of [
      [`/api/agents/${ID.reader}`, () => engine.world().agents[ID.reader]?.paused],
      [`/api/tasks/${ID.prices}`, () => engine.world().tasks[ID.prices]?.paused],
    ] as const) {
      const paused = await call('POST', `${path}/pause`, { cookie, body: act() })
      expect([paused.status, paused.json.seq]).toEqual([200, engine.world().seq])
      expect(read()).toMatchObject({ by: ID.ana, reason: 'it goes wrong' })
      expect((await call('POST', `${path}/pause`, { cookie, body: act() })).json.error).toBe('ALREADY_SO')
      expect((await call('POST', `${path}/resume`, { cookie, body: act({ reason: '' }) })).status).toBe(200)
      expect(read()).toBeNull()
    }
  })

  it('an operator has an agent read one message first, and is refused one that is not the agent’s', async () => {
    const { call, engine, signIn } = await openDouble()
    const cookie = await signIn('ana')
    const sent = await call('POST', '/api/messages', {
      cookie,
      body: {
        id: 'operate-message-1',
        until: Date.UTC(2030, 0),
        mention: false,
        type: 'fyi',
        task: ID.prices,
        stage: null,
        replyTo: null,
        answers: null,
        receivers: [ID.reader],
        text: 'Stop it',
      },
    })
    expect(sent.status).toBe(200)
    const message = Object.values(engine.world().messages[ID.prices] ?? {}).find(({ text }) => text === 'Stop it')?.id
    const read = await call('POST', '/api/agents/reader/read_now', { cookie, body: act({ message }) })
    expect([read.status, read.json.seq]).toEqual([200, engine.world().seq])
    expect(engine.envelopes.at(-1)).toMatchObject({
      by: ID.ana,
      command: { type: 'readNow', agent: ID.reader, message, reason: 'it goes wrong' },
    })
    expect(engine.world().agents[ID.reader]?.paused).toMatchObject({ by: ID.ana })
    const errorOf = async (path: string, wish: object) =>
      (await call('POST', path, { cookie, body: act(wish) })).json.error
    expect(await errorOf('/api/agents/reader/read_now', { message: 'nothing' })).toBe('NOT_FOUND')
    expect(await errorOf('/api/agents/nobody/read_now', { message })).toBe('NOT_FOUND')
    expect(await errorOf('/api/agents/manager/read_now', { message })).toBe('NOT_FOUND')
    expect(await errorOf('/api/agents/reader/read_now', { message, reason: ' ' })).toBe('REASON_MISSING')
  })

  it('an operator names agents by any of their ids, in stages, members and managers', async () => {
    const { call, engine, signIn } = await openDouble()
    const cookie = await signIn('ana')
    const stages = [{ intention: 'check', allocation: { reader: 'check it' } }]
    const added = await call('POST', `/api/tasks/${ID.prices}/stages`, { cookie, body: act({ stages }) })
    expect(added.status).toBe(200)
    expect(engine.envelopes.at(-1)).toMatchObject({
      by: ID.ana,
      command: {
        type: 'addStages',
        task: ID.prices,
        stages: [{ intention: 'check', allocation: { [ID.reader]: 'check it' } }],
      },
    })
    const made = await call('POST', '/api/tasks', {
      cookie,
      body: act({ name: 'Count', intention: 'Count all', manager: 'manager', members: ['reader', 'ben'], stages }),
    })
    expect(made.status).toBe(200)
    expect(Object.values(engine.world().tasks).find((task) => task.name === 'Count')).toMatchObject({
      manager: ID.manager,
      requestedBy: ID.ana,
      state: 'running',
    })
    const moved = await call('POST', `/api/tasks/${ID.prices}/manager`, { cookie, body: act({ agent: 'reader' }) })
    expect(moved.json.reply).toEqual({ manager: ID.reader })
    const left = await call('POST', `/api/tasks/${ID.prices}/participants`, {
      cookie,
      body: act({ add: [], remove: ['ben'] }),
    })
    expect(left.json.reply).toEqual({ added: [], removed: [ID.ben] })
    const ended = await call('POST', `/api/tasks/${ID.prices}/finish`, {
      cookie,
      body: act({ state: 'finished', summary: 'It will do.' }),
    })
    expect(ended.status).toBe(200)
    expect(engine.world().tasks[ID.prices]).toMatchObject({ state: 'finished', summary: 'It will do.' })
  })

  it('an operator learns what does not exist, and where a reason is missing', async () => {
    const { call, signIn } = await openDouble()
    const cookie = await signIn('ana')
    for (const path of ['agents', 'tasks', 'steps', 'stages']) {
      const verb = path === 'steps' ? 'cancel' : path === 'stages' ? 'finish' : 'pause'
      for (const id of ['nothing', 'constructor', '__proto__']) {
        const { json } = await call('POST', `/api/${path}/${id}/${verb}`, { cookie, body: act() })
        expect(json.error, `${path} ${id}`).toBe('NOT_FOUND')
      }
    }
    const without = await call('POST', `/api/tasks/${ID.prices}/pause`, { cookie, body: act({ reason: '  ' }) })
    expect([without.status, without.json.error]).toEqual([422, 'REASON_MISSING'])
    const tooLong = await call('POST', `/api/tasks/${ID.prices}/pause`, {
      cookie,
      body: act({ reason: 'x'.repeat(1_001) }),
    })
    expect(tooLong.json.error).toBe('BAD_INPUT')
  })
})

describe('[R15] a participant', () => {
  it('a participant may not operate', async () => {
    const { call, engine, signIn } = await openDouble()
    const cookie = await signIn('ben')
    const before = engine.world()
    const { json } = await call('POST', `/api/tasks/${ID.prices}/pause`, { cookie, body: act() })
    expect(json.error).toBe('NOT_MANAGER')
    expect((await call('POST', `/api/agents/${ID.reader}/pause`, { cookie, body: act() })).json.error).toBe(
      'NOT_ALLOWED',
    )
    expect(engine.world()).toBe(before)
  })
})

describe('[R125] a name', () => {
  it('is given over HTTP by an operator; a participant who did not ask for the task is refused', async () => {
    const { call, engine, signIn } = await openDouble()
    const [ana, ben] = [await signIn('ana'), await signIn('ben')]
    const rename = (cookie: string, name: string) =>
      call('POST', `/api/tasks/TaskState_${ID.prices}/rename`, { cookie, body: { ...act(), name } })
    expect((await rename(ben, 'Mine')).json.error).toBe('NOT_ALLOWED')
    expect((await rename(ana, 'Price lists')).status).toBe(200)
    expect(engine.world().tasks[ID.prices]?.name).toBe('Price lists')
    const states = await call('GET', '/api/states?type=task', { cookie: ana })
    expect(JSON.stringify(states.json)).toContain('"task_name":"Price lists"')
    expect((await rename(ana, 'x'.repeat(201))).json.error).toBe('TOO_LARGE')
    expect((await rename(ana, ' ')).json).toMatchObject({ error: 'BAD_INPUT', message: 'It needs a name.' })
  })
})

describe('[R126] a member', () => {
  it('is taken out by an operator, who names the person that gets what they were asked', async () => {
    const { call, engine, signIn } = await openDouble()
    const [ana, ben] = [await signIn('ana'), await signIn('ben')]
    const path = `/api/tasks/${ID.prices}/participants`
    const body = () => act({ add: [], remove: ['ben'], handTo: 'ana' })
    expect((await call('POST', path, { cookie: ben, body: body() })).json.error).toBe('NOT_MANAGER')
    expect(
      (await call('POST', path, { cookie: ana, body: act({ add: [], remove: ['ben'], handTo: 'x' }) })).status,
    ).toBe(404)
    expect((await call('POST', path, { cookie: ana, body: body() })).status).toBe(200)
    expect(engine.envelopes.at(-1)).toMatchObject({
      command: { type: 'changeParticipants', task: ID.prices, remove: [ID.ben], handTo: ID.ana },
    })
    expect(engine.world().tasks[ID.prices]?.group).not.toContain(ID.ben)
  })
})
