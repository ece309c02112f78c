/** The configuration file is changed and read again while work goes on: what it names, changes and leaves out. */
import { describe, expect, it } from 'vitest'
import {
  ANA,
  ANALYST,
  actsOf,
  BEN,
  goals,
  judges,
  LEE,
  locksOf,
  MANAGER,
  messagesOf,
  must,
  plans,
  READER,
  requestOf,
  says,
  stageAt,
  stepsOf,
  storyOf,
  submits,
  todo,
  workTask,
} from '@/test/stories'
import { outcomeOf, planned, type Story, send, TEAM, teamConfig } from '@/test/worldHistories'
import type { AgentId } from '../../ids'
import type { AgentConfig } from '../../records'

/** Start again with a file that leaves these out, or names these changed. */
const restart = (story: Story, without: AgentId[], changed: AgentConfig[] = []): void => {
  const config = teamConfig()
  const agents = config.agents
    .filter((agent) => !without.includes(agent.id))
    .map((agent) => changed.find((one) => one.id === agent.id) ?? agent)
  const added = changed.filter((one) => !agents.some((agent) => agent.id === one.id))
  story.put('system:start', { ...config, agents: [...agents, ...added] })
}

describe('[R20] an agent that the file no longer names', () => {
  it('ends with its steps, waits and parts, and its stage is judged', () => {
    const { story, task } = storyOf(goals('read', READER))
    plans(story, READER, 'send_message', 'think')
    story.run(READER, (step) => says([BEN], { stage_relative: must(step.stage, 'stage') }))
    expect(locksOf(story.world, READER)).toHaveLength(1)
    restart(story, [READER])
    expect([todo(story.world, READER), locksOf(story.world, READER), story.openRequests()]).toEqual([[], [], []])
    expect(stageAt(story.world, 0)).toMatchObject({ parts: { [READER]: 'failed' }, judging: true })
    expect(stageAt(story.world, 0).partReasons[READER]).toBe('Reader is no longer on the team')
    expect(workTask(story.world).group).not.toContain(READER)
    expect(todo(story.world, MANAGER)).toEqual(['task_manager'])
    expect(story.world.tasks[task]?.former[READER]).toBeDefined()
  })

  it('[R7] gives back what others wait for, also a question that it never took in', () => {
    const { story } = storyOf(goals('read', READER, ANALYST))
    story.put(ANA, { type: 'pauseAgent', agent: READER, reason: 'hold' })
    plans(story, ANALYST, 'send_message', 'think')
    story.run(ANALYST, (step) => says([READER], { stage_relative: must(step.stage, 'stage') }))
    expect(locksOf(story.world, ANALYST)).toHaveLength(1)
    restart(story, [READER])
    expect(locksOf(story.world, ANALYST)).toEqual([])
    const told = messagesOf(story.world).find((message) => message.returnWaiting !== null)
    expect(told).toMatchObject({ receivers: [ANALYST], text: 'Reader: failed. Reader is no longer on the team' })
  })

  it('stops what it runs: a call that still comes back is late', () => {
    const { story } = storyOf(goals('read', READER))
    const step = must(story.start(READER), 'step')
    restart(story, [READER])
    expect(story.finish(step, outcomeOf({ steps: { add: [planned('think')], insert: [] } }))?.reply).toMatchObject({
      late: true,
    })
    expect(todo(story.world, READER)).toEqual([])
  })

  it('does nothing in a stage that was planned for it: its part there fails at the start', () => {
    const { story } = storyOf(goals('read', READER), goals('compare', ANALYST, BEN))
    restart(story, [ANALYST])
    submits(story, READER)
    judges(story, stageAt(story.world, 0))
    expect(stageAt(story.world, 1)).toMatchObject({ state: 'running', parts: { [ANALYST]: 'failed', [BEN]: 'idle' } })
    expect(todo(story.world, ANALYST)).toEqual([])
  })

  it('is back when the file names it again, and can be given work', () => {
    const { story, task } = storyOf(goals('read', READER), goals('compare', ANALYST))
    restart(story, [ANALYST])
    submits(story, READER)
    restart(story, [])
    story.put(ANA, {
      type: 'addStages',
      task,
      stages: [{ intention: 'x', allocation: { [ANALYST]: 'y' } }],
      reason: 'back',
    })
    expect(workTask(story.world).group).toContain(ANALYST)
    expect(actsOf(story)).toHaveLength(1)
  })
})

describe('[R20] a person whom the file no longer names', () => {
  it('loses access, their part fails, and what was asked of them alone is asked no more', () => {
    const { story } = storyOf(goals('read', READER, BEN))
    restart(story, [BEN])
    expect(story.world.agents[BEN]).toMatchObject({ removed: true, access: 'none' })
    expect(requestOf(story, 'part')).toBeNull()
    expect(stageAt(story.world, 0).parts[BEN]).toBe('failed')
    expect(story.put(BEN, send(BEN, [MANAGER], { text: 'still here?' }))).toBeNull()
    expect(story.world.tasks[must(story.world.baseTask, 'base task')]?.group).not.toContain(BEN)
  })
})

describe('[R20] who comes new', () => {
  it('can be addressed at once: a person in the base task, an agent when it is given work', () => {
    const { story, task } = storyOf(goals('read', READER))
    const mia: AgentConfig = {
      ...TEAM.lee,
      id: '00000000-0000-4000-8000-000000000077' as AgentId,
      configId: 'mia',
      name: 'Mia',
    }
    restart(story, [LEE], [mia])
    expect(story.world.tasks[must(story.world.baseTask, 'base task')]?.group).toEqual([MANAGER, ANA, BEN, mia.id])
    story.put(ANA, { type: 'changeParticipants', task, add: [mia.id], remove: [], reason: 'she knows' })
    expect(workTask(story.world).group).toContain(mia.id)
  })
})

describe('[R20] an agent whose abilities changed', () => {
  it('makes no call that it may no longer make, though it was planned', () => {
    const { story } = storyOf(goals('read', READER))
    story.run(READER, () =>
      outcomeOf({ steps: { insert: [], add: [planned('files', 'tool'), planned('reflection')] } }),
    )
    restart(story, [], [{ ...TEAM.reader, tools: [] }])
    expect(todo(story.world, READER)).toEqual(['reflection'])
    const dropped = stepsOf(story.world, READER).find((step) => step.type === 'tool')
    expect(dropped).toMatchObject({ state: 'failed', reason: 'Reader can no longer use files' })
  })
})

describe('[R20] a file that is read again', () => {
  const base = (story: Story) => must(story.world.tasks[must(story.world.baseTask, 'base task')], 'base task')
  const eventsOf = (story: Story, change: () => void): string[] => {
    const before = story.entries.length
    change()
    return story.entries.slice(before).map(({ event }) => event.type)
  }

  it('and says the same changes nothing, in whatever order its words stand', () => {
    const { story } = storyOf(goals('read', READER))
    expect(eventsOf(story, () => restart(story, []))).toEqual([])
    const turned = Object.fromEntries(Object.entries(TEAM.reader).reverse()) as AgentConfig
    expect(eventsOf(story, () => restart(story, [], [turned]))).toEqual([])
    expect(story.world.tasks[must(story.world.baseTask, 'base task')]?.stageOrder).toHaveLength(1)
  })

  it('and gives a person other rights says that alone', () => {
    const { story } = storyOf(goals('read', READER))
    expect(eventsOf(story, () => restart(story, [], [{ ...TEAM.ben, access: 'operator' }]))).toEqual([
      'setup.read',
      'human.accessChanged',
    ])
    expect(story.world.agents[BEN]?.access).toBe('operator')
  })

  it('and names another manager hands the base task to it, and names nobody twice', () => {
    const { story } = storyOf(goals('read', READER))
    const second: AgentConfig = {
      ...TEAM.manager,
      id: '00000000-0000-4000-8000-000000000001' as AgentId,
      name: 'Manager two',
    }
    expect(eventsOf(story, () => restart(story, [], [second]))).toEqual(['setup.read', 'agent.changed'])
    const other: AgentConfig = {
      ...TEAM.manager,
      id: '00000000-0000-4000-8000-000000000078' as AgentId,
      configId: 'other',
    }
    restart(story, [MANAGER], [other])
    expect(base(story).manager).toBe(other.id)
    expect(base(story).group.filter((id) => id === other.id)).toHaveLength(1)
    expect(base(story).group).not.toContain(MANAGER)
    expect(eventsOf(story, () => restart(story, [MANAGER], [other]))).toEqual([])
  })

  it('leaves alone those that were started at run time, and those that are gone already', () => {
    const { story } = storyOf(goals('read', READER))
    restart(story, [ANALYST])
    expect(eventsOf(story, () => restart(story, [ANALYST]))).toEqual([])
    const made: AgentConfig = { ...TEAM.reader, id: '00000000-0000-4000-8000-000000000079' as AgentId, name: 'Made' }
    story.happens({ type: 'agent.created', v: 1, agent: made.id, config: made, runtime: true })
    restart(story, [ANALYST])
    expect(story.world.agents[made.id]?.removed).toBe(false)
  })

  it('takes away calls of tools that are over no more, and none that the agent may still make', () => {
    const { story } = storyOf(goals('read', READER))
    story.run(READER, () =>
      outcomeOf({
        steps: { insert: [], add: [planned('files', 'tool'), planned('memory', 'tool'), planned('think')] },
      }),
    )
    restart(story, [], [{ ...TEAM.reader, tools: ['files'] }])
    const tools = stepsOf(story.world, READER).filter((step) => step.type === 'tool')
    expect(tools.map(({ executor, state }) => [executor, state === 'failed'])).toContainEqual(['files', false])
    expect(todo(story.world, READER)).toContain('think')
  })
})
