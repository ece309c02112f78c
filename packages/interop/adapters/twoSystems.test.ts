/** Two systems, two companies, one request: each with an engine, a store and keys of its own, over HTTP. */
import { expect, it } from 'vitest'
import { bodyOf } from '@/lib/mas/bodies'
import { asId, type PeerId } from '@/lib/mas/ids'
import type { PeerConfig } from '@/lib/mas/outside/records'
import type { Attachment, RequestRecord, StepRecord, World } from '@/lib/mas/records'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { type HandClock, handClock } from '@/test/handClock'
import { BASE, CREW } from '@/test/rehearsalTeam'
import { must, says, saysFyi } from '@/test/stories'
import type { SkillScript } from '@/test/testEngine'
import { outcomeOf, planned, TEAM, teamConfig } from '@/test/worldHistories'
import { openSystem, type System } from '../test/adapterSystem'
import { openInProcess } from '../test/outside/inProcess'
import { found, LISTS, wishFor } from '../test/outside/place'

const peerOf = (name: string, baseUrl: string): PeerConfig => ({
  id: asId<PeerId>(`00000000-0000-4000-8000-${name === 'north' ? '00000000000a' : '00000000000b'}`),
  uri: `agent://${name}.example/*`,
  baseUrl,
  may: ['mamp'],
  actions: [],
  agents: [TEAM.reader.id],
  allowPrivate: true,
})
const NORTH = peerOf('north', 'http://127.0.0.1:1')
const SOUTH = peerOf('south', 'http://127.0.0.1:1')
const SOUTH_READER = 'agent://south.example/reader'

/** North's reader asks South's reader, waits, and submits what it hears. */
const north: SkillScript = (step, { world }) => {
  switch (step.executor) {
    case 'planning':
      return outcomeOf({ steps: { insert: [], add: [planned('send_message'), planned('summary')] } })
    case 'send_message':
      return says([SOUTH_READER], { message: 'How many have you in stock?', need_reply: true, waiting: true })
    case 'summary':
      return outcomeOf({ sync: { update_stage_agent_completion: { summary: heard(world, step) } } })
    default:
      return null
  }
}
/** The answer that the step's agent waited for, as the task has it. */
const heard = (world: World, step: StepRecord): string =>
  Object.values(world.messages[step.task] ?? {}).find(
    ({ returnWaiting, sender }) => returnWaiting !== null && sender !== step.agent,
  )?.text ?? ''

const stageOf = (world: World) =>
  Object.values(world.stages)
    .flatMap((all) => Object.values(all))
    .find((stage) => stage.intention === 'ask the other company')

async function openBoth(clock?: HandClock): Promise<{ a: System; b: System; meet: () => Promise<void> }> {
  const secrets = (id: PeerId, key: string, sendKey: string) => [{ id, key, sendKey, signingKey: 'known to both' }]
  const a = await openSystem({
    skill: north,
    prefix: 'north',
    ...(clock ? { clock } : {}),
    peers: [SOUTH],
    ourselves: { domain: 'north.example' },
    secrets: secrets(SOUTH.id, 'key-for-north', 'key-for-south'),
  })
  const b = await openSystem({
    skill: (step) => (step.executor === 'send_message' ? saysFyi([], 'Twelve.') : null),
    prefix: 'south',
    peers: [NORTH],
    ourselves: { domain: 'south.example' },
    secrets: secrets(NORTH.id, 'key-for-south', 'key-for-north'),
  })
  return {
    a,
    b,
    async meet() {
      await a.put('system:start', {
        ...teamConfig(),
        peers: [{ ...SOUTH, uri: SOUTH_READER, id: SOUTH.id, baseUrl: b.url }],
      })
      await b.put('system:start', { ...teamConfig(), peers: [{ ...NORTH, baseUrl: a.url }] })
    },
  }
}

/** North's reader is asked to find out, and asks South's reader. */
async function ask(a: System): Promise<void> {
  const reader = must(
    Object.values(a.world().agents).find((agent) => agent.outside?.uri === SOUTH_READER),
    'agent outside',
  )
  await a.put(TEAM.ana.id, {
    type: 'makeTask',
    name: 'Stock',
    intention: 'know the stock',
    manager: TEAM.manager.id,
    members: [TEAM.reader.id, reader.id],
    stages: [{ intention: 'ask the other company', allocation: { [TEAM.reader.id]: 'ask them' } }],
    reason: 'a customer asks',
  })
}

it('[R39] [R42] one asks and waits, the other answers; each keeps its own record of the same conversation', async () => {
  const { a, b, meet } = await openBoth()
  await meet()
  await ask(a)
  const world = await a.until((now) => stageOf(now)?.parts[TEAM.reader.id] === 'finished')
  expect(stageOf(world)?.summaries[TEAM.reader.id]).toBe('Twelve.')
  expect(world.work[TEAM.reader.id]?.locks).toEqual([])
  // What it waited for was taken in without asking anybody what to do with it.
  const steps = must(world.steps[must(stageOf(world), 'stage').task]?.[TEAM.reader.id], 'steps')
  const taken = stepsIn(steps).filter(({ executor }) => executor === 'process_message')
  expect(taken).toMatchObject([{ state: 'finished', text: 'Twelve.', startedSeq: null, calls: [] }])

  const [ours, theirs] = [must(a.conversations()[0], 'conversation'), must(b.conversations()[0], 'conversation')]
  expect(ours.shared).toBe(theirs.shared)
  expect(ours).toMatchObject({ openedBy: 'us', protocol: 'mamp' })
  expect(theirs).toMatchObject({ openedBy: 'them', ours: TEAM.reader.id })
  expect(b.world().tasks[theirs.task]).toMatchObject({ conversation: true, manager: TEAM.reader.id })
  await b.until(() => b.exchange().some((line) => line.direction === 'out' && line.verdict === 'delivered'))
  expect(
    a
      .exchange()
      .map(({ direction, verdict }) => [direction, verdict])
      .sort(),
  ).toEqual([
    ['in', 'taken'],
    ['out', 'delivered'],
  ])
})

it('[R42] one that is not there yet is asked again, and answers when it is', async () => {
  const clock = handClock()
  const { a, b, meet } = await openBoth(clock)
  // Known, and nobody listens at its address.
  await a.put('system:start', { ...teamConfig(), peers: [{ ...SOUTH, uri: SOUTH_READER }] })
  await ask(a)
  await a.until(() => a.exchange().some((line) => line.verdict === 'retry'))
  expect(a.world().work[TEAM.reader.id]?.locks).toHaveLength(1)
  await meet()
  clock.pass(60_000)
  const world = await a.until((now) => stageOf(now)?.parts[TEAM.reader.id] === 'finished')
  expect(stageOf(world)?.summaries[TEAM.reader.id]).toBe('Twelve.')
  expect(b.heard()).toHaveLength(1)
})

/** North's reader asks South's manager for work, and waits; it knows which price holds. */
const hirer: SkillScript = (step, { world }) => {
  switch (step.executor) {
    case 'planning':
      return outcomeOf({ steps: { insert: [], add: [planned('send_message'), planned('summary')] } })
    case 'send_message':
      return step.answers === null
        ? says(['agent://south.example/manager'], { message: wishFor('prices'), need_reply: true, waiting: true })
        : saysFyi([], '3.50')
    case 'summary':
      return outcomeOf({ sync: { update_stage_agent_completion: { summary: heard(world, step) } } })
    default:
      return null
  }
}

it.each(['mamp', 'envelope'] as const)(
  '[R180] over %s one hires the manager of the other: it waits for the report, and answers a question meanwhile',
  async (protocol) => {
    const may = { may: [protocol], actions: ['ask'] }
    const keys = { key: 'theirs', sendKey: 'theirs', signingKey: null }
    const a = await openSystem({
      skill: hirer,
      prefix: 'north',
      peers: [{ ...SOUTH, ...may }],
      ourselves: { domain: 'north.example' },
      secrets: [{ id: SOUTH.id, ...keys }],
    })
    const team = await openInProcess(
      { ...NORTH, ...may, agents: [CREW.manager.id], baseUrl: a.url },
      { secrets: [{ id: NORTH.id, ...keys }], ourselves: { domain: 'south.example' } },
    )
    for (const [name, text] of Object.entries(LISTS)) team.write(`prices/${name}`, text)
    const peer = { ...SOUTH, ...may, uri: 'agent://south.example/manager', baseUrl: team.system().url }
    await a.put('system:start', { ...teamConfig(), peers: [peer] })
    const hired = must(
      Object.values(a.world().agents).find((agent) => agent.outside !== undefined),
      'agent outside',
    )
    await a.put(TEAM.ana.id, {
      type: 'makeTask',
      name: 'Prices',
      intention: 'compare',
      manager: TEAM.manager.id,
      reason: 'needed',
      members: [TEAM.reader.id, hired.id],
      stages: [{ intention: 'ask the other company', allocation: { [TEAM.reader.id]: 'have them compared' } }],
    })
    for (const state of ['working', 'input_required'])
      await found(
        () => `“${state}”\n${team.story()}`,
        () => a.heard().find(({ workState }) => workState === state) ?? null,
      )
    expect(a.world().work[TEAM.reader.id]?.locks).toMatchObject([{ on: hired.id }])
    const world = await found(
      () => `the end\n${team.story()}`,
      async () => {
        await team.allowCalls()
        return stageOf(a.world())?.parts[TEAM.reader.id] === 'finished' ? a.world() : null
      },
    )
    const end = must(
      a.heard().find(({ workState }) => workState === 'finished'),
      'end',
    )
    expect(stageOf(world)?.summaries[TEAM.reader.id]).toBe(end.text)
    expect(end.attachments.map(({ name }) => name)).toEqual(['report.md'])
    expect(world.work[TEAM.reader.id]?.locks).toEqual([])
  },
)

/** Two whole systems that know each other; Ana of the first asks its manager for something. */
async function askNorth(text: string, attachments: Attachment[] = []) {
  const keys = [{ key: 'theirs', sendKey: 'theirs', signingKey: null }]
  const side = (peer: PeerConfig, domain: string) =>
    openInProcess(
      { ...peer, agents: [CREW.manager.id] },
      { prefix: domain, secrets: keys.map((one) => ({ id: peer.id, ...one })), ourselves: { domain } },
    )
  const a = await side(SOUTH, 'north.example')
  const b = await side({ ...NORTH, baseUrl: a.url() }, 'south.example')
  await a.meet(b.url())
  const ask = () =>
    a.system().put(CREW.ana.id, {
      type: 'sendMessage',
      task: BASE,
      sender: CREW.ana.id,
      receivers: [CREW.manager.id],
      stage: null,
      text,
      kind: 'action',
      answers: null,
      replyTo: null,
      attachments,
      mention: false,
    })
  return { a, b, ask }
}

it('[R230] the files of a request go with it to the agent that is hired, which works on them', async () => {
  const files = Object.entries(LISTS).map(([name, text]) => ({
    name,
    body: bodyOf(text).ref,
    savedAs: `inbox/1/${name}`,
  }))
  const { a, b, ask } = await askNorth(
    'Let agent://south.example/manager compare these lists and write a report',
    files,
  )
  for (const text of Object.values(LISTS)) await a.system().store.bodies.put(Buffer.from(text), 'text/csv')
  for (const [name, text] of Object.entries(LISTS)) a.write(`inbox/1/${name}`, text)
  await ask()
  const request = await found(
    () => `the request\n${a.story()}\n---\n${b.story()}`,
    () =>
      b
        .system()
        .heard()
        .find(({ attachments }) => attachments.length > 0) ?? null,
  )
  expect(request.text).toMatch(/^Compare these lists and write a report(\n|$)/)
  expect(request.text).not.toContain('[attachment')
  const saved = request.attachments.map(({ savedAs }) => must(savedAs, 'path'))
  expect(saved.map((path) => b.read(path))).toEqual(Object.values(LISTS))
  const question = await found(
    () => `the question\n${b.story()}`,
    () =>
      b
        .system()
        .messages()
        .find(({ text }) => text.includes('apple: 3.20')) ?? null,
  )
  expect(question.text).toContain('3.50')
})

it('[R186] a person lets an agent of the other system compare two lists: it is asked which price is correct, and brings text and file', async () => {
  const wish = wishFor('prices').replace('Compare', 'compare')
  const { a, b, ask } = await askNorth(`Let agent://south.example/manager ${wish}`)
  for (const [name, text] of Object.entries(LISTS)) b.write(`prices/${name}`, text)
  await ask()
  const open = (world: World): RequestRecord | undefined =>
    Object.values(world.requests)
      .flatMap((all): RequestRecord[] => Object.values(all))
      .find(({ kind, state }) => kind === 'answer' && state === 'open')
  const question = must(
    await found(
      () => `the question\n${a.story()}\n---\n${b.story()}`,
      () => open(a.system().world()) ?? null,
    ),
    'question',
  )
  expect(question.question).toContain('apple: 3.20 in north.csv line 2, 3.50 in south.csv line 2')
  await a.system().put(CREW.ana.id, {
    type: 'answerRequest',
    request: question.id,
    decision: 'answer',
    text: '3.50',
    arguments: null,
    digest: null,
  })
  const task = await found(
    () => `the end\n${a.story()}\n---\n${b.story()}`,
    async () => {
      await b.allowCalls()
      return Object.values(a.system().world().tasks).find(({ state }) => state === 'finished') ?? null
    },
  )
  const report = must(b.read('prices/report.md'), 'report')
  expect(report).toContain('3.50')
  const end = must(
    a
      .system()
      .heard()
      .find(({ workState }) => workState === 'finished'),
    'end',
  )
  const saved = must(end.attachments[0]?.savedAs, 'file')
  expect(a.read(saved)).toBe(report)
  expect(task.summary).toContain(`Saved here: ${saved}.`)
  const toAna = a
    .system()
    .messages()
    .filter(({ receivers }) => receivers.includes(CREW.ana.id))
  expect(toAna.filter(({ text }) => text.includes(saved)).length).toBeGreaterThan(0)
  // People of the other system see the work, and who asked for it.
  expect(await b.works()).toMatchObject([{ state: 'finished' }])
})
