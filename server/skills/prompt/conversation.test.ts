/** A further turn of a conversation: what it says, what it leaves to the turns above, and when the conversation begins anew. */
import { describe, expect, it, vi } from 'vitest'
import { asId } from '@/lib/mas/ids'
import { isSkill, type ModelCall, type SkillName, type StepRecord, type World } from '@/lib/mas/records'
import { scriptedModel } from '@/test/scriptedModel'
import {
  ANA,
  makeMessage,
  makeStep,
  READER,
  testBodyCache,
  testRun,
  testWorld,
  withMessage,
  withSteps,
} from '@/test/skillWorld'
import { buildPrompt, type Prompt } from '../prompt'
import { prompts, running } from '../test/promptParts'
import { storePrompt } from './turnList'

const bodies = testBodyCache()

const ask = (world: World, step: StepRecord, contextTokens = 32_000, accepts?: ['image']): Promise<Prompt> => {
  const model = { ...scriptedModel([], contextTokens), ...(accepts ? { accepts } : {}) }
  return buildPrompt(testRun(withSteps(world, [step]), step, model, { bodies }), skillOf(step), prompts.en)
}
const skillOf = ({ executor }: StepRecord): SkillName => (isSkill(executor) ? executor : 'think')

/** The step with the answer to its prompt, which was taken. */
function answered(step: StepRecord, prompt: Prompt, answer: string, more: Partial<ModelCall> = {}): StepRecord {
  const call: ModelCall = {
    ...{ id: 'c', attempt: 1, model: 'm', modelVersion: null, outcome: 'taken', error: null, totalMs: 1, at: 0 },
    ...{ promptTokens: null, completionTokens: null, estimated: false, costUsd: null, firstTokenMs: null },
    prompt: storePrompt(prompt.stored, bodies, prompt.about),
    answer: bodies.make(answer, 'text/plain'),
    ...more,
  }
  return { ...step, state: 'finished', endedSeq: 20, calls: [call] }
}

const world: World = { ...testWorld, seq: 10 }
const first = running('think', { id: makeStep(1).id, number: 1, startedSeq: 5, text: 'compare' })
const PLAN = `<planned_step>[{"step_intention": "intention 900", "text_content": "text 900", "type": "skill", "executor": "think"}]</planned_step>`

/** The last turn of the step after one that was answered so. */
async function next(
  answer: string,
  later: World = world,
  step: StepRecord = running('think'),
  more: Partial<ModelCall> = {},
) {
  const before = await ask(world, first)
  const prompt = await ask(withSteps({ ...later, seq: 30 }, [answered(first, before, answer, more)]), step)
  return { before, prompt, last: prompt.turns.at(-1)?.content ?? '' }
}

describe('[R669] a further turn', () => {
  it('stands behind the turns of the last prompt and its answer', async () => {
    const { before, prompt } = await next('<result>3.20</result>')
    expect(prompt.turns.slice(0, -1).map(({ role, content }) => [role, content])).toEqual([
      ...before.turns.map(({ role, content }) => [role, content]),
      ['assistant', '<result>3.20</result>'],
    ])
    expect(prompt.turns.map(({ endsPrefix }) => endsPrefix ?? false)).toEqual([true, false, false, true])
  })

  it('says the step, and leaves the rules, the task and the role to the turns above', async () => {
    const { last } = await next('<result>3.20</result>')
    expect(last).toBe(
      [
        '<section name="current_step">',
        'skill: think',
        'step: #900',
        'time: 2026-11-21T10:21:09Z',
        '<step_intention>intention 900</step_intention>',
        '<step_text>text 900</step_text>',
        'answer: result',
        '</section>',
      ].join('\n'),
    )
  })

  it('leaves the text of a step to the plan that holds it, but not where two steps have its intention', async () => {
    expect((await next(PLAN)).last).not.toContain('<step_text>')
    const twice = PLAN.replace('[{', '[{"step_intention": "intention 900", "text_content": "another"}, {')
    expect((await next(twice)).last).toContain('<step_text>text 900</step_text>')
  })

  it('says the rules of a skill once, however many turns ago that was', async () => {
    const begun = await ask(world, first)
    const steps = [answered(first, begun, '<result>3.20</result>')]
    for (const [n, executor] of (['reflection', 'quick_think', 'reflection', 'think'] as const).entries()) {
      const step = running(executor, { id: makeStep(n + 2).id, number: n + 2, startedSeq: 21 + n, text: `step ${n}` })
      const at = { ...world, seq: 30 + n }
      const prompt = await ask(withSteps(at, steps), step)
      steps.push({ ...answered(step, prompt, `<result>${n}</result>`), endedSeq: 31 + n })
      const text = prompt.turns.map(({ content }) => content).join('\n')
      for (const skill of ['think', 'reflection']) expect(text.split(`\nskill ${skill}\n`).length).toBeLessThan(3)
    }
  })

  it('says again what changed, and only that', async () => {
    const reader = world.agents[READER]
    if (reader === undefined) throw new Error('no reader')
    const renamed: World = {
      ...world,
      agents: { ...world.agents, [READER]: { ...reader, profile: 'Reads faster now.' } },
    }
    const { last } = await next('<result>3.20</result>', renamed)
    expect(last).toContain('profile: Reads faster now.')
    expect(last).not.toContain('<section name="current_task">')
    expect(last).not.toContain('<section name="current_part">')
  })

  it('has no reasoning of earlier answers, but all of an answer that is one', async () => {
    const thought = '<think>Hm, 3.20 or 3.50.</think><result>3.20</result>'
    const { prompt } = await next(thought)
    expect(prompt.turns.at(-2)?.content).toBe('<result>3.20</result>')
    const apart = await next(thought, world, running('think'), { reasoning: bodies.make('hm', 'text/plain') })
    expect(apart.prompt.turns.at(-2)?.content).toBe(thought)
  })
})

describe('[R671] what came since', () => {
  const said = (id: string, seq: number) =>
    makeMessage(id, { sender: ANA, receivers: [READER], text: `said ${id}`, seq })
  const call = (n: number, endedSeq: number): StepRecord =>
    makeStep(n, {
      type: 'tool',
      executor: 'files',
      state: 'finished',
      endedSeq,
      startedSeq: endedSeq,
      result: { kind: 'tool', text: `result of ${n}`, body: null, made: null },
    })

  it('is shown once: messages and results after the last prompt, none from before', async () => {
    const old = withSteps(withMessage(world, said('m1', 8)), [call(2, 8)])
    const before = await ask(old, first)
    const step = answered(first, before, '<result>3.20</result>')
    const now = withSteps({ ...withMessage(old, said('m2', 22)), seq: 30 }, [step, call(3, 25)])
    const { turns } = await ask(now, running('think'))
    const text = turns.map(({ content }) => content).join('\n')
    const last = turns.at(-1)?.content ?? ''
    for (const one of ['said m1', 'said m2', 'result of 2', 'result of 3']) expect(text.split(one)).toHaveLength(2)
    expect(last).toContain('said m2')
    expect(last).toContain('result of 3')
    expect(last).not.toContain('history_item n="1"')
  })

  it('is not what found no room before', async () => {
    const ids = Array.from({ length: 40 }, (_, at) => `m${at + 100}`)
    const full = ids.reduce(
      (now, id) =>
        withMessage(
          now,
          makeMessage(id, { sender: ANA, receivers: [READER], text: `${id} ${'word '.repeat(100)}`, seq: 5 }),
        ),
      world,
    )
    const before = await ask(full, first, 12_000)
    expect(before.turns[1]?.content).not.toContain('>m100 ')
    const { turns } = await ask(
      withSteps({ ...full, seq: 30 }, [answered(first, before, '<result>3.20</result>')]),
      running('think'),
      12_000,
    )
    expect(turns).toHaveLength(4)
    expect(turns.at(-1)?.content).not.toContain('<section name="messages">')
  })

  it('of the answered step is only what its answer does not say: a failure, new handles', async () => {
    const before = await ask(world, first)
    const step = answered(first, before, '<result>3.20</result>')
    const of = async (more: Partial<StepRecord>): Promise<string> => {
      const { turns } = await ask(withSteps({ ...world, seq: 30 }, [{ ...step, ...more }]), running('think'))
      return turns.at(-1)?.content ?? ''
    }
    expect(await of({ state: 'failed', reason: 'no room' })).toContain('<failure>no room</failure>')
    const made = { kind: 'text', text: 'add_task', body: null, made: { task_id: 'task-9' } } as const
    expect(await of({ executor: 'task_manager', result: made })).toContain('made: {"task_id":"task-9"}')
    expect(await of({ executor: 'task_manager', result: made })).not.toContain('add_task')
  })
})

describe('[R669] a conversation begins anew', () => {
  it('when what came since finds no room, and says the whole history again', async () => {
    const before = await ask(world, first, 9_000)
    const step = answered(first, before, '<result>3.20</result>')
    const long = makeStep(3, {
      state: 'finished',
      endedSeq: 25,
      startedSeq: 25,
      result: { kind: 'text', text: 'l', body: bodies.make('long text '.repeat(3_000), 'text/plain'), made: null },
    })
    const { turns } = await ask(withSteps({ ...world, seq: 30 }, [step, long]), running('think'), 9_000)
    expect(turns.map(({ role }) => role)).toEqual(['system', 'user'])
    expect(turns[1]?.content).toContain('history_item n="1"')
  })

  it('when a text of it is gone', async () => {
    const { before } = await next('x')
    const step = answered(first, before, 'x')
    const lost = {
      ...step,
      calls: step.calls.map((one) => ({ ...one, prompt: { ...one.prompt, sha: 'f'.repeat(64) } })),
    }
    const { turns } = await ask(withSteps({ ...world, seq: 30 }, [lost]), running('think'))
    expect(turns).toHaveLength(2)
  })

  it('but not when a text cannot be read now', async () => {
    const step = answered(first, await ask(world, first), 'x')
    const reading = vi.spyOn(bodies, 'text').mockRejectedValue(new Error('the disk is slow'))
    try {
      await expect(ask(withSteps({ ...world, seq: 30 }, [step]), running('think'))).rejects.toThrow('the disk is slow')
    } finally {
      reading.mockRestore()
    }
  })

  it('when it shows a picture, which no stored turn holds', async () => {
    const picture = { name: 'a.png', body: bodies.make('png', 'image/png'), savedAs: null }
    const shown = makeMessage('m5', { sender: ANA, receivers: [READER], seq: 22, attachments: [picture] })
    const before = await ask(world, first)
    const step = answered(first, before, '<result>3.20</result>')
    const took = makeStep(4, {
      executor: 'process_message',
      state: 'finished',
      endedSeq: 25,
      startedSeq: 25,
      cause: { message: shown.id, step: null },
    })
    const now = withSteps({ ...withMessage(world, shown), seq: 30 }, [step, took])
    expect((await ask(now, running('think'), 32_000, ['image'])).turns).toHaveLength(2)
    expect((await ask(now, running('think'))).turns).toHaveLength(4)
  })

  it('of another task, and in the base task in another thread', async () => {
    const before = await ask(world, first)
    const step = answered(first, before, '<result>3.20</result>')
    const base = { ...world, seq: 30, tasks: { ...world.tasks } }
    const task = base.tasks[first.task]
    if (task === undefined) throw new Error('no task')
    const inBase = { ...base, tasks: { ...base.tasks, [task.id]: { ...task, base: true } } }
    const other = running('think', { thread: asId('m8') })
    expect((await ask(withSteps(inBase, [step]), other)).turns).toHaveLength(2)
    expect((await ask(withSteps(inBase, [step]), running('think'))).turns).toHaveLength(4)
  })
})
