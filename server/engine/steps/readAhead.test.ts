/** Calls that were written together and only read run at once; what more than reads waits its turn. */
import { describe, expect, it } from 'vitest'
import { asId, type StepId } from '@/lib/mas/ids'
import type { RequestRecord, StepRecord, ToolInstruction, World } from '@/lib/mas/records'
import type { PlannedCall } from '@/lib/mas/steps/outcome'
import { stepsOfAll } from '@/lib/mas/steps/ownSteps'
import { wasCalled } from '@/lib/mas/team/agents'
import { ask, isFinished, openPart } from '@/test/enginePart'
import { stepsOf } from '@/test/stories'
import { type TestTool, toolPoolOf } from '@/test/testEngine'
import { outcomeOf, planned, TEAM, walk } from '@/test/worldHistories'
import type { SkillRun } from '../../skills/port'
import type { ToolOutcome } from '../../tools'
import { openReadAhead } from './readAhead'

const said = (text: string): ToolOutcome => ({
  ok: true,
  result: { isError: false, content: [{ type: 'text', text }] },
})

const argumentOf = (n: number): string => JSON.stringify({ n })

/** A part whose one tool step is written as these calls. */
async function begin(names: readonly string[], tools: Record<string, TestTool>, argumentsOf = argumentOf) {
  const callOf = (run: SkillRun, name: string, n: number): ToolInstruction => ({
    kind: 'call',
    target: 'tool',
    name,
    arguments: run.bodies.make(argumentsOf(n), 'application/json'),
  })
  const test = await openPart([planned('files', 'tool')], {
    tools,
    skill: (step, run) => {
      if (step.executor === 'tool_decision') return outcomeOf({})
      if (step.executor !== 'instruction_generation' || step.boundTo === null) return null
      const [first, ...further] = names.map((name, n) => callOf(run, name, n))
      if (first === undefined) throw new Error('a call is needed')
      const calls: PlannedCall[] = further.map((instruction) => ({ server: 'files', intention: 'read', instruction }))
      return outcomeOf({ instruct: { step: step.boundTo, instruction: first }, calls })
    },
  })
  await ask(test)
  return test
}

/** The same, played to its end. */
async function play(names: readonly string[], tools: Record<string, TestTool>, argumentsOf = argumentOf) {
  const test = await begin(names, tools, argumentsOf)
  const world = await test.until(isFinished)
  const steps: StepRecord[] = stepsOf(world, TEAM.reader.id).filter(({ type }) => type === 'tool')
  return { calls: test.pool.calls, results: steps.map(({ state, result }) => `${state} ${result?.text}`) }
}

describe('[R98] calls that only read', () => {
  it('are all under way before the first of them ends, and each step has its own result', async () => {
    let [open, release] = [0, () => {}]
    const all = new Promise<void>((resolve) => {
      release = resolve
    })
    const read: TestTool = {
      info: {},
      call: async (args) => {
        open += 1
        if (open === 3) release()
        await all
        return said(`read ${args.n}`)
      },
    }
    const { calls, results } = await play(['read', 'read', 'read'], { read })
    expect(results).toEqual(['finished read 0', 'finished read 1', 'finished read 2'])
    expect(calls).toHaveLength(3)
  })

  it('behind one that writes are made after it has ended, in the order in which they were written', async () => {
    let text = 'old'
    let under = 0
    const underWay: number[] = []
    const read: TestTool = {
      info: {},
      call: async () => {
        under += 1
        // What is begun early is begun by then.
        for (let turn = 0; turn < 5_000; turn += 1) await new Promise((resolve) => setImmediate(resolve))
        underWay.push(under)
        return said(text)
      },
    }
    const write: TestTool = {
      info: { readOnly: false },
      call: async () => {
        under += 1
        text = 'new'
        return said('written')
      },
    }
    const { calls, results } = await play(['read', 'write', 'read'], { read, write })
    expect(results).toEqual(['finished old', 'finished written', 'finished new'])
    expect(underWay).toEqual([1, 3])
    expect(calls.map((call) => call.split(' ')[0])).toEqual(['read', 'write', 'read'])
  })

  it('and fail when they are begun early are made again at their turn, where the failure is said', async () => {
    const failing: TestTool = {
      info: {},
      call: async (args) => (args.n === 1 ? { ok: false, code: 'TOOL_TRANSPORT', message: 'not there' } : said('read')),
    }
    const { calls, results } = await play(['read', 'read'], { read: failing })
    expect(results).toEqual(['finished read', 'failed not there'])
    expect(calls).toHaveLength(3)
  })

  it('and whose arguments do not fit are not begun early, and say so at their turn', async () => {
    const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
    const read: TestTool = {
      info: { inputSchema: schema, required: ['n'] },
      call: async (args) => said(`read ${args.n}`),
    }
    for (const unfit of ['[1]', '{"n":"one"}', 'no JSON']) {
      const texts = ['{"n":0}', unfit, '{"n":2}']
      const { calls, results } = await play(['read', 'read', 'read'], { read }, (n) => texts[n] ?? '')
      expect([unfit, calls.toSorted()]).toEqual([unfit, ['read {"n":0}', 'read {"n":2}']])
      expect([results[0], results[1]?.split(' ')[0], results[2]]).toEqual([
        'finished read 0',
        'failed',
        'finished read 2',
      ])
    }
  })

  it('behind a call that nobody knows are made at their turn', async () => {
    const read: TestTool = { info: {}, call: async (args) => said(`read ${args.n}`) }
    const { calls, results } = await play(['read', 'unknown', 'read'], { read })
    expect(results).toEqual(['finished read 0', 'failed no tool unknown', 'finished read 2'])
    expect(calls.map((call) => call.split(' ')[0])).toEqual(['read', 'unknown', 'read'])
  })

  it('are ended when their step is cancelled at its turn, and the agent goes on though the server does not answer', async () => {
    let isEnded = false
    const silent = (signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          isEnded = true
          reject(new Error('aborted'))
        })
      })
    const read: TestTool = {
      info: {},
      call: (args, signal) => (args.n === 1 ? silent(signal) : said(`read ${args.n}`)),
    }
    const test = await begin(['read', 'read', 'read'], { read })
    const reads = (world: World): StepRecord[] =>
      Object.values(world.steps)
        .flatMap(stepsOfAll)
        .filter(({ type }) => type === 'tool')
    const isCalled = (world: World): boolean => reads(world).some((step, n) => n === 1 && wasCalled(world, step))
    const [, second] = reads(await test.until(isCalled))
    if (!second) throw new Error('no second call')
    await test.put(TEAM.ana.id, { type: 'cancelStep', step: second.id, reason: 'not now' })
    const world = await test.until(isFinished)
    expect([isEnded, ...reads(world).map(({ state }) => state)]).toEqual([true, 'finished', 'failed', 'finished'])
  })

  it('during which the server asks something are made again at their turn, where people or the model answer', async () => {
    const read: TestTool = {
      info: {},
      call: async (args, signal, { asks }) => {
        if (args.n === 0) return said('read 0')
        // Without handlers the pool cancels.
        const answer = await asks?.question({ mode: 'url', message: 'Which?', url: 'https://a.example' }, signal)
        return said(answer?.action ?? 'cancel')
      },
    }
    const test = await begin(['read', 'read'], { read })
    const open = (world: World): RequestRecord[] =>
      Object.values(world.requests).flatMap((own) =>
        Object.values<RequestRecord>(own).filter(({ kind }) => kind === 'tool'),
      )
    const [asked] = open(await test.until((world) => open(world).length > 0))
    expect(asked?.question).toContain('Which?')
    expect(test.pool.calls).toEqual(['read {"n":0}', 'read {"n":1}', 'read {"n":1}'])
    await test.engine.stop()
  })

  it('and that a person is asked about first are not begun early', async () => {
    const read: TestTool = { info: {}, call: async () => said('read') }
    const asked: TestTool = { info: { confirm: true }, call: async () => said('read after all') }
    const test = await begin(['read', 'asked', 'read'], { read, asked })
    await test.until((world) =>
      Object.values(world.requests).some((own) => Object.values(own).some(({ kind }) => kind === 'confirm')),
    )
    expect(test.pool.calls).toEqual(['read {"n":0}'])
  })
})

describe('[R98] what is begun early', () => {
  const story = walk([])
  const begun = story.start(TEAM.reader.id)
  if (!begun) throw new Error('no step')
  const STEP = begun
  const WRITER = asId<StepId>('writer')
  const callOf = (id: string, more: Partial<StepRecord> = {}): StepRecord => ({
    ...STEP,
    id: asId<StepId>(id),
    type: 'tool',
    executor: 'files',
    state: 'pending',
    boundTo: null,
    batch: WRITER,
    instruction: {
      kind: 'call',
      target: 'tool',
      name: 'read',
      arguments: { sha: '', bytes: 2, preview: '{}', mime: 'application/json' },
    },
    ...more,
  })
  /** The world with these steps next in the reader's list; `gone`: in the list alone. */
  function worldOf(steps: StepRecord[], gone: string[] = []): World {
    const { task, agent } = STEP
    const work = story.world.work[agent]
    if (!work) throw new Error('no work')
    const todo = [...gone, ...steps.map(({ id }) => id)].map((id) => ({ task, step: asId<StepId>(id) }))
    const own = Object.fromEntries(steps.map((step) => [step.id, step]))
    return {
      ...story.world,
      work: { ...story.world.work, [agent]: { ...work, todo } },
      steps: { ...story.world.steps, [task]: { [agent]: own } },
    }
  }
  const pool = toolPoolOf({
    read: { info: {}, call: () => said('') },
    list: { info: {}, call: () => said('') },
    write: { info: { readOnly: false }, call: () => said('') },
    asked: { info: { confirm: true }, call: () => said('') },
  })
  const take = (ahead: ReturnType<typeof openReadAhead>, step: StepRecord) =>
    ahead.take(step, new AbortController().signal)
  async function begin(world: World, step = callOf('first'), ahead = openReadAhead()) {
    const described = await pool.describe('files')
    const read: string[] = []
    const signals: AbortSignal[] = []
    ahead.begin(world, step, described.ok ? described.description.tools : [], async (next, tool, signal) => {
      read.push(`${next.id} ${tool.name}`)
      signals.push(signal)
      return said(next.id)
    })
    return { ahead, read, signals }
  }
  const readOf = async (steps: StepRecord[], step?: StepRecord): Promise<string[]> =>
    (await begin(worldOf(steps), step)).read

  it('are the calls that one step wrote together, up to the first of another', async () => {
    const others = [callOf('b'), callOf('c', { batch: asId<StepId>('other') }), callOf('d')]
    expect(await readOf([callOf('a'), ...others])).toEqual(['a read', 'b read'])
    // A call that was written alone is bound to the step that wrote it.
    const alone = { batch: undefined, boundTo: WRITER }
    expect(await readOf([callOf('a', alone), callOf('b')])).toEqual(['a read', 'b read'])
  })

  it('is nothing behind a call that no step wrote, though others like it wait', async () => {
    const unwritten = { batch: undefined, boundTo: null }
    expect(await readOf([callOf('a', unwritten)], callOf('first', unwritten))).toEqual([])
  })

  it('ends before a step that is none of its kind: a skill, another server, another instruction', async () => {
    const name = (of: string): ToolInstruction => ({ ...call, name: of })
    const { instruction } = callOf('x')
    if (instruction?.kind !== 'call') throw new Error('a call is needed')
    const call = instruction
    const stops: Partial<StepRecord>[] = [
      { type: 'skill' },
      { executor: 'mail' },
      { instruction: null },
      { instruction: { kind: 'get_description' } },
      { instruction: { ...call, target: 'resource' } },
      { instruction: name('write') },
      { instruction: name('asked') },
      { instruction: name('unknown') },
    ]
    for (const stop of stops)
      expect([stop, await readOf([callOf('a'), callOf('b', stop), callOf('c')])]).toEqual([stop, ['a read']])
    expect(await readOf([callOf('a', { instruction: name('list') })])).toEqual(['a list'])
  })

  it('is nothing behind a step that is listed and gone', async () => {
    expect((await begin(worldOf([callOf('a')], ['gone']))).read).toEqual([])
  })

  it('[R108] is no call of a tool that is to ask in this task', async () => {
    const world = worldOf([callOf('a')])
    const task = world.tasks[STEP.task]
    if (!task) throw new Error('no task')
    const ruled = (tool: string): World => {
      const rule = { server: 'files', tool, rule: 'ask' as const, by: TEAM.ana.id, at: 1 }
      return { ...world, tasks: { ...world.tasks, [STEP.task]: { ...task, toolRules: [rule] } } }
    }
    expect((await begin(ruled('read'))).read).toEqual([])
    expect((await begin(ruled('list'))).read).toEqual(['a read'])
  })

  it('is begun once for the calls of one step, and given to each of them once', async () => {
    const [a, b] = [callOf('a'), callOf('b')]
    const { ahead, read } = await begin(worldOf([a, b]))
    expect(read).toEqual(['a read', 'b read'])
    expect((await begin(worldOf([b]), a, ahead)).read).toEqual([])
    expect([await take(ahead, a), await take(ahead, a)]).toEqual([said('a'), null])
    expect([await take(ahead, callOf('other')), await take(ahead, { ...b, agent: TEAM.analyst.id })]).toEqual([
      null,
      null,
    ])
    expect(await take(ahead, b)).toEqual(said('b'))
  })

  it('ends with the calls of the step before, and when the engine stops', async () => {
    const { ahead, signals } = await begin(worldOf([callOf('a')]))
    const other = { batch: asId<StepId>('other') }
    const later = await begin(worldOf([callOf('c', other)]), callOf('b', other), ahead)
    expect([signals[0]?.aborted, later.signals[0]?.aborted]).toEqual([true, false])
    expect(await take(ahead, callOf('a'))).toBeNull()
    ahead.stop()
    expect(later.signals[0]?.aborted).toBe(true)
    expect(await take(ahead, callOf('c'))).toBeNull()
  })
})
