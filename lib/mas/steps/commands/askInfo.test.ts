/** What an agent is told of tasks, stages and others: its own, or all for a manager, with handles, and cut where it is too long. */
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
import { BASE_TASK, outcomeOf, planned, Story, send, TEAM, teamConfig } from '@/test/worldHistories'
import type { AgentId, ThreadId } from '../../ids'
import { SKILLS, type SkillName, type World } from '../../records'
import type { AskInfo } from '../outcome'
import { ANSWER_CHARACTERS, answerInfo } from './askInfo'

const asks = (world: World, question: AskInfo, agent: AgentId = READER): string =>
  answerInfo(
    world,
    {
      agent,
      task: Object.keys(world.tasks).find((id) => id !== BASE_TASK) ? workTask(world).id : BASE_TASK,
      thread: null,
    },
    question,
  )
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-/
const two = () => storyOf(goals('read', READER), goals('compare', ANALYST))

describe('what an agent asks of tasks', () => {
  it('of its own it hears of the stages that it has a part in, with their place, goals and states', () => {
    const { story, task } = two()
    const said = asks(story.world, { type: 'my_tasks' })
    expect(said).toContain(`task Compare (task_id task-${task.slice(0, 6)}): running\n`)
    expect(said).toContain('  stage 1: running. read')
    expect(said).toContain('    Reader (reader): idle. goal: read it')
    expect(said).not.toContain('stage 2: ')
    expect(asks(story.world, { type: 'my_tasks' }, ANALYST)).toContain('stage 2: ')
    expect(asks(story.world, { type: 'my_tasks' }, LEE)).not.toContain('Compare')
    expect(said).toContain('manager: Manager (manager); members: ')
    expect(said).toContain('  asked for by: Ana (ana)')
    expect(asks(story.world, { type: 'managed_tasks' }, MANAGER)).toContain('stage 2: ')
    expect(asks(story.world, { type: 'managed_tasks' })).toBe('There is no such task.')
    expect(said).not.toMatch(UUID)
  })

  it('of one task or stage a member and a manager read, nobody else', () => {
    const { story, task } = two()
    const stage = stageAt(story.world, 1).id
    for (const question of [
      { type: 'task', task_id: task },
      { type: 'stage', stage_id: stage },
    ] as const) {
      expect(asks(story.world, question)).toContain('stage 2: ')
      expect(asks(story.world, question, MANAGER)).toContain('stage 2: ')
      expect(asks(story.world, question, LEE)).not.toContain('compare')
    }
    expect(asks(story.world, { type: 'task', task_id: 'none' })).toContain('none')
    expect(asks(story.world, { type: 'stage', stage_id: 'none' })).toContain('none')
    // By its id a stage is found in any task that they may read.
    const elsewhere = { agent: MANAGER, task: BASE_TASK, thread: null }
    expect(answerInfo(story.world, elsewhere, { type: 'stage', stage_id: stage })).toContain('compare')
    // Of a task that is named, and of no other.
    const other = addTask(story, [goals('sort', READER)], 'Sort')
    expect(asks(story.world, { type: 'stage', stage_id: 'stage 1', task_id: other })).toContain('sort')
    expect(asks(story.world, { type: 'stage', stage_id: stage, task_id: other })).not.toContain('compare')
    expect(asks(story.world, { type: 'stage', stage_id: 'stage 1', task_id: 'Nothing' })).toContain('There are: ')
  })

  it('of what is over it hears the summary, of a part that is under way none', () => {
    const { story, task } = two()
    expect(asks(story.world, { type: 'task', task_id: task })).not.toContain('summary')
    submits(story, READER, 'twelve files')
    expect(asks(story.world, { type: 'task', task_id: task })).toContain(
      'Reader (reader): finished. goal: read it. summary: twelve files',
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
      expect(said).toContain('Reader (reader): agent, Reader. skills: all; tools: files. ')
      expect(said).toContain('Manager (manager): agent, Manager. skills: all; tools: none. ')
      expect(said).toMatch(/Ana \(ana\): person, Ana\. \S/)
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
    const { story, task } = storyOf(goals('read', READER, ANALYST))
    const idle = asks(story.world, { type: 'agent_states', agents: [ANALYST] })
    expect(idle).toContain('  waits for: nobody')
    plans(story, READER, 'send_message', 'think')
    story.run(READER, () => says([BEN]))
    const said = asks(story.world, { type: 'agent_states', agents: [READER, 'nobody-here'] })
    expect(said).toContain('  waits for: Ben')
    expect(said).toContain('  steps to come: 1')
    expect(said).toContain(
      [
        `  in Compare (task-${task.slice(0, 6)}), stage 1:`,
        '    planning finished: Plan my part of the stage',
        '    send_message finished: send_message',
        '    think not begun: think',
      ].join('\n'),
    )
    expect(said).toContain('  model: default')
    expect(said).toContain('nobody-here')
    expect(asks(story.world, { type: 'agent_states', agents: [LEE] })).toContain('  steps to come: 0')
    expect(asks(story.world, { type: 'agent_states', agents: ['lee'] })).not.toContain('  in ')
    expect(said).not.toMatch(UUID)
  })

  it('it hears whom it may start, and what there is to use', () => {
    const { world } = new Story()
    expect(asks(world, { type: 'startable_agents' })).toContain('config_id spare: Spare, Spare.')
    const skillGuides = Object.fromEntries(SKILLS.map((skill) => [skill, `does ${skill}`])) as Record<SkillName, string>
    const guided = { ...world, team: { ...world.team, startable: [], skillGuides } }
    expect(asks(guided, { type: 'startable_agents' })).toBe('There is no configuration to make an agent from.')
    const said = asks(guided, { type: 'skills_and_tools' }).split('\n')
    expect(said).toContain('skill send_message: does send_message')
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
    const world = many(1, 'x')
    const length = asks(world, { type: 'agents_in_mas' }).length
    const fits = asks(many(1, 'x'.repeat(ANSWER_CHARACTERS - length + 1)), { type: 'agents_in_mas' })
    expect(fits).toHaveLength(ANSWER_CHARACTERS)
    expect(fits).not.toContain('Ask narrower')
    const tooLong = asks(many(1, 'x'.repeat(ANSWER_CHARACTERS - length + 2)), { type: 'agents_in_mas' })
    expect(tooLong).toContain('(6 of 7 lines. Ask narrower')
  })
})

it('a step that runs is a state that others are told of', () => {
  const { story } = storyOf(goals('read', READER))
  story.run(READER, () => outcomeOf({ steps: { insert: [], add: [planned('think')] } }))
  story.start(READER)
  expect(asks(story.world, { type: 'agent_states', agents: [READER] }, MANAGER)).toContain('think running: ')
})

describe('the state of another', () => {
  it('shows notes and steps of tasks that both are in, and counts the others', () => {
    const { story, task } = storyOf(goals('read', READER))
    addTask(story, [goals('sort', READER)])
    story.run(READER, () => outcomeOf({ memory: [{ add: 'the list is long' }] }))
    const asked = (agent: AgentId) =>
      answerInfo(story.world, { agent, task, thread: null }, { type: 'agent_states', agents: ['Reader'] })
    expect(asked(BEN)).toContain('  memory:\n')
    expect(asked(BEN)).toContain('the list is long')
    expect(asked(BEN)).toContain('in Compare')
    expect(asked(LEE)).not.toContain('the list is long')
    expect(asked(LEE)).toContain('notes of tasks that you are not in: 1')
    expect(asked(LEE)).toContain('tasks that you are not in: 2, with steps: 3')
  })
})

describe('what was said and done in a task', () => {
  const talk = () => {
    const { story, task } = storyOf(goals('read', READER), goals('compare', ANALYST))
    story.put(ANA, send(ANA, [READER], { task, text: 'twelve lists', stage: stageAt(story.world, 0).id }))
    story.put(BEN, send(BEN, [ANALYST], { task, text: 'none of them' }))
    return { story, task }
  }

  it('is told to members with who said it to whom, in which stage, and narrowed by stage and agents', () => {
    const { story } = talk()
    const said = asks(story.world, { type: 'messages' })
    expect(said).toMatch(/Z Ana \(ana\) → Reader \(reader\), stage 1: twelve lists/)
    expect(said).toContain('none of them')
    expect(said).not.toContain('You are in the task')
    expect(said).not.toMatch(UUID)
    expect(asks(story.world, { type: 'messages', agents: ['analyst'] })).not.toContain('twelve lists')
    for (const name of ['analyst', 'ben'])
      expect(asks(story.world, { type: 'messages', agents: [name] })).toContain('none of them')
    expect(asks(story.world, { type: 'messages', stage_id: 'stage 1' })).not.toContain('none of them')
    expect(asks(story.world, { type: 'messages', stage_id: 'stage 1' })).toContain('twelve lists')
    expect(asks(story.world, { type: 'messages', agents: ['lee'] })).toBe('No message fits.')
    expect(asks(story.world, { type: 'messages', agents: ['nobody-here'] })).toContain('nobody-here')
    expect(asks(story.world, { type: 'messages', stage_id: 'stage 9' })).toContain('stage 9')
    expect(asks(story.world, { type: 'messages', task_id: 'Nothing' })).toContain('There are: ')
  })

  it('is a line of the shared info pool for each step', () => {
    const { story } = talk()
    expect(asks(story.world, { type: 'shared_info' })).toBe('No line of the shared info pool fits.')
    story.run(READER, () => outcomeOf({ sync: { send_shared_info: { content: 'planning: finished' } } }))
    expect(asks(story.world, { type: 'shared_info' })).toMatch(/Z Reader \(reader\), stage 1: planning: finished/)
    expect(asks(story.world, { type: 'shared_info', agents: ['analyst'] })).not.toContain('planning')
    expect(asks(story.world, { type: 'shared_info', stage_id: 'stage 2' })).not.toContain('planning')
  })

  it('is for members only, also of a manager', () => {
    const { story, task } = talk()
    const manages = {
      ...story.world,
      agents: { ...story.world.agents, [LEE]: { ...TEAM.manager, ...story.world.agents[LEE] } },
    }
    for (const type of ['messages', 'shared_info'] as const)
      expect(asks(manages as World, { type, task_id: task }, LEE)).toBe('You may ask only about tasks that you are in.')
  })

  it('in the base task is that of the thread at hand', () => {
    const story = new Story()
    story.put(ANA, send(ANA, [MANAGER], { task: BASE_TASK, text: 'count pears' }))
    story.put(BEN, send(BEN, [MANAGER], { task: BASE_TASK, text: 'sort plums' }))
    const [first] = Object.values(story.world.messages[BASE_TASK] ?? {})
    const asked = (type: 'messages' | 'shared_info', thread: ThreadId | null) =>
      answerInfo(story.world, { agent: MANAGER, task: BASE_TASK, thread }, { type })
    expect(asked('messages', first?.thread ?? null)).toContain('count pears')
    expect(asked('messages', first?.thread ?? null)).not.toContain('sort plums')
    expect(asked('messages', null)).toBe('No message fits.')
    expect(asked('shared_info', first?.thread ?? null)).toMatch(/ask for messages/)
  })

  it('is cut from the oldest, with how to ask narrower, and one long message to its beginning', () => {
    const { story, task } = talk()
    for (const text of ['old', 'new']) story.put(ANA, send(ANA, [READER], { task, text: text + 'x'.repeat(5_000) }))
    const said = asks(story.world, { type: 'messages' })
    expect(said.length).toBeLessThanOrEqual(ANSWER_CHARACTERS)
    expect(said).toMatch(/^\(1 of \d+ lines\. Ask narrower: agents, or stage_id; the newest are shown\.\)\n/)
    expect([said.includes('newxxx'), said.includes('oldxxx')]).toEqual([true, false])
    story.put(ANA, send(ANA, [READER], { task, text: 'y'.repeat(20_000) }))
    const long = asks(story.world, { type: 'messages' })
    expect(long).toMatch(/yyy… \[\d+ characters\]$/)
    expect(long.length).toBeLessThanOrEqual(ANSWER_CHARACTERS)
  })

  it('[R223] is not cut within a character', () => {
    for (const before of ['', 'x']) {
      const { story, task } = talk()
      story.put(ANA, send(ANA, [READER], { task, text: before + '😀'.repeat(10_000) }))
      const said = asks(story.world, { type: 'messages' })
      expect(said).toMatch(/😀… \[\d+ characters\]$/)
      expect(said).not.toMatch(/\p{Cs}/u)
    }
  })
})

it('a team that speaks Chinese is answered in Chinese', () => {
  const { story } = two()
  const world: World = { ...story.world, team: { ...story.world.team, language: 'zh' } }
  expect(asks(world, { type: 'my_tasks' })).toMatch(/^任务 Compare（task_id task-\w+）：进行中\n {2}目标：/)
  expect(asks(world, { type: 'agents_in_team' })).toContain(
    'Reader (reader)：智能体, Reader. 技能：all; 工具：files. 工作中',
  )
  expect(asks(world, { type: 'agent_states', agents: ['reader'] })).toContain('  正在等待：无')
  expect(asks(world, { type: 'managed_tasks' })).toBe('没有这样的任务。')
})

it('the steps of another in the base task are shown in their thread, and counted elsewhere', () => {
  const { story, task } = storyOf(goals('read', READER))
  story.put(ANA, send(ANA, [MANAGER], { text: 'count pears', kind: 'action' }))
  const thread = Object.values(story.world.messages[BASE_TASK] ?? {}).find(({ text }) => text === 'count pears')?.thread
  const asked = (at: { task: typeof task; thread: ThreadId | null }): string =>
    answerInfo(story.world, { agent: MANAGER, ...at }, { type: 'agent_states', agents: ['Manager'] })
  const step = 'send_message not begun: '
  expect(asked({ task: BASE_TASK, thread: thread ?? null })).toContain(step)
  for (const at of [
    { task: BASE_TASK, thread: null },
    { task, thread: null },
  ]) {
    expect(asked(at)).not.toContain(step)
    expect(asked(at)).toContain('tasks that you are not in: 1, with steps: ')
  }
})

it('of an agent that has a part and has not begun it is said that there is no step yet', () => {
  const { story } = storyOf(goals('read', READER), goals('compare', ANALYST))
  const said = asks(story.world, { type: 'agent_states', agents: ['analyst'] })
  expect(said).toMatch(/, stage 2: no step yet\n?/)
  expect(said).not.toContain('memory:')
  // Work outside of any stage that is over says nothing more.
  story.put(ANA, send(ANA, [ANALYST], { task: workTask(story.world).id, text: 'Which?', kind: 'action' }))
  story.run(ANALYST, () => says([], { need_reply: false, waiting: false }))
  expect(asks(story.world, { type: 'agent_states', agents: ['analyst'] }).match(/ {2}in Compare/g)).toHaveLength(1)
})
