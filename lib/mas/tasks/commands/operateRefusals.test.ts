/** What people cannot direct, each with the code that says why, beside what they can. */
import { describe, expect, it } from 'vitest'
import {
  ANA,
  ANALYST,
  BEN,
  failed,
  goals,
  LEE,
  MANAGER,
  messagesOf,
  must,
  plans,
  READER,
  stageAt,
  stepsOf,
  storyOf,
  sync,
  workTask,
} from '@/test/stories'
import { BASE_TASK, outcomeOf, planned, type Story, send, teamConfig } from '@/test/worldHistories'
import { decide } from '../../commands'
import type { Command, CommandOf, StageSpec } from '../../commands/command'
import type { AgentId, MessageId, StageId, StepId } from '../../ids'

const reason = 'a test'
const NOBODY = 'nobody' as AgentId
const refusal = (story: Story, by: string, command: Command): string | null => {
  const decided = decide(story.world, { id: 'a-try', by, command }, story.world.at + 1)
  return decided.ok ? null : decided.fault.code
}
const stage = (agent: AgentId, intention = 'read'): StageSpec => ({ intention, allocation: { [agent]: 'read it' } })
const NO_PART: StageSpec = { intention: 'read', allocation: {} }

/** A task with a stage that runs and one to come; Lee is gone from the team, and Analyst cannot judge. */
const prepared = () => {
  const { story, task } = storyOf(goals('read', READER, BEN), goals('compare', ANALYST))
  const file = teamConfig()
  const agents = file.agents
    .filter(({ id }) => id !== LEE)
    .map((agent) => (agent.id === ANALYST ? { ...agent, skills: ['planning'] } : agent))
  story.put('system:start', { ...file, agents })
  return { story, task }
}

describe('[R18] making a task', () => {
  const makes = (more: Partial<CommandOf<'makeTask'>>): Command => ({
    type: 'makeTask',
    name: 'Count',
    intention: 'Count them',
    manager: MANAGER,
    members: [READER],
    stages: [],
    reason,
    ...more,
  })

  it.each<[string, Partial<CommandOf<'makeTask'>>, string | null]>([
    ['with all it needs', {}, null],
    ['without a name', { name: ' ' }, 'BAD_INPUT'],
    ['without a goal', { intention: ' ' }, 'BAD_INPUT'],
    ['with a member who is nobody', { members: [READER, NOBODY] }, 'RECEIVER_UNKNOWN'],
    ['with a member who left', { members: [READER, LEE] }, 'RECEIVER_GONE'],
    ['managed by nobody', { manager: NOBODY }, 'RECEIVER_UNKNOWN'],
    ['managed by somebody who left', { manager: LEE }, 'RECEIVER_GONE'],
    ['managed by an agent that cannot judge', { manager: ANALYST }, 'BAD_INPUT'],
    ['managed by an agent that can', { manager: READER }, null],
    ['managed by a person', { manager: BEN }, null],
    ['with a stage', { stages: [stage(READER)] }, null],
    ['with a stage without a goal', { stages: [stage(READER), stage(READER, ' ')] }, 'BAD_INPUT'],
    ['with a stage without parts', { stages: [stage(READER), NO_PART] }, 'BAD_INPUT'],
    ['with a part of nobody', { stages: [stage(NOBODY)] }, 'RECEIVER_UNKNOWN'],
    ['with a part of somebody who left', { stages: [stage(LEE)] }, 'RECEIVER_GONE'],
    ['without a reason', { reason: ' ' }, 'REASON_MISSING'],
  ])('makes or refuses a task %s', (_, more, code) => {
    const { story } = prepared()
    expect(refusal(story, ANA, makes(more))).toBe(code)
    expect(refusal(story, BEN, makes(more))).toBe('NOT_ALLOWED')
  })

  it('without stages has its manager asked to plan; with stages the first of them begins', () => {
    const { story } = prepared()
    const { task: bare } = must(story.put(ANA, makes({})), 'decision').reply as { task: never }
    expect(messagesOf(story.world, bare).map(({ instruction }) => instruction?.type ?? null)).toContain('judge_task')
    const { task: full } = must(story.put(ANA, makes({ stages: [stage(READER), stage(READER)] })), 'decision')
      .reply as {
      task: never
    }
    expect([stageAt(story.world, 0, full).state, stageAt(story.world, 1, full).state]).toEqual(['running', 'init'])
    expect(messagesOf(story.world, full).map(({ instruction }) => instruction?.type ?? null)).not.toContain(
      'judge_task',
    )
  })
})

describe('[R18] stages', () => {
  it('are added with goals, to those who are there, by the one who directs the task', () => {
    const { story, task } = prepared()
    const adds = (...stages: StageSpec[]): Command => ({ type: 'addStages', task, stages, reason })
    expect(refusal(story, ANA, adds(stage(READER)))).toBeNull()
    expect(refusal(story, BEN, adds(stage(READER)))).toBe('NOT_MANAGER')
    expect(refusal(story, ANA, adds())).toBe('BAD_INPUT')
    expect(refusal(story, ANA, adds(NO_PART))).toBe('BAD_INPUT')
    expect(refusal(story, ANA, adds(stage(READER, '')))).toBe('BAD_INPUT')
    expect(refusal(story, ANA, adds(stage(LEE)))).toBe('RECEIVER_GONE')
  })

  it('are tried again once they have begun, and not while another try of them is open', () => {
    const { story } = prepared()
    const [first, second] = [stageAt(story.world, 0), stageAt(story.world, 1)]
    const again = (id: StageId, better = stage(READER, 'better')): Command => ({
      type: 'retryStage',
      stage: id,
      better,
      reason,
    })
    expect(refusal(story, ANA, again('none' as StageId))).toBe('NOT_FOUND')
    expect(refusal(story, ANA, again(second.id))).toBe('STAGE_NOT_RUNNING')
    expect(refusal(story, ANA, again(first.id, NO_PART))).toBe('BAD_INPUT')
    expect(refusal(story, BEN, again(first.id))).toBe('NOT_MANAGER')
    const { reply } = must(story.put(ANA, again(first.id)), 'decision')
    expect(reply).toMatchObject({ leftOut: [BEN] })
    expect(refusal(story, ANA, again(first.id))).toBe('ALREADY_SO')
    const better = stageAt(story.world, 1)
    expect(better).toMatchObject({ state: 'running', retryOf: first.id })
    story.put(ANA, { type: 'finishStage', stage: better.id, reason })
    expect(refusal(story, ANA, again(first.id))).toBeNull()
  })

  it('of a task that a person ends without a summary have the reason as the summary', () => {
    const { story, task } = prepared()
    const ends = (summary: string): Command => ({ type: 'finishTask', task, state: 'failed', summary, reason })
    const withOne = storyOf(goals('read', READER))
    withOne.story.put(ANA, { ...ends(' all read '), task: withOne.task } as Command)
    expect(workTask(withOne.story.world).summary).toBe(' all read ')
    story.put(ANA, ends('  '))
    expect(workTask(story.world)).toMatchObject({ state: 'failed', summary: reason })
    expect(stageAt(story.world, 0).state).toBe('failed')
  })
})

describe('[R18] members', () => {
  it('come and go, but for the one who manages, all of them or none', () => {
    const { story, task } = prepared()
    const change = (add: AgentId[], remove: AgentId[]) =>
      refusal(story, ANA, { type: 'changeParticipants', task, add, remove, reason })
    expect(change([NOBODY], [])).toBe('RECEIVER_UNKNOWN')
    expect(change([LEE], [])).toBe('RECEIVER_GONE')
    expect(change([], [LEE])).toBe('NOT_A_MEMBER')
    expect(change([], [MANAGER])).toBe('BAD_INPUT')
    expect(change([BEN], [BEN])).toBe('BAD_INPUT')
    expect(change([READER], [])).toBe('ALREADY_SO')
    expect(change([], [])).toBe('ALREADY_SO')
    expect(change([READER], [BEN])).toBeNull()
    expect(change([], [BEN])).toBeNull()
    const acts = () => Object.values(story.world.tasks).find(({ base }) => !base)?.group
    story.put(ANA, { type: 'changeParticipants', task, add: [READER], remove: [BEN, BEN], reason })
    expect(acts()).not.toContain(BEN)
    const { reply } = must(
      story.put(ANA, { type: 'changeParticipants', task, add: [BEN, BEN, READER], remove: [ANALYST], reason }),
      'decision',
    )
    expect(reply).toEqual({ added: [BEN], removed: [ANALYST] })
  })

  it('are told of each in a line of its own, and of nothing that did not happen', () => {
    const { story, task } = prepared()
    const actsOf = (command: Command): string[] =>
      must(story.put(ANA, command), 'decision').events.flatMap((event) =>
        event.type === 'operator.acted' ? [event.act] : [],
      )
    const change = (add: AgentId[], remove: AgentId[]) =>
      actsOf({ type: 'changeParticipants', task, add, remove, reason })
    expect(change([], [BEN])).toEqual(['removeParticipants'])
    expect(change([BEN], [ANALYST])).toEqual(['addParticipants', 'removeParticipants'])
    expect(change([ANALYST], [])).toEqual(['addParticipants'])
  })

  it('can be made the manager when they can judge, and need not be members before', () => {
    const { story, task } = storyOf(goals('read', READER))
    const file = teamConfig()
    const agents = file.agents.map((agent) => (agent.id === ANALYST ? { ...agent, skills: ['planning'] } : agent))
    story.put('system:start', { ...file, agents })
    const makes = (agent: AgentId) => refusal(story, ANA, { type: 'changeManager', task, agent, reason })
    expect(makes(MANAGER)).toBe('ALREADY_SO')
    expect(makes(ANALYST)).toBe('BAD_INPUT')
    expect(makes(NOBODY)).toBe('RECEIVER_UNKNOWN')
    expect(makes(READER)).toBeNull()
    story.put(ANA, { type: 'changeManager', task, agent: LEE, reason })
    expect(workTask(story.world)).toMatchObject({ manager: LEE })
    expect(workTask(story.world).group).toContain(LEE)
    // The one who manages directs: nobody else does, but for an operator.
    const pause: Command = { type: 'pauseTask', task, reason }
    expect([refusal(story, LEE, pause), refusal(story, BEN, pause), refusal(story, ANA, pause)]).toEqual([
      null,
      'NOT_MANAGER',
      null,
    ])
  })
})

describe('[R16] pausing', () => {
  const pause = (agent: AgentId): Command => ({ type: 'pauseAgent', agent, reason })
  const resume = (agent: AgentId): Command => ({ type: 'resumeAgent', agent, reason: '' })

  it('is for agents that are there, once; so is going on', () => {
    const { story } = prepared()
    for (const input of [pause, resume]) {
      expect(refusal(story, ANA, input(NOBODY))).toBe('NOT_FOUND')
      expect(refusal(story, ANA, input(BEN))).toBe('BAD_INPUT')
      expect(refusal(story, BEN, input(READER))).toBe('NOT_ALLOWED')
    }
    expect(refusal(story, ANA, resume(READER))).toBe('ALREADY_SO')
    story.put(ANA, pause(READER))
    expect(refusal(story, ANA, pause(READER))).toBe('ALREADY_SO')
    expect(refusal(story, ANA, resume(READER))).toBeNull()
    const file = teamConfig()
    story.put('system:start', { ...file, agents: file.agents.filter(({ id }) => id !== ANALYST) })
    expect(refusal(story, ANA, pause(ANALYST))).toBe('NOT_FOUND')
  })

  it('of a task happens once, and so does going on', () => {
    const { story, task } = prepared()
    const resumes: Command = { type: 'resumeTask', task, reason: '' }
    const pauses: Command = { type: 'pauseTask', task, reason }
    expect(refusal(story, ANA, resumes)).toBe('ALREADY_SO')
    story.put(ANA, pauses)
    expect(refusal(story, ANA, pauses)).toBe('ALREADY_SO')
    expect(refusal(story, BEN, resumes)).toBe('NOT_MANAGER')
    expect(refusal(story, ANA, resumes)).toBeNull()
  })

  it('of an agent is told in the tasks that go on and that it is in, and in no other', () => {
    const { story, task } = prepared()
    const told = (agent: AgentId) =>
      must(story.put(ANA, pause(agent)), 'decision').events.flatMap((event) =>
        event.type === 'message.sent' ? [event.task] : [],
      )
    expect(told(READER)).toEqual([task])
    story.put(ANA, { type: 'finishTask', task, state: 'failed', summary: '', reason })
    expect(told(ANALYST)).toEqual([])
  })

  it('holds back what is sent to one of two receivers, and gives it out task by task', () => {
    const { story, task } = prepared()
    story.put(ANA, pause(READER))
    story.put(ANA, { type: 'pauseTask', task, reason })
    story.put(BEN, send(BEN, [READER], { task, text: 'Look' }))
    const states = () => Object.values(story.world.deliveries[task]?.[READER] ?? {}).map(({ state }) => state)
    expect(states()).toContain('queued')
    // The task is still paused.
    story.put(ANA, resume(READER))
    expect(states()).toContain('queued')
    story.put(ANA, pause(READER))
    // The agent is.
    story.put(ANA, { type: 'resumeTask', task, reason: '' })
    expect(states()).toContain('queued')
    story.put(ANA, resume(READER))
    expect(states()).not.toContain('queued')
  })

  it('to have a message read now needs a message that was sent to it, and that it has not read', () => {
    const { story, task } = prepared()
    const reads = (message: MessageId, agent = READER): Command => ({ type: 'readNow', agent, message, reason })
    story.put(BEN, send(BEN, [READER], { task, text: 'Look', kind: 'action' }))
    const { id } = must(
      messagesOf(story.world, task).find(({ text }) => text === 'Look'),
      'message',
    )
    expect(refusal(story, ANA, reads('none' as MessageId))).toBe('NOT_FOUND')
    expect(refusal(story, ANA, reads('constructor' as MessageId))).toBe('NOT_FOUND')
    expect(refusal(story, ANA, reads(id, ANALYST))).toBe('NOT_FOUND')
    expect(refusal(story, ANA, reads(id, BEN))).toBe('BAD_INPUT')
    expect(refusal(story, ANA, reads(id))).toBeNull()
    story.put(ANA, { type: 'pauseTask', task, reason })
    expect(refusal(story, ANA, reads(id))).toBe('ALREADY_SO')
    story.put(ANA, { type: 'resumeTask', task, reason: '' })
    // One that rests already is not paused a second time.
    story.put(ANA, pause(READER))
    const decided = must(story.put(ANA, reads(id)), 'decision')
    expect(decided.events.map(({ type }) => type)).not.toContain('agent.paused')
  })
})

describe('[R17] a step', () => {
  it('is cancelled once, by the one who directs its task', () => {
    const { story } = prepared()
    const { id } = must(stepsOf(story.world, READER)[0], 'step')
    const cancels = (step: StepId): Command => ({ type: 'cancelStep', step, reason })
    expect(refusal(story, BEN, cancels(id))).toBe('NOT_MANAGER')
    expect(refusal(story, ANA, cancels('none' as StepId))).toBe('NOT_FOUND')
    story.put(ANA, cancels(id))
    expect(refusal(story, ANA, cancels(id))).toBe('STEP_OVER')
  })

  it('that failed is done again where its agent is there and in the task, and its stage runs or it has none', () => {
    const { story, task } = storyOf(goals('read', READER, ANALYST))
    plans(story, READER, 'think', 'think')
    const { id } = must(
      story.run(READER, () => failed('it broke')),
      'step',
    )
    const again = (step = id): Command => ({ type: 'retryStep', step, reason })
    expect(refusal(story, ANA, again())).toBeNull()
    expect(refusal(story, BEN, again())).toBe('NOT_MANAGER')
    const running = must(story.start(READER), 'step')
    expect(refusal(story, ANA, again(running.id))).toBe('STEP_NOT_FAILED')
    story.put(ANA, { type: 'changeParticipants', task, add: [], remove: [READER], reason })
    expect(refusal(story, ANA, again())).toBe('NOT_A_MEMBER')
    const file = teamConfig()
    story.put('system:start', { ...file, agents: file.agents.filter((agent) => agent.id !== READER) })
    expect(refusal(story, ANA, again())).toBe('RECEIVER_GONE')
  })

  it('of no stage is done again, though the stages are over', () => {
    const { story } = storyOf(goals('read', READER))
    story.ask('Look at this')
    const { id } = must(
      story.run(MANAGER, () => failed('it broke')),
      'step',
    )
    expect(refusal(story, ANA, { type: 'retryStep', step: id, reason })).toBeNull()
    story.put(ANA, { type: 'retryStep', step: id, reason })
    expect(refusal(story, ANA, { type: 'retryStep', step: id, reason })).toBe('ALREADY_SO')
    story.run(MANAGER, () => outcomeOf({}))
    expect(refusal(story, ANA, { type: 'retryStep', step: id, reason })).toBeNull()
    expect(story.world.tasks[BASE_TASK]?.state).toBe('running')
  })

  it('of a pair is done again by either of the two, and then by neither', () => {
    const { story } = storyOf(goals('read', READER))
    story.run(READER, () => outcomeOf({ steps: { insert: [], add: [planned('files', 'tool'), planned('think')] } }))
    const pair = stepsOf(story.world, READER).filter(({ boundTo }) => boundTo !== null)
    const writer = must(
      pair.find(({ type }) => type === 'skill'),
      'writer',
    )
    story.put(ANA, { type: 'cancelStep', step: writer.id, reason })
    const tool = must(
      pair.find(({ type }) => type === 'tool'),
      'tool',
    )
    expect(refusal(story, ANA, { type: 'retryStep', step: tool.id, reason })).toBeNull()
    story.put(ANA, { type: 'retryStep', step: writer.id, reason })
    expect(refusal(story, ANA, { type: 'retryStep', step: tool.id, reason })).toBe('ALREADY_SO')
    expect(refusal(story, ANA, { type: 'retryStep', step: writer.id, reason })).toBe('ALREADY_SO')
  })
})

describe('[R20] removing an agent', () => {
  it('waits until it manages no task that goes on', () => {
    const { story, task } = storyOf(goals('read', READER))
    const config = teamConfig()
    const spare = { ...must(config.agents[1], 'agent'), id: 'spare' as AgentId, configId: 'spare', name: 'Helper' }
    story.put('system:start', { ...config, team: { ...config.team, startable: [spare] } })
    story.ask('get help')
    story.run(MANAGER, () => sync({ agent_instruction: { action: 'init_new_agent', config_id: 'spare' } }))
    const helper = must(
      Object.values(story.world.agents).find(({ name }) => name === 'Helper'),
      'helper',
    ).id
    const removes: Command = { type: 'removeAgent', agent: helper, reason }
    expect(refusal(story, ANA, removes)).toBeNull()
    story.put(ANA, { type: 'changeManager', task, agent: helper, reason })
    expect(refusal(story, ANA, removes)).toBe('BAD_INPUT')
    story.put(ANA, { type: 'finishTask', task, state: 'finished', summary: 'done', reason })
    expect(refusal(story, ANA, removes)).toBeNull()
  })
})
