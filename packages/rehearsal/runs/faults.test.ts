/** What goes wrong beside us (a model in no format, a tool server that dies or hangs) is said where it happens, and stops nothing else. */
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { BodyRef, StageRecord, StepRecord, World } from '@/lib/mas/records'
import type { Model, Turn } from '@/server/models'
import { bodyText } from '@/server/shared/bodyText'
import { readStoredPrompt } from '@/server/skills'
import type { ToolServerConfig } from '@/server/tools'
import { bundledProgram } from '@/test/programs'
import { CREW, openRehearsal, type Rehearsal } from '@/test/rehearsalTeam'

let open: Rehearsal | null = null
afterEach(async () => {
  await open?.close()
  open = null
})
const start = async (...args: Parameters<typeof openRehearsal>): Promise<Rehearsal> => {
  open = await openRehearsal(...args)
  return open
}

const json = (tag: string, value: unknown): string => `<${tag}>${JSON.stringify(value)}</${tag}>`
const planned = (executor: string, type: 'skill' | 'tool' = 'skill') => ({
  step_intention: executor,
  type,
  executor,
  text_content: executor,
})

/** A model that answers each skill as the test says; what it says nothing for is answered in no format at all. */
function modelOf(answers: Record<string, (nth: number) => string>): Model & { calls: string[] } {
  const calls: string[] = []
  return {
    name: 'odd',
    provider: 'scripted',
    contextTokens: 32_000,
    calls,
    async *call(turns: Turn[]) {
      const skill =
        [
          ...turns
            .map(({ content }) => content)
            .join('\n')
            .matchAll(/^skill: (\w+)$/gm),
        ].at(-1)?.[1] ?? 'none'
      calls.push(skill)
      await new Promise((resolve) => setImmediate(resolve))
      const nth = calls.filter((one) => one === skill).length
      yield { type: 'text', text: answers[skill]?.(nth) ?? 'I would rather talk about the weather.' }
      const usage = { promptTokens: null, completionTokens: null, estimated: true, costUsd: 0 }
      yield { type: 'end', finish: 'stop', modelVersion: 'odd-1', usage }
    },
  }
}

const stages = (world: World): StageRecord[] =>
  Object.values(world.stages).flatMap((own) => Object.values(own).filter((stage) => stage.task !== world.baseTask))
const stepsOf = (team: Rehearsal, executor: string): StepRecord[] =>
  team.steps().filter((step) => step.agent === CREW.reader.id && step.executor === executor)
const partEnds = (team: Rehearsal): Promise<StageRecord> =>
  team.until(
    (world) => stages(world).find((stage) => ['finished', 'failed'].includes(stage.parts[CREW.reader.id] ?? '')),
    "the reader's part is over",
  )
describe('a model that answers in no format at all', () => {
  it('[R12] is shown its answer twice, asked afresh once, then the step and its part fail, the manager judges, and others go on', async () => {
    const odd = modelOf({})
    const team = await start(
      { 'n/a.txt': 'one\ntwo\n' },
      { team: [CREW.manager, { ...CREW.reader, model: 'odd' }, CREW.analyst, CREW.ana], models: { odd } },
    )
    await team.ask('Count the lines of n/a.txt')
    const stage = await partEnds(team)
    expect(stage.parts[CREW.reader.id]).toBe('failed')
    expect(stage.partReasons[CREW.reader.id]).toContain('planning failed: ')
    const [step] = stepsOf(team, 'planning')
    const outcomes = ['repaired', 'repaired', 'repaired', 'repaired', 'repaired', 'failed']
    expect(step?.calls.map((call) => call.outcome)).toEqual(outcomes)
    expect(step?.repairs).toHaveLength(5)
    expect(step?.reason).toContain('<planned_step>')
    expect(odd.calls).toEqual(outcomes.map(() => 'planning'))
    // The second time the model sees none of what could not be taken.
    const read = async (ref: BodyRef) => (await bodyText(team.store.bodies, ref)) ?? ''
    const shownBack = await Promise.all(
      (step?.calls ?? []).map(
        async ({ prompt }) =>
          (await readStoredPrompt(prompt, read)).filter(({ name }) => name.startsWith('answer/')).length,
      ),
    )
    expect(shownBack).toEqual([0, 1, 2, 0, 1, 2])
    // The manager was asked to judge and did something about it: it is not left standing.
    await team.until(
      () =>
        team
          .steps()
          .some(
            (one) =>
              one.agent === CREW.manager.id &&
              one.executor === 'task_manager' &&
              one.cause.message !== null &&
              one.state === 'finished',
          ),
      'the manager judges',
    )
    // Someone else's work goes on.
    await team.ask('Compare these lists:\n\nnorth:\napple: 4.10\n\nsouth:\napple: 4.10\n')
    await team.until(
      (world) => Object.values(world.tasks).find((task) => task.state === 'finished'),
      'another task ends',
    )
  })

  it('[R12] a step that is no pillar of its part fails alone, and the part goes on to its end', async () => {
    const odd = modelOf({
      planning: () => json('planned_step', [planned('think'), planned('files', 'tool'), planned('reflection')]),
      // A text without its tag would be taken as what was thought.
      think: () => '',
      reflection: () => json('reflection_step', [planned('summary')]),
      summary: () => '<summary>done as far as it went</summary>',
    })
    const team = await start(
      { 'n/a.txt': 'one\n' },
      { team: [CREW.manager, { ...CREW.reader, model: 'odd' }, CREW.ana], models: { odd } },
    )
    await team.ask('Count the lines of n/a.txt')
    expect((await partEnds(team)).parts[CREW.reader.id]).toBe('finished')
    expect(stepsOf(team, 'think')[0]).toMatchObject({ state: 'failed' })
    // The call could not be written, so its tool step fails with it.
    expect(stepsOf(team, 'files')[0]).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining("couldn't be written"),
    })
  })
})

const server = (name: string, file: string, more: Partial<ToolServerConfig> = {}): ToolServerConfig => ({
  name,
  command: process.execPath,
  args: [bundledProgram(path.resolve('test/toolServers', file))],
  guide: 'A server that fails.',
  confirm: 'never',
  repeat: [],
  tools: {},
  ...more,
})

/** The reader calls one tool of that server, then thinks and ends its part. */
const caller = (name: string, tool_name: string) =>
  modelOf({
    planning: () => json('planned_step', [planned(name, 'tool'), planned('think'), planned('reflection')]),
    instruction_generation: () =>
      json('tool_instruction', { instruction_type: 'function_call', tool_name, arguments: {} }),
    tool_decision: () => json('tool_decision', { continue: false, result: 'it failed' }),
    think: () => '<think>go on without it</think>',
    reflection: () => json('reflection_step', [planned('summary')]),
    summary: () => '<summary>done without it</summary>',
  })

describe('a tool server', () => {
  it.each([
    ['dies in the middle of a call', server('odd', 'dies.mjs'), 'die', 'out of paper'],
    [
      'never comes up',
      server('odd', 'dies.mjs', {
        args: [bundledProgram(path.resolve('test/toolServers/dies.mjs')), '--at-start'],
      }),
      'die',
      'cannot open',
    ],
    ['hangs', server('odd', 'hangs.mjs', { timeLimitMs: 300 }), 'hang', '300 ms'],
    ['is not there', server('odd', 'dies.mjs', { command: '/nowhere/no-such-program' }), 'die', 'no-such-program'],
    ['lacks the tool', server('odd', 'hangs.mjs'), 'no_such_tool', 'no_such_tool'],
  ])(
    '[R12] that %s fails its step with the reason, and the part goes on to its end',
    async (_, config, tool, reason) => {
      const odd = caller('odd', tool)
      const reader = { ...CREW.reader, model: 'odd', tools: ['files', 'odd'] }
      const team = await start(
        { 'n/a.txt': 'one\n' },
        { team: [CREW.manager, reader, CREW.analyst, CREW.ana], models: { odd }, servers: [config] },
      )
      await team.ask('Count the lines of n/a.txt')
      expect((await partEnds(team)).parts[CREW.reader.id]).toBe('finished')
      const [call] = stepsOf(team, 'odd')
      expect(call).toMatchObject({ state: 'failed' })
      expect(call?.reason).toContain(reason)
      expect(stepsOf(team, 'think')[0]).toMatchObject({ state: 'finished' })
      // Nothing is left marked as on its way out.
      expect(Object.values(team.world().effects).flatMap((own) => Object.keys(own))).toEqual([])
    },
  )

  it('[R12] that hangs holds up its caller alone: other agents go on while it does', async () => {
    const odd = caller('odd', 'hang')
    const reader = { ...CREW.reader, model: 'odd', tools: ['files', 'odd'] }
    const team = await start(
      { 'n/a.txt': 'one\ntwo\n' },
      {
        team: [CREW.manager, reader, CREW.analyst, CREW.ana],
        models: { odd },
        servers: [server('odd', 'hangs.mjs')],
      },
    )
    await team.ask('Count the lines of n/a.txt')
    const calls = (world: World) => Object.values(world.effects).flatMap((own) => Object.values(own))
    await team.until((world) => calls(world).length === 1, 'the call is on its way')
    await team.ask('Compare these lists:\n\nnorth:\napple: 4.10\n\nsouth:\napple: 4.10\n')
    await team.finished()
    expect(calls(team.world())).toMatchObject([{ agent: CREW.reader.id }])
  })
})
