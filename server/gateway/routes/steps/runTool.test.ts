/** Running tools by hand over HTTP: who sees the tools of a server, and what is checked before one runs. */
import { describe, expect, it } from 'vitest'
import { event } from '@/lib/mas/events'
import type { AgentId } from '@/lib/mas/ids'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import type { ToolPort } from '../..'
import { describedWith, noServers, openDouble, toolInfo } from '../../test/gatewayDouble'
import { configured, ID } from '../../test/world'

const SCHEMA = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }

const queue = (more: Partial<ToolPort> = {}): ToolPort => ({
  ...noServers,
  servers: () => [
    { name: 'files', guide: 'in the workspace', state: 'connected', isRemote: false },
    { name: 'mail', guide: '', state: 'failed', isRemote: true, lastError: 'connect ECONNREFUSED 10.0.0.7' },
  ],
  describe: async (server) =>
    server === 'files'
      ? describedWith([toolInfo('read'), toolInfo('write', { readOnly: false, confirm: true, confirmByHand: true })])
      : { ok: false, code: 'TOOL_TRANSPORT', message: 'connect ECONNREFUSED 10.0.0.7' },
  ...more,
})

/** Everybody but Dev has both servers. */
async function open(more: Partial<ToolPort> = {}) {
  const double = await openDouble({ tools: queue(more) })
  const { command } = configured
  const people = command.type === 'applyConfig' ? command.agents : []
  await double.engine.put(
    people
      .filter(({ id }) => id === ID.ana || id === ID.ben)
      .map((config) => event('agent.changed', { agent: config.id, config: { ...config, tools: ['files', 'mail'] } })),
  )
  let count = 0
  const wish = (more: object = {}) => {
    count += 1
    return {
      id: `by-hand-${count}-xxxxxxxx`,
      until: Date.UTC(2030, 0),
      task: ID.prices,
      stage: ID.stage,
      tool: 'read',
      arguments: { path: 'a.csv' },
      ...more,
    }
  }
  const run = async (who: string, body: object, server = 'files') =>
    double.call('POST', `/api/tools/${server}/run`, { cookie: await double.signIn(who), body })
  const steps = (who: AgentId) => stepsIn(double.engine.world().steps[ID.prices]?.[who]).filter(({ byHand }) => byHand)
  return { ...double, wish, run, steps }
}

describe('GET /api/tools/<server>', () => {
  it('a tool server shows its tools, with the schema of each and whether it needs a confirmation', async () => {
    const { call, signIn } = await open()
    const { json } = await call('GET', '/api/tools/files', { cookie: await signIn('ben') })
    expect(json).toEqual({
      name: 'files',
      guide: 'in the workspace',
      state: 'connected',
      mayRun: true,
      error: null,
      tools: [
        { name: 'read', title: null, description: 'read a file', schema: SCHEMA, reads: true, asks: false },
        { name: 'write', title: null, description: 'write a file', schema: SCHEMA, reads: false, asks: true },
      ],
      unread: [],
    })
  })

  it('an unreachable tool server tells operators why, and others only that it is unreachable', async () => {
    const { call, signIn } = await open()
    const ana = await call('GET', '/api/tools/mail', { cookie: await signIn('ana') })
    expect(ana.json).toMatchObject({ state: 'failed', error: 'connect ECONNREFUSED 10.0.0.7', tools: [] })
    const ben = await call('GET', '/api/tools/mail', { cookie: await signIn('ben') })
    expect(ben.json).toMatchObject({ state: 'failed', error: null })
    expect(JSON.stringify(ben.json)).not.toContain('10.0.0.7')
  })

  it('a tool server is shown to those who may run its tools', async () => {
    const { call, signIn } = await open()
    expect((await call('GET', '/api/tools/files', { cookie: await signIn('dev') })).json.error).toBe('NOT_YOUR_TOOL')
    expect((await call('GET', '/api/tools/nowhere', { cookie: await signIn('ana') })).status).toBe(404)
    expect((await call('GET', '/api/tools/files')).status).toBe(401)
  })

  it('an operator who may not run the tools of a server sees them, and is refused when they try', async () => {
    const { call, signIn, engine, run, wish } = await open()
    const ana =
      configured.command.type === 'applyConfig' ? configured.command.agents.find(({ id }) => id === ID.ana) : null
    if (!ana) throw new Error('there is no Ana')
    await engine.put([event('agent.changed', { agent: ID.ana, config: ana })])
    const { json } = await call('GET', '/api/tools/files', { cookie: await signIn('ana') })
    expect(json).toMatchObject({ mayRun: false, tools: [{ name: 'read' }, { name: 'write' }] })
    expect((await run('ana', wish())).json.error).toBe('NOT_YOUR_TOOL')
  })

  it('a tool with a title and without a description or a schema is shown so', async () => {
    const bare = { ...toolInfo('look', { title: 'Look', description: undefined }), inputSchema: undefined as never }
    const { call, signIn } = await open({ describe: async () => describedWith([bare]) })
    const { json } = await call('GET', '/api/tools/files', { cookie: await signIn('ben') })
    expect(json.tools).toMatchObject([{ name: 'look', title: 'Look', description: '', schema: null }])
  })

  it('arguments of 1 MiB are run, and of one byte more refused, counted as they are kept', async () => {
    const { call, signIn, wish } = await open()
    const cookie = await signIn('ben')
    const headers = { 'content-type': 'application/json' }
    // 1e20 is kept with all its digits, so less arrives than is kept.
    const numbers = Array.from({ length: 30_000 }, () => 1e20)
    const run = async (bytes: number) => {
      const path = 'x'.repeat(bytes - JSON.stringify({ path: '', numbers }).length)
      const raw = JSON.stringify(wish({ arguments: { path, numbers } })).replaceAll(String(1e20), '1e20')
      return (await call('POST', '/api/tools/files/run', { cookie, raw, headers })).json.error
    }
    expect([await run(1024 * 1024), await run(1024 * 1024 + 1)]).toEqual([undefined, 'TOO_LARGE'])
  })
})

describe('[R37] POST /api/tools/<server>/run', () => {
  it('[R404] a number of more digits than are kept is refused with its reason, and nothing runs', async () => {
    const { call, signIn, wish, steps } = await open()
    const raw = JSON.stringify(wish({ arguments: { path: 'a.csv', id: 7 } })).replace(
      '"id":7',
      '"id":1234567890123456789',
    )
    const headers = { 'content-type': 'application/json' }
    const { json } = await call('POST', '/api/tools/files/run', { cookie: await signIn('ben'), raw, headers })
    expect(json).toMatchObject({
      error: 'BAD_INPUT',
      message: expect.stringContaining('a number of more digits than are kept: write it as a text'),
    })
    expect(steps(ID.ben)).toEqual([])
  })

  it('running a tool makes a step of the person with exactly the arguments that came, once for a command', async () => {
    const { run, wish, steps, store } = await open()
    const body = wish()
    const first = await run('ben', body)
    const again = await run('ben', body)
    expect([first.status, again.json]).toEqual([200, first.json])
    const [step, ...others] = steps(ID.ben)
    expect(others).toEqual([])
    expect(first.json.reply).toEqual({ step: step?.id })
    expect(step).toMatchObject({ task: ID.prices, stage: ID.stage, executor: 'files', byHand: true, approvedBy: null })
    const args = step?.instruction?.kind === 'call' ? step.instruction.arguments : null
    expect(args?.preview).toBe('{"path":"a.csv"}')
    expect(await store.bodies.get(args?.sha ?? '')).not.toBeNull()
  })

  it('running a tool that may change something needs a confirmation, and records by whom and why', async () => {
    const { run, wish, steps } = await open()
    expect((await run('ben', wish({ tool: 'write' }))).json.error).toBe('CONFIRM_FIRST')
    expect(steps(ID.ben)).toEqual([])
    expect((await run('ben', wish({ tool: 'write', confirmed: true, reason: 'it was wrong' }))).status).toBe(200)
    expect(steps(ID.ben)[0]?.approvedBy).toMatchObject({ by: ID.ben })
    // A tool that only reads needs no confirmation, whatever the page sends.
    expect((await run('ben', wish({ confirmed: true }))).status).toBe(200)
    expect(steps(ID.ben)[1]?.approvedBy).toBeNull()
  })

  it('running a tool is refused first for rights, task, stage, tool, arguments or an unreachable server', async () => {
    let described = 0
    const { run, wish, engine } = await open({
      describe: async (server) => {
        described += 1
        return queue().describe(server)
      },
    })
    expect((await run('dev', wish())).json.error).toBe('NOT_YOUR_TOOL')
    expect((await run('ben', wish({ task: ID.secret }))).json.error).toBe('NOT_FOUND')
    expect((await run('ben', wish({ task: ID.secret, stage: null }))).json.error).toBe('NOT_FOUND')
    expect((await run('ben', wish({ stage: 'nothing' }))).json.error).toBe('NOT_FOUND')
    expect((await run('ben', wish({ tool: 'burn' }))).json.error).toBe('NOT_FOUND')
    expect((await run('ben', wish({ arguments: {} }))).json).toMatchObject({
      error: 'BAD_ARGUMENTS',
      message: expect.stringContaining('path is missing'),
    })
    expect((await run('ben', wish({ arguments: { path: 'x'.repeat(1024 * 1024) } }))).status).toBe(413)
    const away = await run('ben', wish(), 'mail')
    expect(away.json.error).toBe('TOOL_UNREACHABLE')
    expect(JSON.stringify(away.json)).not.toContain('10.0.0.7')
    expect(JSON.stringify((await run('ana', wish(), 'mail')).json)).toContain('10.0.0.7')
    expect(described).toBeGreaterThan(0)
    expect(engine.world().steps[ID.prices]?.[ID.ben] ?? {}).toEqual({})
  })

  it('a person reads their own tool step in the base task, where they see only their threads', async () => {
    const { run, wish, call, signIn } = await open()
    const done = await run('ben', wish({ task: ID.base, stage: null }))
    const step = done.json.reply
    const id = typeof step === 'object' && step !== null && 'step' in step ? String(step.step) : ''
    const tool = await call('GET', `/api/steps/${id}/tool`, { cookie: await signIn('ben') })
    expect(tool.json).toMatchObject({ server: 'files', name: 'read', arguments: { path: 'a.csv' } })
  })
})
