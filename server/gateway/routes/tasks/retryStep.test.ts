/** Retrying a tool call with other arguments over HTTP: what is checked before it becomes a command, and for whom. */
import { describe, expect, it } from 'vitest'
import { bodyOf } from '@/lib/mas/bodies'
import { event } from '@/lib/mas/events'
import { asId, type StepId } from '@/lib/mas/ids'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import type { ToolPort } from '../..'
import { describedWith, noServers, openDouble, toolInfo } from '../../test/gatewayDouble'
import { ID, seed } from '../../test/world'

const BROKEN = asId<StepId>('00000000-0000-4000-8000-000000000777')
const GIVEN = bodyOf('{"path":"a.md"}', 'application/json')

/** The reader's call of `read`, which failed. */
async function open(more: Partial<ToolPort> = {}) {
  const asked: string[] = []
  const tools: ToolPort = {
    ...noServers,
    describe: async (server) => {
      asked.push(server)
      return describedWith([toolInfo('read', { confirm: true, confirmByHand: true })])
    },
    ...more,
  }
  const double = await openDouble({ tools })
  const about = { task: ID.prices, agent: ID.reader, step: BROKEN }
  await double.store.bodies.put(GIVEN.body.bytes, GIVEN.body.mime)
  const instruction = { kind: 'call', target: 'tool', name: 'read', arguments: GIVEN.ref } as const
  await double.engine.put([
    event('step.added', seed(BROKEN, ID.prices, { stage: ID.stage, kind: 'tool', executor: 'files' })),
    event('step.instructed', { ...about, instruction }),
    event('step.failed', { ...about, reason: 'no such file', result: null, repairs: [] }),
  ])
  let count = 0
  const wish = (more: object = {}) => {
    count += 1
    const head = { id: `retry-with-${count}-xxxxxxxx`, until: Date.UTC(2030, 0) }
    return { ...head, reason: 'the path was wrong', arguments: '{"path": "b.md"}', ...more }
  }
  const retry = async (who: string, body: object, step: string = BROKEN) =>
    double.call('POST', `/api/steps/${step}/retry`, { cookie: await double.signIn(who), body })
  const again = () =>
    stepsIn(double.engine.world().steps[ID.prices]?.[ID.reader]).filter(({ retryOf }) => retryOf === BROKEN)
  return { ...double, asked, wish, retry, again }
}

describe('[R541] POST /api/steps/<id>/retry with arguments', () => {
  it('makes a new step with exactly the arguments that came, held or not by the rules of its tool, once for a command', async () => {
    const { retry, wish, again, store, call, signIn } = await open()
    const body = wish()
    const first = await retry('ana', body)
    expect(first.status).toBe(200)
    expect(again()).toMatchObject([{ editedBy: ID.ana, approvedBy: null, retryOf: BROKEN, state: 'init' }])
    const { instruction, id } = again()[0] ?? {}
    if (instruction?.kind !== 'call') throw new Error('there is no call')
    expect(instruction.arguments).toEqual(bodyOf('{"path": "b.md"}', 'application/json').ref)
    expect(Buffer.from((await store.bodies.get(instruction.arguments.sha))?.bytes ?? []).toString()).toBe(
      '{"path": "b.md"}',
    )
    expect((await retry('ana', body)).json).toEqual(first.json)
    expect(again()).toHaveLength(1)
    expect((await retry('ana', wish())).json.error).toBe('ALREADY_SO')
    const shown = await call('GET', `/api/steps/${id}/tool`, { cookie: await signIn('ana') })
    expect(shown.json).toMatchObject({ arguments: { path: 'b.md' }, editedBy: 'Ana', approvedBy: null })
  })

  it('a repeat gets its first outcome also when the tool is gone meanwhile', async () => {
    let isThere = true
    const { retry, wish } = await open({
      describe: async () => describedWith(isThere ? [toolInfo('read')] : []),
    })
    const body = wish()
    const first = await retry('ana', body)
    isThere = false
    expect((await retry('ana', body)).json).toEqual(first.json)
  })

  it('refuses arguments that do not fit, and says which and why; nothing is changed', async () => {
    const { retry, wish, again, engine } = await open()
    const { seq } = engine.world()
    const faultOf = async (text: string) => (await retry('ana', wish({ arguments: text }))).json
    expect(await faultOf('{"path": 7}')).toMatchObject({
      error: 'BAD_ARGUMENTS',
      message: expect.stringMatching(/path/),
    })
    expect(await faultOf('{}')).toMatchObject({ error: 'BAD_ARGUMENTS', message: expect.stringMatching(/path/) })
    expect(await faultOf('{ not json')).toMatchObject({
      error: 'BAD_ARGUMENTS',
      message: expect.stringContaining('they are not valid JSON'),
    })
    expect(await faultOf(JSON.stringify({ path: 'x'.repeat(1024 * 1024) }))).toMatchObject({ error: 'TOO_LARGE' })
    expect([again(), engine.world().seq]).toEqual([[], seq])
  })

  it('refuses when the tool is gone or its server does not answer, and says so', async () => {
    const gone = await open({ describe: async () => describedWith([toolInfo('write')]) })
    const { json } = await gone.retry('ana', gone.wish())
    expect([json.error, String(json.message)]).toEqual(['NOT_FOUND', expect.stringContaining('read')])
    const silent = await open({
      describe: async () => ({ ok: false, code: 'TOOL_TRANSPORT', message: 'connect ECONNREFUSED 10.0.0.7' }),
    })
    expect((await silent.retry('ana', silent.wish())).json.error).toBe('TOOL_UNREACHABLE')
    // As it was it may be retried: the tool is asked when it runs.
    expect((await silent.retry('ana', silent.wish({ arguments: null }))).status).toBe(200)
    expect(gone.again()).toEqual([])
  })

  it('whoever may not retry the step is refused before the tool is asked, with fitting arguments and others', async () => {
    const { retry, wish, asked, again } = await open()
    for (const text of ['{"path": "b.md"}', '{"path": 7}']) {
      expect((await retry('ben', wish({ arguments: text }))).json.error).toBe('NOT_MANAGER')
    }
    expect([asked, again()]).toEqual([[], []])
  })

  it('a step that did not fail, one that called no tool and one that is not there are refused in words', async () => {
    const { retry, wish, asked } = await open()
    const errorOf = async (step: string) => (await retry('ana', wish(), step)).json.error
    expect(await errorOf(ID.toolStep)).toBe('STEP_NOT_FAILED')
    expect(await errorOf(ID.badStep)).toBe('NO_TOOL_CALL')
    expect(await errorOf('nothing')).toBe('NOT_FOUND')
    expect(asked).toEqual([])
  })
})

describe('[R541] GET /api/steps/<id>/arguments', () => {
  it('gives the whole arguments with what the tool takes, also when its server does not answer', async () => {
    const { call, signIn } = await open()
    const path = `/api/steps/${BROKEN}/arguments`
    const { json } = await call('GET', path, { cookie: await signIn('ana') })
    expect(json).toEqual({ json: { path: 'a.md' }, text: '{"path":"a.md"}', schema: toolInfo('read').inputSchema })
    const silent = await open({ describe: noServers.describe })
    const without = await silent.call('GET', path, { cookie: await silent.signIn('ana') })
    expect(without.json).toEqual({ ...json, schema: null })
  })

  it('is not there for a step that called no tool, nor for who may not read the step', async () => {
    const { call, signIn } = await open()
    const errorOf = async (who: string, step: string) =>
      (await call('GET', `/api/steps/${step}/arguments`, { cookie: await signIn(who) })).json.error
    expect(await errorOf('ana', ID.step)).toBe('NOT_FOUND')
    expect(await errorOf('ben', ID.badStep)).toBe('NOT_FOUND')
  })

  it('says that arguments are no longer kept, and shows no part of them', async () => {
    const { call, signIn, engine } = await open()
    const { ref } = bodyOf(JSON.stringify({ path: 'x'.repeat(64 * 1024) }), 'application/json')
    const instruction = { kind: 'call', target: 'tool', name: 'read', arguments: ref } as const
    const long = asId<StepId>('00000000-0000-4000-8000-000000000778')
    await engine.put([
      event('step.added', seed(long, ID.prices, { stage: ID.stage, kind: 'tool', executor: 'files' })),
      event('step.instructed', { task: ID.prices, agent: ID.reader, step: long, instruction }),
    ])
    const { json } = await call('GET', `/api/steps/${long}/arguments`, { cookie: await signIn('ana') })
    expect(json.error).toBe('NOT_KEPT')
  })
})
