/** Labelled load: agents that only count, a few steps ahead, with nobody who judges. */

import { describe, expect, it } from 'vitest'
import { must, stageAt, stepsOf } from '@/test/stories'
import { outcomeOf, Story } from '@/test/worldHistories'
import type { AgentId, TaskId } from '../ids'

const loaded = (agents: number, stepsPerAgent: number) => {
  const story = new Story()
  const { reply } = must(
    story.put('system:bench', { type: 'addLoad', name: 'Load', agents, stepsPerAgent }),
    'decision',
  )
  const made = reply as { task: TaskId; agents: AgentId[] }
  return { story, ...made }
}
const open = (story: Story, agent: AgentId) => story.world.work[agent]?.todo.length ?? 0

describe('labelled load', () => {
  it.each([
    [1, 1],
    [4, 4],
    [5, 5],
    [6, 5],
    [200, 5],
  ])('of %d steps is planned %d ahead', (steps, ahead) => {
    const { story, agents } = loaded(2, steps)
    expect(agents.map((agent) => open(story, agent))).toEqual([ahead, ahead])
  })

  it.each([1, 5, 6, 11])('of %d steps for each runs exactly so many, and then is over without a judge', (steps) => {
    const { story, agents, task } = loaded(2, steps)
    expect(story.world.tasks[task]).toMatchObject({ load: true, state: 'running', group: agents })
    for (const [index, agent] of agents.entries()) {
      let ran = 0
      while (ran < 50 && story.run(agent, () => outcomeOf({}))) ran += 1
      expect(ran).toBe(steps)
      expect(stageAt(story.world, 0, task).parts[agent]).toBe('finished')
      expect(story.world.tasks[task]?.state).toBe(index === 0 ? 'running' : 'finished')
    }
    expect(stepsOf(story.world, must(agents[0], 'agent'), task).every(({ executor }) => executor === 'think')).toBe(
      true,
    )
    expect(story.openRequests()).toEqual([])
  })

  it('is done by agents that are numbered from 1, manage nothing and wait for nobody', () => {
    const { story, agents } = loaded(2, 1)
    expect(agents.map((agent) => story.world.agents[agent])).toMatchObject([
      { name: 'Load 1', role: 'load', manager: false, mayWait: false, access: 'none' },
      { name: 'Load 2', role: 'load', manager: false, mayWait: false, access: 'none' },
    ])
  })

  it('of no agents is no task', () => {
    const { story, task } = loaded(0, 5)
    expect(task).toBe('')
    expect(Object.values(story.world.tasks).filter(({ base }) => !base)).toEqual([])
  })
})
