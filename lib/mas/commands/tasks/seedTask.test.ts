/** A task that a program makes at once. */
import { expect, it } from 'vitest'
import { ANA, goals, must, READER, storyOf } from '@/test/stories'
import type { AgentId } from '../../ids'
import type { StageRecord } from '../../records'
import { selectLimit, workShareKey } from '../../selectors/agents/limits'
import { decide } from '..'
import type { CommandOf } from '../command'

const seed = (names: string[]): CommandOf<'seedTask'> => ({
  type: 'seedTask',
  name: 'Load',
  goal: 'Sort the lists',
  steps: 30,
  agents: names.map((name) => ({ name, role: 'worker', profile: '', model: 'default' })),
})

it('a seeded task has agents of its own, the first manages it, and each has a part that runs with the steps it was given', () => {
  const { story } = storyOf(goals('read', READER))
  const before = new Set(Object.keys(story.world.agents))
  story.put('system:bench', seed(['one', 'two']))
  const task = must(
    Object.values(story.world.tasks).find(({ name }) => name === 'Load'),
    'task',
  )
  const agents = (Object.keys(story.world.agents) as AgentId[]).filter((id) => !before.has(id))
  expect(agents).toHaveLength(2)
  for (const id of agents)
    expect(story.world.agents[id]).toMatchObject({ kind: 'llm', manager: false, mayWait: false, access: 'none' })
  expect(task).toMatchObject({ manager: agents[0], group: agents, requestedBy: null })
  const [stage] = Object.values<StageRecord>(story.world.stages[task.id] ?? {})
  expect(stage).toMatchObject({
    state: 'running',
    allocation: Object.fromEntries(agents.map((id) => [id, seed([]).goal])),
  })
  const { id } = must(stage, 'stage')
  const ofTeam = selectLimit(story.world, task.id, workShareKey({ agent: ANA, stage: id, thread: null }), 'steps')
  for (const agent of agents) {
    const own = selectLimit(story.world, task.id, workShareKey({ agent, stage: id, thread: null }), 'steps')
    expect(own).toBe(must(ofTeam, 'limit') + 30)
  }
})

it('no task is seeded without agents', () => {
  const { story } = storyOf(goals('read', READER))
  expect(() => decide(story.world, { id: 'x', by: 'system:bench', command: seed([]) }, story.world.at)).toThrow(
    'a task was seeded without agents',
  )
})
