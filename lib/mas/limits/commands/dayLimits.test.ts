/** Limits for one day: of all work, of one agent, of the work that one person asked for. And limits that change. */
import { describe, expect, it } from 'vitest'
import { paying, withLimits } from '@/test/spending'
import {
  ANA,
  ANALYST,
  addTask,
  answers,
  BEN,
  goals,
  LEE,
  MANAGER,
  messagesOf,
  must,
  plans,
  READER,
  requestOf,
  storyOf,
  submits,
  tell,
  todo,
} from '@/test/stories'
import { outcomeOf, Story, teamConfig } from '@/test/worldHistories'
import { selectDue } from '../../asks/due'
import { decide } from '../../commands'
import type { AgentId, TaskId } from '../../ids'
import { selectNextStep } from '../../members'
import type { Limits, World } from '../../records'
import { selectAgentProgress, selectTaskProgress } from '../../waits/progress'
import { agentKey, DAY_KEY, personKey, selectPersonOf, TASK_KEY } from '../limits'

const DAY = '2023-11-14'
const MIDNIGHT = Date.parse('2023-11-15T00:00:00Z')
const base = (story: Story): TaskId => must(story.world.baseTask, 'base task')
const limitOf = (story: Story) => must(requestOf(story, 'limit'), 'request')
const thinks = (story: Story, agent: AgentId, n: number): void =>
  plans(story, agent, ...Array.from({ length: n }, () => 'think'))
const next = (story: Story, agent: AgentId): TaskId | null => selectNextStep(story.world, agent)?.task ?? null
const told = (story: Story, person: AgentId): string[] =>
  messagesOf(story.world, base(story))
    .filter(({ sender, receivers }) => sender === 'system:task' && receivers.includes(person))
    .map(({ text }) => text)
const warned = (story: Story): readonly string[] => story.world.budgets[base(story)]?.warned ?? []
const dayEnds = (story: Story): World => {
  const envelope = { id: 'timer:1', by: 'system:timer', command: { type: 'beginDay', day: DAY } } as const
  const decided = decide(story.world, envelope, MIDNIGHT)
  if (!decided.ok) throw decided.fault
  return decided.world
}

/** Ben's task and Lee's, each with a part of Reader and of Analyst. */
function twoTasks(limits: Partial<Limits>): { story: Story; bens: TaskId; lees: TaskId } {
  const story = new Story()
  const bens = addTask(story, [goals('read', READER, ANALYST)], 'Of Ben', BEN)
  const lees = addTask(story, [goals('count', READER, ANALYST)], 'Of Lee', LEE)
  // Of the steps that Reader plans for both, those for Ben come first.
  thinks(story, READER, 5)
  thinks(story, READER, 2)
  withLimits(story, limits)
  return { story, bens, lees }
}

describe('[R530] the limit of an agent for one day', () => {
  const reached = () => {
    const both = twoTasks({ costPerAgentPerDay: 5 })
    both.story.run(READER, () => paying(4.99))
    expect(requestOf(both.story, 'limit')).toBeNull()
    expect(both.story.run(READER, () => paying(0.01))).not.toBeNull()
    return both
  }

  it('stops that agent in all tasks, and nobody else', () => {
    const { story, bens } = reached()
    expect(next(story, READER)).toBeNull()
    expect(next(story, ANALYST)).toBe(bens)
    expect(limitOf(story)).toMatchObject({
      task: base(story),
      asked: [ANA],
      asker: 'system:task',
      choices: ['5'],
      question: "Reader has reached the limit of $5 for one day and can't continue. How many more?",
    })
    const blocked = { state: 'blocked', cause: 'limit', on: [ANA], request: limitOf(story).id, task: base(story) }
    expect(selectAgentProgress(story.world, READER)).toMatchObject(blocked)
    expect(selectAgentProgress(story.world, ANALYST)).toEqual({ state: 'running' })
    expect(selectTaskProgress(story.world, must(story.world.tasks[bens], 'task'))).toEqual({ state: 'running' })
  })

  it('counts what the agent costs in all tasks, and no other agent', () => {
    const { story } = twoTasks({ costPerAgentPerDay: 5 })
    thinks(story, ANALYST, 2)
    story.run(ANALYST, () => paying(3))
    story.run(ANALYST, () => outcomeOf({}))
    story.run(READER, () => paying(3))
    expect(story.world.spent.costs).toMatchObject({ [agentKey(READER)]: 3, [agentKey(ANALYST)]: 3, [DAY_KEY]: 6 })
    expect(requestOf(story, 'limit')).toBeNull()
  })

  it('is extended by an operator for that day, by exactly so much', () => {
    const { story, bens } = reached()
    story.put(ANA, answers(limitOf(story), 'approve', '2'))
    expect(next(story, READER)).toBe(bens)
    story.run(READER, () => paying(1.99))
    expect(requestOf(story, 'limit')).toBeNull()
    story.run(READER, () => paying(0.01))
    expect(limitOf(story).question).toContain('$7')
  })

  it('ends no work where more is refused: it holds until the day is over', () => {
    const { story, bens } = reached()
    story.put(ANA, answers(limitOf(story), 'refuse', 'not today'))
    expect([requestOf(story, 'limit'), next(story, READER)]).toEqual([null, null])
    expect(story.world.tasks[bens]?.state).toBe('running')
    expect(selectNextStep(dayEnds(story), READER)?.task).toBe(bens)
  })
})

describe('[R530] the limit of a person for one day', () => {
  const reached = () => {
    const both = twoTasks({ costPerPersonPerDay: 5 })
    both.story.run(READER, () => paying(5))
    return both
  }

  it('stops all work that this person asked for, and the work of others goes on with the same agents', () => {
    const { story, bens, lees } = reached()
    expect([next(story, READER), next(story, ANALYST)]).toEqual([lees, lees])
    expect(limitOf(story)).toMatchObject({
      task: base(story),
      question: "work that Ben asked for has reached the limit of $5 for one day and can't continue. How many more?",
    })
    const blocked = { state: 'blocked', cause: 'limit', request: limitOf(story).id, task: base(story) }
    const progressOf = (task: TaskId) => selectTaskProgress(story.world, must(story.world.tasks[task], 'task'))
    expect(progressOf(bens)).toMatchObject(blocked)
    expect(progressOf(lees)).toEqual({ state: 'running' })
  })

  it('stops what they ask for next too; what another asks is answered', () => {
    const { story } = reached()
    story.ask('one more', BEN)
    expect(selectNextStep(story.world, MANAGER)).toBeNull()
    story.ask('and mine', LEE)
    expect(selectNextStep(story.world, MANAGER)?.text).toBe('and mine')
  })

  it('is told to them; no participant may extend it, not for themselves either', () => {
    const { story } = reached()
    expect(told(story, BEN).at(-1)).toBe(
      "work that Ben asked for has reached the limit of $5 for one day and can't continue until an operator allows more.",
    )
    expect(told(story, LEE)).toEqual([])
    const command = answers(limitOf(story), 'approve', '3')
    const decided = decide(story.world, { id: 'x', by: BEN, command }, story.world.at)
    expect(decided.ok ? 'done' : decided.fault.code).toBe('NOT_FOUND')
  })
})

describe('[R531] the person of a piece of work', () => {
  const personOf = (story: Story, task: TaskId) => selectPersonOf(story.world, { task, thread: null })

  it('is who began its thread, until there is a task, and then who asked for the task', () => {
    const story = new Story()
    story.ask('from Ben', BEN)
    story.run(MANAGER, () => paying(1))
    expect(story.world.spent.costs).toEqual({ [DAY_KEY]: 1, [agentKey(MANAGER)]: 1, [personKey(BEN)]: 1 })
    const task = addTask(story, [goals('read', READER)], 'Of Lee', LEE)
    expect(personOf(story, task)).toBe(LEE)
  })

  it('is at the beginning of the chain, where an agent makes one task out of another', () => {
    const story = new Story()
    const first = addTask(story, [goals('read', READER)], 'Of Ben', BEN)
    submits(story, READER)
    const made = { action: 'add_task' as const, task_name: 'More', task_intention: 'Compare more', members: [READER] }
    expect(story.run(MANAGER, () => tell(made))?.task).toBe(first)
    const second = must(
      Object.values(story.world.tasks).find(({ name }) => name === 'More'),
      'second task',
    )
    expect([second.requestedBy, personOf(story, second.id)]).toEqual([null, BEN])
  })

  it('is nobody for another system, the program itself and an agent; there is a cost of the day alone', () => {
    const { story, task } = storyOf(goals('read', READER))
    const asked = (requestedBy: AgentId | null): AgentId | null => {
      const record = { ...must(story.world.tasks[task], 'task'), requestedBy }
      return selectPersonOf({ ...story.world, tasks: { ...story.world.tasks, [task]: record } }, { task, thread: null })
    }
    expect([asked(ANA), asked(null), asked(READER)]).toEqual([ANA, null, null])
    const outside = { ...must(story.world.agents[ANA], 'Ana'), kind: 'outside' as const }
    const world = { ...story.world, agents: { ...story.world.agents, [ANA]: outside } }
    expect(selectPersonOf(world, { task, thread: null })).toBeNull()
  })
})

describe('[R532] each limit of a day', () => {
  it.each([
    ['dayCost', 'costPerDay', DAY_KEY, "today's work"],
    ['agentCost', 'costPerAgentPerDay', agentKey(READER), 'Reader'],
    ['personCost', 'costPerPersonPerDay', personKey(BEN), 'work that Ben asked for'],
  ] as const)('%s is reported at 80 %%, once a day', (limit, set, key, who) => {
    const { story } = twoTasks({ [set]: 10 })
    story.run(READER, () => paying(7.99))
    expect(warned(story)).toEqual([])
    story.run(READER, () => paying(0.01))
    story.run(READER, () => paying(0.01))
    expect(warned(story)).toEqual([`${limit}@${key} ${DAY}@10`])
    expect(told(story, ANA).filter((text) => text.startsWith(who))).toEqual([
      `${who} has used $8.00 of the limit of $10 for one day.`,
    ])
    story.pass(24 * 3_600_000)
    story.run(READER, () => paying(8))
    expect(warned(story)).toEqual([`${limit}@${key} 2023-11-15@10`])
  })

  it('ends with its day: all that it stopped continues, and its questions end', () => {
    const { story, bens } = twoTasks({ costPerAgentPerDay: 1, costPerPersonPerDay: 2, costPerDay: 3 })
    story.run(READER, () => paying(3))
    expect(story.openRequests().filter(({ kind }) => kind === 'limit')).toHaveLength(3)
    expect(selectDue(story.world)).toContainEqual({ at: MIDNIGHT, command: { type: 'beginDay', day: DAY } })
    const after = dayEnds(story)
    expect(selectNextStep(after, READER)?.task).toBe(bens)
    expect(after.budgets[base(story)]?.stops).toBeNull()
    expect(Object.values(after.requests[base(story)] ?? {}).filter(({ state }) => state === 'open')).toEqual([])
  })

  it('counts nothing of the day before: a step without a cost does not stop the new day', () => {
    const { story } = twoTasks({ costPerDay: 3 })
    story.run(READER, () => paying(3))
    story.pass(MIDNIGHT - story.world.at)
    story.put('system:timer', { type: 'beginDay', day: DAY })
    expect(story.run(READER, () => outcomeOf({}))).not.toBeNull()
    expect(requestOf(story, 'limit')).toBeNull()
  })

  it('ends with its day although a call of the new day was counted before', () => {
    const { story, bens } = twoTasks({ costPerAgentPerDay: 3 })
    thinks(story, ANALYST, 4)
    story.run(READER, () => paying(3))
    story.pass(MIDNIGHT - story.world.at)
    story.run(ANALYST, () => paying(1))
    expect(selectDue(story.world)).toContainEqual({ at: MIDNIGHT, command: { type: 'beginDay', day: DAY } })
    story.put('system:timer', { type: 'beginDay', day: DAY })
    expect(next(story, READER)).toBe(bens)
  })
})

describe('[R533] a limit that changes', () => {
  const stopped = (limits: Partial<Limits>, cost = 5, tokens = 0) => {
    const both = twoTasks(limits)
    both.story.run(READER, () => paying(cost, tokens))
    limitOf(both.story)
    return both
  }
  const newest = (story: Story) =>
    Object.values(story.world.requests)
      .flatMap((one) => Object.values(one))
      .at(-1)

  it.each([
    ['taskTokens', { tokensPerTask: 500 }, { tokensPerTask: 501 }, { tokensPerTask: 499 }],
    ['taskCost', { costPerTask: 5 }, { costPerTask: 5.5 }, { costPerTask: 4 }],
    ['dayCost', { costPerDay: 5 }, { costPerDay: 6 }, { costPerDay: 2 }],
    ['agentCost', { costPerAgentPerDay: 5 }, { costPerAgentPerDay: 6 }, { costPerAgentPerDay: 2 }],
    ['personCost', { costPerPersonPerDay: 5 }, { costPerPersonPerDay: 6 }, { costPerPersonPerDay: 2 }],
  ] as const)(
    '%s: raised or removed, it lets the work continue and its question ends; lowered, it still holds',
    (_, set, more, less) => {
      for (const [limits, goesOn] of [
        [more, true],
        [{}, true],
        [less, false],
      ] as const) {
        const { story, bens } = stopped(set, 5, 500)
        const request = limitOf(story)
        withLimits(story, limits)
        expect(selectNextStep(story.world, READER)?.task === bens, JSON.stringify(limits)).toBe(goesOn)
        expect(story.world.requests[request.task]?.[request.id]?.state).toBe(goesOn ? 'superseded' : 'open')
      }
    },
  )

  it('lets a part continue that had run as many steps as it might, also with nothing left in its list', () => {
    const { story } = storyOf(goals('read', READER))
    withLimits(story, { stepsPerPart: 3 })
    thinks(story, READER, 2)
    while (story.run(READER, () => outcomeOf({}))) {}
    expect([limitOf(story).asker, todo(story.world, READER)]).toEqual([READER, []])
    withLimits(story, { stepsPerPart: 2 })
    expect(limitOf(story).asker).toBe(READER)
    withLimits(story, { stepsPerPart: 9 })
    expect(requestOf(story, 'limit')).toBeNull()
    expect(todo(story.world, READER)).toEqual(['reflection'])
  })

  it('stops at once what reaches it already: a task, the day, an agent and a person', () => {
    const { story, bens } = twoTasks({})
    story.run(READER, () => paying(5))
    for (const [limits, task, key] of [
      [{ costPerTask: 5 }, bens, TASK_KEY],
      [{ costPerDay: 5 }, base(story), DAY_KEY],
      [{ costPerAgentPerDay: 5 }, base(story), agentKey(READER)],
      [{ costPerPersonPerDay: 5 }, base(story), personKey(BEN)],
    ] as const) {
      withLimits(story, limits)
      expect(Object.keys(story.world.budgets[task]?.stops ?? {}), key).toEqual([key])
      expect(newest(story)).toMatchObject({ task, kind: 'limit', state: 'open' })
    }
    withLimits(story, {})
    expect(requestOf(story, 'limit')).toBeNull()
  })

  it('changes nothing of a stop where another setting changes, nor on a day that has passed', () => {
    const { story } = stopped({ costPerAgentPerDay: 5 })
    const config = teamConfig()
    const limits = { ...config.team.limits, costPerAgentPerDay: 5 }
    story.put('system:start', { ...config, team: { ...config.team, name: 'Another', limits } })
    expect(limitOf(story).question).toContain('Reader')
    story.put(ANA, answers(limitOf(story), 'refuse', 'not today'))
    story.pass(MIDNIGHT - story.world.at)
    withLimits(story, { costPerAgentPerDay: 4 })
    expect([requestOf(story, 'limit'), story.world.budgets[base(story)]?.stops]).toEqual([null, null])
  })
})
