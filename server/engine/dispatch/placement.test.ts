/** Work over several nodes: where steps run, and what becomes of them when nodes go. */
import { describe, expect, it } from 'vitest'
import type { Command } from '@/lib/mas/commands/command'
import { decodeEntry } from '@/lib/mas/decode'
import { type AgentId, asId } from '@/lib/mas/ids'
import type { StepRecord, World } from '@/lib/mas/records'
import { agentSetup } from '@/lib/mas/setup/schemas/members'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { partSkill } from '@/test/enginePart'
import { handClock } from '@/test/handClock'
import { memoryData } from '@/test/memoryStore'
import type { TestEngineOptions, TestTool } from '@/test/testEngine'
import { openTestNode, stopTestNodes, type TestNode, untilTold } from '@/test/testNodes'
import { type outcomeOf, planned, send, TEAM } from '@/test/worldHistories'
import { DRAIN_MS } from '..'

/** The machine of a test may be busy. */
const soon = <T>(what: () => T | Promise<T>) => expect.poll(what, { timeout: 10_000 })

type Skill = NonNullable<TestEngineOptions['skill']>
type Run = {
  agent: string
  step: string
  end(more?: Parameters<typeof outcomeOf>[0]): void
  isAborted(): boolean
  say(text: string): void
}

/** Skills that run until they are told to end, of one node. */
function longSkill(): { skill: Skill; ran: Run[] } {
  const ran: Run[] = []
  const skill = untilTold(({ step, signal, onText, world }, end) => {
    const agent = world.agents[step.agent]?.name ?? ''
    ran.push({ agent, step: step.id, end, isAborted: () => signal.aborted, say: onText })
  })
  return { skill, ran }
}

/** An agent of that name has work from now on. */
async function ask(node: TestNode, name: string): Promise<void> {
  const agent = asId<AgentId>(name)
  const value = { ...agentSetup.parse({ name, role: 'counts' }), agent }
  const stages = [{ intention: 'count', allocation: { [agent]: 'count' } }]
  const commands: Command[] = [
    { type: 'changeSetup', changes: [{ kind: 'agent', id: name, seen: null, value }] },
    { type: 'makeTask', name, intention: 'count', manager: agent, members: [], stages, reason: 'It counts.' },
  ]
  for (const command of commands) {
    const answer = await node.put(TEAM.ana.id, command)
    if (!answer.ok) throw answer.fault
  }
}
const stepsOf = (world: World): StepRecord[] =>
  Object.values(world.steps).flatMap((agents) => Object.values(agents).flatMap((own) => stepsIn(own)))
const stepOf = (world: World, id: string | undefined): StepRecord | undefined =>
  stepsOf(world).find((step) => step.id === id)
const isOver = (id: string | undefined) => (world: World) => stepOf(world, id)?.state === 'finished'
/** The task that `partSkill` makes is over. */
const isReady = ({ tasks }: World): boolean =>
  Object.values(tasks).some(({ name, state }) => name === 'Count' && state === 'finished')
const typesOf = async ({ store }: TestNode): Promise<string[]> =>
  (await store.journal.read(0, 10_000)).map(decodeEntry).map(({ event }) => event.type)
const countOf = async (node: TestNode, type: string): Promise<number> =>
  (await typesOf(node)).filter((one) => one === type).length
const same = async (one: TestNode, other: TestNode): Promise<void> => {
  await one.until(({ seq }) => seq === other.world().seq)
  expect(one.world()).toEqual(other.world())
}

/** Resolves when that node has said to this one that it runs steps. */
const joined = ({ nodes }: TestNode, node: string): Promise<void> =>
  new Promise((resolve) => {
    const leave = nodes.onNote(({ is }, from) => {
      if (is !== 'runs' || from !== node) return
      leave()
      resolve()
    })
  })

/** North decides and runs a step of `first`; south runs steps too. */
async function twoNodes(more: { north?: TestEngineOptions; south?: TestEngineOptions } = {}) {
  const data = memoryData()
  const [atNorth, atSouth] = [longSkill(), longSkill()]
  const north = await openTestNode(data, 'north', { skill: atNorth.skill, ...more.north })
  await ask(north, 'first')
  await soon(() => atNorth.ran).toHaveLength(1)
  const isThere = joined(north, 'south')
  const south = await openTestNode(data, 'south', { skill: atSouth.skill, ...more.south })
  await isThere
  return { data, north, south, atNorth: atNorth.ran, atSouth: atSouth.ran }
}

/** And south runs one of `second`. */
async function bothAtWork(more: Parameters<typeof twoNodes>[0] = {}) {
  const nodes = await twoNodes(more)
  await ask(nodes.north, 'second')
  await soon(() => nodes.atSouth.map(({ agent }) => agent)).toEqual(['second'])
  const [first, second] = [...nodes.atNorth, ...nodes.atSouth]
  if (!first || !second) throw new Error('nothing runs')
  return { ...nodes, first, second }
}

describe('work over two nodes', () => {
  it('[R254] [R255] runs at the node that runs the least, with what that node has, and its text and outcome are at both', async () => {
    const { north, south, atNorth, first, second } = await bothAtWork()
    expect([first, second].map(({ step }) => stepOf(north.world(), step)?.attempt?.node)).toEqual(['north', 'south'])
    second.say('half of it')
    await soon(() => north.engine.textOf(second.step)).toEqual({ attempt: 1, text: 'half of it' })
    await ask(south, 'third')
    await soon(() => atNorth.map(({ agent }) => agent)).toEqual(['first', 'third'])
    second.end()
    await north.until(isOver(second.step))
    await south.until(isOver(second.step))
    expect(second.isAborted()).toBe(false)
    await same(north, south)
  })

  it('[R255] a whole part runs at the follower, step after step, its tools too', async () => {
    const data = memoryData()
    const calls: string[] = []
    const toolAt = (node: string): Record<string, TestTool> => ({
      count: {
        info: { readOnly: false, repeatable: false },
        call: () => {
          calls.push(node)
          return { ok: true, result: { isError: false, content: [{ type: 'text', text: '7' }] } }
        },
      },
    })
    const long = longSkill()
    const isFirst: Skill = (step, run) =>
      run.world.agents[step.agent]?.name === 'first' ? long.skill(step, run) : null
    const skill = partSkill([planned('files', 'tool'), planned('think')], isFirst)
    const north = await openTestNode(data, 'north', { skill, tools: toolAt('north') })
    await ask(north, 'first')
    await soon(() => long.ran).toHaveLength(1)
    const isThere = joined(north, 'south')
    const south = await openTestNode(data, 'south', { skill, tools: toolAt('south') })
    await isThere
    await south.put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.manager.id], { text: 'go', kind: 'action' }))
    await south.until(isReady)
    expect(calls).toEqual(['south'])
    const ran = stepsOf(south.world()).filter(({ attempt, agent }) => attempt && agent === TEAM.reader.id)
    expect(ran.length).toBeGreaterThan(4)
    expect(ran.map(({ attempt }) => [attempt?.node, attempt?.number])).toEqual(ran.map(() => ['south', 1]))
    await same(south, north)
  })

  it('[R264] a node without the workspace runs the skills of a part, and the tools that work there run at another', async () => {
    const data = memoryData()
    const calls: string[] = []
    const toolAt = (node: string): Record<string, TestTool> => ({
      count: {
        info: { readOnly: false, repeatable: false },
        call: () => {
          calls.push(node)
          return { ok: true, result: { isError: false, content: [{ type: 'text', text: '7' }] } }
        },
      },
    })
    const long = longSkill()
    const isFirst: Skill = (step, run) =>
      run.world.agents[step.agent]?.name === 'first' ? long.skill(step, run) : null
    const skill = partSkill([planned('files', 'tool'), planned('think')], isFirst)
    const more = { skill, fileServers: ['files'] }
    const north = await openTestNode(data, 'north', { ...more, tools: toolAt('north') })
    await ask(north, 'first')
    await soon(() => long.ran).toHaveLength(1)
    const isThere = joined(north, 'south')
    const south = await openTestNode(data, 'south', { ...more, tools: toolAt('south'), hasFiles: false })
    await isThere
    await north.put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.manager.id], { text: 'go', kind: 'action' }))
    await south.until(isReady)
    expect(calls).toEqual(['north'])
    const ran = stepsOf(north.world()).filter(({ attempt, agent }) => attempt && agent === TEAM.reader.id)
    const nodesOf = (isOf: (step: StepRecord) => boolean): unknown[] => [
      ...new Set(ran.filter(isOf).map(({ attempt }) => attempt?.node)),
    ]
    const isAtFiles = ({ type, executor }: StepRecord): boolean => type === 'tool' || executor === 'send_message'
    expect([nodesOf(isAtFiles), nodesOf((step) => !isAtFiles(step))]).toEqual([['north'], ['south']])
    await same(south, north)
  })

  it('[R264] a node without the workspace never decides: it waits for one that has it, first and later', async () => {
    const data = memoryData()
    const opening = openTestNode(data, 'bare', { hasFiles: false })
    const north = await openTestNode(data, 'north')
    const bare = await opening
    expect([north.engine.leads(), bare.engine.leads()]).toEqual([true, false])
    await north.stop()
    const waits = bare.put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.ben.id], { text: 'kept' }))
    const west = await openTestNode(data, 'west')
    expect(await waits).toMatchObject({ ok: true })
    expect([west.engine.leads(), bare.engine.leads()]).toEqual([true, false])
  })

  it('[R254] a chain of steps goes on, in the decision that ends one of them, at a node that runs less', async () => {
    const { data, north, south, atNorth, atSouth, second } = await bothAtWork()
    await ask(north, 'third')
    await soon(() => atNorth.map(({ agent }) => agent)).toEqual(['first', 'third'])
    const more = { steps: { add: [], insert: [planned('think')] } }
    second.end(more)
    await soon(() => atSouth.map(({ agent }) => agent)).toEqual(['second', 'second'])
    await south.stop()
    await soon(() => atNorth.map(({ agent }) => agent)).toEqual(['first', 'third', 'second'])
    const isThere = joined(north, 'west')
    const atWest = longSkill()
    const west = await openTestNode(data, 'west', { skill: atWest.skill })
    await isThere
    atNorth[1]?.end(more)
    await soon(() => atWest.ran.map(({ agent }) => agent)).toEqual(['third'])
    const entries = (await north.store.journal.read(0, 10_000)).map(decodeEntry)
    const begun = entries.findLast(({ event }) => event.type === 'step.started')
    expect(begun?.event).toMatchObject({ node: 'west', step: atWest.ran[0]?.step })
    expect(entries.filter(({ cause }) => cause === begun?.cause).map(({ event }) => event.type)).toContain(
      'step.finished',
    )
    await soon(() => atNorth.map(({ agent }) => agent)).toEqual(['first', 'third', 'second'])
    await same(west, north)
  })
})

describe('when a node goes', () => {
  it('[R256] what a follower ran is begun again elsewhere, once', async () => {
    const { north, south, atNorth, second } = await bothAtWork()
    await south.stop()
    await soon(() => atNorth.map(({ agent }) => agent)).toEqual(['first', 'second'])
    expect(stepOf(north.world(), second.step)?.attempt).toMatchObject({ number: 2, node: 'north' })
    atNorth[1]?.end()
    await north.until(isOver(second.step))
    expect(await countOf(north, 'step.requeued')).toBe(1)
  })

  it('[R256] the outcome of one that stood still comes too late: it is kept, and changes nothing', async () => {
    const { north, south, atNorth, second } = await bothAtWork()
    const thaw = south.freeze()
    await south.nodes.close()
    await soon(() => atNorth.map(({ agent }) => agent)).toEqual(['first', 'second'])
    atNorth[1]?.end()
    await north.until(isOver(second.step))
    const before = stepOf(north.world(), second.step)
    second.end()
    thaw()
    await soon(() => countOf(north, 'effect.lateOutcome')).toBe(1)
    await same(south, north)
    expect(stepOf(north.world(), second.step)).toEqual(before)
    expect((await typesOf(north)).filter((type) => type === 'step.finished')).toHaveLength(1)
    // It takes steps again.
    await ask(north, 'third')
    await ask(north, 'fourth')
    await soon(() => south.world().agents).toEqual(north.world().agents)
  })

  it('[R256] a call that its node had made is not made again, unless a repeat does no harm', async () => {
    for (const repeatable of [false, true]) {
      const made: string[] = []
      const tools = (node: string): Record<string, TestTool> => ({
        count: {
          info: { readOnly: false, repeatable },
          call: (_, signal) => {
            made.push(node)
            if (node === 'south')
              return new Promise((_resolve, reject) =>
                signal.addEventListener('abort', () => reject(new Error('over'))),
              )
            return { ok: true, result: { isError: false, content: [{ type: 'text', text: '7' }] } }
          },
        },
      })
      const data = memoryData()
      const long = longSkill()
      const isFirst: Skill = (step, run) =>
        run.world.agents[step.agent]?.name === 'first' ? long.skill(step, run) : null
      const skill = partSkill([planned('files', 'tool')], isFirst)
      const north = await openTestNode(data, 'north', { skill, tools: tools('north') })
      await ask(north, 'first')
      await soon(() => long.ran).toHaveLength(1)
      const isThere = joined(north, 'south')
      const south = await openTestNode(data, 'south', { skill, tools: tools('south') })
      await isThere
      await north.put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.manager.id], { text: 'go', kind: 'action' }))
      await soon(() => made).toEqual(['south'])
      await south.stop()
      const world = await north.until(isReady)
      expect(made).toEqual(repeatable ? ['south', 'north'] : ['south'])
      const call = stepsOf(world).find(({ type }) => type === 'tool')
      expect([call?.state, call?.reason?.includes('not repeated') ?? false]).toEqual(
        repeatable ? ['finished', false] : ['failed', true],
      )
      await stopTestNodes()
    }
  })

  it('[R257] what a follower runs runs on when another node decides, and its outcome is taken once', async () => {
    const { data, north, south, second, atSouth } = await bothAtWork()
    const atWest = longSkill()
    const west = await openTestNode(data, 'west', { skill: atWest.skill })
    await north.stop()
    await soon(() => south.engine.leads() || west.engine.leads()).toBe(true)
    const leader = south.engine.leads() ? south : west
    await leader.until(({ nodes }) => nodes.north === undefined)
    // What the node that is gone ran is begun again.
    await soon(() => [...atSouth, ...atWest.ran].map(({ agent }) => agent).toSorted()).toEqual(['first', 'second'])
    second.end()
    await west.until(isOver(second.step))
    await same(south, west)
    expect(second.isAborted()).toBe(false)
    expect(stepOf(south.world(), second.step)?.attempt).toMatchObject({ number: 1, node: 'south' })
    expect([await countOf(west, 'step.requeued'), await countOf(west, 'effect.lateOutcome')]).toEqual([1, 0])
  })

  it('[R257] what ran at a node that does not say within 3 s of a takeover that it has it is begun again', async () => {
    const { data, north, south, second } = await bothAtWork()
    const clock = handClock()
    const atWest = longSkill()
    const west = await openTestNode(data, 'west', { skill: atWest.skill, clock })
    const thaw = south.freeze()
    await north.stop()
    await soon(() => {
      clock.pass(100)
      return west.engine.leads()
    }).toBe(true)
    await west.until(({ nodes }) => nodes.west !== undefined)
    await soon(() => atWest.ran.map(({ agent }) => agent)).toEqual(['first'])
    clock.pass(2_000)
    await ask(west, 'third')
    await soon(() => atWest.ran.map(({ agent }) => agent)).toEqual(['first', 'third'])
    expect(stepOf(west.world(), second.step)?.attempt).toMatchObject({ number: 1, node: 'south' })
    clock.pass(1_000)
    await soon(() => atWest.ran.map(({ agent }) => agent)).toEqual(['first', 'third', 'second'])
    thaw()
    await soon(() => second.isAborted()).toBe(true)
  })
})

describe('a node that is stopped', () => {
  it('[R262] lets the other decide at once, takes no step, and what it has in hand ends as it would have', async () => {
    const { north, south, atNorth, atSouth, first, second } = await bothAtWork()
    const drained = north.engine.drain()
    await soon(() => [north.engine.leads(), south.engine.leads()]).toEqual([false, true])
    // It is served as at any follower meanwhile.
    expect(await north.put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.ben.id], { text: 'meanwhile' }))).toMatchObject({
      ok: true,
    })
    await ask(south, 'third')
    await soon(() => atSouth.map(({ agent }) => agent)).toEqual(['second', 'third'])
    first.end()
    await drained
    await south.until(isOver(first.step))
    expect(stepOf(south.world(), first.step)?.attempt).toMatchObject({ node: 'north', number: 1 })
    // Its agent's next step, and all others, are begun at the other.
    await soon(() => atSouth.map(({ agent }) => agent)).toEqual(['second', 'third', 'first'])
    expect([atNorth.length, second.isAborted()]).toEqual([1, false])
    await north.stop()
  })

  it('[R262] and follows takes no more steps, and the other decides on', async () => {
    const { north, south, atNorth, atSouth, second } = await bothAtWork()
    const drained = south.engine.drain()
    await ask(north, 'third')
    await ask(north, 'fourth')
    await soon(() => atNorth.map(({ agent }) => agent)).toEqual(['first', 'third', 'fourth'])
    second.end()
    await drained
    await north.until(isOver(second.step))
    expect(stepOf(north.world(), second.step)?.attempt).toMatchObject({ node: 'south', number: 1 })
    await soon(() => atNorth.map(({ agent }) => agent)).toEqual(['first', 'third', 'fourth', 'second'])
    expect([north.engine.leads(), atSouth.length]).toEqual([true, 1])
    await south.stop()
  })

  it('[R262] waits no longer than it says: what is not over then is recovered by the other', async () => {
    const { north, south, atSouth, first } = await bothAtWork()
    const from = performance.now()
    await north.engine.drain()
    expect(performance.now() - from).toBeLessThan(DRAIN_MS + 2_000)
    expect([first.isAborted(), south.engine.leads()]).toEqual([false, true])
    await north.stop()
    expect(first.isAborted()).toBe(true)
    await soon(() => atSouth.map(({ agent }) => agent)).toEqual(['second', 'first'])
    expect(stepOf(south.world(), first.step)?.attempt).toMatchObject({ node: 'south', number: 2 })
  }, 20_000)

  it('[R262] alone waits for nothing', async () => {
    const long = longSkill()
    const north = await openTestNode(memoryData(), 'north', { skill: long.skill })
    await ask(north, 'first')
    await soon(() => long.ran).toHaveLength(1)
    await north.engine.drain()
    expect(north.engine.leads()).toBe(true)
  })
})
