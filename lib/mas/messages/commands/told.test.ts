/** Who may put commands, and what people are told of the stages and tasks that they take part in. */
import { describe, expect, it } from 'vitest'
import {
  ANA,
  ANALYST,
  BEN,
  failed,
  goals,
  judges,
  LEE,
  linesOf,
  MANAGER,
  messagesOf,
  must,
  plans,
  READER,
  says,
  stageAt,
  stepsOf,
  storyOf,
  submits,
  todo,
} from '@/test/stories'
import { asks, teamOf } from '@/test/waitStories'
import { BASE_TASK, outcomeOf, planned, Story, send, TEAM, teamConfig } from '@/test/worldHistories'
import { decide } from '../../commands'
import type { Command } from '../../commands/command'
import { type AgentId, asId, type TaskId } from '../../ids'

const refusal = (story: Story, by: string, command: Command): string | null => {
  const decided = decide(story.world, { id: 'a-try', by, command }, story.world.at + 1)
  return decided.ok ? null : decided.fault.code
}
const noticesOf = (story: Story, person: AgentId): string[] =>
  (story.world.notices[person] ?? []).filter(({ task }) => task !== BASE_TASK).map(({ kind }) => kind)

describe('a command', () => {
  it('comes from a person who is there and may sign in', () => {
    const story = new Story()
    const says = send(LEE, [ANA])
    expect(refusal(story, LEE, says)).toBeNull()
    expect(refusal(story, READER, send(READER, [ANA]))).toBe('NOT_ALLOWED')
    expect(refusal(story, 'nobody', says)).toBe('NOT_ALLOWED')
    expect(refusal(story, 'system:timer', says)).toBe('NOT_ALLOWED')
    const file = teamConfig()
    const agents = file.agents.map((one) => (one.id === LEE ? { ...one, access: 'none' as const } : one))
    story.put('system:start', { ...file, agents })
    expect(refusal(story, LEE, says)).toBe('NOT_ALLOWED')
    story.put('system:start', { ...file, agents: file.agents.filter(({ id }) => id !== LEE) })
    expect(refusal(story, LEE, says)).toBe('NOT_ALLOWED')
  })
})

describe('a person who takes part in a task', () => {
  it('is told that it begins, which share is theirs, and how each stage and the task ended', () => {
    const { story, task } = storyOf(goals('read', BEN), goals('compare', BEN))
    expect(noticesOf(story, BEN)).toEqual(['task_started', 'stage_started'])
    expect(story.world.notices[BEN]?.at(-1)?.words).toMatchObject({ goal: 'read it' })
    expect(noticesOf(story, LEE)).toEqual([])
    story.put(ANA, { type: 'finishStage', stage: stageAt(story.world, 0).id, reason: 'it will do' })
    expect(noticesOf(story, BEN).slice(2)).toEqual(['stage_finished', 'stage_started'])
    story.put(ANA, { type: 'finishTask', task, state: 'failed', summary: '', reason: 'no' })
    expect(noticesOf(story, BEN).slice(4)).toEqual(['stage_failed', 'task_failed'])
    const { story: other, task: good } = storyOf(goals('read', READER))
    other.put(ANA, { type: 'finishTask', task: good, state: 'finished', summary: '', reason: 'done' })
    expect(noticesOf(other, BEN)).toEqual(['task_started', 'task_finished'])
  })

  it('and manages it is asked to judge, by a request of that stage', () => {
    const { story, task } = storyOf(goals('read', READER))
    story.put(ANA, { type: 'changeManager', task, agent: BEN, reason: 'he knows it' })
    submits(story, READER)
    expect(story.openRequests()).toMatchObject([{ kind: 'judge', asked: [BEN], stage: stageAt(story.world, 0).id }])
  })

  it('[R574] is asked by a request whoever asks; one of a person has no number and holds up nothing', () => {
    const { story, task } = storyOf(goals('read', READER))
    story.put(ANA, send(ANA, [BEN], { task, kind: 'urgent' }))
    expect(story.openRequests()).toMatchObject([
      {
        number: null,
        kind: 'answer',
        asked: [BEN],
        asker: ANA,
        type: 'urgent',
        lock: null,
        stage: null,
        question: 'hello',
      },
    ])
    expect(noticesOf(story, BEN)).toContain('reply_needed')
    plans(story, READER, 'send_message', 'send_message', 'think')
    story.run(READER, () => says([BEN], { waiting: false, need_reply: false }))
    expect(story.openRequests()).toHaveLength(1)
    story.run(READER, () => says([BEN], { waiting: false }))
    expect(story.openRequests().slice(1)).toMatchObject([{ number: 1, kind: 'answer', asked: [BEN], type: 'action' }])
  })

  it('[R646] is asked no more when the task ended or the one who asked left it, in the words of what agents ask', () => {
    for (const isTask of [true, false]) {
      const { story, task } = storyOf(goals('read', READER), goals('write', READER))
      story.put(ANA, { type: 'changeParticipants', task, add: [LEE], remove: [], reason: 'helps' })
      story.put(LEE, send(LEE, [BEN], { task, kind: 'urgent', text: 'Look' }))
      story.put(ANA, send(ANA, [BEN], { task, kind: 'action', text: 'Answer' }))
      story.run(READER, () => says([BEN], { waiting: false }))
      story.put(ANA, { type: 'finishStage', stage: stageAt(story.world, 0).id, reason: 'it will do' })
      const askOf = (text: string) =>
        Object.values(story.world.requests[task] ?? {}).find(({ question }) => question === text)
      const states = () => ['Look', 'Answer', 'Which?'].map((text) => askOf(text)?.state)
      expect(states()).toEqual(['open', 'open', 'open'])
      if (isTask) story.put(ANA, { type: 'finishTask', task, state: 'finished', summary: '', reason: 'done' })
      else story.put(ANA, { type: 'changeParticipants', task, add: [], remove: [LEE], reason: 'elsewhere' })
      const stays = isTask ? 'superseded' : 'open'
      expect(states()).toEqual(['superseded', stays, stays])
      if (isTask) expect(askOf('Look')?.endReason).toBe(askOf('Which?')?.endReason)
    }
  })
})

describe('an agent that is told something', () => {
  it('takes in what asks for nothing at once, replies to what does, and first to what somebody waits for', () => {
    const { story, task } = storyOf(goals('read', READER))
    plans(story, READER, 'think', 'reflection')
    story.put(ANA, send(ANA, [READER], { task, text: 'one' }))
    story.put(ANA, send(ANA, [READER], { task, text: 'two', kind: 'action' }))
    story.put(ANA, send(ANA, [READER], { task, text: 'three', kind: 'urgent' }))
    story.put(ANA, send(ANA, [READER], { task, text: 'four', kind: 'urgent' }))
    const texts = (story.world.work[READER]?.todo ?? []).map(
      ({ step }) => stepsOf(story.world, READER).find(({ id }) => id === step)?.text,
    )
    expect(texts).toEqual(['three', 'four', 'do think', 'do reflection', 'two'])
    expect(todo(story.world, READER)).toEqual(['send_message', 'send_message', 'think', 'reflection', 'send_message'])
  })

  it('takes in the answer that its part waits for without a call, and goes on with what it has to do', () => {
    const ring = teamOf(2)
    const { story, members, task } = ring
    const [first, second] = [must(members[0], 'member'), must(members[1], 'member')]
    asks(ring, BEN)
    story.run(second, () => says([first]))
    const before = todo(story.world, first)
    expect(before[0]).toBe('send_message')
    story.put(BEN, send(BEN, [first], { task, text: 'this one', answers: 'oldest' }))
    expect(todo(story.world, first)).toEqual(before)
    const taken = must(
      stepsOf(story.world, first, task).find(({ executor }) => executor === 'process_message'),
      'process_message',
    )
    expect(taken).toMatchObject({ text: 'this one', state: 'finished', calls: [], byHand: false })
    const { message } = taken.cause
    expect(message && story.world.deliveries[task]?.[first]?.[message]?.state).toBe('done')
  })

  it('takes an answer in by a step of its own, before the replies that it owes, where nothing else of it goes on', () => {
    const { story, task } = storyOf(goals('read', ANALYST))
    const { id } = stageAt(story.world, 0)
    plans(story, ANALYST, 'send_message', 'think')
    // Reader has no part of the stage: it asks Ben outside of it, and owes a reply in it.
    story.put(ANA, send(ANA, [READER], { task, text: 'Look at it' }))
    story.run(READER, () => outcomeOf({ steps: { add: [], insert: [planned('send_message')] } }))
    story.run(READER, () => says([BEN]))
    story.run(ANALYST, () => says([READER], { stage_relative: id }))
    expect(todo(story.world, READER)).toEqual(['send_message'])
    story.put(BEN, send(BEN, [READER], { task, text: 'this one', answers: 'oldest' }))
    expect(todo(story.world, READER)).toEqual(['process_message', 'send_message'])
  })

  it('takes an answer in without a call where a further step of the same task reads it', () => {
    const { story, task } = storyOf(goals('read', ANALYST))
    story.put(ANA, send(ANA, [READER], { task, text: 'Look at it' }))
    story.run(READER, () => outcomeOf({ steps: { add: [], insert: [planned('send_message'), planned('think')] } }))
    story.run(READER, () => says([BEN]))
    story.put(BEN, send(BEN, [READER], { task, text: 'this one', answers: 'oldest' }))
    expect(todo(story.world, READER)).toEqual(['think'])
    expect(stepsOf(story.world, READER, task).find(({ text }) => text === 'this one')).toMatchObject({
      executor: 'process_message',
      state: 'finished',
    })
  })

  it('of a stage that is over does it outside of that', () => {
    const { story, task } = storyOf(goals('read', READER), goals('compare', ANALYST))
    const { id } = stageAt(story.world, 0)
    submits(story, READER)
    judges(story, stageAt(story.world, 0))
    story.put(ANA, send(ANA, [ANALYST], { task, stage: id, text: 'late' }))
    story.put(ANA, send(ANA, [ANALYST], { task, stage: stageAt(story.world, 1).id, text: 'in time' }))
    const stageOf = (text: string) => stepsOf(story.world, ANALYST).find((step) => step.text === text)?.stage
    expect(stageOf('late')).toBeNull()
    expect(stageOf('in time')).toBe(stageAt(story.world, 1).id)
  })

  it('that a stage ended loses its steps of that stage from its live list, and no others', () => {
    const { story, task } = storyOf(goals('read', READER), goals('compare', READER))
    submits(story, READER)
    judges(story, stageAt(story.world, 0))
    const live = () => stepsOf(story.world, READER).filter(({ retired }) => !retired)
    expect(live().every(({ stage }) => stage === stageAt(story.world, 1).id)).toBe(true)
    plans(story, READER, 'think')
    expect(live().map(({ executor }) => executor)).toEqual(['planning', 'think'])
    story.put(ANA, { type: 'finishTask', task, state: 'finished', summary: 'done', reason: 'done' })
    expect(live()).toEqual([])
    expect(messagesOf(story.world, task).at(-1)?.instruction?.type ?? null).toBe('finish_task')
    expect(todo(story.world, MANAGER)).toEqual([])
  })
})

describe('a message', () => {
  it('carries a mention, what was said elsewhere and what it asks back only where there is such', () => {
    const { story, task } = storyOf(goals('read', READER))
    story.put(ANA, send(ANA, [BEN], { task, text: 'one' }))
    story.put(ANA, send(ANA, [BEN], { task, text: 'two', mention: true }))
    const of = (text: string) => messagesOf(story.world, task).find((message) => message.text === text)
    expect([of('one')?.mention, of('two')?.mention]).toEqual([false, true])
    expect(Object.keys(must(of('one'), 'message'))).not.toContain('imported')
    expect(Object.keys(must(of('one'), 'message'))).not.toContain('asksBack')
  })

  it('is taken in under the name of who said it, or of the task', () => {
    const ring = teamOf(1)
    const { story, members, task } = ring
    const agent = must(members[0], 'member')
    asks(ring, BEN)
    const waiting = must(story.world.work[agent]?.locks[0], 'lock').id
    story.put(ANA, { type: 'releaseWait', agent, waiting, reason: 'it is late' })
    story.put(BEN, send(BEN, [agent], { task, text: 'by the way' }))
    const intentions = stepsOf(story.world, agent)
      .filter(({ executor }) => executor === 'process_message')
      .map(({ intention }) => intention)
    expect(intentions[0]).toContain('the task')
    expect(intentions[1]).toContain('Ben')
  })

  it.each([false, true])('that answers hands the wait back in the name of who answered, paused: %s', (isPaused) => {
    const ring = teamOf(1)
    const { story, members, task } = ring
    const agent = must(members[0], 'member')
    asks(ring, BEN)
    if (isPaused) story.put(ANA, { type: 'pauseAgent', agent, reason: 'lunch' })
    const decided = must(story.put(BEN, send(BEN, [agent], { task, text: 'this', answers: 'oldest' })), 'decision')
    expect(decided.events.find(({ type }) => type === 'lock.released')).toMatchObject({ by: BEN, outcome: 'answered' })
  })

  it('of the task about its judge asks operators to judge, and for no other answer', () => {
    const { story } = storyOf(goals('read', READER))
    submits(story, READER)
    story.run(MANAGER, () => failed('no model'))
    expect(story.openRequests().map(({ kind, asked }) => [kind, asked])).toEqual([['judge', [ANA]]])
  })
})

describe('the working memory', () => {
  const told = (story: Story, task: TaskId) =>
    messagesOf(story.world, task).flatMap(({ instruction, receivers }) =>
      instruction?.type === 'update_working_memory' ? [[instruction.stage, receivers]] : [],
    )

  it('is written by an instruction to all who are in a new task, to each who joins, and for each part of a stage', () => {
    const { story, task } = storyOf(goals('read', READER), goals('compare', READER, LEE))
    const [first, second] = [stageAt(story.world, 0).id, stageAt(story.world, 1).id]
    const { group } = must(story.world.tasks[task], 'task')
    expect(told(story, task)).toEqual([
      [null, group.filter((id) => id !== LEE)],
      [first, [READER]],
      [null, [LEE]],
      [second, [READER, LEE]],
    ])
  })

  it('asks nobody to do anything: it is done as it comes, and no step and no notice follows', () => {
    const { story, task } = storyOf(goals('read', ANALYST), goals('compare', READER, LEE))
    expect(todo(story.world, READER)).toEqual([])
    expect(noticesOf(story, LEE)).toEqual([])
    for (const person of [READER, LEE]) {
      const deliveries = Object.values(story.world.deliveries[task]?.[person] ?? {})
      const state = person === LEE ? 'shown' : 'done'
      expect(deliveries.map((one) => one.state)).toEqual([state, state])
    }
  })

  it.each([READER, LEE])(
    'of the one who has a part holds its steps until the stage ends, then no more: %s',
    (member) => {
      const { story, task } = storyOf(goals('read', READER, LEE), goals('compare', READER))
      const stage = stageAt(story.world, 0).id
      if (member === LEE) story.put(LEE, send(LEE, [READER], { task, stage }))
      else plans(story, READER, 'think')
      const live = () => stepsOf(story.world, member).filter((step) => step.stage === stage && !step.retired)
      expect(live().length).toBeGreaterThan(0)
      story.put(ANA, { type: 'finishStage', stage, reason: 'it will do' })
      expect(live()).toEqual([])
    },
  )

  it('of a person holds what belongs to no stage until the task ends', () => {
    const { story, task } = storyOf(goals('read', READER))
    story.put(BEN, send(BEN, [READER], { task }))
    const live = () => stepsOf(story.world, BEN).filter((step) => step.task === task && !step.retired)
    story.put(ANA, { type: 'finishStage', stage: stageAt(story.world, 0).id, reason: 'it will do' })
    expect(live()).toHaveLength(1)
    story.put(ANA, { type: 'finishTask', task, state: 'finished', summary: 'done', reason: 'done' })
    expect(live()).toEqual([])
  })
})

describe('the end of a stage', () => {
  it('takes the steps of that stage that are over out of the live list, each once, and none beside it', () => {
    const { story, task } = storyOf(goals('read', READER), goals('compare', READER))
    const [first] = [stageAt(story.world, 0).id]
    story.put(ANA, send(ANA, [READER], { task, text: 'beside it' }))
    story.put(ANA, send(ANA, [READER], { task, text: 'owed', kind: 'action' }))
    plans(story, READER, 'summary')
    story.run(READER, () => outcomeOf({}))
    const retired = (command: Command) =>
      must(story.put(ANA, command), 'decision').events.flatMap((event) =>
        event.type === 'step.retired' && event.agent === READER ? event.steps : [],
      )
    const ofStage = stepsOf(story.world, READER).filter(({ stage }) => stage === first)
    expect(retired({ type: 'finishStage', stage: first, reason: 'it will do' }).sort()).toEqual(
      ofStage.map(({ id }) => id).sort(),
    )
    const live = stepsOf(story.world, READER).filter(({ retired: isRetired }) => !isRetired)
    expect(live.map(({ text }) => text)).toEqual(expect.arrayContaining(['beside it', 'owed']))
    const again = retired({ type: 'finishStage', stage: stageAt(story.world, 1).id, reason: 'it will do' })
    expect(again.filter((id) => ofStage.some((step) => step.id === id))).toEqual([])
  })

  it('leaves what a member who leaves has seen already as it was', () => {
    const { story, task } = storyOf(goals('read', READER))
    story.put(ANA, send(ANA, [BEN], { task, text: 'Look' }))
    const { id } = must(
      messagesOf(story.world, task).find(({ text }) => text === 'Look'),
      'message',
    )
    story.put(BEN, { type: 'markShown', messages: [id] })
    story.put(ANA, { type: 'changeParticipants', task, add: [], remove: [BEN], reason: 'he goes' })
    expect(story.world.deliveries[task]?.[BEN]?.[id]?.state).toBe('shown')
  })
})

describe('what is told of an act', () => {
  it('numbers stages from 1, and says whether a task was finished or failed', () => {
    const { story, task } = storyOf(goals('read', READER), goals('compare', READER))
    story.put(ANA, { type: 'finishStage', stage: stageAt(story.world, 1).id, reason: 'no' })
    story.put(ANA, { type: 'finishStage', stage: stageAt(story.world, 0).id, reason: 'it will do' })
    expect(linesOf(story.world).at(-1)).toContain('stage 1')
    const ends = (state: 'finished' | 'failed', of = storyOf(goals('read', READER))) => {
      of.story.put(ANA, { type: 'finishTask', task: of.task, state, summary: 'so', reason: 'why' })
      return messagesOf(of.story.world).find(({ instruction }) => instruction?.type === 'finish_task')?.text
    }
    expect(ends('failed')).not.toBe(ends('finished'))
    expect(ends('failed')).toContain('failed')
    expect(ends('finished')).not.toContain('failed')
    expect(story.world.tasks[task]?.state).toBe('running')
  })

  it('is a notice for people alone', () => {
    const { story } = storyOf(goals('read', READER))
    expect(story.world.notices[READER] ?? []).toEqual([])
    expect(noticesOf(story, BEN)).toEqual(['task_started'])
  })

  it('of a person is a step of their own, done by hand', () => {
    const { story, task } = storyOf(goals('read', READER))
    story.put(BEN, send(BEN, [READER], { task, text: 'Look' }))
    expect(stepsOf(story.world, BEN)).toMatchObject([{ byHand: true, state: 'finished', executor: 'send_message' }])
  })

  it('offers the choices that its question has', () => {
    const { story } = storyOf(goals('read', READER))
    plans(story, READER, 'send_message', 'send_message', 'think')
    story.run(READER, () => says([BEN], { waiting: false, choices: ['this', 'that'] }))
    story.run(READER, () => says([BEN], { waiting: false }))
    expect(story.openRequests().map(({ choices }) => choices)).toEqual([['this', 'that'], []])
  })
})
describe('who leaves the team', () => {
  const without = (story: Story, gone: AgentId) => {
    const file = teamConfig()
    const agents = file.agents.filter(({ id }) => id !== gone)
    return must(story.put('system:start', { ...file, agents }), 'decision').events
  }

  it('leaves the base task without a share that failed, and its stage as it was', () => {
    const { story } = storyOf(goals('read', READER))
    const before = Object.values(story.world.stages[BASE_TASK] ?? {})[0]
    const events = without(story, READER)
    const failing = events.flatMap((event) => (event.type === 'stage.agentStateChanged' ? [event.task] : []))
    expect(failing).not.toContain(BASE_TASK)
    expect(Object.values(story.world.stages[BASE_TASK] ?? {})[0]).toEqual(before)
    without(story, BEN)
    expect(Object.values(story.world.stages[BASE_TASK] ?? {})[0]?.state).toBe('running')
  })

  it('is told nothing more, and changes nothing of a stage that is over', () => {
    const { story, task } = storyOf(goals('read', READER, ANALYST), goals('compare', ANALYST))
    submits(story, READER)
    submits(story, ANALYST)
    judges(story, stageAt(story.world, 0))
    const before = stageAt(story.world, 0)
    without(story, READER)
    expect(stageAt(story.world, 0)).toEqual(before)
    story.put(ANA, { type: 'finishTask', task, state: 'finished', summary: 'done', reason: 'done' })
    const ended = messagesOf(story.world, task).filter(({ instruction }) => instruction?.type === 'finish_task')
    expect(ended.flatMap(({ receivers }) => receivers)).not.toContain(READER)
    const stages = messagesOf(story.world, task).filter(({ instruction }) => instruction?.type === 'finish_stage')
    expect(stages.at(-1)?.receivers).toEqual([ANALYST])
  })

  it('is named with the task in the refusal of a message to them', () => {
    const { story, task } = storyOf(goals('read', READER))
    const command = send(ANA, [LEE], { task })
    expect(decide(story.world, { id: 'a-try', by: ANA, command }, story.world.at)).toMatchObject({
      fault: { code: 'NOT_A_MEMBER', data: { name: 'Lee', task: 'Compare' } },
    })
  })
})

it('nothing is said in the base task of those who join it', () => {
  const file = teamConfig()
  const story = new Story()
  const max = { ...TEAM.lee, id: asId<AgentId>('00000000-0000-4000-8000-000000000077'), configId: 'max', name: 'Max' }
  story.put('system:start', { ...file, agents: [...file.agents, max] })
  expect(story.world.tasks[BASE_TASK]?.group).toContain(max.id)
  expect(story.world.messages[BASE_TASK] ?? {}).toEqual({})
})
