/** Limits: what reaches one stands still with the number, until a person allows more, refuses, or the day is over. */
import { describe, expect, it } from 'vitest'
import { call, paying, withLimits } from '@/test/spending'
import {
  ANA,
  ANALYST,
  actsOf,
  answers,
  BEN,
  goals,
  linesOf,
  MANAGER,
  messagesOf,
  must,
  plans,
  READER,
  requestOf,
  says,
  saysFyi,
  stageAt,
  stepsOf,
  storyOf,
  submits,
  sync,
  todo,
  workTask,
} from '@/test/stories'
import { outcomeOf, planned, type Story, send, teamConfig } from '@/test/worldHistories'
import { selectDue } from '../../asks/due'
import { decide } from '../../commands'
import type { Command } from '../../commands/command'
import type { AgentId, TaskId } from '../../ids'
import { selectNextStep } from '../../members'
import type { Limits, World } from '../../records'
import type { StepOutcome } from '../../steps/outcome'
import { DAY_KEY } from '../limits'

const thinks = (story: Story, agent: AgentId, n: number): void =>
  plans(story, agent, ...Array.from({ length: n }, () => 'think'))
const runAll = (story: Story, agent: AgentId, outcome: () => StepOutcome = () => outcomeOf({})): number => {
  let ran = 0
  while (ran < 200 && story.run(agent, outcome)) ran += 1
  return ran
}
const refusal = (world: World, by: AgentId, command: Command): string => {
  const decided = decide(world, { id: 'refused', by, command }, world.at)
  return decided.ok ? 'done' : decided.fault.code
}
const limitOf = (story: Story) => must(requestOf(story, 'limit'), 'request')
const told = (story: Story, agent: AgentId, task: TaskId = workTask(story.world).id): string[] =>
  messagesOf(story.world, task)
    .filter(({ sender, instruction }) => sender === 'system:task' && instruction?.type !== 'update_working_memory')
    .filter(({ receivers }) => receivers.includes(agent))
    .map((message) => message.text)

describe('[R21] a part that has run as many steps as it may', () => {
  const atLimit = () => {
    const { story, task } = storyOf(goals('read', READER, BEN))
    withLimits(story, { stepsPerPart: 5 })
    thinks(story, READER, 20)
    runAll(story, READER)
    return { story, task }
  }

  it('stands still with the number, the operators are asked, and the manager is told', () => {
    const { story } = atLimit()
    expect(stepsOf(story.world, READER).filter((step) => step.startedAt !== null)).toHaveLength(5)
    expect(limitOf(story)).toMatchObject({
      asked: [ANA],
      asker: READER,
      stage: stageAt(story.world, 0).id,
      choices: ['5'],
      question: "Reader has reached the limit of 5 steps and can't continue. How many more?",
    })
    expect(selectNextStep(story.world, READER)).toBeNull()
    expect(stageAt(story.world, 0).parts[READER]).toBe('working')
    expect(told(story, MANAGER)).toContain(
      "Reader has reached the limit of 5 steps and can't continue until an operator allows more.",
    )
  })

  it('counts all of them, however many there are', () => {
    const { story } = storyOf(goals('read', READER, BEN))
    withLimits(story, { stepsPerPart: 90 })
    thinks(story, READER, 1)
    runAll(story, READER, () => outcomeOf({ steps: { add: [planned('think')], insert: [] } }))
    expect(stepsOf(story.world, READER).filter(({ startedAt }) => startedAt !== null)).toHaveLength(90)
    expect(limitOf(story).kind).toBe('limit')
  })

  it('goes on with exactly as many more as were allowed, and asks again', () => {
    const { story } = atLimit()
    const first = limitOf(story)
    story.put(ANA, answers(first, 'approve', '3'))
    expect(linesOf(story.world).at(-1)).toBe('Ana allowed Reader 3 more, beyond the limit of 5 steps')
    expect(actsOf(story).at(-1)).toMatchObject({ act: 'allowMore', on: first.id })
    expect(runAll(story, READER)).toBe(3)
    expect(limitOf(story).question).toContain('the limit of 8 steps')
  })

  it.each(['', 'many', '-1', '0', '2.5', 'Infinity'])('takes no "%s" for a number', (text) => {
    const { story } = atLimit()
    expect(refusal(story.world, ANA, answers(limitOf(story), 'approve', text))).toBe('BAD_INPUT')
  })

  it('fails with the reason when more is refused; no participant may decide', () => {
    const { story } = atLimit()
    expect(refusal(story.world, BEN, answers(limitOf(story), 'approve', '3'))).toBe('NOT_ASKED')
    for (const none of ['', ' \n'])
      expect(refusal(story.world, ANA, answers(limitOf(story), 'refuse', none))).toBe('REASON_MISSING')
    story.put(ANA, answers(limitOf(story), 'refuse', 'it goes in circles'))
    expect(stageAt(story.world, 0).partReasons[READER]).toContain('it goes in circles')
    expect(todo(story.world, READER)).toEqual([])
  })

  it('holds nobody else up, in its stage or in another task', () => {
    const { story } = atLimit()
    story.put(ANA, {
      type: 'makeTask',
      name: 'Other',
      intention: 'Count',
      manager: MANAGER,
      members: [],
      stages: [{ intention: 'count', allocation: { [READER]: 'count it' } }],
      reason: 'more work',
    })
    expect(selectNextStep(story.world, READER)).toMatchObject({ executor: 'planning' })
  })

  it('[R6] leaves no question when the stage or the task ends meanwhile, and nothing stands still', () => {
    const { story, task } = atLimit()
    const request = limitOf(story)
    story.put(ANA, { type: 'finishStage', stage: stageAt(story.world, 0).id, reason: 'it will do' })
    expect(story.world.requests[task]?.[request.id]?.state).toBe('superseded')
    expect(story.world.budgets[task]?.stops).toBeNull()
  })

  it('asks for its last reflection when its list was empty as it stopped', () => {
    const { story } = storyOf(goals('read', READER))
    withLimits(story, { stepsPerPart: 3 })
    thinks(story, READER, 2)
    runAll(story, READER)
    expect(todo(story.world, READER)).toEqual([])
    story.put(ANA, answers(limitOf(story), 'approve', '5'))
    expect(todo(story.world, READER)).toEqual(['reflection'])
  })
})

describe('[R21] other limits of one agent', () => {
  it('reflections: the one beyond them waits', () => {
    const { story } = storyOf(goals('read', READER))
    withLimits(story, { reflectionsPerPart: 2 })
    plans(story, READER, 'reflection')
    runAll(story, READER, () => outcomeOf({ steps: { insert: [], add: [planned('reflection')] } }))
    expect(
      stepsOf(story.world, READER).filter((step) => step.executor === 'reflection' && step.startedAt),
    ).toHaveLength(2)
    expect(limitOf(story).question).toContain('2 reflections')
  })

  it('a manager that decides in circles in the base task stands still there, in that thread only', () => {
    const { story } = storyOf(goals('read', READER))
    withLimits(story, { stepsPerPart: 6 })
    story.ask('go round')
    runAll(story, MANAGER, () => outcomeOf({ steps: { insert: [planned('decision')], add: [] } }))
    const base = must(story.world.baseTask, 'base task')
    expect(limitOf(story)).toMatchObject({ task: base, asker: MANAGER })
    story.ask('something else')
    const next = must(selectNextStep(story.world, MANAGER), 'step')
    expect([next.text, next.thread === limitOf(story).thread]).toEqual(['something else', false])
    story.put(ANA, answers(limitOf(story), 'refuse', 'it helps nobody'))
    expect(todo(story.world, MANAGER)).toEqual(['send_message'])
    expect(story.world.tasks[base]?.state).toBe('running')
  })

  it('without an operator nobody can allow more: the part fails with the number', () => {
    const { story } = storyOf(goals('read', READER))
    const config = teamConfig()
    const agents = config.agents.map((agent) =>
      agent.id === ANA ? { ...agent, access: 'participant' as const } : agent,
    )
    const limits = { ...config.team.limits, stepsPerPart: 3 }
    story.put('system:start', { ...config, team: { ...config.team, limits }, agents })
    thinks(story, READER, 9)
    runAll(story, READER)
    expect(stageAt(story.world, 0).partReasons[READER]).toBe('the limit of 3 steps, and no one can allow more')
  })
})

describe('[R22] agents that only talk', () => {
  /** Each answers what the other said, and asks something itself. */
  const asking = (story: Story, rounds: number): number => {
    let sent = 0
    for (let round = 0; round < rounds; round++) {
      for (const [from, to] of [
        [READER, ANALYST],
        [ANALYST, READER],
      ] as const) {
        story.run(from, () => says([to], { waiting: false }))
        sent = messagesOf(story.world).filter(
          (message) => message.sender === READER || message.sender === ANALYST,
        ).length
      }
    }
    return sent
  }

  it('stand still after so many messages in a row, whatever the words; one word of a person is something else', () => {
    const { story, task } = storyOf(goals('read', READER, ANALYST))
    plans(story, READER, 'summary', 'send_message')
    story.run(READER, () => sync({ update_stage_agent_completion: { summary: 'read' } }))
    submits(story, ANALYST)
    const sent = asking(story, 40)
    // The twelfth stops who said it, the thirteenth who answers it.
    expect(sent).toBe(13)
    expect(story.openRequests().filter((request) => request.kind === 'limit')).toHaveLength(2)
    expect([selectNextStep(story.world, READER), selectNextStep(story.world, ANALYST)]).toEqual([null, null])
    for (const request of story.openRequests()) story.put(ANA, answers(request, 'approve', '2'))
    // Two more, and one that the other says before it stands still as well.
    expect(asking(story, 40)).toBe(sent + 3)
    story.put(BEN, send(BEN, [READER], { task, text: 'go on' }))
    expect(story.world.budgets[task]?.talk).toBe(0)
  })

  it("go on as they like while a tool's results or finished parts come between", () => {
    const { story, task } = storyOf(goals('read', READER, ANALYST))
    plans(story, READER, ...Array.from({ length: 8 }, () => 'send_message'))
    for (let n = 0; n < 8; n++) story.run(READER, () => saysFyi([ANALYST], `fact ${n}`))
    expect(story.world.budgets[task]?.talk).toBe(8)
    submits(story, ANALYST)
    expect(story.world.budgets[task]?.talk).toBe(0)
    expect(requestOf(story, 'limit')).toBeNull()
  })
})

describe('[R23] a budget', () => {
  it('is told at 80 % once, stops the task when it is used up, and goes on with what a person adds', () => {
    const { story, task } = storyOf(goals('read', READER), goals('compare', ANALYST))
    withLimits(story, { costPerTask: 1 })
    thinks(story, READER, 10)
    for (const cost of [0.5, 0.31, 0.05]) story.run(READER, () => paying(cost))
    expect(told(story, ANA)).toEqual(['Compare has used $0.81 of the limit of $1.'])
    expect(requestOf(story, 'limit')).toBeNull()
    story.run(READER, () => paying(0.2))
    expect(limitOf(story)).toMatchObject({ asker: 'system:task', stage: null, asked: [ANA] })
    expect([selectNextStep(story.world, READER), selectNextStep(story.world, MANAGER)]).toEqual([null, null])
    story.put(ANA, answers(limitOf(story), 'approve', '0.5'))
    expect(selectNextStep(story.world, READER)?.executor).toBe('think')
    story.run(READER, () => paying(0.5))
    expect(limitOf(story).question).toContain('$1.5')
    story.put(ANA, answers(limitOf(story), 'refuse', 'too dear'))
    expect(story.world.tasks[task]).toMatchObject({ state: 'failed', summary: expect.stringContaining('too dear') })
    expect(story.openRequests()).toEqual([])
  })

  it('of a task that is used up by the last step of a list leaves that agent its reflection', () => {
    const { story } = storyOf(goals('read', READER))
    withLimits(story, { costPerTask: 1 })
    thinks(story, READER, 1)
    story.run(READER, () => paying(1))
    expect(selectNextStep(story.world, READER)).toBeNull()
    story.put(ANA, answers(limitOf(story), 'approve', '1'))
    expect(selectNextStep(story.world, READER)?.executor).toBe('reflection')
  })

  it('counts tokens as well, also of calls that gave nothing and of answers that came too late', () => {
    const { story, task } = storyOf(goals('read', READER))
    withLimits(story, { tokensPerTask: 1_000 })
    thinks(story, READER, 10)
    const step = must(story.start(READER), 'step')
    story.put('system:runner', { type: 'recordCall', step: step.id, call: call('broken', 0, 400) })
    story.put(ANA, { type: 'cancelStep', step: step.id, reason: 'too long' })
    story.finish(step, paying(0, 300))
    expect(story.world.budgets[task]?.tokens).toBe(700)
    story.run(READER, () => paying(0, 300))
    expect(limitOf(story).question).toContain('1000 tokens')
  })

  it('of a day stops all, and the next day lets all go on; it is what the journal says, so it survives a restart', () => {
    const { story } = storyOf(goals('read', READER))
    withLimits(story, { costPerDay: 2 })
    thinks(story, READER, 10)
    story.run(READER, () => paying(2))
    const base = must(story.world.baseTask, 'base task')
    expect(limitOf(story)).toMatchObject({ task: base, question: expect.stringContaining('$2 for one day') })
    story.ask('one more thing')
    expect([selectNextStep(story.world, READER), selectNextStep(story.world, MANAGER)]).toEqual([null, null])
    expect(selectDue(JSON.parse(JSON.stringify(story.world)))).toContainEqual({
      at: Date.parse('2023-11-15T00:00:00Z'),
      command: { type: 'beginDay', day: '2023-11-14' },
    })
    const tomorrow = Date.parse('2023-11-15T00:00:00Z')
    const envelope = { id: 'timer:1', by: 'system:timer', command: { type: 'beginDay', day: '2023-11-14' } } as const
    const tooSoon = decide(story.world, envelope, tomorrow - 1)
    expect(tooSoon.ok && tooSoon.events).toEqual([])
    const another = { ...envelope, command: { type: 'beginDay', day: '2023-11-13' } } as const
    expect(decide(story.world, another, tomorrow)).toMatchObject({ ok: true, events: [] })
    const next = decide(story.world, envelope, tomorrow)
    if (!next.ok) throw next.fault
    expect(selectNextStep(next.world, READER)?.executor).toBe('think')
    expect(Object.values(next.world.requests[base] ?? {}).at(-1)?.state).toBe('superseded')
    const twice = decide(next.world, { ...envelope, id: 'timer:2' }, tomorrow + 1)
    expect(twice.ok && twice.events).toEqual([])
  })

  it('of a day begins at nothing on the next day; the task keeps its own sum', () => {
    const { story, task } = storyOf(goals('read', READER))
    withLimits(story, { costPerDay: 2 })
    thinks(story, READER, 10)
    story.run(READER, () => paying(1.5))
    story.run(READER, () => paying(0.25))
    expect(story.world.spent).toMatchObject({ day: '2023-11-14', costs: { [DAY_KEY]: 1.75 } })
    story.pass(24 * 3_600_000)
    story.run(READER, () => paying(0.5))
    expect(story.world.spent).toMatchObject({ day: '2023-11-15', costs: { [DAY_KEY]: 0.5 } })
    expect(requestOf(story, 'limit')).toBeNull()
    expect(selectNextStep(story.world, READER)?.executor).toBe('think')
    expect(story.world.budgets[task]?.costUsd).toBe(2.25)
  })

  it('of a day can be lifted by a person, for that day', () => {
    const { story } = storyOf(goals('read', READER))
    withLimits(story, { costPerDay: 2 })
    thinks(story, READER, 10)
    story.run(READER, () => paying(2))
    story.put(ANA, answers(limitOf(story), 'approve', '$1'))
    expect(selectNextStep(story.world, READER)?.executor).toBe('think')
    story.run(READER, () => paying(0.9))
    expect(requestOf(story, 'limit')).toBeNull()
    story.run(READER, () => paying(0.1))
    expect(limitOf(story).question).toContain('$3')
  })

  it('of a day holds until the day is over when more is refused, and ends no work', () => {
    const { story, task } = storyOf(goals('read', READER))
    withLimits(story, { costPerDay: 2 })
    thinks(story, READER, 10)
    story.run(READER, () => paying(2))
    const before = told(story, MANAGER)
    story.put(ANA, answers(limitOf(story), 'refuse', 'not today'))
    expect(requestOf(story, 'limit')).toBeNull()
    expect(selectNextStep(story.world, READER)).toBeNull()
    expect(story.world.tasks[task]?.state).toBe('running')
    expect(told(story, MANAGER)).toEqual(before)
  })

  it('that nobody set stops nothing', () => {
    const { story } = storyOf(goals('read', READER))
    thinks(story, READER, 5)
    runAll(story, READER, () => paying(1_000_000, 1_000_000))
    expect(requestOf(story, 'limit')).toBeNull()
  })
})

describe('what an agent submits at its limit', () => {
  it('counts: the part is finished, and nobody is asked', () => {
    const { story } = storyOf(goals('read', READER))
    withLimits(story, { stepsPerPart: 2 })
    plans(story, READER, 'summary')
    story.run(READER, () => sync({ update_stage_agent_completion: { summary: 'read' } }))
    expect(stageAt(story.world, 0).parts[READER]).toBe('finished')
    expect(requestOf(story, 'limit')).toBeNull()
  })
})

describe('[R21] what a person allows more', () => {
  const atLimit = (limits: Partial<Limits>, outcome?: () => StepOutcome) => {
    const { story, task } = storyOf(goals('read', READER))
    withLimits(story, limits)
    thinks(story, READER, 20)
    runAll(story, READER, outcome)
    return { story, task }
  }
  const takes = (story: Story, text: string): string =>
    refusal(story.world, ANA, answers(limitOf(story), 'approve', text))

  it('is a whole number of steps, up to a thousand million', () => {
    const { story } = atLimit({ stepsPerPart: 5 })
    expect(['1', ' 7 ', '1000000000', '1000000001', '0.5', 'NaN', 'x'].map((text) => takes(story, text))).toEqual([
      'done',
      'done',
      'done',
      'BAD_INPUT',
      'BAD_INPUT',
      'BAD_INPUT',
      'BAD_INPUT',
    ])
  })

  it('is money with cents where the limit is money, of a task or of a day', () => {
    const { story } = atLimit({ costPerTask: 1 }, () => paying(1))
    expect(['0.005', '$0.5', '-1', '0'].map((text) => takes(story, text))).toEqual([
      'done',
      'done',
      'BAD_INPUT',
      'BAD_INPUT',
    ])
    story.put(ANA, answers(limitOf(story), 'approve', '0.005'))
    expect(linesOf(story.world).at(-1)).toContain('$0.005 more')
    const { story: day } = atLimit({ costPerDay: 1 }, () => paying(1))
    expect(['0.25', '2'].map((text) => takes(day, text))).toEqual(['done', 'done'])
    day.put(ANA, answers(limitOf(day), 'approve', '0.01'))
    expect(actsOf(day).at(-1)).toMatchObject({ act: 'allowMore' })
    expect(linesOf(day.world, must(day.world.baseTask, 'base task')).at(-1)).toContain('$0.01 more')
  })
})

describe('[R23] being told of 80 %', () => {
  const warned = (story: Story, task: TaskId) => story.world.budgets[task]?.warned ?? []

  it('comes with the very amount, not before, and again for a higher limit', () => {
    const { story, task } = storyOf(goals('read', READER))
    withLimits(story, { tokensPerTask: 1_000 })
    thinks(story, READER, 12)
    story.run(READER, () => paying(0, 799))
    expect(warned(story, task)).toEqual([])
    story.run(READER, () => paying(0, 1))
    expect(warned(story, task)).toEqual(['taskTokens@1000'])
    story.run(READER, () => paying(0, 1))
    expect(told(story, ANA)).toEqual(['Compare has used 800 of the limit of 1000 tokens.'])
    story.run(READER, () => paying(0, 198))
    expect(requestOf(story, 'limit')).toBeNull()
    story.run(READER, () => paying(0, 1))
    story.put(ANA, answers(limitOf(story), 'approve', '1000'))
    story.run(READER, () => paying(0, 600))
    expect(warned(story, task)).toEqual(['taskTokens@1000', 'taskTokens@2000'])
  })

  it('of a day is said in the base task, once a day, and no manager is told', () => {
    const { story } = storyOf(goals('read', READER))
    const base = must(story.world.baseTask, 'base task')
    withLimits(story, { costPerDay: 10 })
    thinks(story, READER, 12)
    story.run(READER, () => paying(8))
    expect(warned(story, base)).toEqual(['dayCost@day 2023-11-14@10'])
    expect(told(story, ANA, base).at(-1)).toContain('$8.00')
    story.pass(24 * 3_600_000)
    story.run(READER, () => paying(8.5))
    expect(warned(story, base)).toEqual(['dayCost@day 2023-11-15@10'])
    story.run(READER, () => paying(1.5))
    expect(limitOf(story).task).toBe(base)
    expect(told(story, MANAGER, base)).toEqual([])
    expect(told(story, MANAGER)).toEqual([])
  })
})

describe('a limit of one share of the work', () => {
  it('counts the steps of its own stage, agent and task only', () => {
    const { story } = storyOf(goals('read', READER, ANALYST), goals('again', READER))
    withLimits(story, { stepsPerPart: 3 })
    thinks(story, ANALYST, 9)
    runAll(story, ANALYST)
    expect(limitOf(story).asker).toBe(ANALYST)
    submits(story, READER)
    story.put(ANA, answers(limitOf(story), 'refuse', 'enough'))
    story.put(ANA, { type: 'finishStage', stage: stageAt(story.world, 0).id, reason: 'on' })
    expect(stageAt(story.world, 1).state).toBe('running')
    thinks(story, READER, 1)
    expect(requestOf(story, 'limit')).toBeNull()
    runAll(story, READER)
    expect(limitOf(story).asker).toBe(READER)
  })

  it('comes to nothing once its task is over, though a step ends late', () => {
    const { story, task } = storyOf(goals('read', READER))
    withLimits(story, { stepsPerPart: 2, tokensPerTask: 10 })
    thinks(story, READER, 5)
    const step = must(story.start(READER), 'step')
    story.put(ANA, { type: 'finishTask', task, state: 'finished', summary: 'done', reason: 'done' })
    story.finish(step, paying(0, 50))
    expect(requestOf(story, 'limit')).toBeNull()
    expect(story.world.budgets[task]?.stops ?? null).toBeNull()
  })

  it('does not stop what a person runs by hand', () => {
    const { story } = storyOf(goals('read', READER, BEN))
    withLimits(story, { stepsPerPart: 1 })
    story.put(BEN, { ...answers(must(requestOf(story, 'part'), 'part'), 'done', 'all read') })
    expect(requestOf(story, 'limit')).toBeNull()
    expect(stageAt(story.world, 0).parts[BEN]).toBe('finished')
  })
})
