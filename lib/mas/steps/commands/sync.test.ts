/** What agents may instruct and say: each refusal in its words, beside what is carried out. */
import { describe, expect, it } from 'vitest'
import { stepIn } from '@/lib/mas/steps/ownSteps'
import {
  ANA,
  ANALYST,
  addTask,
  BEN,
  failed,
  goals,
  judges,
  LEE,
  lastStep,
  locksOf,
  MANAGER,
  messagesOf,
  must,
  plans,
  READER,
  requestOf,
  says,
  stageAt,
  stagesOf,
  stepNow,
  storyOf,
  submits,
  sync,
  todo,
  workTask,
} from '@/test/stories'
import { BASE_TASK, outcomeOf, planned, type Story, send, TEAM, teamConfig } from '@/test/worldHistories'
import type { AgentId, TaskId } from '../../ids'
import type { AgentRecord, StepRecord } from '../../records'
import { taskHandle } from '../../team/handles'
import type { AgentInstruction, TaskInstruction } from '../outcome'

/** The agent's next step says this; out: the step as it ended. */
const runs = (story: Story, agent: AgentId, outcome = outcomeOf({})): StepRecord => {
  const step = must(
    story.run(agent, () => outcome),
    'step',
  )
  return stepNow(story.world, step)
}
const managerWishes = (story: Story, command: TaskInstruction): StepRecord => {
  story.ask('next')
  return runs(story, MANAGER, sync({ task_instruction: command }))
}
/** Why it was refused; null: it was done. */
const why = ({ state, reason }: StepRecord): string | null => (state === 'failed' ? reason : null)
const leaves = (story: Story, ...gone: AgentId[]): void => {
  const file = teamConfig()
  story.put('system:start', { ...file, agents: file.agents.filter(({ id }) => !gone.includes(id)) })
}
const NOBODY = 'nobody' as AgentId
const MEMBERS = 'There are: Manager (manager), Reader (reader), Analyst (analyst), Ben (ben), Ana (ana).'

describe('what a manager instructs', () => {
  const stage = goals('more', ANALYST)
  const cases: [string, (task: TaskId, story: Story) => TaskInstruction, string | null][] = [
    ['stages', (task_id) => ({ action: 'add_stage', task_id, stages: [stage] }), null],
    ['no stages', (task_id) => ({ action: 'add_stage', task_id, stages: [] }), 'The list of stages is empty.'],
    [
      'a stage without parts',
      (task_id) => ({ action: 'add_stage', task_id, stages: [stage, { stage_intention: 'x', agent_allocation: {} }] }),
      'A stage needs at least one agent with a goal.',
    ],
    [
      'a part of nobody',
      (task_id) => ({ action: 'add_stage', task_id, stages: [stage, goals('x', NOBODY)] }),
      'There is no agent nobody.',
    ],
    [
      'a part of somebody who left',
      (task_id) => ({ action: 'add_stage', task_id, stages: [goals('x', ANALYST, LEE)] }),
      `There is no agent ${LEE}.`,
    ],
    [
      'a task that is none',
      () => ({ action: 'add_stage', task_id: 'none', stages: [stage] }),
      'There is no task none.',
    ],
    [
      'the base task',
      () => ({ action: 'add_stage', task_id: BASE_TASK, stages: [stage] }),
      'BASE_TASK_STAYS: the base task and its stage stay as they are.',
    ],
    [
      'the end of a stage that is none',
      (task_id) => ({ action: 'finish_stage', task_id, stage_id: 'none' }),
      'There is no stage none in this task.',
    ],
    [
      'the end of a stage that has not begun',
      (task_id, { world }) => ({ action: 'finish_stage', task_id, stage_id: stageAt(world, 1).id }),
      'That stage is not running.',
    ],
    [
      'the end of the stage that runs',
      (task_id, { world }) => ({ action: 'finish_stage', task_id, stage_id: stageAt(world, 0).id }),
      null,
    ],
    [
      'another try of a stage that is none',
      (task_id) => ({ action: 'retry_stage', task_id, stage_id: 'none', stages: [stage] }),
      'There is no stage none in this task.',
    ],
    [
      'another try of a stage that has not begun',
      (task_id, { world }) => ({ action: 'retry_stage', task_id, stage_id: stageAt(world, 1).id, stages: [stage] }),
      'That stage is not running.',
    ],
    [
      'another try without parts',
      (task_id, { world }) => ({
        action: 'retry_stage',
        task_id,
        stage_id: stageAt(world, 0).id,
        stages: [{ stage_intention: 'x', agent_allocation: {} }],
      }),
      'A stage needs at least one agent with a goal.',
    ],
    [
      'a task with a member who is nobody',
      () => ({ action: 'add_task', task_name: 'x', task_intention: 'x', members: [READER, NOBODY] }),
      'There is no agent nobody.',
    ],
    [
      'a task with a member who left',
      () => ({ action: 'add_task', task_name: 'x', task_intention: 'x', members: [READER, LEE] }),
      `There is no agent ${LEE}.`,
    ],
  ]

  it.each(cases)('names an agent that cannot be a member: %s', (_, command, expected) => {
    const { story, task } = storyOf(goals('read', READER), goals('compare', ANALYST))
    leaves(story, LEE)
    const before = stagesOf(story.world).map(({ state }) => state)
    const said = why(managerWishes(story, command(task, story)))
    if (expected === null) expect(said).toBeNull()
    else expect(said).toContain(expected)
    if (expected !== null) expect(stagesOf(story.world).map(({ state }) => state)).toEqual(before)
  })

  it('is refused in a task that is over, and to anyone who does not manage it', () => {
    const { story, task } = storyOf(goals('read', READER))
    const command: TaskInstruction = { action: 'add_stage', task_id: task, stages: [stage] }
    plans(story, READER, 'task_manager', 'task_manager', 'think')
    expect(why(runs(story, READER, sync({ task_instruction: command })))).toBe('You do not manage this task.')
    const makes: TaskInstruction = { action: 'add_task', task_name: 'x', task_intention: 'x', members: [] }
    expect(why(runs(story, READER, sync({ task_instruction: makes })))).toBe('You do not manage this task.')
    story.put(ANA, { type: 'finishTask', task, state: 'finished', summary: 'done', reason: 'done' })
    expect(why(managerWishes(story, command))).toBe('That task is over.')
    const joins: AgentInstruction = { action: 'add_task_participant', task_id: task, agents: [LEE] }
    story.ask('next')
    expect(why(runs(story, MANAGER, sync({ agent_instruction: joins })))).toBe('That task is over.')
  })

  it('one stage is tried again at a time', () => {
    const { story, task } = storyOf(goals('read', READER))
    const { id } = stageAt(story.world, 0)
    const again: TaskInstruction = {
      action: 'retry_stage',
      task_id: task,
      stage_id: id,
      stages: [goals('better', READER)],
    }
    expect(why(managerWishes(story, again))).toBeNull()
    expect(why(managerWishes(story, again))).toContain('another attempt at that stage has not ended yet')
    submits(story, READER)
    judges(story, stageAt(story.world, 1))
    expect(why(managerWishes(story, again))).toBeNull()
  })

  it('of the members of a task: who joins, by the one who manages it', () => {
    const { story, task } = storyOf(goals('read', READER))
    const joins = (agents: string[], task_id: string = task) =>
      sync({ agent_instruction: { action: 'add_task_participant', task_id, agents } })
    plans(story, READER, 'agent_manager', 'think')
    expect(why(runs(story, READER, joins([LEE])))).toBe('You do not manage this task.')
    const asks = (outcome: ReturnType<typeof joins>): StepRecord => {
      story.ask('next')
      return runs(story, MANAGER, outcome)
    }
    expect(why(asks(joins([LEE, NOBODY])))).toBe(
      'There is no agent nobody. There are: Manager (manager), Reader (reader), Analyst (analyst), Ana (ana), Ben (ben), Lee (lee).',
    )
    const handle = taskHandle(workTask(story.world))
    expect(why(asks(joins([LEE], 'none')))).toBe(`There is no task none. Tasks that you manage: Compare (${handle}).`)
    expect(workTask(story.world).group).not.toContain(LEE)
    const done = asks(joins([LEE, READER]))
    expect(done.result?.made).toMatchObject({ task_id: handle, added: ['Lee'] })
    expect(workTask(story.world).group).toContain(LEE)
  })

  it('of the team: a new agent by a configuration that there is, and by managers alone', () => {
    const { story } = storyOf(goals('read', READER))
    const starts = (config_id: string) => sync({ agent_instruction: { action: 'init_new_agent', config_id } })
    plans(story, READER, 'agent_manager', 'think')
    expect(why(runs(story, READER, starts('spare')))).toBe('You do not manage this task.')
    story.ask('next')
    expect(why(runs(story, MANAGER, starts('none')))).toBe('There is no configuration none. Configurations: spare.')
    const before = Object.keys(story.world.agents).length
    story.ask('next')
    const done = runs(story, MANAGER, starts('spare'))
    expect(done.result?.made).toMatchObject({ name: 'Spare', role: 'Spare' })
    expect(Object.keys(story.world.agents)).toHaveLength(before + 1)
    const made = must(
      Object.values(story.world.agents).find(({ name }: AgentRecord) => name === 'Spare'),
      'new agent',
    )
    expect(made.id).not.toBe(teamConfig().team.startable[0]?.id)
  })

  it('makes a task for the one who asked in that thread, when it is a person', () => {
    const { story } = storyOf(goals('read', READER))
    expect(workTask(story.world)).toMatchObject({ requestedBy: ANA, requestedIn: { task: BASE_TASK } })
    const other = addTask(story, [goals('read', READER)], 'Second')
    expect(story.world.tasks[other]).toMatchObject({ requestedBy: ANA, manager: MANAGER })
  })
})

describe('what an agent says', () => {
  const prepared = () => {
    const { story, task } = storyOf(goals('read', READER, ANALYST), goals('compare', ANALYST))
    plans(story, READER, 'send_message', 'send_message', 'think')
    return { story, task }
  }

  it.each<[string, string[], string]>([
    ['nobody', [NOBODY], `There is no agent nobody. ${MEMBERS}`],
    ['somebody who left, with others', [ANALYST, LEE], `There is no agent ${LEE}. ${MEMBERS}`],
    ['itself alone', [READER], 'A message needs a receiver other than its sender.'],
    ['no one', [], 'A message needs a receiver other than its sender.'],
  ])('to %s is refused, and nobody hears it', (_, receivers, expected) => {
    const { story, task } = prepared()
    leaves(story, LEE)
    const before = messagesOf(story.world, task).length
    expect(why(runs(story, READER, says(receivers)))).toBe(expected)
    expect(messagesOf(story.world, task)).toHaveLength(before)
    expect(locksOf(story.world, READER)).toEqual([])
  })

  it('to somebody who is not in the task is refused, to one who is and itself goes to the one', () => {
    const { story, task } = prepared()
    expect(why(runs(story, READER, says([ANALYST, LEE])))).toBe(`Lee: not in this task. ${MEMBERS}`)
    expect(why(runs(story, READER, says([READER, ANALYST, ANALYST])))).toBeNull()
    expect(messagesOf(story.world, task).at(-1)).toMatchObject({ sender: READER, receivers: [ANALYST] })
    expect(locksOf(story.world, READER).map(({ on }) => on)).toEqual([ANALYST])
  })

  it('[R162] keeps the sources that were found for it', () => {
    const { story, task } = prepared()
    const cited = { at: [{ offset: 3, id: 'cit_8' }], sources: { cit_8: { source_type: 'tool_result' } } }
    runs(story, READER, says([ANALYST], { cited }))
    expect(messagesOf(story.world, task).at(-1)?.cited).toEqual(cited)
  })

  it('belongs to the stage that it names, else to that of its step, or to none', () => {
    const { story, task } = prepared()
    const [first, second] = [stageAt(story.world, 0).id, stageAt(story.world, 1).id]
    const said = (stage_relative: string) => {
      const { id } = lastStep(story.world, READER)
      story.put(ANA, send(ANA, [READER], { task, kind: 'action', text: id }))
      plansMore(story)
      runs(story, READER, says([ANALYST], { stage_relative, waiting: false }))
      return messagesOf(story.world, task).findLast(({ sender }) => sender === READER)?.stage
    }
    const plansMore = (one: Story): void => {
      runs(one, READER, outcomeOf({ steps: { insert: [planned('send_message')], add: [] } }))
    }
    expect(said(second)).toBe(second)
    expect(said('no_relative')).toBeNull()
    expect(said('unknown')).toBe(first)
  })

  it('expires after so many minutes where it asks for something, and never where it does not', () => {
    const { story, task } = prepared()
    runs(story, READER, says([BEN], { waiting: false, need_reply: false, due_minutes: 5 }))
    expect(messagesOf(story.world, task).at(-1)).not.toHaveProperty('due')
    runs(story, READER, says([BEN], { waiting: false, due_minutes: 5 }))
    const asked = must(messagesOf(story.world, task).at(-1), 'message')
    expect(asked.due).toBe(story.world.at + 5 * 60_000)
    expect(requestOf(story, 'answer')).toMatchObject({ due: asked.due })
  })

  it('and waits for has a lock for each, due with the message, with the request of a person and none of an agent', () => {
    const { story } = prepared()
    runs(story, READER, says([BEN, ANALYST], { need_reply: false, due_minutes: 5 }))
    const request = must(requestOf(story, 'answer'), 'request')
    expect(locksOf(story.world, READER)).toMatchObject([
      { on: BEN, request: request.id, due: story.world.at + 5 * 60_000 },
      { on: ANALYST, request: null, due: story.world.at + 5 * 60_000 },
    ])
  })

  it('without a time has locks without one', () => {
    const { story } = prepared()
    runs(story, READER, says([BEN]))
    expect(locksOf(story.world, READER)[0]).not.toHaveProperty('due')
  })

  it('is said in no task that is over', () => {
    const { story, task } = prepared()
    const step = must(story.start(READER), 'step')
    story.put(ANA, { type: 'finishTask', task, state: 'finished', summary: 'done', reason: 'done' })
    const before = messagesOf(story.world, task).length
    expect(story.finish(step, says([ANALYST]))?.reply).toMatchObject({ late: true })
    expect(messagesOf(story.world, task)).toHaveLength(before)
  })

  it('and waits for, as a manager, becomes a question, unless it may wait', () => {
    const asks = (mayWait: boolean) => {
      const { story, task } = storyOf(goals('read', READER))
      const file = teamConfig()
      const agents = file.agents.map((agent) => (agent.id === MANAGER ? { ...agent, mayWait } : agent))
      story.put('system:start', { ...file, agents })
      story.put(ANA, send(ANA, [MANAGER], { task, text: 'Ask Ben' }))
      const step = runs(story, MANAGER, says([BEN]))
      return { locks: locksOf(story.world, MANAGER).length, said: step.result?.text, task }
    }
    expect(asks(true).locks).toBe(1)
    expect(asks(true).said).not.toContain('You manage a task')
    expect(asks(false).locks).toBe(0)
    expect(asks(false).said).toContain('You manage a task')
  })

  it('to all is one line of the task with the role of its author, also when its step failed', () => {
    const { story, task } = prepared()
    runs(story, READER, sync({ send_shared_info: { content: 'The list is long' } }))
    expect(story.world.info[task]).toMatchObject([{ role: TEAM.reader.role, content: 'The list is long' }])
    const failing = failed('it broke')
    runs(story, READER, { ...failing, sync: { send_shared_info: { content: 'And old' }, ...says([ANALYST]).sync } })
    expect(story.world.info[task]?.map(({ content }) => content)).toEqual(['The list is long', 'And old'])
    expect(locksOf(story.world, READER)).toEqual([])
  })
})

describe('a stage', () => {
  it('that starts gives parts to members, and fails those of members who left since it was planned', () => {
    const { story, task } = storyOf(goals('read', READER), goals('compare', ANALYST, BEN))
    story.put(ANA, { type: 'changeParticipants', task, add: [], remove: [ANALYST], reason: 'not needed' })
    submits(story, READER)
    judges(story, stageAt(story.world, 0))
    expect(stageAt(story.world, 1)).toMatchObject({ state: 'running', parts: { [ANALYST]: 'failed', [BEN]: 'idle' } })
    expect(todo(story.world, ANALYST)).toEqual([])
    const started = messagesOf(story.world, task).filter(({ instruction }) => instruction?.type === 'start_stage')
    expect(started.at(-1)?.receivers).toEqual([BEN])
  })

  it('does not start while its task is paused, and its manager is not asked to judge the task', () => {
    const { story, task } = storyOf(goals('read', READER), goals('compare', ANALYST))
    submits(story, READER)
    const judging = must(story.start(MANAGER), 'judging')
    story.put(ANA, { type: 'pauseTask', task, reason: 'lunch' })
    story.finish(
      judging,
      sync({ task_instruction: { action: 'finish_stage', task_id: task, stage_id: stageAt(story.world, 0).id } }),
    )
    expect(stagesOf(story.world).map(({ state }) => state)).toEqual(['finished', 'init'])
    expect(messagesOf(story.world, task).some(({ instruction }) => instruction?.type === 'judge_task')).toBe(false)
  })

  it('that ends leaves those without a part their steps, outside of it', () => {
    const { story, task } = storyOf(goals('read', READER), goals('compare', READER))
    const { id } = stageAt(story.world, 0)
    story.put(ANA, send(ANA, [ANALYST, READER], { task, stage: id, text: 'Look' }))
    const of = (agent: AgentId) =>
      (story.world.work[agent]?.todo ?? []).map(({ step }) => stepIn(story.world.steps[task]?.[agent], step))
    expect(of(ANALYST)).toMatchObject([{ executor: 'process_message', stage: id }])
    story.put(ANA, { type: 'finishStage', stage: id, reason: 'it will do' })
    expect(of(ANALYST)).toMatchObject([{ executor: 'process_message', stage: null }])
    // The one who had a part begins with the next one.
    expect(todo(story.world, READER)).toEqual(['planning'])
  })
})

describe('a task that ends', () => {
  const ends = (story: Story, task: TaskId, state: 'finished' | 'failed' = 'finished'): void => {
    story.put(ANA, { type: 'finishTask', task, state, summary: 'all read', reason: 'done' })
  }
  const toldInBase = (story: Story): string[] =>
    messagesOf(story.world, BASE_TASK)
      .filter(({ sender, receivers }) => sender === 'system:task' && receivers.includes(ANA))
      .map(({ text }) => text)

  it('is told to the one who asked for it where they asked, once', () => {
    const { story, task } = storyOf(goals('read', READER))
    expect(toldInBase(story)).toEqual([])
    ends(story, task)
    expect(toldInBase(story)).toEqual([expect.stringContaining('all read')])
    const thread = workTask(story.world).requestedIn?.thread
    expect(messagesOf(story.world, BASE_TASK).findLast(({ sender }) => sender === 'system:task')?.thread).toBe(thread)
  })

  it('is not told in the base task when it was made by form, or the one who asked is gone', () => {
    const { story } = storyOf(goals('read', READER))
    const { task } = must(
      story.put(ANA, {
        type: 'makeTask',
        name: 'Form',
        intention: 'x',
        manager: MANAGER,
        members: [],
        stages: [],
        reason: 'a test',
      }),
      'decision',
    ).reply as { task: TaskId }
    ends(story, task)
    expect(toldInBase(story)).toEqual([])
  })

  it('fails the stage that runs, and leaves the others as they are', () => {
    const { story, task } = storyOf(goals('read', READER), goals('compare', ANALYST))
    ends(story, task, 'failed')
    expect(stagesOf(story.world).map(({ state }) => state)).toEqual(['failed', 'init'])
    expect(workTask(story.world)).toMatchObject({ state: 'failed', summary: 'all read' })
  })
})
