/** What is said of progress, against what agents can really do: docs/rules R135. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stepIn } from '@/lib/mas/steps/ownSteps'
import { anyWaitMoves, walkWaits } from '@/test/waitStories'
import { anyMoves, outcomeOf, type Story, walk } from '@/test/worldHistories'
import { selectOpenRequests } from '../asks/requests'
import type { AgentId } from '../ids'
import { selectNextStep } from '../members'
import type { AgentRecord, StageRecord, StepRecord, TaskRecord, World } from '../records'
import {
  type Progress,
  selectAgentProgress,
  selectPartProgress,
  selectStageProgress,
  selectTaskProgress,
} from './progress'

const runs = { numRuns: process.env.CONVENE_ALL ? 500 : 30 }

/** All that has progress, by a name that says what it is. */
function allProgress(world: World): Map<string, Progress> {
  const found = new Map<string, Progress>()
  for (const task of Object.values<TaskRecord>(world.tasks)) {
    found.set(`task ${task.id}`, selectTaskProgress(world, task))
    for (const stage of Object.values<StageRecord>(world.stages[task.id] ?? {})) {
      found.set(`stage ${stage.id}`, selectStageProgress(world, stage))
      for (const agent of Object.keys(stage.allocation) as AgentId[])
        found.set(`part ${stage.id}/${agent}`, selectPartProgress(world, stage, agent))
    }
  }
  for (const agent of Object.values<AgentRecord>(world.agents))
    found.set(`agent ${agent.id}`, selectAgentProgress(world, agent.id))
  return found
}
const running = (world: World): string[] =>
  [...allProgress(world)].flatMap(([name, { state }]) => (state === 'running' ? [name] : []))

const namesOf = (world: World, { task, stage, agent }: StepRecord): string[] => [
  `task ${task}`,
  `agent ${agent}`,
  ...(stage === null ? [] : [`stage ${stage}`, `part ${stage}/${agent}`]),
  // The one who judges works for the stage that runs.
  ...Object.values<StageRecord>(world.stages[task] ?? {}).flatMap(({ judging, id }) =>
    judging ? [`stage ${id}`] : [],
  ),
]

/** Let everybody work on without anybody outside, until nothing moves; out: all that took a step. */
function drain(story: Story): Set<string> {
  const moved = new Set<string>()
  for (let moves = true, turns = 0; moves; turns++) {
    if (turns > 300) throw new Error('It does not end.')
    moves = false
    for (const agent of Object.keys(story.world.agents) as AgentId[]) {
      const ref = story.world.work[agent]?.running
      const current = ref ? stepIn(story.world.steps[ref.task]?.[agent], ref.step) : selectNextStep(story.world, agent)
      if (!current || (ref && isAsking(story.world, current))) continue
      for (const name of namesOf(story.world, current)) moved.add(name)
      const step = ref ? current : story.start(agent)
      if (step) story.finish(step, outcomeOf({}))
      moves = true
    }
  }
  return moved
}
const isAsking = (world: World, step: StepRecord): boolean =>
  selectOpenRequests(world, step.task).some(({ kind, step: of }) => kind === 'tool' && of === step.id)

function holds(story: Story): void {
  const before = running(story.world)
  const moved = drain(story)
  expect(before.filter((name) => !moved.has(name))).toEqual([])
  expect(running(story.world)).toEqual([])
}

describe('in any history', () => {
  it('[R135] what is running takes a step without anybody outside, and nothing is running once no agent can', () => {
    fc.assert(
      fc.property(anyMoves(), (moves) => holds(walk(moves))),
      runs,
    )
  })

  it('[R135] the same where agents wait for each other, and for people', () => {
    fc.assert(
      fc.property(anyWaitMoves(), (moves) => holds(walkWaits(moves, () => {}).story)),
      runs,
    )
  })

  it('[R135] a task that is not over and takes no step says who can end that, or has nothing to do', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(anyMoves(), (moves) => {
        const story = walk(moves)
        drain(story)
        for (const task of Object.values<TaskRecord>(story.world.tasks)) {
          const progress = selectTaskProgress(story.world, task)
          seen.add(progress.state)
          const isIdle = progress.state === 'idle'
          if (isIdle && !task.base) expect(selectOpenRequests(story.world, task.id)).toEqual([])
        }
      }),
      runs,
    )
    expect([...seen].sort()).toEqual(expect.arrayContaining(['blocked', 'idle', 'waiting']))
  })
})
