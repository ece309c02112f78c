/** What a limit stops, how high it is for whom, and which day it belongs to. */
import { describe, expect, it } from 'vitest'
import { must } from '@/test/stories'
import { BASE_TASK, Story, TEAM } from '@/test/worldHistories'
import { asId, type StageId, type TaskId, type ThreadId } from '../ids'
import type { BudgetRecord, LimitKind, World } from '../records'
import {
  agentKey,
  DAY_KEY,
  dayAfter,
  dayLimitOf,
  dayOf,
  isAgentStopped,
  isStopped,
  personKey,
  selectBudget,
  selectLimit,
  TASK_KEY,
  workShareKey,
} from './limits'

const TASK = asId<TaskId>('t1')
const [STAGE, THREAD] = [asId<StageId>('stage1'), asId<ThreadId>('thread1')]
const { reader, analyst } = TEAM
const { world: plain } = new Story()

const NOTHING: BudgetRecord = { tokens: 0, costUsd: 0, talk: 0, allowed: {}, stops: null, warned: [] }
const stopAt = (...keys: string[]): BudgetRecord => {
  const stop = {
    request: asId<NonNullable<BudgetRecord['stops']>[string]['request']>('r'),
    limit: 'steps',
    of: null,
  } as const
  return { ...NOTHING, stops: Object.fromEntries(keys.map((key) => [key, stop])) }
}
const withBudgets = (budgets: Record<string, BudgetRecord>, world: World = plain): World => ({ ...world, budgets })
const share = { task: TASK, stage: STAGE, thread: null, agent: reader.id }

describe('the key of a share of the work', () => {
  it('is its agent with the thread, else the stage, else neither', () => {
    expect(workShareKey({ agent: reader.id, stage: STAGE, thread: THREAD })).toBe(`${reader.id}/${THREAD}`)
    expect(workShareKey({ agent: reader.id, stage: STAGE, thread: null })).toBe(`${reader.id}/${STAGE}`)
    expect(workShareKey({ agent: reader.id, stage: null, thread: null })).toBe(`${reader.id}/-`)
  })
})

describe('a step stands still', () => {
  it('when its share or its whole task is stopped, and for no other share, task or limit', () => {
    const stops = (budget: BudgetRecord, of = TASK): boolean => isStopped(withBudgets({ [of]: budget }), share)
    expect([stops(stopAt(workShareKey(share))), stops(stopAt(TASK_KEY))]).toEqual([true, true])
    expect(stops(stopAt(workShareKey({ ...share, agent: analyst.id })))).toBe(false)
    expect(stops(stopAt(workShareKey({ ...share, stage: null })))).toBe(false)
    expect(stops(stopAt(TASK_KEY), BASE_TASK)).toBe(false)
    expect([stops(stopAt()), stops(NOTHING), isStopped(plain, share)]).toEqual([false, false, false])
  })

  it.each([DAY_KEY, agentKey(reader.id)])('for a day, when the base task says so of "%s" and there is one', (key) => {
    const stops = (world: World): boolean[] => [isStopped(world, share), isAgentStopped(world, reader.id)]
    expect(stops(withBudgets({ [BASE_TASK]: stopAt(key) }))).toEqual([true, true])
    expect(stops(withBudgets({ [BASE_TASK]: stopAt(TASK_KEY) }))).toEqual([false, false])
    expect(stops(withBudgets({ [TASK]: stopAt(key) }))).toEqual([false, false])
    expect(stops(withBudgets({ [BASE_TASK]: stopAt(key) }, { ...plain, baseTask: null }))).toEqual([false, false])
    expect([stops(withBudgets({ [BASE_TASK]: NOTHING })), stops(plain)]).toEqual([
      [false, false],
      [false, false],
    ])
  })

  it('[R530] for a day, in all tasks of one agent or of one person, and in no other', () => {
    const task = { ...must(plain.tasks[BASE_TASK], 'base task'), id: TASK, base: false, requestedBy: TEAM.ben.id }
    const world: World = { ...plain, tasks: { ...plain.tasks, [TASK]: task } }
    const stopped = (key: string, agent = reader.id, of = world): boolean =>
      isStopped(withBudgets({ [BASE_TASK]: stopAt(key) }, of), { ...share, agent })
    expect([stopped(agentKey(reader.id)), stopped(agentKey(reader.id), analyst.id)]).toEqual([true, false])
    expect([stopped(personKey(TEAM.ben.id)), stopped(personKey(TEAM.ben.id), analyst.id)]).toEqual([true, true])
    expect(stopped(personKey(TEAM.ana.id))).toBe(false)
    const others = { ...world, tasks: { ...world.tasks, [TASK]: { ...task, requestedBy: reader.id } } }
    expect(stopped(personKey(reader.id), reader.id, others)).toBe(false)
  })
})

describe('how high a limit is', () => {
  const limited: World = {
    ...plain,
    team: {
      ...plain.team,
      limits: {
        stepsPerPart: 20,
        reflectionsPerPart: 3,
        talkInARow: 12,
        tokensPerTask: 1_000,
        costPerTask: 2,
        costPerDay: 5,
      },
    },
  }
  const key = workShareKey(share)
  const heightsOf = (world: World, of = key) =>
    (['steps', 'reflections', 'talk', 'taskTokens', 'taskCost', 'dayCost'] satisfies LimitKind[]).map((limit) =>
      selectLimit(world, TASK, limit === 'dayCost' ? DAY_KEY : of, limit),
    )

  it("is the team's, and none for money and tokens where the team sets none", () => {
    expect(heightsOf(limited)).toEqual([20, 3, 12, 1_000, 2, 5])
    expect(heightsOf(plain)).toEqual([20, 3, 12, null, null, null])
  })

  it("of steps and reflections is the agent's own where it has one, and for no other agent", () => {
    const own = limited.agents[reader.id]
    if (!own) throw new Error('no reader')
    const agents = { ...limited.agents, [reader.id]: { ...own, limits: { stepsPerPart: 0, reflectionsPerPart: 7 } } }
    expect(heightsOf({ ...limited, agents }).slice(0, 3)).toEqual([0, 7, 12])
    expect(heightsOf({ ...limited, agents }, workShareKey({ ...share, agent: analyst.id })).slice(0, 2)).toEqual([
      20, 3,
    ])
    expect(heightsOf({ ...limited, agents }, TASK_KEY).slice(0, 2)).toEqual([20, 3])
  })

  it('grows by what people allowed for that very key, limit and task; for a day, for that day alone', () => {
    const allowed = { [`${key}:steps`]: 5, [`${TASK_KEY}:taskCost`]: 3, 'day 2026-11-20:dayCost': 4 }
    const world = {
      ...withBudgets({ [TASK]: { ...NOTHING, allowed } }, limited),
      spent: { ...limited.spent, day: '2026-11-20' },
    }
    expect(heightsOf(world)).toEqual([25, 3, 12, 1_000, 2, 9])
    expect(heightsOf(world, TASK_KEY)).toEqual([20, 3, 12, 1_000, 5, 9])
    expect(selectLimit({ ...world, spent: { ...world.spent, day: '2026-11-21' } }, TASK, DAY_KEY, 'dayCost')).toBe(5)
    expect(selectLimit(world, BASE_TASK, key, 'steps')).toBe(20)
  })
})

describe('a limit of a day', () => {
  it('is known by its key, which names the agent or the person', () => {
    expect([DAY_KEY, agentKey(reader.id), personKey(TEAM.ben.id)].map(dayLimitOf)).toEqual([
      { limit: 'dayCost', key: DAY_KEY, of: null },
      { limit: 'agentCost', key: agentKey(reader.id), of: reader.id },
      { limit: 'personCost', key: personKey(TEAM.ben.id), of: TEAM.ben.id },
    ])
    expect([TASK_KEY, workShareKey(share), 'other x'].map(dayLimitOf)).toEqual([null, null, null])
  })
})

describe('a day', () => {
  it('is that of UTC, and the next begins when it ends', () => {
    const end = Date.parse('2026-11-20T23:59:59.999Z')
    expect([dayOf(end), dayOf(end + 1)]).toEqual(['2026-11-20', '2026-11-21'])
    expect([dayAfter('2026-11-20'), dayAfter('2026-12-31')]).toEqual([end + 1, Date.parse('2027-01-01T00:00:00Z')])
  })
})

it('what a task has used is known where anything is', () => {
  expect([selectBudget(withBudgets({ [TASK]: NOTHING }), TASK), selectBudget(plain, TASK)]).toEqual([NOTHING, null])
})
