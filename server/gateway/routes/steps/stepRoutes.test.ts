/** Reading a step: its prompt, response, result and tool call, and who may. */
import { describe, expect, it, vi } from 'vitest'
import { bodyOf } from '@/lib/mas/bodies'
import { event } from '@/lib/mas/events'
import { asId, type StepId } from '@/lib/mas/ids'
import { stepAnswer } from '@/lib/wire/http'
import { openDouble } from '../../test/gatewayDouble'
import { ID, call as modelCall, seed } from '../../test/world'

describe('steps', () => {
  it('a step, its prompt, response and result are read through the step', async () => {
    const { call, signIn } = await openDouble()
    const cookie = await signIn('ben')
    const get = async (path: string) => (await call('GET', `/api/steps/${ID.step}${path}`, { cookie })).json
    expect(await get('')).toMatchObject({
      step: { id: ID.step },
      taskName: 'Prices',
      agentName: 'Reader',
      archived: false,
    })
    expect(await get('/prompt')).toMatchObject({
      call: { id: 'call-1' },
      sections: [{ name: 'system', text: 'You are Reader.', messages: [] }],
    })
    expect(await get('/prompt?call=nothing')).toMatchObject({ error: 'NOT_FOUND' })
    expect(await get('/response')).toMatchObject({ text: '<think>north.csv has 7 lines</think>' })
    expect(await get('/result')).toEqual({ kind: 'text', text: 'north.csv has 7 lines', json: null })
    expect(await get('/tool')).toMatchObject({ error: 'NOT_FOUND' })
  })

  it('a long part of a prompt is read from its body, and a prompt with a part that is gone is not shown', async () => {
    const { call, engine, signIn, store } = await openDouble()
    const { body, ref } = bodyOf('x'.repeat(1_000))
    const turns = JSON.stringify([{ name: 'long', role: 'user', sha: ref.sha, bytes: ref.bytes }])
    const { sha, bytes } = await store.bodies.put(new TextEncoder().encode(turns), 'application/json')
    const longCall = { ...modelCall, id: 'call-2', prompt: { sha, bytes }, answer: ref }
    await engine.put([event('model.called', { task: ID.prices, agent: ID.reader, step: ID.step, call: longCall })])
    const cookie = await signIn('ben')
    const get = async (part: string) =>
      (await call('GET', `/api/steps/${ID.step}/${part}?call=call-2`, { cookie })).json
    expect(await get('prompt')).toMatchObject({ error: 'NOT_KEPT' })
    expect((await get('response')).text).toBe(ref.preview)
    await store.bodies.put(body.bytes, body.mime)
    expect(await get('prompt')).toMatchObject({ sections: [{ text: 'x'.repeat(1_000), bytes: 1_000 }] })
    expect((await get('response')).text).toBe('x'.repeat(1_000))
  })

  it('[R208] a long text that is gone is not shown as an empty one, and a result that is gone is its beginning', async () => {
    const { call, engine, signIn } = await openDouble()
    const { ref } = bodyOf('y'.repeat(1_000))
    const about = { task: ID.prices, agent: ID.reader, step: asId<StepId>('00000000-0000-4000-8000-0000000003f9') }
    const body = { ...ref, preview: '' }
    await engine.put([
      event('step.added', seed(about.step, ID.prices, {})),
      event('model.called', { ...about, call: { ...modelCall, id: 'call-3', answer: body } }),
      event('step.finished', { ...about, result: { kind: 'text', text: ref.preview, body, made: null }, repairs: [] }),
    ])
    const cookie = await signIn('ben')
    const get = async (part: string) => (await call('GET', `/api/steps/${about.step}/${part}`, { cookie })).json
    expect(await get('response')).toMatchObject({ error: 'NOT_KEPT' })
    expect((await get('result')).text).toBe(ref.preview)
  })

  it('a call of a model that gave no answer has an empty one', async () => {
    const { call, engine, signIn } = await openDouble()
    const failed = { ...modelCall, id: 'call-2', answer: null, outcome: 'failed' as const, error: 'it was away' }
    await engine.put([event('model.called', { task: ID.prices, agent: ID.reader, step: ID.step, call: failed })])
    const { json } = await call('GET', `/api/steps/${ID.step}/response?call=call-2`, { cookie: await signIn('ben') })
    expect(json).toMatchObject({ text: '', reasoning: null, call: { id: 'call-2', error: 'it was away' } })
  })

  it('a tool call is shown up to 256 KiB, and says that it was cut', async () => {
    const { call, signIn } = await openDouble()
    const cookie = await signIn('ben')
    const { json } = await call('GET', `/api/steps/StepState_${ID.toolStep}/tool`, { cookie })
    expect(json).toMatchObject({
      server: 'files',
      name: 'write_file',
      arguments: { path: 'prices/report.md', content: 'total' },
      approvedBy: null,
      isError: false,
      cut: true,
    })
    expect(String(json.result)).toHaveLength(256 * 1024)
    const whole = await call('GET', `/api/steps/${ID.toolStep}/result`, { cookie })
    expect(String(whole.json.text)).toHaveLength(300_077)
  })

  it('a call that was approved says by whom, and whether anybody looked at it', async () => {
    const { call, engine, signIn } = await openDouble()
    const cookie = await signIn('ben')
    const step = asId<StepId>('00000000-0000-4000-8000-0000000003f8')
    const about = { task: ID.prices, agent: ID.reader, step, by: ID.ana, digest: 'd', arguments: null }
    const approvedBy = async () => (await call('GET', `/api/steps/${step}/tool`, { cookie })).json.approvedBy
    await engine.put([event('step.added', seed(step, ID.prices, { kind: 'tool', executor: 'files' }))])
    expect((await call('GET', `/api/steps/${step}/tool`, { cookie })).json).toMatchObject({
      approvedBy: null,
      name: null,
      arguments: null,
      result: null,
      isError: null,
      cut: false,
    })
    await engine.put([event('step.approved', { ...about, edited: true })])
    expect(await approvedBy()).toEqual({ name: 'Ana', edited: true, allowed: null })
    await engine.put([event('step.approved', { ...about, edited: false, allowed: true })])
    expect(await approvedBy()).toEqual({ name: 'Ana', edited: false, allowed: 'task' })
    await engine.put([event('step.approved', { ...about, edited: false, allowed: 'agent' })])
    expect(await approvedBy()).toEqual({ name: 'Ana', edited: false, allowed: 'agent' })
  })

  it('the result of a tool is shown, and whether it is an error', async () => {
    const { call, signIn } = await openDouble()
    const { json } = await call('GET', `/api/steps/${ID.badStep}/tool`, { cookie: await signIn('ana') })
    expect(json).toMatchObject({ result: { isError: true, content: [{ text: 'ENOENT' }] }, isError: true, cut: false })
  })

  it('[R94] a hidden step is answered exactly as one that does not exist, and an operator reads it', async () => {
    const { call, signIn } = await openDouble()
    const [ana, ben] = [await signIn('ana'), await signIn('ben')]
    const paths: [string, (id: string) => string][] = [
      [ID.secret, (id) => `/api/tasks/${id}/steps`],
      [ID.secret, (id) => `/api/states?type=task&task=${id}`],
      [ID.secret, (id) => `/api/states?type=task&task=TaskState_${id}`],
      ...['', '/prompt', '/response', '/result', '/tool'].map((part): [string, (id: string) => string] => [
        ID.secretStep,
        (id) => `/api/steps/${id}${part}`,
      ]),
    ]
    for (const [id, path] of paths) {
      const unknown = id.replaceAll(/[0-9a-f]/g, '0')
      const hidden = await call('GET', path(id), { cookie: ben })
      const missing = await call('GET', path(unknown), { cookie: ben })
      const withoutIds = (json: unknown, own: string) => JSON.stringify(json).replaceAll(own, 'ID')
      expect([path(''), hidden.status, withoutIds(hidden.json, id)]).toEqual([
        path(''),
        404,
        withoutIds(missing.json, unknown),
      ])
    }
    expect((await call('GET', `/api/tasks/${ID.secret}/steps`, { cookie: ana })).status).toBe(200)
    expect((await call('GET', `/api/states?type=task&task=${ID.secret}`, { cookie: ana })).status).toBe(200)
  })

  it('a participant reads nothing of a step in a task of others', async () => {
    const { call, signIn } = await openDouble()
    const [ana, ben] = [await signIn('ana'), await signIn('ben')]
    for (const path of ['', '/prompt', '/response', '/result', '/tool']) {
      const { json } = await call('GET', `/api/steps/${ID.secretStep}${path}`, { cookie: ben })
      expect([path, json.error]).toEqual([path, 'NOT_FOUND'])
    }
    expect((await call('GET', `/api/tasks/${ID.secret}/steps`, { cookie: ben })).json.error).toBe('NOT_FOUND')
    expect((await call('GET', `/api/steps/${ID.secretStep}`, { cookie: ana })).status).toBe(200)
    for (const id of ['nothing', 'constructor', '__proto__']) {
      expect((await call('GET', `/api/steps/${id}`, { cookie: ana })).json.error).toBe('NOT_FOUND')
    }
  })

  it('[R195] a step that was placed between others is among the steps of its task', async () => {
    const { call, engine, signIn } = await openDouble()
    const step = asId<StepId>('00000000-0000-4000-8000-0000000003fa')
    await engine.put([event('step.added', { ...seed(step, ID.prices, {}), position: 0 })])
    const { json } = await call('GET', `/api/tasks/${ID.prices}/steps`, { cookie: await signIn('ben') })
    expect((json.steps as { id: string }[]).map(({ id }) => id)).toEqual([ID.step, ID.toolStep, step])
  })

  it('[R195] all steps of a task are paged by cursor, those that left the world too', async () => {
    const { call, engine, signIn, store } = await openDouble()
    const cookie = await signIn('ana')
    const walk = async () => {
      const ids: unknown[] = []
      for (let next: unknown = '', rounds = 0; next !== null && rounds < 20; rounds++) {
        const after = next === '' ? '' : `&after=${next}`
        const { json } = await call('GET', `/api/tasks/${ID.prices}/steps?limit=1${after}`, { cookie })
        ids.push(...(json.steps as { id: string; state: string }[]).map(({ id, state }) => `${id} ${state}`))
        next = json.next
      }
      return ids
    }
    const live = await walk()
    expect(live).toEqual([`${ID.step} finished`, `${ID.toolStep} finished`])
    const narrowed = async (query: string) => {
      const { json } = await call('GET', `/api/tasks/${ID.prices}/steps?${query}`, { cookie })
      return (json.steps as { id: string }[]).map(({ id }) => id)
    }
    const { agent, executor } = stepAnswer.parse((await call('GET', `/api/steps/${ID.step}`, { cookie })).json).step
    expect(await narrowed(`text=${executor.toUpperCase()}`)).toContain(ID.step)
    expect(await narrowed(`text=%20${executor}%20`)).toContain(ID.step)
    expect(await narrowed('text=nowhere')).toEqual([])
    expect(await narrowed(`agent=${agent}`)).toContain(ID.step)
    expect(await narrowed(`agent=${ID.prices}`)).toEqual([])
    const { steps } = engine.world()
    steps[ID.prices] = {}
    // Only what fits is restored from its entries.
    const restored = vi.spyOn(store.archive, 'entriesOf')
    expect(await narrowed('text=nowhere')).toEqual([])
    expect(await narrowed(`agent=${ID.prices}`)).toEqual([])
    expect(restored.mock.calls.map(([key]) => key)).not.toContain('step')
    expect(await narrowed(`text=${executor}`)).toContain(ID.step)
    expect(await walk()).toEqual(live)
    expect((await call('GET', `/api/steps/${ID.step}`, { cookie })).json).toMatchObject({
      archived: true,
      step: { state: 'finished' },
    })
    expect((await call('GET', `/api/tasks/${ID.prices}/steps?after=x`, { cookie })).json.error).toBe('BAD_INPUT')
  })
})
