/** What an agent is told of tasks, stages and others: its own, or all for a manager, by their handles, and cut where it is too long. */

import { describe, expect, it } from 'vitest'
import {
  ANA,
  ANALYST,
  addTask,
  BEN,
  goals,
  LEE,
  MANAGER,
  plans,
  READER,
  says,
  stageAt,
  storyOf,
  submits,
  workTask,
} from '@/test/stories'
import { BASE_TASK, outcomeOf, planned, Story, TEAM, teamConfig } from '@/test/worldHistories'
import type { AgentId, TaskId } from '../../ids'
import type { AskInfo } from '../../outcome'
import type { World } from '../../records'
import { taskHandle } from '../../selectors/handles'
import { ANSWER_CHARACTERS, answerInfo } from './askInfo'

const asks = (world: World, question: AskInfo, asker: AgentId = READER, task: TaskId = BASE_TASK): string =>
  answerInfo(world, { agent: asker, task }, question)
const two = () => storyOf(goals('read', READER), goals('compare', ANALYST))

describe('what an agent asks of tasks', () => {
  it('of its own it hears of the stages that it has a part in, with their place, goals and states', () => {
    const { story } = two()
    const said = asks(story.world, { type: 'my_tasks' })
    expect(said).toContain(`task Compare (task_id ${taskHandle(workTask(story.world))}): running\n`)
    expect(said).toContain('  stage 1 of 2 (stage_id stage 1): running. read')
    expect(said).toContain('    Reader (reader): idle. goal: read it')
    expect(said).not.toContain('stage 2 of 2')
    expect(asks(story.world, { type: 'my_tasks' }, ANALYST)).toContain('stage 2 of 2')
    expect(asks(story.world, { type: 'my_tasks' }, LEE)).not.toContain('Compare')
    expect(said).toContain('manager: Manager (manager); members: Manager (manager), Reader (reader), ')
    expect(said).toContain('  asked for by: Ana (ana)\n')
    expect(asks(story.world, { type: 'managed_tasks' }, MANAGER)).toContain('stage 2 of 2')
    expect(asks(story.world, { type: 'managed_tasks' })).toBe('')
  })

  it('it hears of no load, neither as a member nor as its manager', () => {
    const { story } = two()
    const owner = workTask(story.world)
    const world = { ...story.world, tasks: { [owner.id]: { ...owner, load: true } } }
    expect([asks(world, { type: 'my_tasks' }), asks(world, { type: 'managed_tasks' }, MANAGER)]).toEqual(['', ''])
  })

  it('of one task or stage a member and a manager read, nobody else', () => {
    const { story, task } = two()
    const stage = stageAt(story.world, 1).id
    for (const question of [
      { type: 'task', task_id: task },
      { type: 'stage', stage_id: stage },
    ] as const) {
      expect(asks(story.world, question)).toContain('stage 2 of 2')
      expect(asks(story.world, question, MANAGER)).toContain('stage 2 of 2')
      expect(asks(story.world, question, LEE)).not.toContain('compare')
    }
    expect(asks(story.world, { type: 'task', task_id: 'none' })).toContain('none')
    expect(asks(story.world, { type: 'stage', stage_id: 'none' })).toContain('none')
  })

  it('by the handles that prompts show it is understood, and a stage as one of the task at hand first', () => {
    const { story, task } = two()
    const other = addTask(story, [goals('count', LEE)])
    const { world } = story
    const handle = taskHandle(workTask(world))
    expect(asks(world, { type: 'task', task_id: handle })).toContain('stage 2 of 2')
    expect(asks(world, { type: 'agents_in_task', task_id: handle })).toContain('Reader (reader)')
    const stage = (asker: AgentId, at: TaskId): string => asks(world, { type: 'stage', stage_id: 'stage 1' }, asker, at)
    expect(stage(MANAGER, task)).toContain('. read')
    expect(stage(MANAGER, other)).toContain('. count')
    // The manager reads both, and asks in neither.
    expect(stage(MANAGER, BASE_TASK)).toContain('There is no stage stage 1')
    expect(stage(LEE, BASE_TASK)).toContain('. count')
    // Not even that somebody else's task has such a stage.
    expect(asks(world, { type: 'stage', stage_id: 'stage 2' }, LEE)).toContain('There is no stage stage 2')
    expect(asks(world, { type: 'agent_states', agents: ['Reader', 'analyst'] })).toMatch(/^Reader [\s\S]*\nAnalyst /)
  })

  it('it reads of no id in any answer', () => {
    const { story, task } = two()
    const stage = stageAt(story.world, 0).id
    const questions: AskInfo[] = [
      { type: 'managed_tasks' },
      { type: 'task', task_id: task },
      { type: 'stage', stage_id: stage },
      { type: 'agents_in_mas' },
      { type: 'agents_in_task', task_id: task },
      { type: 'agents_in_stage', stage_id: stage },
      { type: 'agent_states', agents: [READER] },
    ]
    for (const question of questions) {
      const said = asks(story.world, question, MANAGER)
      expect(said).not.toBe('')
      expect(said).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/)
    }
  })

  it('of what is over it hears the summary, of a part that is under way none', () => {
    const { story, task } = two()
    expect(asks(story.world, { type: 'task', task_id: task })).not.toContain('summary')
    submits(story, READER, 'twelve files')
    expect(asks(story.world, { type: 'task', task_id: task })).toContain(
      `Reader (reader): finished. goal: read it summary: twelve files`,
    )
    story.put(ANA, { type: 'finishTask', task, state: 'failed', summary: 'too dear', reason: 'enough' })
    expect(asks(story.world, { type: 'task', task_id: task })).toContain('failed, summary: too dear')
  })
})

describe('what an agent asks of others', () => {
  it('of the team it hears of all who are there, with skills and tools of agents only', () => {
    const story = new Story()
    const config = teamConfig()
    story.put('system:start', { ...config, agents: config.agents.filter(({ id }) => id !== ANALYST) })
    for (const type of ['agents_in_mas', 'agents_in_team'] as const) {
      const said = asks(story.world, { type })
      expect(said).toContain('Reader (reader): agent, Reader.  skills: all; tools: files. ')
      expect(said).toContain('Manager (manager): agent, Manager.  skills: all; tools: none. ')
      expect(said).toMatch(/Ana \(ana\): person, Ana\. +\S/)
      expect(said.split('\n').find((line) => line.includes('(ana)'))).not.toContain('skills')
      expect(said).not.toContain('Analyst')
    }
  })

  it('of a task or a stage it hears of those who are in it', () => {
    const { story, task } = two()
    const inTask = asks(story.world, { type: 'agents_in_task', task_id: task })
    expect([inTask.includes('Reader ('), inTask.includes('Ben ('), inTask.includes('Lee (')]).toEqual([
      true,
      true,
      false,
    ])
    const inStage = asks(story.world, { type: 'agents_in_stage', stage_id: stageAt(story.world, 1).id })
    expect([inStage.includes('Analyst ('), inStage.includes('Reader (')]).toEqual([true, false])
    for (const question of [
      { type: 'agents_in_task', task_id: task },
      { type: 'agents_in_stage', stage_id: stageAt(story.world, 1).id },
    ] as const) {
      expect(asks(story.world, question, MANAGER)).toContain('Analyst (')
      expect(asks(story.world, question, LEE)).not.toMatch(/Reader|Analyst/)
    }
    expect(asks(story.world, { type: 'agents_in_task', task_id: 'none' })).toContain('none')
    expect(asks(story.world, { type: 'agents_in_stage', stage_id: 'none' })).toContain('none')
  })

  it('of single ones it hears what they wait for and do, without what was retired', () => {
    const { story } = storyOf(goals('read', READER, ANALYST))
    const idle = asks(story.world, { type: 'agent_states', agents: [ANALYST] })
    expect(idle).toContain('  waits for: nobody')
    plans(story, READER, 'send_message', 'think')
    story.run(READER, () => says([BEN]))
    const said = asks(story.world, { type: 'agent_states', agents: [READER, 'nobody-here'] })
    expect(said).toContain('  waits for: Ben')
    expect(said).toContain('  steps to come: 1')
    expect(said).toContain('  in Compare: planning finished, send_message finished, think init')
    expect(said).toContain('nobody-here')
    expect(asks(story.world, { type: 'agent_states', agents: [LEE] })).toContain('  steps to come: 0')
    expect(asks(story.world, { type: 'agent_states', agents: [LEE] })).not.toContain('  in ')
  })

  it('it hears whom it may start, and what there is to use', () => {
    const { world } = new Story()
    expect(asks(world, { type: 'startable_agents' })).toContain('config_id spare: Spare, Spare.')
    const said = asks(world, { type: 'skills_and_tools' }).split('\n')
    expect(said).toContain('skill send_message')
    expect(said.at(-1)).toBe('tool files: reads files')
  })
})

describe('an answer that is too long', () => {
  const many = (n: number, profile: string) => {
    const story = new Story()
    const config = teamConfig()
    const agents = Array.from({ length: n }, (_, index) => ({
      ...TEAM.reader,
      id: `00000000-0000-4000-9000-${String(index).padStart(12, '0')}` as AgentId,
      configId: `member-${index}`,
      name: `Member ${index}`,
      profile,
    }))
    story.put('system:start', { ...config, agents: [...config.agents, ...agents] })
    return story.world
  }

  it('ends with whole lines and says how many there are', () => {
    const said = asks(many(200, 'x'.repeat(50)), { type: 'agents_in_mas' })
    expect(said.length).toBeLessThanOrEqual(ANSWER_CHARACTERS)
    expect(said.length).toBeGreaterThan(ANSWER_CHARACTERS - 500)
    const lines = said.split('\n')
    expect(lines.at(-1)).toBe(
      `(${lines.length - 1} of 206 lines. Ask narrower: one task, one stage, or single agents by name.)`,
    )
  })

  it('is given whole when it just fits', () => {
    const world = many(1, '')
    const length = asks(world, { type: 'agents_in_mas' }).length
    const fits = asks(many(1, 'x'.repeat(ANSWER_CHARACTERS - length)), { type: 'agents_in_mas' })
    expect(fits).toHaveLength(ANSWER_CHARACTERS)
    expect(fits).not.toContain('Ask narrower')
    const tooLong = asks(many(1, 'x'.repeat(ANSWER_CHARACTERS - length + 1)), { type: 'agents_in_mas' })
    expect(tooLong).toContain('(6 of 7 lines. Ask narrower')
  })
})

it('a step that runs is a state that others are told of', () => {
  const { story } = storyOf(goals('read', READER))
  story.run(READER, () => outcomeOf({ steps: { insert: [], add: [planned('think')] } }))
  story.start(READER)
  expect(asks(story.world, { type: 'agent_states', agents: [READER] }, MANAGER)).toContain('think running')
})
