/** What each kind of member would run next, and in what kinds differ. */
import { describe, expect, it } from 'vitest'
import { sampleShapeOf } from '@/test/samples'
import { having, like, sampleWorld } from '@/test/sampleWorld'
import type { EventShape } from '../events'
import { type AgentId, asId, type StepId, type TaskId } from '../ids'
import type { World } from '../records'
import { memberOf, selectNextStep } from '.'
import { isAsked, isElsewhere, runsSteps, traitsIn } from './traits'

const { agent, step } = sampleShapeOf('step.added')
const { config } = sampleShapeOf('agent.created')
const other = asId<AgentId>('00000000-0000-4000-8000-0000000000aa')
const second = asId<StepId>('second')
const elsewhere = asId<TaskId>('elsewhere')
const next = (world: World, who = agent) => selectNextStep(world, who)?.id ?? null
const added = (change: Partial<EventShape<'step.added'>>) => like('step.added', change)
const person = having(
  sampleWorld,
  like('agent.created', {
    agent: other,
    config: { ...config, id: other, kind: 'human', configId: 'ana', access: 'operator' },
  }),
)

describe('a member', () => {
  const outside = having(person, like('agent.changed', { config: { ...config, kind: 'outside' } }))

  it('of each kind has traits of its own; the task itself and an unknown id are no members', () => {
    const said = (world: World, id: AgentId | 'system:task') => [
      runsSteps(world, id),
      isAsked(world, id),
      isElsewhere(world, id),
    ]
    expect(said(person, agent)).toEqual([true, false, false])
    expect(said(person, other)).toEqual([false, true, false])
    expect(said(outside, agent)).toEqual([false, false, true])
    expect(said(person, 'system:task')).toEqual([false, false, false])
    expect(traitsIn(person, asId<AgentId>('x'))).toBeNull()
  })

  it('judges where it can: an agent with a model that is known, a person with access, nobody outside', () => {
    const why = (world: World, id: AgentId): string | null => {
      const record = world.agents[id]
      return record === undefined ? 'unknown' : memberOf(record).whyNoJudge(world, record)
    }
    const known = { ...person, team: { ...person.team, models: [config.model] } }
    expect([why(known, agent), why({ ...known, team: { ...known.team, models: [] } }, agent)]).toEqual([
      null,
      'noModel',
    ])
    expect([
      why(known, other),
      why(having(known, like('human.accessChanged', { agent: other, access: 'none' })), other),
    ]).toEqual([null, 'gone'])
    expect(why(outside, agent)).toBe('gone')
  })
})

describe('the next step of an agent', () => {
  const two = having(
    sampleWorld,
    like('task.added', { task: elsewhere }),
    added({ step: second, task: elsewhere, stage: null }),
  )

  it('is the first of its list, and none while one runs', () => {
    expect(next(two)).toBe(step)
    expect(next(having(two, like('step.started')))).toBeNull()
    expect(next(two, other)).toBeNull()
    expect(next({ ...two, agents: {} })).toBeNull()
  })

  it('is none of an agent that is removed, outside, or paused; a prioritized one runs all the same', () => {
    expect(next(having(two, like('agent.removed')))).toBeNull()
    expect(next(having(two, like('agent.changed', { config: { ...config, kind: 'outside' } })))).toBeNull()
    const paused = having(two, like('agent.paused'))
    expect(next(paused)).toBeNull()
    expect(next(having(paused, like('step.prioritized', { task: elsewhere, step: second })))).toBe(second)
    expect(next(having(paused, like('agent.resumed')))).toBe(step)
  })

  it('passes over a task that is paused, gone or at a limit, and stops all on a day that is', () => {
    expect(next(having(two, like('task.paused')))).toBe(second)
    expect(next({ ...two, tasks: { [elsewhere]: two.tasks[elsewhere] } as World['tasks'] })).toBe(second)
    expect(next(having(two, like('budget.reached', { key: 'task' })))).toBe(second)
    expect(next(having(two, like('budget.reached')))).toBe(second)
    const day = having(
      two,
      like('task.added', { task: elsewhere, base: true }),
      like('budget.reached', { task: elsewhere, key: 'day' }),
    )
    expect(next(day)).toBeNull()
  })

  it('is none while it waits', () => {
    expect(next(having(two, like('lock.added')))).toBeNull()
    expect(next(having(two, like('lock.added'), like('lock.released')))).toBe(step)
  })

  it('of a person is what they run by hand, where the task is not paused', () => {
    const own = (byHand: boolean) => having(person, added({ step: second, agent: other, byHand }))
    expect(next(own(true), other)).toBe(second)
    expect(next(own(false), other)).toBeNull()
    expect(next(having(own(true), like('task.paused')), other)).toBeNull()
    const later = having(own(false), added({ step: asId<StepId>('third'), agent: other, byHand: true }))
    expect(next(later, other)).toBe('third')
  })
})
