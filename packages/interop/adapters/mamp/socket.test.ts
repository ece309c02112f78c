/** MAMP over its web socket, and answers while they are written, on the socket and on a stream. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type AgentId, asId } from '@/lib/mas/ids'
import type { StepRecord } from '@/lib/mas/records'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { must, READER, saysFyi } from '@/test/stories'
import type { SkillScript } from '@/test/testEngine'
import { TEAM, teamConfig } from '@/test/worldHistories'
import { KEY, mampMessage, openSystem, PEER, type System, URI } from '../../test/adapterSystem'
import { isIdle } from '../../test/adapters/mamp'
import { SIGNATURE_HEADER, signBody } from '../signatures'

const SIGNING = 'both know this'
const signer = { secrets: [{ id: PEER.id, key: KEY, sendKey: null, signingKey: SIGNING }] }
const signAt = (system: System, text: string) => signBody(SIGNING, text, system.parts.now())

type Came = Record<string, unknown>
async function connect(system: System, headers: Record<string, string> = { authorization: `Bearer ${KEY}` }) {
  const socket = new WebSocket(`${system.url.replace('http', 'ws')}/mamp/v1/ws`, { headers })
  const [came, frames]: [Came[], string[]] = [[], []]
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  socket.on('message', (data) => {
    frames.push(String(data))
    came.push(JSON.parse(String(data).replace(/^[^{]*\n/, '')))
  })
  onTestFinished(() => socket.terminate())
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const say = (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  const until = (fits: (one: Came) => boolean): Promise<Came> =>
    vi.waitFor(() => must(came.find(fits), `frame; came ${JSON.stringify(came)}`), 5_000)
  return { socket, came, frames, closed, say, until }
}
const refused = (system: System, path: string, headers: Record<string, string>): Promise<string> =>
  new Promise((resolve) => {
    const socket = new WebSocket(system.url.replace('http', 'ws') + path, { headers })
    socket.on('error', (error) => resolve(error.message))
    socket.on('open', () => resolve('open'))
  })

describe('the web socket of MAMP', () => {
  it('[R193] 000-12 a text is a message: its receipt, its states and the answer come back on it', async () => {
    const system = await openSystem()
    const line = await connect(system)
    line.say(mampMessage())
    const receipt = await line.until((one) => one.status === 'received')
    expect(receipt).toEqual({ conversation_id: expect.any(String), message_id: 'msg-1', status: 'received' })
    const answer = await line.until((one) => one.protocol !== undefined)
    expect(answer).toMatchObject({
      protocol: 'mamp/1.0',
      from: 'agent://ours.example/reader',
      to: URI,
      content: 'It is 7.',
      conversation_id: receipt.conversation_id,
    })
    const { conversation_id, message_id } = receipt
    await line.until((one) => one.event === 'status' && one.status === 'answered')
    expect(line.came.filter((one) => one.event === 'status')[0]).toMatchObject({ conversation_id, message_id })
    await system.until(() => system.exchange().length === 2)
    expect(system.exchange().map(({ verdict, by }) => [verdict, by])).toEqual([
      ['taken', null],
      ['delivered', 'stream'],
    ])
  })

  it('[R265] a text waits until this node has read what was acknowledged before', async () => {
    const system = await openSystem()
    const line = await connect(system)
    let go = (): void => {}
    const read = new Promise<void>((resolve) => {
      go = resolve
    })
    system.engine.caughtUp = () => read
    line.say(mampMessage())
    const pong = new Promise((resolve) => line.socket.once('pong', resolve))
    line.socket.ping()
    // The text was received before the ping.
    await pong
    expect([line.came, system.exchange()]).toEqual([[], []])
    go()
    await line.until((one) => one.status === 'received')
  })

  it('[R193] a repeat has no second effect, and what is wrong is refused in the form of the protocol', async () => {
    const system = await openSystem({ skill: () => null })
    const line = await connect(system)
    const ours = () => line.came.filter(({ event, protocol }) => event === undefined && protocol === undefined)
    for (const said of [
      mampMessage(),
      mampMessage(),
      mampMessage({ content: 'another' }),
      '{',
      { protocol: 'mamp/1.0' },
    ])
      line.say(said)
    await vi.waitFor(() => expect(ours()).toHaveLength(5), 5_000)
    const answers = ours()
    expect(answers.filter(({ status }) => status === 'received')).toHaveLength(2)
    expect(answers).toContainEqual({
      error: 'id_taken',
      status_code: 409,
      message_id: 'msg-1',
      message: expect.any(String),
    })
    expect(answers).toContainEqual(expect.objectContaining({ error: 'invalid_json', status_code: 400 }))
    expect(answers).toContainEqual(expect.objectContaining({ error: 'invalid_message', status_code: 400 }))
    expect(system.heard()).toHaveLength(1)
  })

  it('[R193] what our agents begin comes on it, and the receipt names the conversation', async () => {
    const system = await openSystem()
    const line = await connect(system)
    const send = (step: string, conversation: string | null) =>
      system.adapters.agents.send(
        { agent: TEAM.manager.id, task: must(system.world().baseTask, 'base task'), stage: null, step },
        { target: URI, message: 'Please look at it.', conversation },
        new AbortController().signal,
      )
    const first = send('step-1', null)
    const asked = await line.until((one) => one.protocol !== undefined)
    expect(asked).toMatchObject({ to: URI, content: 'Please look at it.' })
    line.say({ conversation_id: 'conv-theirs', message_id: asked.message_id, status: 'received' })
    expect(await first).toMatchObject({ ok: true, conversation_id: 'conv-theirs', status: 'delivered' })
    const second = send('step-2', null)
    const other = await line.until((one) => one.protocol !== undefined && one.message_id !== asked.message_id)
    line.say({ error: 'agent_not_found', message: 'no', status_code: 404, message_id: other.message_id })
    expect(await second).toMatchObject({ ok: false, why: expect.stringContaining('agent_not_found: no') })
  })

  it('[R193] needs a key of a peer that may use MAMP, and its own path', async () => {
    const system = await openSystem()
    const key = { authorization: `Bearer ${KEY}` }
    expect(await refused(system, '/mamp/v1/ws', {})).toContain('401')
    expect(await refused(system, '/mamp/v1/ws', { authorization: 'Bearer guess' })).toContain('401')
    expect(await refused(system, '/mamp/v1/messages', key)).toContain('404')
    const other = await openSystem({ peers: [{ ...PEER, may: ['envelope'] }] })
    expect(await refused(other, '/mamp/v1/ws', key)).toContain('403')
    const line = await connect(system)
    line.socket.send(Buffer.from('x'), { binary: true })
    expect(await line.closed).toBe(1003)
  })

  it('[R77] [R193] of a peer that signs nothing unsigned is believed, and all that it gets is signed', async () => {
    const system = await openSystem(signer)
    const line = await connect(system)
    line.say(mampMessage())
    expect(await line.until(() => true)).toMatchObject({ error: 'bad_signature', status_code: 401 })
    expect(system.heard()).toEqual([])
    const text = JSON.stringify(mampMessage())
    line.say(`${signAt(system, text)}\n${text}`)
    await line.until((one) => one.protocol !== undefined)
    for (const frame of line.frames) expect(frame).toMatch(/^t=\d+,sha256=[0-9a-f]{64}\n\{/)
    const header: string = SIGNATURE_HEADER.mamp
    const signed = await connect(system, { authorization: `Bearer ${KEY}`, [header]: signAt(system, '') })
    expect(signed.socket.readyState).toBe(signed.socket.OPEN)
  })

  it('[R77] a socket that nothing signed hears nothing of what ours say, a wrong signature included', async () => {
    const system = await openSystem(signer)
    const line = await connect(system)
    line.say(`${signAt(system, 'another text')}\n${JSON.stringify(mampMessage())}`)
    expect(await line.until(() => true)).toMatchObject({ error: 'bad_signature' })
    const caller = { agent: TEAM.manager.id, task: must(system.world().baseTask, 'base task'), stage: null, step: '1' }
    const wish = { target: URI, message: 'Please look at it.', conversation: null }
    expect(await system.adapters.agents.send(caller, wish, new AbortController().signal)).toMatchObject({
      ok: false,
      why: expect.stringContaining('no address set'),
    })
    const pong = new Promise((resolve) => line.socket.once('pong', resolve))
    line.socket.ping()
    await pong
    expect(line.came).toHaveLength(1)
  })

  it('[R193] ends with the peer’s rights', async () => {
    const system = await openSystem()
    const line = await connect(system)
    await system.put('system:start', { ...teamConfig(), peers: [{ ...PEER, may: ['envelope'] }] })
    expect(await line.closed).toBe(1008)
  })
})

describe('an answer while it is written', () => {
  /** The reader writes its answer in these pieces, and sends it when the test lets it. */
  const writes =
    (pieces: string[], isLast: Promise<void>, isFirst = Promise.resolve()): SkillScript =>
    async (step, run) => {
      if (step.executor !== 'send_message') return null
      await isFirst
      for (const piece of pieces) run.onText(piece)
      await isLast
      return saysFyi([], 'It is 7.')
    }
  const PIECES = ['<send_message>{"receiver": ["plan', 'ner"], "message": "It \\', 'u0069s', ' 7."}</send_message>']
  const gate = () => {
    let open = (): void => {}
    const isOpen = new Promise<void>((resolve) => {
      open = resolve
    })
    return { open: () => open(), isOpen }
  }

  it('[R194] 000-20 comes on the socket as deltas, and the message takes their place', async () => {
    const last = gate()
    const system = await openSystem({ skill: writes(PIECES, last.isOpen) })
    const line = await connect(system)
    line.say(mampMessage())
    const deltas = () => line.came.filter(({ event }) => event === 'delta')
    await vi.waitFor(
      () =>
        expect(
          deltas()
            .map(({ text }) => text)
            .join(''),
        ).toBe('It is 7.'),
      5_000,
    )
    expect(line.came.some(({ protocol }) => protocol !== undefined)).toBe(false)
    const { conversation_id } = await line.until(({ status }) => status === 'received')
    expect(deltas()[0]).toEqual({
      event: 'delta',
      conversation_id,
      from: 'agent://ours.example/reader',
      at: 0,
      text: expect.any(String),
    })
    expect(deltas().map(({ at }) => at)).toEqual(
      [...deltas().keys()].map(
        (n) =>
          deltas()
            .slice(0, n)
            .map(({ text }) => text)
            .join('').length,
      ),
    )
    expect(JSON.stringify(deltas())).not.toMatch(/receiver|send_message|u0069/)
    last.open()
    expect(await line.until(({ protocol }) => protocol !== undefined)).toMatchObject({ content: 'It is 7.' })
  })

  it('[R194] 000-20 comes on a stream as events `delta`, and `message` follows them', async () => {
    const first = gate()
    const system = await openSystem({ skill: writes(PIECES, Promise.resolve(), first.isOpen) })
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${KEY}`, accept: 'text/event-stream' }
    const body = JSON.stringify(mampMessage())
    const answer = await fetch(`${system.url}/mamp/v1/messages`, { method: 'POST', headers, body })
    first.open()
    const events = (await answer.text()).split('\n\n').filter((one) => one.startsWith('event: '))
    const datas = (name: string): Came[] =>
      events
        .filter((one) => one.startsWith(`event: ${name}\n`))
        .map((one) => JSON.parse(one.slice(one.indexOf('data: ') + 6)))
    expect(
      datas('delta')
        .map(({ text }) => text)
        .join(''),
    ).toBe('It is 7.')
    const names = events.map((one) => /^event: (\w+)/.exec(one)?.[1])
    expect(names.lastIndexOf('delta')).toBeLessThan(names.indexOf('message'))
    expect(datas('message')).toMatchObject([{ content: 'It is 7.' }])
  })

  it('[R194] a second call of the model begins anew, and no other step is heard', async () => {
    const last = gate()
    const system = await openSystem({ skill: writes([], last.isOpen) })
    const line = await connect(system)
    line.say(mampMessage())
    const stepOf = (): StepRecord | undefined =>
      Object.values(system.world().steps)
        .flatMap((byAgent) => Object.values(byAgent).flatMap((own) => stepsIn(own)))
        .find(({ executor, state }) => executor === 'send_message' && state === 'running')
    await system.until(() => stepOf() !== undefined)
    const { id: step, task, agent } = must(stepOf(), 'step')
    const said = { kind: 'text' as const, task, agent, step, attempt: 1 }
    const tells = (text: string, more: Partial<typeof said> & { at: number }): void =>
      system.engine.sendEphemeral({ ...said, text, ...more })
    tells('<send_message>{"message": "Draft', { at: 0 })
    tells('<send_message>{"message": "Final', { at: 0 })
    // Other steps: of another agent, of another task, and one that is not there.
    tells('<send_message>{"message": "secret', { at: 0, agent: TEAM.manager.id })
    tells('<send_message>{"message": "secret', { at: 0, task: must(system.world().baseTask, 'base task') })
    tells('<send_message>{"message": "secret', { at: 0, step: asId('00000000-0000-4000-8000-000000000000') })
    tells(' word', { at: 5 })
    await line.until(({ text }) => text === ' word')
    const deltas = line.came.filter(({ event }) => event === 'delta')
    expect(deltas.map(({ at, text }) => [at, text])).toEqual([
      [0, 'Draft'],
      [0, 'Final'],
      [5, ' word'],
    ])
    last.open()
    await system.until((world) => isIdle(world.work as Record<AgentId, never>))
    expect(READER).toBe(agent)
  })
})
