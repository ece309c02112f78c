/** What people do when they direct the work: who may, what it causes, what is recorded and told. */
import { describe, expect, it } from 'vitest'
import { stepIn } from '@/lib/mas/steps/ownSteps'
import {
  ANA,
  ANALYST,
  actsOf,
  BEN,
  failed,
  goals,
  judges,
  LEE,
  linesOf,
  locksOf,
  MANAGER,
  messagesOf,
  must,
  plans,
  READER,
  requestOf,
  says,
  saysFyi,
  stageAt,
  stagesOf,
  stepNow,
  stepsOf,
  storyOf,
  submits,
  tell,
  todo,
  workTask,
} from '@/test/stories'
import { outcomeOf, planned, type Story, send } from '@/test/worldHistories'
import { bodyOf } from '../../bodies'
import { decide } from '../../commands'
import type { Command, CommandOf } from '../../commands/command'
import type { AgentId } from '../../ids'
import { selectNextStep } from '../../members'
import type { World } from '../../records'

const reason = 'it goes wrong'
const refusal = (world: World, by: AgentId, command: Command): string => {
  const decided = decide(world, { id: 'refused', by, command }, world.at)
  return decided.ok ? 'done' : decided.fault.code
}

describe('[R15] who directs the work', () => {
  const acts = (story: Story): Command[] => {
    const task = workTask(story.world).id
    const stage = stageAt(story.world, 0).id
    const step = must(stepsOf(story.world, READER)[0], 'step').id
    const better = { intention: 'better', allocation: { [READER]: 'again' } }
    return [
      { type: 'pauseAgent', agent: READER, reason },
      { type: 'resumeAgent', agent: READER, reason },
      { type: 'pauseTask', task, reason },
      { type: 'resumeTask', task, reason },
      { type: 'cancelStep', step, reason },
      { type: 'retryStep', step, reason },
      { type: 'makeTask', name: 'x', intention: 'y', manager: MANAGER, members: [], stages: [], reason },
      { type: 'addStages', task, stages: [better], reason },
      { type: 'finishStage', stage, reason },
      { type: 'retryStage', stage, better, reason },
      { type: 'finishTask', task, state: 'failed', summary: '', reason },
      { type: 'changeParticipants', task, add: [LEE], remove: [], reason },
      { type: 'changeManager', task, agent: ANALYST, reason },
    ]
  }

  it('is an operator or the manager of the task; nobody else changes anything', () => {
    const { story } = storyOf(goals('read', READER, BEN))
    for (const command of acts(story)) {
      expect(['NOT_ALLOWED', 'NOT_MANAGER'], command.type).toContain(refusal(story.world, BEN, command))
    }
  })

  it('says why: an act without a reason is refused, but for what goes on again', () => {
    const { story } = storyOf(goals('read', READER))
    for (const command of acts(story)) {
      const without = { ...command, reason: ' ' } as Command
      const expected = command.type.startsWith('resume') ? 'ALREADY_SO' : 'REASON_MISSING'
      expect(refusal(story.world, ANA, without), command.type).toBe(expected)
    }
  })

  it('is recorded with who, what and why, and told in the chat, where it costs no agent a step', () => {
    const { story, task } = storyOf(goals('read', READER))
    const before = todo(story.world, MANAGER)
    story.put(ANA, { type: 'pauseAgent', agent: READER, reason })
    expect(actsOf(story)).toMatchObject([{ agent: ANA, act: 'pauseAgent', on: READER, task, reason }])
    expect(linesOf(story.world)).toEqual([`Ana paused Reader · ${reason}`])
    expect(todo(story.world, MANAGER)).toEqual(before)
  })

  it('leaves the base task as it is', () => {
    const { story } = storyOf(goals('read', READER))
    const base = must(story.world.baseTask, 'base task')
    const [stage] = Object.values(story.world.stages[base] ?? {})
    for (const command of [
      { type: 'finishTask', task: base, state: 'finished', summary: '', reason },
      { type: 'finishStage', stage: must(stage, 'stage').id, reason },
      { type: 'addStages', task: base, stages: [{ intention: 'x', allocation: { [READER]: 'y' } }], reason },
      { type: 'changeManager', task: base, agent: READER, reason },
      { type: 'changeParticipants', task: base, add: [READER], remove: [], reason },
    ] satisfies Command[]) {
      expect(refusal(story.world, ANA, command), command.type).toBe('BASE_TASK_STAYS')
    }
  })
})

describe('[R16] a paused agent', () => {
  it('comes to the end of the step that runs, and begins no other until it goes on', () => {
    const { story } = storyOf(goals('read', READER))
    const step = must(story.start(READER), 'step')
    story.put(ANA, { type: 'pauseAgent', agent: READER, reason })
    expect(stepNow(story.world, step).state).toBe('running')
    story.finish(step, outcomeOf({ steps: { insert: [], add: [planned('think')] } }))
    expect(stepNow(story.world, step).state).toBe('finished')
    expect(todo(story.world, READER)).toEqual(['think'])
    expect(selectNextStep(story.world, READER)).toBeNull()
    story.put(ANA, { type: 'resumeAgent', agent: READER, reason: '' })
    expect(selectNextStep(story.world, READER)?.executor).toBe('think')
    expect(linesOf(story.world).at(-1)).toBe('Ana resumed Reader')
  })

  it('takes in what was sent to it meanwhile when it goes on, in the order in which it was sent', () => {
    const { story, task } = storyOf(goals('read', READER))
    plans(story, READER, 'think')
    story.put(ANA, { type: 'pauseAgent', agent: READER, reason })
    story.put(BEN, send(BEN, [READER], { task, text: 'first' }))
    story.put(ANA, send(ANA, [READER], { task, text: 'second', kind: 'action' }))
    const deliveries = () =>
      Object.values(story.world.deliveries[task]?.[READER] ?? {}).map((delivery) => delivery.state)
    expect(deliveries().filter((state) => state === 'queued')).toHaveLength(2)
    expect(todo(story.world, READER)).toEqual(['think'])
    story.put(ANA, { type: 'resumeAgent', agent: READER, reason: '' })
    expect(deliveries()).not.toContain('queued')
    expect(todo(story.world, READER)).toEqual(['think', 'send_message'])
    const taken = stepsOf(story.world, READER, task).filter(({ executor }) => executor === 'process_message')
    expect(taken.map(({ state, text }) => [state, text])).toEqual([['finished', 'first']])
  })

  it('reads one message that a person wants read now before everything else, and then rests', () => {
    const { story, task } = storyOf(goals('read', READER))
    plans(story, READER, 'think', 'quick_think')
    const step = must(story.start(READER), 'step')
    story.put(BEN, send(BEN, [READER], { task, text: 'Stop it', kind: 'action' }))
    const message = must(
      messagesOf(story.world).find(({ text }) => text === 'Stop it'),
      'message',
    ).id
    const input: Command = { type: 'readNow', agent: READER, message, reason }
    expect(refusal(story.world, BEN, input)).toBe('NOT_ALLOWED')
    story.put(ANA, input)
    expect(linesOf(story.world).at(-1)).toBe(`Ana paused Reader, which reads one message first · ${reason}`)
    story.finish(step, outcomeOf({}))
    const next = must(selectNextStep(story.world, READER), 'step')
    expect([next.executor, next.cause.message]).toEqual(['send_message', message])
    story.run(READER, () => ({ ...saysFyi([BEN], 'I stop.'), steps: { insert: [planned('decision')], add: [] } }))
    // What it makes of it waits like all the rest, and nothing of that is lost.
    expect(selectNextStep(story.world, READER)).toBeNull()
    expect(todo(story.world, READER)).toEqual(['decision', 'quick_think'])
    expect(refusal(story.world, ANA, input)).toBe('ALREADY_SO')
    story.put(ANA, { type: 'resumeAgent', agent: READER, reason: '' })
    expect(selectNextStep(story.world, READER)?.executor).toBe('decision')
  })

  it('reads one that was sent while it rested, and nothing while it waits for somebody', () => {
    const { story, task } = storyOf(goals('read', READER))
    plans(story, READER, 'send_message', 'think')
    story.run(READER, () => says([BEN]))
    story.put(ANA, { type: 'pauseAgent', agent: READER, reason })
    story.put(ANA, send(ANA, [READER], { task, text: 'Look' }))
    const message = must(
      messagesOf(story.world).find(({ text }) => text === 'Look'),
      'message',
    ).id
    story.put(ANA, { type: 'readNow', agent: READER, message, reason })
    expect(story.world.deliveries[task]?.[READER]?.[message]?.state).toBe('delivered')
    expect(selectNextStep(story.world, READER)).toBeNull()
    story.put(BEN, send(BEN, [READER], { task, text: 'this one', answers: 'oldest' }))
    expect(selectNextStep(story.world, READER)?.cause.message).toBe(message)
  })

  it('[R7] has its answer back at once, and takes it in first when it goes on', () => {
    const { story, task } = storyOf(goals('read', READER))
    plans(story, READER, 'send_message', 'think')
    story.run(READER, (step) => says([BEN], { stage_relative: must(step.stage, 'stage') }))
    story.put(ANA, { type: 'pauseAgent', agent: READER, reason })
    story.put(BEN, send(BEN, [READER], { task, text: 'this one', answers: 'oldest' }))
    expect(locksOf(story.world, READER)).toEqual([])
    expect(requestOf(story, 'answer')).toBeNull()
    story.put(ANA, { type: 'resumeAgent', agent: READER, reason: '' })
    const taken = must(selectNextStep(story.world, READER), 'step')
    expect(taken).toMatchObject({ executor: 'process_message', text: 'this one', stage: stageAt(story.world, 0).id })
  })
})

describe('[R16] a paused task', () => {
  it('has its steps passed over while its agents work elsewhere, and goes on where it stood', () => {
    const { story, task } = storyOf(goals('read', READER))
    const other = (() => {
      story.put(ANA, {
        type: 'makeTask',
        name: 'Other',
        intention: 'Count',
        manager: MANAGER,
        members: [],
        stages: [{ intention: 'count', allocation: { [READER]: 'count it' } }],
        reason,
      })
      return must(
        Object.values(story.world.tasks).find((one) => one.name === 'Other'),
        'other task',
      ).id
    })()
    expect(selectNextStep(story.world, READER)?.task).toBe(task)
    story.put(ANA, { type: 'pauseTask', task, reason })
    expect(selectNextStep(story.world, READER)?.task).toBe(other)
    story.put(ANA, { type: 'resumeTask', task, reason: '' })
    expect(selectNextStep(story.world, READER)?.task).toBe(task)
  })

  it('tells people at once what is said in it, and agents when it goes on', () => {
    const { story, task } = storyOf(goals('read', READER))
    story.put(ANA, { type: 'pauseTask', task, reason })
    story.put(ANA, send(ANA, [BEN, READER], { task, text: 'wait a little', kind: 'action' }))
    const of = (agent: AgentId) => Object.values(story.world.deliveries[task]?.[agent] ?? {}).at(-1)?.state
    expect(story.world.notices[BEN]?.at(-1)).toMatchObject({ kind: 'reply_needed', task })
    expect(of(READER)).toBe('queued')
  })

  it('starts what was added meanwhile, and has judged what came to its end meanwhile', () => {
    const { story, task } = storyOf(goals('read', READER))
    submits(story, READER)
    story.start(MANAGER)
    story.put(ANA, { type: 'pauseTask', task, reason })
    const judging = must(story.world.work[MANAGER]?.running, 'judging')
    const step = must(stepIn(story.world.steps[task]?.[MANAGER], judging.step), 'step')
    story.finish(step, tell({ action: 'finish_stage', task_id: task, stage_id: stageAt(story.world, 0).id }))
    expect(todo(story.world, MANAGER)).toEqual([])
    story.put(ANA, { type: 'resumeTask', task, reason: '' })
    expect(todo(story.world, MANAGER)).toEqual(['task_manager'])
    expect(messagesOf(story.world).at(-1)?.instruction).toEqual({ type: 'judge_task' })
  })
})

describe('[R17] a step that a person cancels', () => {
  it('fails with who and why, and its agent goes on', () => {
    const { story } = storyOf(goals('read', READER))
    plans(story, READER, 'think', 'reflection')
    const step = must(story.start(READER), 'step')
    story.put(ANA, { type: 'cancelStep', step: step.id, reason })
    expect(stepNow(story.world, step)).toMatchObject({ state: 'failed', reason: `cancelled by Ana: ${reason}` })
    expect(selectNextStep(story.world, READER)?.executor).toBe('reflection')
    // What the aborted call still brings is kept, and causes nothing.
    const late = story.finish(step, outcomeOf({ steps: { insert: [planned('think')], add: [] } }))
    expect(late?.reply).toMatchObject({ late: true })
    expect(todo(story.world, READER)).toEqual(['reflection'])
  })

  it('[R7] hands back the reply that it owed as failed, with who and why', () => {
    const { story, task } = storyOf(goals('read', READER, ANALYST))
    plans(story, READER, 'send_message', 'reflection')
    story.run(READER, (step) => says([ANALYST], { stage_relative: must(step.stage, 'stage') }))
    const reply = must(
      stepsOf(story.world, ANALYST).find((step) => step.answers !== null),
      'reply',
    )
    story.put(ANA, { type: 'cancelStep', step: reply.id, reason })
    expect(locksOf(story.world, READER)).toEqual([])
    const told = messagesOf(story.world, task).find((message) => message.returnWaiting !== null)
    expect(told?.text).toContain(`cancelled by Ana: ${reason}`)
  })

  it('takes the tool step along that it was to write', () => {
    const { story } = storyOf(goals('read', READER))
    story.run(READER, () =>
      outcomeOf({ steps: { insert: [], add: [planned('files', 'tool'), planned('reflection')] } }),
    )
    const writer = must(
      stepsOf(story.world, READER).find((step) => step.executor === 'instruction_generation'),
      'writer',
    )
    story.put(ANA, { type: 'cancelStep', step: writer.id, reason })
    expect(todo(story.world, READER)).toEqual(['reflection'])
    story.put(ANA, { type: 'retryStep', step: writer.id, reason })
    expect(todo(story.world, READER)).toEqual(['instruction_generation', 'files', 'reflection'])
    const again = stepsOf(story.world, READER).filter((step) => step.retryOf !== null)
    expect(again.map((step) => [step.executor, step.boundTo])).toEqual([
      ['instruction_generation', again[1]?.id],
      ['files', again[0]?.id],
    ])
  })
})

describe('[R17] a step that a person has done again', () => {
  it('is a new step before the next one, says whose copy it is, and is made once', () => {
    const { story } = storyOf(goals('read', READER))
    plans(story, READER, 'think', 'reflection')
    const step = must(
      story.run(READER, () => failed('it broke')),
      'step',
    )
    story.put(ANA, { type: 'retryStep', step: step.id, reason })
    const next = must(selectNextStep(story.world, READER), 'step')
    expect(next).toMatchObject({ executor: 'think', retryOf: step.id, stage: step.stage, text: step.text })
    expect(refusal(story.world, ANA, { type: 'retryStep', step: step.id, reason })).toBe('ALREADY_SO')
    expect(stepNow(story.world, step).state).toBe('failed')
  })

  it('makes a call that was written once more as it was, and asks again before a risky one', () => {
    const { story } = storyOf(goals('read', READER))
    story.run(READER, () =>
      outcomeOf({ steps: { insert: [], add: [planned('files', 'tool'), planned('reflection')] } }),
    )
    const tool = must(
      stepsOf(story.world, READER).find((step) => step.type === 'tool'),
      'tool',
    )
    const { ref } = bodyOf('{"path":"a.md"}', 'application/json')
    const instruction = { kind: 'call', target: 'tool', name: 'write', arguments: ref } as const
    story.run(READER, () => outcomeOf({ instruct: { step: tool.id, instruction } }))
    story.run(READER, () => failed('no connection'))
    story.put(ANA, { type: 'retryStep', step: tool.id, reason })
    const again = must(selectNextStep(story.world, READER), 'step')
    expect(again).toMatchObject({ executor: 'files', instruction, retryOf: tool.id, boundTo: null, approvedBy: null })
  })

  it('has its call written again when there was none', () => {
    const { story } = storyOf(goals('read', READER))
    story.run(READER, () =>
      outcomeOf({ steps: { insert: [], add: [planned('files', 'tool'), planned('reflection')] } }),
    )
    const tool = must(
      stepsOf(story.world, READER).find((step) => step.type === 'tool'),
      'tool',
    )
    story.run(READER, () => outcomeOf({ instruct: { step: tool.id, instruction: { kind: 'get_description' } } }))
    story.run(READER, () => failed('no connection'))
    story.put(ANA, { type: 'retryStep', step: tool.id, reason })
    expect(todo(story.world, READER).slice(0, 2)).toEqual(['instruction_generation', 'files'])
  })

  it('is refused when it did not fail, and when its stage is over', () => {
    const { story } = storyOf(goals('read', READER), goals('compare', ANALYST))
    plans(story, READER, 'think', 'summary')
    const broke = must(
      story.run(READER, () => failed('it broke')),
      'step',
    )
    const summary = must(
      story.run(READER, () => outcomeOf({ sync: { update_stage_agent_completion: { summary: 'read' } } })),
      'summary',
    )
    expect(refusal(story.world, ANA, { type: 'retryStep', step: summary.id, reason })).toBe('STEP_NOT_FAILED')
    judges(story, stageAt(story.world, 0))
    expect(refusal(story.world, ANA, { type: 'retryStep', step: broke.id, reason })).toBe('STAGE_OVER')
  })
})

describe('[R18] stages and tasks in the hands of a person', () => {
  it('a stage that they finish ends like any other, and the manager is not asked about it any more', () => {
    const { story } = storyOf(goals('read', READER), goals('compare', ANALYST))
    submits(story, READER)
    expect(todo(story.world, MANAGER)).toEqual(['task_manager'])
    story.put(ANA, { type: 'finishStage', stage: stageAt(story.world, 0).id, reason })
    expect(stagesOf(story.world).map((stage) => stage.state)).toEqual(['finished', 'running'])
    expect(todo(story.world, MANAGER)).toEqual([])
    expect(todo(story.world, ANALYST)).toEqual(['planning'])
  })

  it('a stage that they retry is failed, and the changed one runs directly behind it', () => {
    const { story } = storyOf(goals('read', READER, BEN), goals('compare', ANALYST))
    const better = { intention: 'read less', allocation: { [READER]: 'only the first' } }
    const decided = story.put(ANA, { type: 'retryStage', stage: stageAt(story.world, 0).id, better, reason })
    expect(stagesOf(story.world).map((stage) => stage.state)).toEqual(['failed', 'running', 'init'])
    expect(stageAt(story.world, 0)).toMatchObject({ reason, replacedBy: stageAt(story.world, 1).id })
    expect(decided?.reply).toMatchObject({ leftOut: [BEN] })
  })

  it('a stage that is over is tried again behind itself, and stays what it was', () => {
    const { story, task } = storyOf(goals('read', READER))
    submits(story, READER)
    judges(story, stageAt(story.world, 0))
    expect(todo(story.world, MANAGER)).toEqual(['task_manager'])
    const better = { intention: 'read all', allocation: { [READER]: 'all of them' } }
    const first = stageAt(story.world, 0).id
    story.put(ANA, { type: 'retryStage', stage: first, better, reason })
    expect(stagesOf(story.world).map((stage) => [stage.state, stage.retryOf])).toEqual([
      ['finished', null],
      ['running', first],
    ])
    // The question whether the task is over is gone, and there is one try at a time.
    expect(todo(story.world, MANAGER)).toEqual([])
    expect(refusal(story.world, ANA, { type: 'retryStage', stage: first, better, reason })).toBe('ALREADY_SO')
    submits(story, READER)
    judges(story, stageAt(story.world, 1))
    story.put(ANA, { type: 'finishTask', task, state: 'finished', summary: 'all read', reason })
    expect(refusal(story.world, ANA, { type: 'retryStage', stage: first, better, reason })).toBe('TASK_OVER')
  })

  it('while another stage runs, the new try of an earlier one comes next, and the running one is judged as before', () => {
    const { story } = storyOf(goals('read', READER), goals('compare', ANALYST), goals('write', BEN))
    submits(story, READER)
    judges(story, stageAt(story.world, 0))
    const first = stageAt(story.world, 0).id
    const better = { intention: 'read all', allocation: { [READER]: 'all of them' } }
    story.put(ANA, { type: 'retryStage', stage: first, better, reason })
    expect(stagesOf(story.world).map((stage) => stage.state)).toEqual(['finished', 'init', 'running', 'init'])
    const waiting = stageAt(story.world, 3).id
    expect(refusal(story.world, ANA, { type: 'retryStage', stage: waiting, better, reason })).toBe('STAGE_NOT_RUNNING')
    submits(story, ANALYST)
    judges(story, stageAt(story.world, 2))
    expect(stagesOf(story.world).map((stage) => stage.state)).toEqual(['finished', 'running', 'finished', 'init'])
  })

  it('stages that they add run on, and the pending question whether the task is over is gone', () => {
    const { story, task } = storyOf(goals('read', READER))
    submits(story, READER)
    judges(story, stageAt(story.world, 0))
    expect(todo(story.world, MANAGER)).toEqual(['task_manager'])
    const stages = [{ intention: 'check', allocation: { [LEE]: 'check it' } }]
    story.put(ANA, { type: 'addStages', task, stages, reason })
    expect(stageAt(story.world, 1)).toMatchObject({ state: 'running' })
    expect(workTask(story.world).group).toContain(LEE)
    expect(todo(story.world, MANAGER)).toEqual([])
  })

  it('[R6] a task that they finish leaves nothing open, and the one who asked for it is told', () => {
    const { story, task } = storyOf(goals('read', READER, BEN))
    plans(story, READER, 'send_message')
    story.run(READER, (step) => says([BEN], { stage_relative: must(step.stage, 'stage') }))
    story.put(ANA, { type: 'finishTask', task, state: 'failed', summary: 'Not needed any more.', reason })
    expect(workTask(story.world)).toMatchObject({ state: 'failed', summary: 'Not needed any more.' })
    expect(linesOf(story.world).join('\n')).toContain('Ana finished the task as failed')
    const well = storyOf(goals('read', READER))
    well.story.put(ANA, { type: 'finishTask', task: well.task, state: 'finished', summary: 'All done.', reason })
    expect(linesOf(well.story.world).join('\n')).toMatch(/Ana finished the task(?! as failed)/)
    expect([story.openRequests(), locksOf(story.world, READER)]).toEqual([[], []])
    expect(messagesOf(story.world, must(story.world.baseTask, 'base task')).at(-1)?.text).toContain('Not needed')
  })

  it('a task by form runs its stages, or has its manager plan them', () => {
    const { story } = storyOf(goals('read', READER))
    const input: Omit<CommandOf<'makeTask'>, 'stages'> = {
      type: 'makeTask',
      name: 'Count',
      intention: 'Count all',
      manager: MANAGER,
      members: [READER],
      reason,
    }
    story.put(ANA, { ...input, stages: [] })
    const made = must(
      Object.values(story.world.tasks).find((task) => task.name === 'Count'),
      'task',
    )
    expect(made).toMatchObject({ state: 'running', manager: MANAGER, group: [MANAGER, READER, ANA], requestedBy: ANA })
    expect(selectNextStep(story.world, MANAGER)).toMatchObject({ executor: 'task_manager', task: made.id })
    expect(selectNextStep(story.world, MANAGER)?.text).toContain('Count all')
  })
})

describe('[R18] members in the hands of a person', () => {
  it('[R6] who is removed leaves nothing open: the part fails, what was asked of them goes back', () => {
    const { story, task } = storyOf(goals('read', READER, BEN))
    plans(story, READER, 'send_message', 'think')
    story.run(READER, (step) => says([BEN], { stage_relative: must(step.stage, 'stage') }))
    story.put(ANA, { type: 'changeParticipants', task, add: [], remove: [BEN], reason })
    expect(stageAt(story.world, 0).parts[BEN]).toBe('failed')
    expect(stageAt(story.world, 0).partReasons[BEN]).toContain(reason)
    expect([story.openRequests(), locksOf(story.world, READER)]).toEqual([[], []])
    expect(workTask(story.world).group).not.toContain(BEN)
    expect(Object.keys(workTask(story.world).former)).toEqual([BEN])
    expect(todo(story.world, READER)[0]).toBe('process_message')
  })

  it('[R6] an agent that is removed ends with its steps, its waits, and the replies that it owed', () => {
    const { story, task } = storyOf(goals('read', READER, ANALYST))
    plans(story, ANALYST, 'send_message', 'think')
    story.run(ANALYST, (step) => says([READER], { stage_relative: must(step.stage, 'stage') }))
    story.put(ANA, { type: 'changeParticipants', task, add: [], remove: [READER], reason })
    expect(todo(story.world, READER)).toEqual([])
    expect(locksOf(story.world, ANALYST)).toEqual([])
    expect(messagesOf(story.world).find((message) => message.returnWaiting !== null)?.text).toContain(reason)
  })

  it('the manager cannot be removed; another one is made manager first, and judges what was to be judged', () => {
    const { story, task } = storyOf(goals('read', READER))
    submits(story, READER)
    expect(refusal(story.world, ANA, { type: 'changeParticipants', task, add: [], remove: [MANAGER], reason })).toBe(
      'BAD_INPUT',
    )
    story.put(ANA, { type: 'changeManager', task, agent: ANALYST, reason })
    expect(workTask(story.world).manager).toBe(ANALYST)
    expect([todo(story.world, MANAGER), todo(story.world, ANALYST)]).toEqual([[], ['task_manager']])
    story.put(ANA, { type: 'changeParticipants', task, add: [], remove: [MANAGER], reason })
    expect(workTask(story.world).group).not.toContain(MANAGER)
  })

  it('a person who is made the manager is asked to judge', () => {
    const { story, task } = storyOf(goals('read', READER))
    submits(story, READER)
    story.put(ANA, { type: 'changeManager', task, agent: BEN, reason })
    expect(requestOf(story, 'judge')).toMatchObject({ asked: [BEN], stage: stageAt(story.world, 0).id })
    // In the words of each reader's language.
    expect(requestOf(story, 'judge')?.said).toMatchObject({ say: 'judgeStage', with: { n: 1 } })
    story.put(BEN, { type: 'finishStage', stage: stageAt(story.world, 0).id, reason: 'good enough' })
    expect(stageAt(story.world, 0).state).toBe('finished')
    // No stage is left: now the task is to be judged.
    const judging = must(requestOf(story, 'judge'), 'request')
    expect(judging).toMatchObject({ asked: [BEN], stage: null })
    story.put(BEN, { type: 'finishTask', task, state: 'finished', summary: 'done', reason: 'all there' })
    expect(story.openRequests()).toEqual([])
  })
})
