/** The history in a prompt: what stands in it, what is left out where it does not fit, and how it is stored. */
import { describe, expect, it } from 'vitest'
import { NO_STEPS, stepsIn, withFlatSteps } from '@/lib/mas/ownSteps'
import type { StepRecord, World } from '@/lib/mas/records'
import {
  makeStep,
  READER,
  recordOf,
  sourcesOf,
  stepId,
  TASK,
  testBodyCache,
  testWorld,
  withSteps,
} from '@/test/skillWorld'
import type { BodyCache } from '../port'
import type { Prompt } from '../prompt'
import { promptOf, running, sectionOf, storedTurns, textOf } from '../test/promptParts'
import { readStoredPrompt } from './storedPrompt'

/** The world without all but the newest so many steps of the reader. */
function withNewest(world: World, count: number): World {
  const steps = stepsIn(world.steps[TASK]?.[READER])
  const kept = withFlatSteps(NO_STEPS, Object.fromEntries(steps.slice(-count).map((step) => [step.id, step])))
  return { ...world, steps: { ...world.steps, [TASK]: { ...world.steps[TASK], [READER]: kept } } }
}

describe('a history in a prompt', () => {
  it('shows each step with its call, its whole result and why it failed', async () => {
    const bodies = testBodyCache()
    const result = {
      mcp_server_result: {
        isError: true,
        content: [
          { type: 'text', text: `ENOENT ${'x'.repeat(600)}` },
          { type: 'image', mimeType: 'image/png', data: 'A'.repeat(16_384) },
        ],
      },
    }
    const world = withSteps(testWorld, [
      makeStep(1, {
        executor: 'task_manager',
        state: 'finished',
        result: { kind: 'text', text: 'add_task', body: null, made: { task_id: 't9' } },
      }),
      makeStep(2, {
        type: 'tool',
        executor: 'files',
        state: 'failed',
        instruction: {
          kind: 'call',
          target: 'tool',
          name: 'read_text_file',
          arguments: bodies.make('{"path": "a.md"}', 'application/json'),
        },
        result: {
          kind: 'tool',
          text: 'ENOENT',
          body: bodies.make(JSON.stringify(result), 'application/json'),
          made: null,
        },
      }),
      makeStep(3),
    ])
    const prompt = await promptOf(world, running('reflection'), 32_000, bodies)
    expect(sectionOf(prompt, 'steps_to_come')).toBe('- #3 think: intention 3')
    expect(sectionOf(prompt, 'history_step')).toBe(
      [
        '<history_item n="1" state="finished" type="skill" executor="task_manager">',
        '<intention>intention 1</intention>',
        '<text>text 1</text>',
        '<result>add_task\nmade: {"task_id":"t9"}</result>',
        '</history_item>',
        '<history_item n="2" state="failed" type="tool" executor="files">',
        '<intention>intention 2</intention>',
        '<text>text 2</text>',
        '<call>{"tool_name":"read_text_file","arguments":{"path":"a.md"}}</call>',
        `<result>isError: true\nENOENT ${'x'.repeat(600)}\n\n[image image/png 12 KB]</result>`,
        '<failure>reason 2</failure>',
        '</history_item>',
      ].join('\n'),
    )
  })

  it('says which of its items are calls of the run that a tool_decision looks at, and which are new', async () => {
    const call = (n: number): StepRecord => makeStep(n, { type: 'tool', executor: 'files', state: 'finished' })
    const decision = makeStep(3, { executor: 'tool_decision', state: 'finished' })
    const world = withSteps(testWorld, [makeStep(1, { state: 'finished' }), call(2), decision, call(4)])
    const step = running('tool_decision', { cause: { message: null, step: stepId(4) } })
    const prompt = await promptOf(world, step)
    expect(sectionOf(prompt, 'tool_history')).toBe('calls: 2, 4\nnew: 4')
    expect(sectionOf(prompt, 'history_step')).toMatch(/n="1"[\s\S]*n="2"[\s\S]*n="4"/)
  })
})

describe('a history that does not fit', () => {
  const bodies = testBodyCache()
  const long = (n: number): StepRecord => {
    const text = `${n} ${'long text '.repeat(800)}`
    return makeStep(n, {
      executor: n === 1 ? 'planning' : 'think',
      state: 'finished',
      result: {
        kind: 'text',
        text: text.slice(0, 400),
        body: n === 1 ? null : bodies.make(text, 'text/plain'),
        made: null,
      },
    })
  }
  const steps = Array.from({ length: 30 }, (_, index) => long(index + 1))
  const world = withSteps(testWorld, [...steps, makeStep(50)])
  const items = (prompt: Prompt) =>
    [
      ...sectionOf(prompt, 'history_step').matchAll(
        /n="(\d+)" state="[^"]+" type="[^"]+" executor="[^"]+"( cut="yes")?/g,
      ),
    ].map((match) => `${match[1]} ${match[2] === undefined ? 'whole' : 'cut'}`)

  it('cuts the oldest to previews, keeps the goal and the newest whole, and says how to ask for more', async () => {
    const prompt = await promptOf(world, running('reflection'), 32_000, bodies)
    const shown = items(prompt)
    expect(shown.slice(0, 2)).toEqual(['1 whole', '2 cut'])
    expect(shown.slice(-2)).toEqual(['29 whole', '30 whole'])
    const cut = shown.map((item) => item.endsWith('cut'))
    expect(cut.slice(1)).toEqual(cut.slice(1).toSorted((a, b) => Number(b) - Number(a)))
    expect(sectionOf(prompt, 'history_step')).toContain('<more_history>[3, 7]</more_history>')
    expect(prompt.tokens).toBeLessThanOrEqual(24_000 + 500)
  })

  it('leaves the oldest out when not even previews fit, and says which', async () => {
    const prompt = await promptOf(world, running('reflection'), 9_000, bodies)
    expect(sectionOf(prompt, 'history_step')).toMatch(/<\/history_item>\n\(n 2 to \d+: left out\)\n<history_item/)
    expect(items(prompt)[0]).toBe('1 whole')
    expect(items(prompt).at(-1)).toBe('30 whole')
    expect(prompt.tokens).toBeLessThanOrEqual(6_750 + 500)
  })

  it('is cut by blocks: most prompts go on where the one before ended', async () => {
    const own = testBodyCache()
    let [before, broken, growth] = ['', 0, 0]
    for (let n = 1; n <= 120; n += 1) {
      const all = Array.from({ length: n }, (_, index) =>
        known(index + 1, () => {
          const text = `${index + 1} ${'some text '.repeat(120)}`
          return {
            kind: 'text' as const,
            text: text.slice(0, 400),
            body: own.make(text, 'text/plain'),
            made: null,
          }
        }),
      )
      const prompt = await promptOf(withSteps(testWorld, all), running('think'), 20_000, own)
      const shown = sectionOf(prompt, 'history_step').replace(/\n\(Items and messages with[\s\S]*$/, '')
      if (!shown.startsWith(before)) broken += 1
      before = shown
      growth += 300
      expect(prompt.tokens).toBeLessThanOrEqual(15_000)
    }
    // A block is a quarter of what a prompt may hold: 3,750 tokens.
    expect(broken).toBeGreaterThan(0)
    expect(broken).toBeLessThanOrEqual(2 * Math.ceil(growth / 3_750))
  })

  it('stays cut where the next prompt would have more room: what was sent once stays as it was', async () => {
    const all = steps.slice(0, 20).map((step) => ({ ...step }))
    const shownIn = async (contextTokens: number): Promise<string[]> =>
      items(await promptOf(withSteps(testWorld, all), running('reflection'), contextTokens, bodies))
    const others = steps.slice(0, 20).map((step) => ({ ...step }))
    const fresh = items(await promptOf(withSteps(testWorld, others), running('reflection'), 80_000, bodies))
    expect(fresh.every((item) => item.endsWith('whole'))).toBe(true)
    const small = await shownIn(20_000)
    const large = await shownIn(80_000)
    expect(small.some((item) => item.endsWith('cut'))).toBe(true)
    expect(large.some((item) => item.endsWith('cut'))).toBe(true)
  })

  /** The same record each time, as a world keeps it. */
  const records = new Map<number, StepRecord>()
  function known(n: number, result: () => NonNullable<StepRecord['result']>): StepRecord {
    const step = records.get(n) ?? makeStep(n, { state: 'finished', result: result() })
    records.set(n, step)
    return step
  }

  it('reads no body for a preview, and cuts no ids', async () => {
    const many = steps.map((step) => ({
      ...step,
      executor: 'task_manager',
      result: step.result && { ...step.result, made: { task_id: `made-${step.createdSeq}` } },
    }))
    const reads: string[] = []
    const counting: BodyCache = {
      ...bodies,
      text(ref) {
        reads.push(ref.sha)
        return bodies.text(ref)
      },
    }
    const prompt = await promptOf(withSteps(testWorld, many), running('reflection'), 32_000, counting)
    const whole = items(prompt).filter((item) => item.endsWith('whole')).length
    expect(reads.length).toBeLessThanOrEqual(whole + 1)
    for (const step of many) expect(textOf(prompt)).toContain(`made: {"task_id":"made-${step.createdSeq}"}`)
  })

  it('shows the words of a result that is all picture, without reading the picture', async () => {
    const result = {
      kind: 'tool' as const,
      text: '[image image/png]',
      body: { sha: 'not in the store', bytes: 9_000_000, preview: '{"mcp', mime: 'application/json' },
      made: null,
    }
    const picture = makeStep(1, { type: 'tool', executor: 'files', state: 'finished', result })
    const prompt = await promptOf(withSteps(testWorld, [picture]), running('reflection'))
    expect(sectionOf(prompt, 'history_step')).toContain(
      'executor="files">\n<intention>intention 1</intention>\n<text>text 1</text>\n<result>[image image/png]</result>',
    )
  })

  it('is shown again as it was', async () => {
    for (const contextTokens of [9_000, 32_000, 1_000_000]) {
      const prompt = await promptOf(world, running('reflection'), contextTokens, bodies)
      expect(await storedTurns(prompt.ref, sourcesOf(bodies, steps))).toEqual(prompt.turns)
    }
  })

  it('gives items whole when the model asks for them', async () => {
    const prompt = await promptOf(world, running('reflection'), 32_000, bodies)
    const whole = await prompt.more?.([2, 77], 10_000)
    expect(whole).toMatch(/^<history_item n="2" [^>]*executor="think">/)
    expect(whole).toContain('long text '.repeat(800).trim())
  })
})

const callWith = (prompt: Prompt['ref'], id = 'c'): StepRecord['calls'][number] => ({
  id,
  attempt: 1,
  model: 'm',
  modelVersion: null,
  prompt,
  answer: null,
  outcome: 'taken' as const,
  error: null,
  promptTokens: null,
  completionTokens: null,
  estimated: false,
  costUsd: null,
  firstTokenMs: null,
  totalMs: 1,
  at: 0,
})

function finishedStep(n: number, shelf: Map<string, string>, calls: StepRecord['calls'] = []): StepRecord {
  const text = `result ${String(n).padStart(3, '0')} `.repeat(100)
  const body = testBodyCache(shelf).make(text, 'text/plain')
  const result = { kind: 'text' as const, text: text.slice(0, 400), body, made: null }
  return makeStep(n, { state: 'finished', startedSeq: n, result, calls })
}

describe('a stored prompt', () => {
  /** Run a stage of n think steps; each one's prompt is kept with its step, as the engine keeps it. */
  async function play(
    n: number,
    /** Of those before this one, how many stay in the world. */
    stay: (at: number) => number = () => Number.POSITIVE_INFINITY,
  ): Promise<{
    bytes: number[]
    rows: number[]
    refs: number[]
    last: Prompt
    shelf: Map<string, string>
    steps: StepRecord[]
  }> {
    const shelf = new Map<string, string>()
    const [bytes, rows, refs]: number[][] = [[], [], []]
    let world = testWorld
    const steps: StepRecord[] = []
    let last: Prompt | null = null
    for (let at = 1; at <= n; at += 1) {
      const step = makeStep(at, { state: 'running', startedSeq: at })
      const before = new Set(shelf.keys())
      const bodyCache = testBodyCache(shelf)
      last = await promptOf(world, step, 2_000_000, bodyCache)
      const done = finishedStep(at, shelf, [callWith(last.ref, `c${at}`)])
      const fresh = bodyCache.made.filter((body) => !before.has(body.sha))
      rows?.push(bodyCache.made.length)
      bytes?.push(fresh.reduce((sum, body) => sum + body.bytes.length, 0))
      refs?.push(JSON.stringify(last.ref).length)
      steps.push(done)
      world = withSteps(world, steps.slice(-1))
      world = withNewest(world, stay(at))
    }
    if (!last) throw new Error('nothing played')
    return { bytes: bytes ?? [], rows: rows ?? [], refs: refs ?? [], last, shelf, steps }
  }

  it('costs the same for the hundredth step as for the third', async () => {
    const { bytes, rows, refs } = await play(100)
    expect(bytes[99]).toBeLessThan((bytes[2] ?? 0) + 60)
    expect(rows[99]).toBe(rows[2])
    expect(refs[99]).toBeLessThan((refs[2] ?? 0) + 60)
  })

  it('keeps the whole text of each step once', async () => {
    const { shelf, last } = await play(30)
    const holding = [...shelf.values()].filter((text) => text.includes('result 007 '.repeat(60)))
    expect(holding).toHaveLength(1)
    expect(textOf(last)).toContain('result 007 result 007')
  })

  it('continues the previous chain when old steps have left the world, without showing them again', async () => {
    const { shelf, last, rows, steps } = await play(60, (at) => (at % 20 === 0 ? 10 : Number.POSITIVE_INFINITY))
    expect(textOf(last)).not.toContain('result 030')
    expect(textOf(last)).toContain('result 031')
    expect(rows[41]).toBe(rows[2])
    expect(await storedTurns(last.ref, sourcesOf(testBodyCache(shelf), steps))).toEqual(last.turns)
  })

  it('is joined again to what the model got', async () => {
    const { shelf, last, steps } = await play(12)
    const read = await readStoredPrompt(last.ref, sourcesOf(testBodyCache(shelf), steps))
    expect(await storedTurns(last.ref, sourcesOf(testBodyCache(shelf), steps))).toEqual(last.turns)
    expect(read.map((part) => part.name)).toEqual([
      'system_prompt',
      'agent_role',
      'current_task',
      'current_part',
      'history_step',
      'current_step',
    ])
  })

  it('[R209] adds to what is stored the ids of the steps that are new in it, and no body of theirs', async () => {
    const { last, rows, steps } = await play(40)
    const head = JSON.parse(recordOf(last.ref.sections.find(({ name }) => name === 'history_step')).body.preview)
    expect(head).toMatchObject({ from: [recordOf(steps.at(-2)).id, 0], more: [recordOf(steps.at(-2)).id] })
    expect(rows[39]).toBe(0)
  })

  it('begins its chain anew when the history before it is another', async () => {
    const shelf = new Map<string, string>()
    const bodyCache = testBodyCache(shelf)
    const first = makeStep(5, { state: 'running', startedSeq: 5 })
    const world = withSteps(testWorld, [makeStep(1, { state: 'finished' })])
    const prompt = await promptOf(world, first, 100_000, bodyCache)
    const changed = withSteps(world, [
      makeStep(2, { state: 'finished' }),
      makeStep(5, { state: 'finished', calls: [callWith(prompt.ref)] }),
    ])
    const next = await promptOf(changed, running('think'), 100_000, testBodyCache(shelf))
    const steps = stepsIn(changed.steps[TASK]?.[READER])
    expect(await storedTurns(next.ref, sourcesOf(testBodyCache(shelf), steps))).toEqual(next.turns)
    expect(textOf(next)).toContain('text 2')
  })
})
