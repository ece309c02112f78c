/** What was paid to set a task up counts as its cost, and for its limits. */
import { describe, expect, it } from 'vitest'
import { sampleShapeOf } from '@/test/samples'
import { ANA, MANAGER, must, READER } from '@/test/stories'
import { BASE_TASK, outcomeOf, Story, send } from '@/test/worldHistories'
import type { ModelCall, TaskRecord } from '../records'
import type { TaskInstruction } from '../steps/outcome'
import { selectSetUp, selectTaskCost } from './taskResult'

const { call: sample } = sampleShapeOf('model.called')
let calls = 0
const call = (tokens: number, costUsd: number | null): ModelCall => ({
  ...sample,
  id: `call-${++calls}`,
  promptTokens: tokens,
  completionTokens: 0,
  costUsd,
})
const makes = (name: string): TaskInstruction => ({
  action: 'add_task',
  task_name: name,
  task_intention: 'Count the lines',
  members: [READER],
})
const taskCalled = (story: Story, name: string): TaskRecord =>
  must(
    Object.values(story.world.tasks).find((task: TaskRecord) => task.name === name),
    'task',
  )
const asked = (text: string) => {
  const story = new Story()
  story.put(ANA, send(ANA, [MANAGER], { task: BASE_TASK, text, kind: 'action' }))
  return story
}
/** The manager's next step, which may make a task and costs so much. */
const manages = (story: Story, tokens: number, costUsd: number | null, instruction?: TaskInstruction) =>
  story.run(MANAGER, () =>
    outcomeOf({
      call: call(tokens, costUsd),
      ...(instruction ? { sync: { task_instruction: instruction } } : {}),
      steps: { add: [{ step_intention: 'go on', type: 'skill', executor: 'think', text_content: '' }], insert: [] },
    }),
  )

describe('the cost of a task', () => {
  it('holds what the thread cost in which it was asked for, before it began and since', () => {
    const story = asked('Count')
    manages(story, 100, 0.5)
    manages(story, 10, 0.25, makes('Count'))
    const { id } = taskCalled(story, 'Count')
    expect(selectSetUp(story.world, id)).toEqual({ tokens: 110, costUsd: 0.75 })
    manages(story, 1, null)
    expect(selectSetUp(story.world, id)).toEqual({ tokens: 111, costUsd: 0.75 })
    expect(selectTaskCost(story.world, id)).toEqual({ tokens: 111, costUsd: 0.75 })
    expect(story.world.budgets[id]).toMatchObject({ tokens: 0, costUsd: 0 })
  })

  it('counts each call of a thread once: for the task that it had led to by then', () => {
    const story = asked('Count')
    manages(story, 100, 1, makes('first'))
    manages(story, 20, 1, makes('second'))
    manages(story, 3, 1)
    const costs = ['first', 'second'].map((name) => selectSetUp(story.world, taskCalled(story, name).id)?.tokens ?? 0)
    expect(costs).toEqual([120, 3])
  })

  it('has no such part where nothing was paid, or nobody asked for it in a thread', () => {
    const story = asked('Count')
    story.run(MANAGER, () => outcomeOf({ sync: { task_instruction: makes('Count') } }))
    story.put(ANA, {
      type: 'makeTask',
      name: 'By form',
      intention: 'count',
      manager: MANAGER,
      members: [READER],
      stages: [],
      reason: 'as agreed',
    })
    for (const name of ['Count', 'By form']) expect(selectSetUp(story.world, taskCalled(story, name).id)).toBeNull()
  })

  it('is not that of a thread of another request', () => {
    const story = asked('Count')
    manages(story, 100, 1, makes('Count'))
    const { id } = taskCalled(story, 'Count')
    const before = selectSetUp(story.world, id)
    story.put(ANA, send(ANA, [MANAGER], { task: BASE_TASK, text: 'Sort', kind: 'action' }))
    while (story.world.work[MANAGER]?.todo.length) story.run(MANAGER, () => outcomeOf({}))
    expect(selectSetUp(story.world, id)).toEqual(before)
  })
})
