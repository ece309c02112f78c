/** The history in a prompt: what stands in it, what is left out where it does not fit, and how it is stored. */
import { describe, expect, it } from 'vitest'
import { Fault } from '@/lib/faults'
import type { BodyRef, PromptRef, StepRecord, World } from '@/lib/mas/records'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { makeStep, READER, recordOf, stepId, TASK, testBodyCache, testWorld, withSteps } from '@/test/skillWorld'
import type { BodyCache } from '../port'
import type { Prompt } from '../prompt'
import { promptOf, running, sectionOf, storedRef, storedTurns, textOf } from '../test/promptParts'
import { readStoredPrompt } from './storedPrompt'
import { readTurns } from './turnList'

/** The world without all but the newest so many steps of the reader. */
function withNewest(world: World, count: number): World {
  const steps = stepsIn(world.steps[TASK]?.[READER])
  const kept = Object.fromEntries(steps.slice(-count).map((step) => [step.id, step]))
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

  it('[R563] stays cut where the next prompt would have more room, as the records of calls say', async () => {
    const before = steps.slice(0, 20)
    const promptIn = (contextTokens: number, all: StepRecord[]) =>
      promptOf(withSteps(testWorld, all), running('reflection'), contextTokens, bodies)
    const isCut = (prompt: Prompt): boolean => items(prompt).some((item) => item.endsWith('cut'))
    const small = await promptIn(20_000, before)
    expect([isCut(small), isCut(await promptIn(80_000, before))]).toEqual([true, false])
    const called = makeStep(21, { state: 'finished', calls: [callWith(storedRef(small, bodies))] })
    // A prompt without a history says nothing about it.
    const later = makeStep(22, { state: 'finished', calls: [callWith({ sha: '', bytes: 0 })] })
    expect(isCut(await promptIn(80_000, [...before, called, later]))).toBe(true)
    // Another history begins anew.
    expect(isCut(await promptIn(80_000, [...before.slice(1), called, later]))).toBe(false)
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
      expect(await storedTurns(storedRef(prompt, bodies), (ref) => bodies.text(ref))).toEqual(prompt.turns)
    }
  })

  it('gives items whole when the model asks for them', async () => {
    const prompt = await promptOf(world, running('reflection'), 32_000, bodies)
    const whole = await prompt.more?.([2, 77], 10_000)
    expect(whole).toMatch(/^<history_item n="2" [^>]*executor="think">/)
    expect(whole).toContain('long text '.repeat(800).trim())
  })
})

const callWith = (prompt: PromptRef, id = 'c'): StepRecord['calls'][number] => ({
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
  const readFrom = (shelf: Map<string, string>) => (ref: BodyRef) => testBodyCache(shelf).text(ref)

  /** Run a stage of n think steps; each one's prompt is kept with its step, as the engine keeps it. */
  async function play(
    n: number,
    /** Of those before this one, how many stay in the world. */
    stay: (at: number) => number = () => Number.POSITIVE_INFINITY,
  ) {
    const shelf = new Map<string, string>()
    const bodyCache = testBodyCache(shelf)
    const prompts: { prompt: Prompt; ref: PromptRef; bytes: number; bodies: number }[] = []
    let world = testWorld
    for (let at = 1; at <= n; at += 1) {
      const step = makeStep(at, { state: 'running', startedSeq: at })
      const before = bodyCache.made.length
      const prompt = await promptOf(world, step, 2_000_000, bodyCache)
      const ref = storedRef(prompt, bodyCache)
      const fresh = bodyCache.made.slice(before)
      prompts.push({
        prompt,
        ref,
        bytes: fresh.reduce((sum, body) => sum + body.bytes.length, 0),
        bodies: fresh.length,
      })
      world = withNewest(withSteps(world, [finishedStep(at, shelf, [callWith(ref, `c${at}`)])]), stay(at))
    }
    return { prompts, last: recordOf(prompts.at(-1)), shelf }
  }

  const sum = (values: number[]): number => values.reduce((all, one) => all + one, 0)

  it('[R562] costs about the same for a hundred steps as for the hundred before', async () => {
    const { prompts } = await play(300)
    const [early, late] = [prompts.slice(100, 200), prompts.slice(200)]
    expect(sum(late.map(({ bytes }) => bytes))).toBeLessThan(1.25 * sum(early.map(({ bytes }) => bytes)))
    expect(sum(late.map(({ bodies }) => bodies))).toBeLessThan(1.25 * sum(early.map(({ bodies }) => bodies)))
    // Less than the names of all items would take.
    expect(sum(late.map(({ bytes }) => bytes)) / 100).toBeLessThan(200 * 64 * 0.25)
  })

  it('[R562] names its items in the same groups when the oldest have left the world', async () => {
    const { prompts, last } = await play(200, (at) => (at === 150 ? 130 : Number.POSITIVE_INFINITY))
    expect(textOf(last.prompt)).not.toContain('result 020')
    expect(textOf(last.prompt)).toContain('result 021')
    const around = prompts.slice(150, 155).map(({ bodies }) => bodies)
    expect(Math.max(...around)).toBeLessThan(20)
  })

  it('[R560] keeps the whole text of each step once', async () => {
    const { shelf, last } = await play(30)
    const holding = [...shelf.values()].filter((text) => text.includes('result 007 '.repeat(60)))
    expect(holding).toHaveLength(1)
    expect(textOf(last.prompt)).toContain('result 007 result 007')
  })

  it('[R560] is joined again to what the model got, from bodies alone', async () => {
    const { prompts, last, shelf } = await play(40, (at) => (at % 20 === 0 ? 10 : Number.POSITIVE_INFINITY))
    for (const { prompt, ref } of prompts) expect(await storedTurns(ref, readFrom(shelf))).toEqual(prompt.turns)
    const read = await readStoredPrompt(last.ref, readFrom(shelf))
    expect(read.map((part) => part.name)).toEqual([
      'system_prompt',
      'current_task',
      'skill_rules',
      'agent_role',
      'current_part',
      'history_step',
      'current_step',
    ])
  })

  it('[R560] has each item of its history as a body, which other prompts name too', async () => {
    const { prompts, shelf } = await play(12)
    const turns = await Promise.all(prompts.map(({ ref }) => readTurns(ref, readFrom(shelf))))
    const begins = /^<history_item n="(\d+)"/
    const items = turns.map((own) =>
      own.flatMap((turn) => {
        const text = 'sha' in turn ? (shelf.get(turn.sha) ?? '') : ''
        return 'sha' in turn && begins.test(text) ? [`${begins.exec(text)?.[1]} ${turn.sha}`] : []
      }),
    )
    const all = recordOf(items.at(-1))
    expect(all.map((item) => item.split(' ')[0])).toEqual(Array.from({ length: 11 }, (_, at) => `${at + 1}`))
    for (const [at, own] of items.entries()) expect(own).toEqual(all.slice(0, at))
  })

  it('[R561] that lacks a body is not shown with a gap, and breaks only prompts that show the same text', async () => {
    const { prompts, shelf } = await play(12)
    const seventh = recordOf([...shelf].find(([, text]) => text.startsWith('<history_item n="7"')))[0]
    const ninth = recordOf(prompts[8]).ref.sha
    const read = async (ref: BodyRef): Promise<string> => {
      if (ref.sha === seventh || ref.sha === ninth) throw new Fault('NOT_KEPT')
      return readFrom(shelf)(ref)
    }
    const ends = await Promise.all(
      prompts.map(({ ref }) =>
        readStoredPrompt(ref, read).then(
          () => 'read',
          (fault) => (fault instanceof Fault ? fault.code : 'other'),
        ),
      ),
    )
    // The prompt of the step n shows the items before it.
    expect(ends).toEqual(prompts.map((_, at) => (at < 7 ? 'read' : 'NOT_KEPT')))
  })
})
