/** What the system would refuse, told before it is tried, and the names by which answers may mean what there is. */
import { describe, expect, it } from 'vitest'
import {
  ANA,
  ANALYST,
  addTask,
  BEN,
  goals,
  LEE,
  MANAGER,
  messagesOf,
  must,
  plans,
  READER,
  says,
  stageAt,
  stagesOf,
  stepNow,
  stepsOf,
  storyOf,
  sync,
  todo,
  workTask,
} from '@/test/stories'
import { BASE_TASK, type Story, send, teamConfig } from '@/test/worldHistories'
import type { AgentId, TaskId } from '../../ids'
import type { StepRecord } from '../../records'
import { taskHandle } from '../../team/handles'
import type { PlannedStage, SyncOutput, TaskInstruction } from '../outcome'
import { whyRefused } from './sync'

const instructs = (task_instruction: TaskInstruction): SyncOutput => ({ task_instruction })
const said = (...receiver: string[]): SyncOutput => says(receiver).sync
/** Ben is in the task, Lee is not; stage 1 runs, stage 2 has not begun. */
const prepared = (): { story: Story; task: TaskId } => storyOf(goals('read', READER, BEN), goals('compare', ANALYST))

/** What is wished for, by whom, and the refusal; null: it is done. */
const CASES: [string, AgentId, (task: TaskId, story: Story) => SyncOutput, RegExp | null][] = [
  ['a message to a member', READER, () => said('Analyst'), null],
  ['a message to nobody', READER, () => said('nobody'), /^There is no agent nobody\. There are: .*Ben \(ben\)/],
  ['a message to one outside of the task', READER, () => said('Lee'), /^Lee: not in this task\. There are: /],
  ['a message to itself', READER, () => said('Reader'), /needs a receiver other than its sender/],
  [
    'the end of the stage that runs',
    MANAGER,
    () => instructs({ action: 'finish_stage', task_id: 'Compare', stage_id: 'stage 1' }),
    null,
  ],
  [
    'the end of a stage that has not begun',
    MANAGER,
    () => instructs({ action: 'finish_stage', task_id: 'Compare', stage_id: '2' }),
    /^That stage is not running\. Its stages: stage 1 running, stage 2 init\.$/,
  ],
  [
    'the end of a stage that is none',
    MANAGER,
    (task) => instructs({ action: 'finish_stage', task_id: task, stage_id: 'stage 7' }),
    /^There is no stage stage 7 in this task\. Its stages: stage 1 running, stage 2 init\.$/,
  ],
  [
    'stages in a task that is none',
    MANAGER,
    () => instructs({ action: 'add_stage', task_id: 'Count', stages: [goals('x', READER)] }),
    /^There is no task Count\. Tasks that you manage: Compare \(task-[0-9a-f]{6}\)\.$/,
  ],
  [
    'the end of a task by another than its manager',
    READER,
    (task) => instructs({ action: 'finish_task', task_id: task, state: 'finished', task_summary: 'x' }),
    /^You do not manage this task\.$/,
  ],
  [
    'a task with a member who is nobody',
    MANAGER,
    () => instructs({ action: 'add_task', task_name: 'x', task_intention: 'x', members: ['Reader', 'nobody'] }),
    /^There is no agent nobody\. There are: Manager \(manager\), .*Lee \(lee\)\.$/,
  ],
  [
    'an agent by a configuration that is none',
    MANAGER,
    () => ({ agent_instruction: { action: 'init_new_agent', config_id: 'none' } }),
    /^There is no configuration none\. Configurations: spare\.$/,
  ],
  ['a question', READER, () => ({ ask_info: { type: 'agents_in_mas' } }), null],
  ['a summary', READER, () => ({ update_stage_agent_completion: { summary: 'all read' } }), null],
]

describe('[R97] what the system would refuse', () => {
  const next = (story: Story, agent: AgentId): StepRecord => {
    if (agent === MANAGER) story.ask('next')
    else plans(story, agent, 'decision', 'think')
    return must(story.start(agent), 'step')
  }

  it.each(CASES)('is known before %s, and nothing of the world changes', (_, agent, wish, expected) => {
    const { story, task } = prepared()
    const step = next(story, agent)
    const output = wish(task, story)
    const before = structuredClone(story.world)
    const { world } = story
    const why = whyRefused(world, step, output, world.at + 1)
    if (expected === null) expect(why).toBeNull()
    else expect(why).toMatch(expected)
    expect(story.world).toBe(world)
    expect(structuredClone(world)).toEqual(before)
    // What is carried out then is refused in the same words, or done.
    story.finish(step, sync(output))
    const { state, reason } = stepNow(story.world, step)
    expect(state === 'failed' ? reason : null).toBe(why)
  })

  it('of a message names thirty at most, and says that there are more', () => {
    const { story } = prepared()
    const file = teamConfig()
    const agents = Array.from({ length: 40 }, (_, n) => ({
      ...must(file.agents[1], 'agent'),
      id: `00000000-0000-4000-8000-${String(5_000 + n).padStart(12, '0')}` as AgentId,
      configId: `worker-${n}`,
      name: `Worker ${n}`,
    }))
    story.put('system:start', { ...file, agents: [...file.agents, ...agents] })
    const step = next(story, MANAGER)
    const wish = instructs({ action: 'add_task', task_name: 'x', task_intention: 'x', members: ['nobody'] })
    const why = must(whyRefused(story.world, step, wish, story.world.at), 'refusal')
    expect(why.match(/\(/g)).toHaveLength(30)
    expect(why).toMatch(/ …\.$/)
  })

  it('says a dash where there is nothing to choose from', () => {
    const { story, task } = prepared()
    const file = teamConfig()
    story.put('system:start', { ...file, team: { ...file.team, startable: [] } })
    const step = next(story, MANAGER)
    expect(whyRefused(story.world, step, { agent_instruction: { action: 'init_new_agent', config_id: 'x' } }, 1)).toBe(
      'There is no configuration x. Configurations: -.',
    )
    story.finish(step, sync({}))
    story.put(must(file.agents[3], 'Ana').id, {
      type: 'finishTask',
      task,
      state: 'finished',
      summary: 'done',
      reason: 'done',
    })
    story.ask('once more')
    const wish = instructs({ action: 'finish_stage', task_id: 'none', stage_id: '1' })
    expect(whyRefused(story.world, must(story.start(MANAGER), 'step'), wish, 1)).toBe(
      'There is no task none. Tasks that you manage: -.',
    )
  })

  it('is said in Chinese to a Chinese team', () => {
    const { story } = prepared()
    const file = teamConfig()
    story.put('system:start', { ...file, team: { ...file.team, language: 'zh' } })
    const step = next(story, MANAGER)
    const wish = instructs({ action: 'finish_stage', task_id: 'Compare', stage_id: '阶段 2' })
    expect(whyRefused(story.world, step, wish, 1)).toMatch(/其阶段：stage 1 running, stage 2 init。$/)
  })
})

describe('an answer may mean by a name', () => {
  const managerSays = (story: Story, instruction: TaskInstruction): StepRecord => {
    story.ask('next')
    const step = must(
      story.run(MANAGER, () => sync(instructs(instruction))),
      'step',
    )
    return stepNow(story.world, step)
  }

  it('the receivers of a message', () => {
    const { story, task } = prepared()
    plans(story, READER, 'send_message', 'think')
    story.run(READER, () => says(['Analyst', '@ben'], { stage_relative: 'stage 2', waiting: false }))
    expect(messagesOf(story.world, task).at(-1)).toMatchObject({
      receivers: [ANALYST, BEN],
      stage: stageAt(story.world, 1).id,
    })
  })

  it('the task, the stage and the agents of an instruction, whose results call them by handles', () => {
    const { story, task } = prepared()
    const handle = taskHandle({ id: task })
    const added = managerSays(story, {
      action: 'add_stage',
      task_id: handle,
      stages: [{ stage_intention: 'write', agent_allocation: { Lee: 'write it', analyst: 'help' } }],
    })
    expect(added.result?.made).toEqual({ stage_ids: ['stage 3'], started: null })
    expect(stageAt(story.world, 2).allocation).toEqual({ [LEE]: 'write it', [ANALYST]: 'help' })
    const again = managerSays(story, {
      action: 'retry_stage',
      task_id: 'compare',
      stage_id: '1',
      stages: [
        { stage_intention: 'read one', agent_allocation: { Reader: 'read a' } },
        { stage_intention: 'read two', agent_allocation: { Reader: 'read b' } },
      ],
    })
    expect(again.result?.made).toEqual({
      stage_ids: ['stage 1 try 2', 'stage 1 try 3'],
      not_in_the_new_stage: ['Ben'],
    })
    expect(stagesOf(story.world).map(({ intention, state }) => [intention, state])).toEqual([
      ['read', 'failed'],
      ['read one', 'running'],
      ['read two', 'init'],
      ['compare', 'init'],
      ['write', 'init'],
    ])
    const ended = managerSays(story, { action: 'finish_stage', task_id: handle, stage_id: 'stage 1 try 2' })
    expect(ended.result?.made).toEqual({ stage_id: 'stage 1 try 2', state: 'finished' })
    const over = managerSays(story, {
      action: 'finish_task',
      task_id: 'Compare',
      state: 'failed',
      task_summary: 'Too old.',
    })
    expect(over.result?.made).toEqual({ task_id: handle, state: 'failed' })
  })

  it('who joins a task', () => {
    const { story, task } = prepared()
    story.ask('next')
    const step = must(
      story.run(MANAGER, () =>
        sync({ agent_instruction: { action: 'add_task_participant', task_id: 'Compare', agents: ['Lee', 'reader'] } }),
      ),
      'step',
    )
    expect(stepNow(story.world, step).result?.made).toEqual({ task_id: taskHandle({ id: task }), added: ['Lee'] })
    expect(workTask(story.world).group).toContain(LEE)
  })

  it('none of two tasks that have it', () => {
    const { story } = prepared()
    const other = addTask(story, [goals('count', READER)])
    story.put(ANA, { type: 'renameTask', task: other, name: 'Compare' })
    const refused = managerSays(story, { action: 'finish_stage', task_id: 'Compare', stage_id: '1' })
    expect(refused.reason).toMatch(
      /^There is no task Compare\. Tasks that you manage: Compare \(.*\), Compare \(.*\)\.$/,
    )
  })
})

describe('a new task', () => {
  const NEW: Extract<TaskInstruction, { action: 'add_task' }> = {
    action: 'add_task',
    task_name: 'Count',
    task_intention: 'Count the pears',
    members: ['Reader', 'Analyst'],
  }
  const STAGES: PlannedStage[] = [
    { stage_intention: 'count', agent_allocation: { Reader: 'count them' } },
    { stage_intention: 'check', agent_allocation: { Analyst: 'check it' } },
  ]
  /** The manager owes Ana a reply, and makes a task on the way to it. */
  const onTheWay = (story: Story, instruction: TaskInstruction): StepRecord => {
    story.ask('Count the pears')
    story.run(MANAGER, () => ({
      ...sync({}),
      result: { kind: 'text', text: 'a task first', body: null, made: { again: true } },
      steps: {
        add: [],
        insert: ['task_manager', 'send_message'].map((executor) => ({
          step_intention: executor,
          type: 'skill',
          executor,
          text_content: 'do it',
        })),
      },
    }))
    expect(todo(story.world, MANAGER)).toEqual(['task_manager', 'send_message'])
    const step = must(
      story.run(MANAGER, () => sync(instructs(instruction))),
      'step',
    )
    return stepNow(story.world, step)
  }
  const taskOf = (story: Story) => Object.values(story.world.tasks).find(({ name }) => name === 'Count')

  it('is planned and begun in the same decision', () => {
    const { story } = prepared()
    const step = onTheWay(story, { ...NEW, stages: STAGES })
    const task = must(taskOf(story), 'task')
    expect(step.result?.made).toEqual({
      task_id: taskHandle(task),
      task_name: 'Count',
      members: 'Manager (manager), Reader (reader), Analyst (analyst), Ana (ana)',
      stage_ids: ['stage 1', 'stage 2'],
      started: 'stage 1',
      note: expect.stringContaining('Compare'),
    })
    expect(task.state).toBe('running')
    expect(stagesOf(story.world, task.id).map(({ state }) => state)).toEqual(['running', 'init'])
    expect(todo(story.world, READER).at(-1)).toBe('planning')
    // Nothing was said to Ana: the reply is still to come.
    expect(todo(story.world, MANAGER)).toEqual(['send_message'])
  })

  it('answers the one who asked with the reply that it brings, and the step of the reply is over without a call', () => {
    const { story } = prepared()
    onTheWay(story, { ...NEW, stages: STAGES, reply: 'I have begun.' })
    expect(todo(story.world, MANAGER)).toEqual([])
    const reply = must(
      messagesOf(story.world, BASE_TASK).findLast(({ sender }) => sender === MANAGER),
      'reply',
    )
    const asked = must(
      messagesOf(story.world, BASE_TASK).findLast(({ text }) => text === 'Count the pears'),
      'request',
    )
    expect(reply).toMatchObject({ text: 'I have begun.', replyTo: asked.id, thread: asked.thread, type: 'fyi' })
    expect(story.world.deliveries[BASE_TASK]?.[MANAGER]?.[asked.id]?.state).toBe('answered')
    const step = stepsOf(story.world, MANAGER, BASE_TASK).find(({ id }) => id === reply.fromStep)
    expect(step).toMatchObject({ executor: 'send_message', state: 'finished', calls: [], startedAt: null })
    expect(step?.result?.text).toMatch(/Ana.*I have begun\./s)
  })

  it('[R307] is called in its reply by the name that tells it apart', () => {
    const { story } = prepared()
    addTask(story, [], NEW.task_name)
    onTheWay(story, { ...NEW, stages: STAGES, reply: 'Task `Count` started: I count.' })
    const replies = messagesOf(story.world, BASE_TASK).filter(({ sender }) => sender === MANAGER)
    expect(replies.at(-1)?.text).toBe('Task `Count 2` started: I count.')
  })

  it('made where nothing is owed says nothing to anybody', () => {
    const { story } = prepared()
    story.put(ANA, send(ANA, [MANAGER], { text: 'Count the pears' }))
    const before = messagesOf(story.world, BASE_TASK).filter(({ sender }) => sender === MANAGER).length
    story.run(MANAGER, () => sync(instructs({ ...NEW, reply: 'I have begun.' })))
    expect(taskOf(story)).toBeDefined()
    expect(messagesOf(story.world, BASE_TASK).filter(({ sender }) => sender === MANAGER)).toHaveLength(before)
  })

  it('one of whose stages is refused is not made at all, and its reply is not sent', () => {
    const { story } = prepared()
    const before = messagesOf(story.world, BASE_TASK).filter(({ sender }) => sender === MANAGER).length
    const stages = [...STAGES, { stage_intention: 'x', agent_allocation: { nobody: 'x' } }]
    const step = onTheWay(story, { ...NEW, stages, reply: 'I have begun.' })
    expect(step.reason).toMatch(/^There is no agent nobody\. There are: /)
    expect(taskOf(story)).toBeUndefined()
    expect(messagesOf(story.world, BASE_TASK).filter(({ sender }) => sender === MANAGER)).toHaveLength(before)
    expect(todo(story.world, MANAGER)).toEqual(['send_message'])
  })
})
