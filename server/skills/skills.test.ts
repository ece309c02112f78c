import { describe, expect, it } from 'vitest'
import { asId, type MessageId } from '@/lib/mas/ids'
import { SKILLS } from '@/lib/mas/records'
import { TAG_SAMPLES } from '@/test/formatSamples'
import { scriptedModel } from '@/test/scriptedModel'
import { answered, executors, planned, run, tagged } from '@/test/skillAnswers'
import { ANA, makeStep, READER, testRun, testWorld, withSteps } from '@/test/skillWorld'
import { routeStep, SKILL_REGISTRY } from './registry'

describe('the registry', () => {
  it('holds each skill under its own name', () => {
    expect(Object.keys(SKILL_REGISTRY).sort()).toEqual([...SKILLS].sort())
    for (const name of SKILLS) expect(SKILL_REGISTRY[name].name).toBe(name)
  })

  it('routes by type and name', () => {
    expect(routeStep(testWorld, makeStep(1, { executor: 'think' }))).toEqual({
      type: 'skill',
      skill: SKILL_REGISTRY.think,
    })
    expect(routeStep(testWorld, makeStep(1, { type: 'tool', executor: 'think' }))).toEqual({
      type: 'tool',
      server: 'think',
    })
    expect(routeStep(testWorld, makeStep(1, { executor: 'files' }))).toEqual({ type: 'unknown', name: 'files' })
  })

  it('fails a step whose skill does not exist, and says so', async () => {
    const { outcome, calls } = await answered('fly', '')
    expect([outcome.state, outcome.reason, calls]).toEqual(['failed', 'there is no skill fly', 0])
  })
})

describe('planning', () => {
  it('adds the reflection that a plan lacks', async () => {
    const { outcome } = await answered('planning', tagged('planned_step', [planned('think')]))
    expect(executors(outcome.steps.add)).toEqual(['think', 'reflection'])
    expect(outcome.steps.insert).toEqual([])
  })

  it('leaves out what the runtime adds by itself, and says so', async () => {
    const plan = ['planning', 'instruction_generation', 'tool_decision', 'process_message', 'summary', 'think'].map(
      (name) => planned(name),
    )
    const { outcome } = await answered('planning', tagged('planned_step', plan))
    expect(executors(outcome.steps.add)).toEqual(['think', 'reflection'])
    expect(outcome.result.text).toContain('Not planned')
    expect(outcome.result.text).toContain('instruction_generation')
  })

  it('shows a plan with steps that the agent cannot run back, and hands it on if the model insists', async () => {
    const { outcome, calls } = await answered(
      'planning',
      tagged('planned_step', [planned('mail', 'skill'), planned('search', 'tool'), planned('think')]),
    )
    expect(calls).toBe(3)
    expect(outcome.repairs[0]).toContain(
      'mail is no skill of yours; search is no tool of yours. Your skills: reflection,',
    )
    expect(outcome.repairs[0]).toContain('Your tools: files')
    expect(executors(outcome.steps.add)).toEqual(['mail', 'search', 'think', 'reflection'])
  })

  it('speaks the language of the team', async () => {
    const zh = { ...testWorld, team: { ...testWorld.team, language: 'zh' as const } }
    const { outcome } = await answered('planning', tagged('planned_step', [planned('think')]), {}, [], zh)
    expect(outcome.steps.add.at(-1)?.step_intention).toBe('检查我的部分')
  })
})

describe('a long answer', () => {
  it('[R208] the answer and the result are one body each; only the result has a preview', async () => {
    const text = 'a long thought '.repeat(100).trim()
    const { outcome } = await answered('think', tagged('think', text))
    expect(outcome.result).toMatchObject({ text: text.slice(0, 400), body: { bytes: text.length, preview: '' } })
    expect(outcome.call?.answer).toMatchObject({ preview: '' })
  })

  it('[R208] that is short is whole in its reference, and no body', async () => {
    const { outcome } = await answered('think', tagged('think', 'a thought'))
    expect(outcome.result).toMatchObject({ text: 'a thought', body: null })
    expect(outcome.call?.answer).toMatchObject({ sha: '', preview: '<think>a thought</think>' })
  })
})

describe('reflection', () => {
  it('appends a summary', async () => {
    const { outcome } = await answered('reflection', tagged('reflection_step', [planned('summary')]))
    expect(executors(outcome.steps.add)).toEqual(['summary'])
  })

  it('appends corrections that end in a reflection', async () => {
    const { outcome } = await answered(
      'reflection',
      tagged('reflection_step', [planned('think'), planned('summary'), planned('send_message')]),
    )
    expect(executors(outcome.steps.add)).toEqual(['think', 'send_message', 'reflection'])
  })

  it('ends the part with its summary, in the same answer', async () => {
    const { outcome, calls } = await answered('reflection', tagged('summary', 'All read.'))
    expect(calls).toBe(1)
    expect(outcome.steps).toEqual({ add: [], insert: [] })
    expect(outcome.sync).toEqual({
      update_stage_agent_completion: { summary: 'All read.' },
      send_shared_info: { content: 'reflection: intention 90 – finished' },
    })
  })

  it('that holds both a summary and steps counts as what stands last', async () => {
    const both = `${tagged('summary', 'All read.')}${tagged('reflection_step', [planned('think')])}`
    const { outcome } = await answered('reflection', both)
    expect(outcome.sync.update_stage_agent_completion).toBeUndefined()
    expect(executors(outcome.steps.add)).toEqual(['think', 'reflection'])
    expect(outcome.repairs).toEqual(['mended:last_of_several'])
  })

  it('is asked again when it appends nothing', async () => {
    const { outcome, calls } = await answered('reflection', tagged('reflection_step', []))
    expect(calls).toBe(3)
    expect(outcome.repairs[0]).toContain('the list holds no step')
  })
})

describe('summary', () => {
  it('submits the part, and does not set it back to working', async () => {
    const { outcome } = await answered('summary', tagged('summary', 'All read.'))
    expect(outcome.sync).toEqual({
      update_stage_agent_completion: { summary: 'All read.' },
      send_shared_info: { content: 'summary: intention 90 – finished' },
    })
  })
})

describe('think and quick_think', () => {
  it.each([
    ['think', 'result'],
    ['quick_think', 'quick_think'],
  ])('%s keeps a long text as a body, its beginning as the result', async (skill, tag) => {
    const text = 'a long text '.repeat(100).trim()
    const { outcome, given } = await answered(skill, tagged(tag, text))
    expect(outcome.result.text).toBe(text.slice(0, 400))
    expect(outcome.result.body && (await given.bodies.text(outcome.result.body))).toBe(text)
  })

  it('a short text needs no body', async () => {
    const { outcome } = await answered('think', tagged('result', 'short'))
    expect(outcome.result).toEqual({ kind: 'text', text: 'short', body: null, made: null })
  })

  it('think takes a lone thought for the answer, and one before the result for reasoning', async () => {
    const { outcome: lone } = await answered('think', tagged('think', 'found'))
    expect(lone.result.text).toBe('found')
    const { outcome: reasoned } = await answered('think', `${tagged('think', 'hm')}\n${tagged('result', 'found')}`)
    expect([reasoned.result.text, reasoned.repairs]).toEqual(['found', []])
  })

  it('[R342] think takes a document that stands in the open behind a thought, and never the thought', async () => {
    const { outcome } = await answered('think', `${tagged('think', '120 + 40 = 160')}\nitem,price\napple,160`)
    expect([outcome.state, outcome.result.text]).toEqual(['finished', 'item,price\napple,160'])
    expect(outcome.repairs).toEqual(['mended:tag_missing'])
  })
})

describe('send_message', () => {
  const message = { ...TAG_SAMPLES.send_message, receiver: [ANA] }

  it('send_message sends its message to the receivers that the model named', async () => {
    const { outcome } = await answered('send_message', tagged('send_message', message))
    expect(outcome.sync.send_message).toEqual(message)
    expect(outcome.result.text).toContain('to Ana: apple')
  })

  it('names the members when a receiver is none of them', async () => {
    const { outcome } = await answered('send_message', tagged('send_message', { ...message, receiver: ['Bob', 'Ana'] }))
    expect(outcome.repairs[0]).toBe('There is no agent Bob. There are: Manager (manager), Reader (reader), Ana (ana).')
    expect([outcome.state, outcome.sync.send_message]).toEqual(['failed', undefined])
  })

  it.each(['Ana', 'ana', '@Ana', ANA])('takes %s for its receiver', async (receiver) => {
    const { outcome, calls } = await answered('send_message', tagged('send_message', { ...message, receiver }))
    expect([outcome.state, calls]).toEqual(['finished', 1])
    expect(outcome.result.text).toContain('to Ana: apple')
  })

  it('to nobody but itself is shown back', async () => {
    const { outcome } = await answered('send_message', tagged('send_message', { ...message, receiver: ['Reader'] }))
    expect([outcome.state, outcome.repairs[0]]).toEqual(['failed', 'A message needs a receiver other than its sender.'])
  })

  it('that lacks something may plan the steps that get it, and comes again behind them', async () => {
    const steps = [planned('ask_info'), planned('reflection'), planned('files', 'tool')]
    const { outcome } = await answered('send_message', tagged('decision_step', steps))
    expect(executors(outcome.steps.insert)).toEqual(['ask_info', 'files', 'send_message'])
    expect(outcome.result).toMatchObject({
      text: expect.stringContaining('do ask_info; do files'),
      made: { again: true },
    })
  })

  it.each([[[]], [[planned('summary')]]])('never comes again behind nothing: %j', async (steps) => {
    for (const skill of ['send_message', 'task_manager']) {
      const { outcome } = await answered(skill, tagged('decision_step', steps))
      expect([outcome.state, outcome.steps.insert]).toEqual(['failed', []])
      expect(outcome.repairs[0]).toContain('the list holds no step that gets what is missing')
    }
  })

  it('that lacks something inserts a decision, and itself again', async () => {
    const answers = { message: asId<MessageId>('m1'), to: ANA, waiting: null, stage: null }
    const { outcome } = await answered('send_message', tagged('get_more_info', TAG_SAMPLES.get_more_info), { answers })
    expect(outcome.sync.send_message).toBeUndefined()
    expect(outcome.result.made).toEqual({ again: true })
    expect(outcome.steps.insert).toEqual([
      {
        step_intention: 'find who can translate',
        type: 'skill',
        executor: 'decision',
        text_content: 'Who in the system speaks French?',
      },
      { step_intention: 'intention 90', type: 'skill', executor: 'send_message', text_content: 'text 90' },
    ])
  })
})

describe('sizes', () => {
  it('a message above 64 KiB is never sent, and the limit is named', async () => {
    const message = { ...TAG_SAMPLES.send_message, receiver: [ANA], message: 'ä'.repeat(40_000) }
    const { outcome } = await answered('send_message', tagged('send_message', message))
    expect(outcome).toMatchObject({
      state: 'failed',
      repairs: Array(5).fill('the message has 80000 bytes; the limit is 65536'),
    })
    expect(outcome.sync.send_message).toBeUndefined()
  })
})

describe('process_message', () => {
  it('takes a message in, with notes for later', async () => {
    const { outcome } = await answered(
      'process_message',
      `${tagged('process_message', 'North holds.')}${tagged('persistent_memory', [{ add: '### Prices\nnorth' }])}`,
    )
    expect(outcome.memory).toEqual([{ add: '### Prices\nnorth' }])
    expect(outcome.steps.insert).toEqual([])
  })

  it('inserts a decision when it must act', async () => {
    const { outcome } = await answered(
      'process_message',
      `${tagged('process_message', 'x')}${tagged('react_action', TAG_SAMPLES.react_action)}`,
    )
    expect(executors(outcome.steps.insert)).toEqual(['decision'])
    expect([outcome.result.text, outcome.repairs]).toEqual(['x', []])
  })

  it('may answer with the act alone, whose text then says what the message means', async () => {
    const { outcome } = await answered('process_message', tagged('react_action', TAG_SAMPLES.react_action))
    const { step_intention, text_content } = TAG_SAMPLES.react_action
    expect(outcome.steps.insert).toEqual([{ step_intention, type: 'skill', executor: 'decision', text_content }])
    expect(outcome.result.text).toBe(text_content)
  })
})

describe('ask_info', () => {
  it('puts its question', async () => {
    const { outcome } = await answered('ask_info', tagged('ask_info', { type: 'agent_states', agents: [READER] }))
    expect(outcome.sync.ask_info).toEqual({ type: 'agent_states', agents: [READER] })
  })
})

describe('decision', () => {
  it('inserts its steps, and none that end or check a part', async () => {
    const { outcome } = await answered(
      'decision',
      tagged('decision_step', [
        planned('ask_info'),
        planned('reflection'),
        planned('summary'),
        planned('send_message'),
      ]),
    )
    expect(executors(outcome.steps.insert)).toEqual(['ask_info', 'send_message'])
    expect(outcome.steps.add).toEqual([])
  })

  it('may find that nothing is to be done', async () => {
    const { outcome, calls } = await answered('decision', tagged('decision_step', []))
    expect([outcome.state, calls]).toEqual(['finished', 1])
  })
})

describe('any answer', () => {
  it('with notes that cannot be read is shown back, and taken without them in the end', async () => {
    const { outcome, calls } = await answered(
      'think',
      '<result>x</result><persistent_memory>note this</persistent_memory>',
    )
    expect([outcome.state, calls, outcome.memory]).toEqual(['finished', 3, []])
    expect(outcome.repairs[0]).toContain('persistent_memory')
  })

  it('to a step without a stage changes no part', async () => {
    const { outcome } = await answered('think', tagged('result', 'x'), { stage: null })
    expect(outcome.sync.update_stage_agent_state).toBeUndefined()
  })
})

describe('asking to see more of the history', () => {
  it('shows the items whole, without counting as a repair', async () => {
    const steps = Array.from({ length: 30 }, (_, index) => {
      const text = `${index + 1} ${'words '.repeat(500)}`
      return makeStep(index + 1, { state: 'finished', result: { kind: 'text', text, body: null, made: null } })
    })
    const step = makeStep(90, { executor: 'think', state: 'running', startedSeq: 90 })
    const model = scriptedModel(['<more_history>[2]</more_history>', '<result>now I know</result>'], 12_000)
    const given = testRun(withSteps(testWorld, [...steps, step]), step, model)
    const outcome = await run(given)
    expect(outcome).toMatchObject({ state: 'finished', repairs: [], result: { text: 'now I know' } })
    const text = `<result>2 ${'words '.repeat(500)}`
    expect(model.asked[0]?.at(-1)?.content).not.toContain(text)
    const whole = model.asked[1]?.at(-1)?.content ?? ''
    expect(whole).toMatch(/^<history_item n="2" /)
    expect(whole).not.toContain('cut=')
    expect(whole).toContain(text)
    expect(given.calls.map((call) => call.error)).toEqual(['asked to see items 2 whole'])
  })
  const look = (items: string): string => `<more_history>${items}</more_history>`
  const answer = '<result>now I know</result>'
  /** out: why each answer but the last was not taken, and what the model was told last. */
  async function told(answers: string[], characters = 500) {
    const steps = Array.from({ length: 30 }, (_, index) => {
      const result = { kind: 'text' as const, text: 'words '.repeat(characters), body: null, made: null }
      return makeStep(index + 1, { state: 'finished', result })
    })
    const step = makeStep(90, { executor: 'think', state: 'running', startedSeq: 90 })
    const model = scriptedModel(answers, 12_000)
    const given = testRun(withSteps(testWorld, [...steps, step]), step, model)
    const { repairs } = await run(given)
    return { repairs, why: given.calls.map(({ error }) => error), last: model.asked.at(-1)?.at(-1)?.content }
  }

  it('is granted twice; a third time counts as an answer that cannot be taken', async () => {
    const twice = await told([look('[2]'), look('[3]'), answer])
    expect(twice).toMatchObject({ repairs: [], why: ['asked to see items 2 whole', 'asked to see items 3 whole'] })
    const thrice = await told([look('[2]'), look('[3]'), look('[4]'), answer])
    expect(thrice.repairs).toEqual([expect.stringContaining('<result>')])
    expect(thrice.why).toHaveLength(3)
  })

  it('names each item once, up to 20; one that is not there is told as such', async () => {
    const all = Array.from({ length: 25 }, (_, n) => n + 1).join(', ')
    const first = Array.from({ length: 20 }, (_, n) => n + 1).join(', ')
    expect((await told([look(`[2, 2, 3]`), answer])).why).toEqual(['asked to see items 2, 3 whole'])
    const many = await told([look(`[${all}]`), answer])
    expect(many.why).toEqual([`asked to see items ${first} whole`])
    expect(many.last).toMatch(/^\(n [\d, ]+: left out\)$/m)
    expect((await told([look('[99]'), answer])).last).toBe('there is no item 99')
  })

  it('is no look without a number, beside an answer, or where all is whole', async () => {
    expect((await told([look('none'), answer])).repairs).toHaveLength(1)
    expect(await told([`${answer}${look('[2]')}`])).toMatchObject({ repairs: [], why: [] })
    expect((await told([look('[2]'), answer], 2)).repairs).toHaveLength(1)
  })
})
