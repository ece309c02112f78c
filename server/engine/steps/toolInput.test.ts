/** Input that a tool server needs before it answers: kept while people are asked, and given in another call, also by another process. */
import { describe, expect, it } from 'vitest'
import { bodyOf } from '@/lib/mas/bodies'
import type { RequestRecord, World } from '@/lib/mas/records'
import type { InputRequired, ToolCallOptions, ToolOutcome } from '@/server/tools'
import { ask, isFinished, openPart } from '@/test/enginePart'
import { memoryData } from '@/test/memoryStore'
import { openTestEngine } from '@/test/testEngine'
import { BASE_TASK, planned, runTool, TEAM } from '@/test/worldHistories'

const form = (message: string) => ({ mode: 'form' as const, message, schema: { type: 'object' } })
const INPUT: InputRequired = {
  questions: [
    { key: 'colour', question: form('Which colour?') },
    { key: 'page', question: { mode: 'url', message: 'Pay here', url: 'https://pay.example.org/1' } },
  ],
  state: 'opaque "state"',
}
const asking = (input: InputRequired): ToolOutcome => ({ ok: false, code: 'TOOL_INPUT_REQUIRED', message: '', input })
const said = (text: string): ToolOutcome => ({
  ok: true,
  result: { isError: false, content: [{ type: 'text', text }] },
})
/** A tool that asks first, and says what it was told. */
const counting = (input = INPUT, info = {}) => ({
  info: { readOnly: false, repeatable: false, ...info },
  call: (_args: object, _signal: AbortSignal, { answers }: ToolCallOptions) =>
    answers === undefined ? asking(input) : said(JSON.stringify(answers)),
})
const steps = (world: World) => Object.values(world.steps).flatMap((own) => Object.values(own).flatMap(Object.values))
const toolStep = (world: World) => steps(world).find(({ type }) => type === 'tool')
const questions = (world: World): RequestRecord[] =>
  Object.values(world.requests)
    .flatMap((own) => Object.values(own))
    .filter(({ kind }) => kind === 'tool')
const openQuestion = (world: World) => questions(world).find(({ state }) => state === 'open')
const FORM = bodyOf('{"colour":"red","deep":{"a":1}}', 'application/json')
const answered = (request: RequestRecord, decision: 'answer' | 'done' | 'refuse' | 'cannot') =>
  ({
    type: 'answerRequest',
    request: request.id,
    decision,
    text: '',
    arguments: decision === 'answer' ? FORM.ref : null,
    digest: null,
  }) as const
const must = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('it is not there')
  return value
}

describe('[R846] a server that needs input before it answers', () => {
  it('waits without a call: its people are asked one question after the other, and a process after a crash sends the call again', async () => {
    const data = memoryData()
    const first = await openPart([planned('files', 'tool')], { data, prefix: 'first', tools: { count: counting() } })
    await ask(first)
    const held = await first.until((world) => openQuestion(world) !== undefined)
    const step = must(toolStep(held))
    expect(step).toMatchObject({ state: 'pending', held: must(openQuestion(held)).id })
    expect(held.effects[step.task] ?? {}).toEqual({})
    expect(questions(held).map(({ question, type, asked }) => [question, type, asked.includes(TEAM.ana.id)])).toEqual([
      ['files asks: Which colour?', 'action', true],
    ])

    // The first process is gone: nothing of it but the journal is there.
    const second = await openPart([planned('files', 'tool')], { data, prefix: 'second', tools: { count: counting() } })
    const about = must(openQuestion(second.world()))
    const stranger = await second.put(TEAM.reader.id, answered(about, 'answer'), { bodies: [FORM.body] })
    expect(stranger.ok).toBe(false)
    expect((await second.put(TEAM.ana.id, answered(about, 'answer'), { bodies: [FORM.body] })).ok).toBe(true)
    expect((await second.put(TEAM.ana.id, answered(about, 'refuse'))).ok).toBe(false)
    const next = await second.until((world) => openQuestion(world)?.tool?.asks === 'url')
    expect(second.pool.calls).toEqual([])
    await second.put(TEAM.ana.id, answered(must(openQuestion(next)), 'done'))
    const over = await second.until(isFinished)
    expect(second.pool.calls).toEqual(['count {"n":1}'])
    const done = must(toolStep(over))
    expect(done).toMatchObject({ state: 'finished', attempt: { number: 2 } })
    expect(done).not.toHaveProperty('input')
    expect(JSON.parse(done.result?.text ?? '')).toEqual({
      answers: { colour: { action: 'accept', content: { colour: 'red', deep: { a: 1 } } }, page: { action: 'accept' } },
      state: 'opaque "state"',
    })
  })

  it('is told that people declined, or left it to it', async () => {
    const test = await openPart([planned('files', 'tool')], { tools: { count: counting() } })
    await ask(test)
    for (const decision of ['refuse', 'cannot'] as const) {
      const world = await test.until((now) => openQuestion(now) !== undefined)
      await test.put(TEAM.ana.id, answered(must(openQuestion(world)), decision))
    }
    const over = await test.until(isFinished)
    expect(JSON.parse(toolStep(over)?.result?.text ?? '').answers).toEqual({
      colour: { action: 'decline' },
      page: { action: 'cancel' },
    })
  })

  it('asks no more when its step is cancelled, or its wait released; the agent goes on', async () => {
    for (const how of ['cancel', 'release'] as const) {
      const test = await openPart([planned('files', 'tool')], { tools: { count: counting() } })
      await ask(test)
      const held = await test.until((world) => openQuestion(world) !== undefined)
      const { id: step, agent } = must(toolStep(held))
      const lock = must(held.work[agent]?.locks[0])
      const ended = await test.put(
        TEAM.ana.id,
        how === 'cancel'
          ? { type: 'cancelStep', step, reason: 'no' }
          : { type: 'releaseWait', agent, waiting: lock.id, reason: 'no' },
      )
      expect(ended.ok).toBe(true)
      const over = await test.until(isFinished)
      expect([toolStep(over)?.state, openQuestion(over), over.work[agent]?.locks]).toEqual(['failed', undefined, []])
      expect(test.pool.calls).toHaveLength(1)
    }
  })

  it('that has only a state for us is called again at once; one that never has enough is an error', async () => {
    const count = counting({ questions: [], state: 'again' })
    const test = await openPart([planned('files', 'tool')], { tools: { count } })
    await ask(test)
    const over = await test.until(isFinished)
    expect(toolStep(over)?.result?.text).toBe('{"answers":{},"state":"again"}')
  })

  it('asks the person who runs the tool by hand during the call', async () => {
    const count = counting({ questions: [must(INPUT.questions[0])], state: null }, { readOnly: true })
    const test = await openTestEngine({ tools: { count } })
    await test.put(TEAM.ana.id, runTool(test.world(), BASE_TASK))
    const world = await test.until((now) => openQuestion(now) !== undefined)
    expect(must(openQuestion(world))).toMatchObject({ asked: [TEAM.ana.id], lock: null })
    await test.put(TEAM.ana.id, answered(must(openQuestion(world)), 'answer'), { bodies: [FORM.body] })
    const over = await test.until((now) => toolStep(now)?.state === 'finished')
    expect(toolStep(over)?.result?.text).toContain('"red"')
  })
})
