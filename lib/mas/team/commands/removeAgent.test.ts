/** An agent that was made while the team worked leaves it again, by a person's command. */
import { describe, expect, it } from 'vitest'
import {
  ANA,
  BEN,
  goals,
  locksOf,
  MANAGER,
  must,
  plans,
  READER,
  says,
  stageAt,
  stagesOf,
  storyOf,
  sync,
  workTask,
} from '@/test/stories'
import { type Story, TEAM, teamConfig } from '@/test/worldHistories'
import { decide } from '../../commands'
import type { AgentId } from '../../ids'
import type { AgentRecord, World } from '../../records'

const reason = 'not needed any more'
const refusal = (world: World, by: AgentId, agent: AgentId): string => {
  const decided = decide(world, { id: 'refused', by, command: { type: 'removeAgent', agent, reason } }, world.at)
  return decided.ok ? 'done' : decided.fault.code
}

/** A team whose manager has made a helper and given it a part. */
function withHelper(): { story: Story; helper: AgentRecord } {
  const { story, task } = storyOf(goals('read', READER))
  const config = teamConfig()
  const startable = [{ ...TEAM.reader, id: 'spare' as AgentId, configId: 'spare', name: 'Helper' }]
  story.put('system:start', { ...config, team: { ...config.team, startable } })
  story.ask('get help')
  story.run(MANAGER, () => sync({ agent_instruction: { action: 'init_new_agent', config_id: 'spare' } }))
  const helper = must(
    Object.values(story.world.agents).find((agent: AgentRecord) => agent.name === 'Helper'),
    'helper',
  )
  const better = { intention: 'read', allocation: { [READER]: 'read', [helper.id]: 'help' } }
  story.put(ANA, { type: 'retryStage', stage: stageAt(story.world, 0).id, better, reason })
  expect(workTask(story.world).id).toBe(task)
  return { story, helper }
}

describe('[R20] an agent made at run time', () => {
  it('is taken out of the team by an operator: its part fails, its steps end, and it is told with the reason', () => {
    const { story, helper } = withHelper()
    story.put(ANA, { type: 'removeAgent', agent: helper.id, reason })
    expect(story.world.agents[helper.id]?.removed).toBe(true)
    expect(workTask(story.world).group).not.toContain(helper.id)
    const stage = must(stagesOf(story.world).at(-1), 'stage')
    expect([stage.parts[helper.id], stage.partReasons[helper.id]]).toEqual(['failed', expect.stringContaining(reason)])
    expect(story.world.work[helper.id]?.todo ?? []).toEqual([])
    const told = Object.values(story.world.messages[workTask(story.world).id] ?? {}).map(({ text }) => text)
    expect(told).toContainEqual(expect.stringContaining('removed Helper from the team'))
    expect(refusal(story.world, ANA, helper.id)).toBe('RECEIVER_GONE')
  })

  it('leaves nobody waiting: who asked it something hears that it is gone', () => {
    const { story, helper } = withHelper()
    plans(story, READER, 'send_message', 'reflection')
    story.run(READER, () => says([helper.id]))
    expect(locksOf(story.world, READER).map((lock) => lock.on)).toEqual([helper.id])
    story.put(ANA, { type: 'removeAgent', agent: helper.id, reason })
    expect(locksOf(story.world, READER)).toEqual([])
  })

  it('is removed by operators alone, not while it manages a task, and nobody else is', () => {
    const { story, helper } = withHelper()
    expect(refusal(story.world, BEN, helper.id)).toBe('NOT_ALLOWED')
    expect(refusal(story.world, ANA, READER)).toBe('BAD_INPUT')
    expect(refusal(story.world, ANA, BEN)).toBe('BAD_INPUT')
    expect(refusal(story.world, ANA, 'nobody' as AgentId)).toBe('NOT_FOUND')
    story.put(ANA, { type: 'changeManager', task: workTask(story.world).id, agent: helper.id, reason })
    expect(refusal(story.world, ANA, helper.id)).toBe('BAD_INPUT')
  })
})

it('[R20] an agent that is removed stays named among the members of a task that is over', () => {
  const { story, helper } = withHelper()
  const task = workTask(story.world).id
  story.put(ANA, { type: 'finishTask', task, state: 'finished', summary: 'done', reason })
  story.put(ANA, { type: 'removeAgent', agent: helper.id, reason })
  expect(story.world.agents[helper.id]?.removed).toBe(true)
  expect(story.world.tasks[task]?.group).toContain(helper.id)
})
