/** One agent in several tasks at once: what stops it stops it everywhere, what it does stays where it belongs. */
import { describe, expect, it } from 'vitest'
import { fieldsIn } from '@/lib/json'
import {
  ANA,
  ANALYST,
  addTask,
  BEN,
  goals,
  judges,
  linesOf,
  locksOf,
  MANAGER,
  messagesOf,
  must,
  plans,
  READER,
  says,
  saysFyi,
  stageAt,
  stepsOf,
  storyOf,
  submits,
  sync,
  tell,
} from '@/test/stories'
import { BASE_TASK, outcomeOf, type Story, send } from '@/test/worldHistories'
import type { TaskId } from '../ids'
import { selectNextStep } from '../members'
import { selectHistoryRecords } from '../steps/history'

/** Two tasks whose only running stage is the Reader's, planned and begun in both. */
function twoTasks(): { story: Story; first: TaskId; second: TaskId } {
  const { story, task: first } = storyOf(goals('read', READER))
  const second = addTask(story, [goals('count', READER)], 'Count')
  return { story, first, second }
}
const tasksRun = (story: Story, n: number): TaskId[] =>
  Array.from(
    { length: n },
    () =>
      must(
        story.run(READER, () => outcomeOf({})),
        'step',
      ).task,
  )

describe('[R8] an agent in two tasks', () => {
  it('takes their steps in the order in which they came, each task in its own order', () => {
    const { story, first, second } = twoTasks()
    plans(story, READER, 'think', 'reflection')
    plans(story, READER, 'think', 'reflection')
    expect(tasksRun(story, 4)).toEqual([first, first, second, second])
    const executors = (task: TaskId) =>
      stepsOf(story.world, READER, task)
        .filter((step) => step.startedSeq !== null)
        .sort((a, b) => (a.startedSeq ?? 0) - (b.startedSeq ?? 0))
        .map((step) => step.executor)
    expect([executors(first), executors(second)]).toEqual([
      ['planning', 'think', 'reflection'],
      ['planning', 'think', 'reflection'],
    ])
  })

  it('waits in all of them while it waits in one, and goes on in all with the answer', () => {
    const { story, first, second } = twoTasks()
    plans(story, READER, 'send_message', 'think')
    plans(story, READER, 'think')
    const asking = story.run(READER, (step) => says([BEN], { stage_relative: must(step.stage, 'stage') }))
    expect(asking?.task).toBe(first)
    expect(locksOf(story.world, READER)).toHaveLength(1)
    expect(selectNextStep(story.world, READER)).toBeNull()
    story.put(BEN, send(BEN, [READER], { task: first, text: 'this', answers: 'oldest' }))
    const taken = stepsOf(story.world, READER, first).find(({ executor }) => executor === 'process_message')
    expect(taken).toMatchObject({ text: 'this', state: 'finished' })
    expect(stepsOf(story.world, READER, second).map(({ executor }) => executor)).not.toContain('process_message')
    expect(selectNextStep(story.world, READER)).toMatchObject({ executor: 'think', task: first })
    expect(tasksRun(story, 2)).toEqual([first, second])
  })

  it('keeps what it was told and did in the one out of the history of the other', () => {
    const { story, first, second } = twoTasks()
    plans(story, READER, 'think', 'reflection')
    plans(story, READER, 'think', 'reflection')
    story.put(ANA, send(ANA, [READER], { task: second, text: 'only for the count' }))
    tasksRun(story, 4)
    for (const task of [first, second]) {
      const step = must(stepsOf(story.world, READER, task)[0], 'step')
      const { over, coming } = selectHistoryRecords(story.world, step)
      expect(new Set([...over, ...coming].map((one) => one.task))).toEqual(new Set([task]))
    }
  })

  it('ends in one as that one ends, and goes on in the other', () => {
    const { story, first, second } = twoTasks()
    plans(story, READER, 'think', 'reflection')
    plans(story, READER, 'summary')
    story.put(ANA, { type: 'finishTask', task: first, state: 'failed', summary: 'not needed', reason: 'not needed' })
    expect(selectNextStep(story.world, READER)).toMatchObject({ task: second, executor: 'summary' })
    story.run(READER, () => sync({ update_stage_agent_completion: { summary: 'counted' } }))
    expect(stageAt(story.world, 0, second)).toMatchObject({ parts: { [READER]: 'finished' }, judging: true })
  })

  it('[R16] is paused in all of them, and each chat says so', () => {
    const { story, first, second } = twoTasks()
    story.put(ANA, { type: 'pauseAgent', agent: READER, reason: 'look first' })
    expect(selectNextStep(story.world, READER)).toBeNull()
    for (const task of [first, second]) expect(linesOf(story.world, task)).toEqual(['Ana paused Reader · look first'])
  })

  it('[R20] leaves one and stays in the other', () => {
    const { story, first, second } = twoTasks()
    plans(story, READER, 'think', 'reflection')
    story.put(ANA, { type: 'changeParticipants', task: first, add: [], remove: [READER], reason: 'too much' })
    expect(selectNextStep(story.world, READER)).toMatchObject({ task: second, executor: 'planning' })
    expect(stageAt(story.world, 0, first).parts[READER]).toBe('failed')
    expect(stageAt(story.world, 0, second).parts[READER]).not.toBe('failed')
  })
})

describe('a task that fails', () => {
  it('[R6] with a part that failed is judged with the reason in sight, ends as failed, and all are told', () => {
    const { story, task } = storyOf(goals('read', READER, ANALYST))
    submits(story, ANALYST)
    plans(story, READER, 'summary')
    story.run(READER, () => outcomeOf({ state: 'failed', reason: 'the file cannot be read' }))
    const stage = stageAt(story.world, 0)
    expect(stage).toMatchObject({ parts: { [READER]: 'failed', [ANALYST]: 'finished' }, judging: true })
    expect(stage.partReasons[READER]).toContain('the file cannot be read')
    const summary = 'The file cannot be read.'
    story.run(MANAGER, () => tell({ action: 'finish_task', task_id: task, state: 'failed', task_summary: summary }))
    expect(story.world.tasks[task]).toMatchObject({ state: 'failed', summary })
    expect(stageAt(story.world, 0)).toMatchObject({ state: 'failed' })
    const end = must(messagesOf(story.world, task).at(-1), 'message')
    expect(end).toMatchObject({ instruction: { type: 'finish_task' }, receivers: story.world.tasks[task]?.group })
    const base = must(story.world.baseTask, 'base task')
    expect(messagesOf(story.world, base).at(-1)).toMatchObject({
      receivers: [ANA],
      text: expect.stringContaining(summary),
    })
    for (const person of [ANA, BEN]) {
      expect(story.world.notices[person]?.at(-1)).toMatchObject({ kind: 'task_failed', task })
    }
    expect(story.openRequests()).toEqual([])
  })

  it('a failed part does not stop the others: the stage is judged when they are over, and can be finished all the same', () => {
    const { story } = storyOf(goals('read', READER, ANALYST), goals('compare', ANALYST))
    plans(story, READER, 'summary')
    story.run(READER, () => outcomeOf({ state: 'failed', reason: 'no' }))
    expect(stageAt(story.world, 0).judging).toBe(false)
    plans(story, ANALYST, 'send_message', 'summary')
    story.run(ANALYST, () => saysFyi([MANAGER], 'half is there'))
    story.run(ANALYST, () => sync({ update_stage_agent_completion: { summary: 'half' } }))
    expect(stageAt(story.world, 0).judging).toBe(true)
    while (selectNextStep(story.world, MANAGER)?.executor === 'process_message') story.run(MANAGER, () => outcomeOf({}))
    judges(story, stageAt(story.world, 0))
    expect([stageAt(story.world, 0).state, stageAt(story.world, 1).state]).toEqual(['finished', 'running'])
  })
})

describe('an agent with parts in two tasks', () => {
  const warnings = (story: Story, task: TaskId) =>
    messagesOf(story.world, task).filter(({ said }) => said?.say === 'workElsewhere')
  const notesOf = (story: Story) =>
    stepsOf(story.world, MANAGER, BASE_TASK).flatMap(({ result }) => fieldsIn(result?.made).note ?? [])

  it('[R339] is told of to the manager that plans it and to the operators of the task, and refused nothing', () => {
    const { story, task: first } = storyOf(goals('read', READER))
    const second = addTask(story, [goals('count', READER, BEN)], 'Count')
    const said = 'Reader: a part to do in Compare too. The steps of one agent take turns, so both take longer.'
    expect(stageAt(story.world, 0, second).state).toBe('running')
    expect(warnings(story, second).map(({ text, receivers }) => [text, receivers])).toEqual([[said, [ANA]]])
    expect(notesOf(story)).toEqual([said])
    expect(warnings(story, first)).toEqual([])
  })

  it('[R339] is told of to nobody where its other part or task is over, or the parts are those of one task', () => {
    const { story, task: first } = storyOf(goals('read', READER), goals('compare', READER))
    expect(notesOf(story)).toEqual([])
    story.put(ANA, { type: 'finishTask', task: first, state: 'finished', summary: 'done', reason: 'enough' })
    const second = addTask(story, [goals('count', READER)], 'Count')
    expect([warnings(story, second), notesOf(story)]).toEqual([[], []])
  })
})
