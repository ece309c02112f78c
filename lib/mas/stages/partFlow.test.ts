/** Each member's share of a stage: how it is worked on, submitted, failed. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ANA,
  ANALYST,
  BEN,
  failed,
  goals,
  locksOf,
  messagesOf,
  must,
  plans,
  READER,
  says,
  stageAt,
  stepsOf,
  storyOf,
  sync,
  todo,
} from '@/test/stories'
import { anyMoves, outcomeOf, walk } from '@/test/worldHistories'
import type { AgentId } from '../ids'
import { selectNextStep } from '../members'
import type { StageRecord, World } from '../records'
import { isStepOver } from '../statuses'

describe('parts', () => {
  it('a list that runs empty gets one reflection, and then the part fails', () => {
    const { story } = storyOf(goals('read', READER))
    plans(story, READER, 'think')
    story.run(READER, () => outcomeOf({}))
    expect(todo(story.world, READER)).toEqual(['reflection'])
    expect(stepsOf(story.world, READER).filter((step) => step.last)).toHaveLength(1)
    story.run(READER, () => outcomeOf({}))
    expect(stageAt(story.world, 0)).toMatchObject({ parts: { [READER]: 'failed' }, judging: true })
    expect(stageAt(story.world, 0).partReasons[READER]).toContain('empty')
  })

  it.each(['planning', 'reflection', 'summary'])('%s that fails ends the part', (executor) => {
    const { story } = storyOf(goals('read', READER))
    if (executor !== 'planning') plans(story, READER, executor)
    story.run(READER, () => failed('no format at all'))
    expect(stageAt(story.world, 0)).toMatchObject({ parts: { [READER]: 'failed' }, judging: true })
    expect(stageAt(story.world, 0).partReasons[READER]).toBe(`${executor} failed: no format at all`)
  })

  it.each([
    'think',
    'quick_think',
    'send_message',
    'process_message',
    'task_manager',
    'agent_manager',
    'ask_info',
    'decision',
  ])('%s that fails does not end the part', (executor) => {
    const { story } = storyOf(goals('read', READER))
    plans(story, READER, executor, 'reflection')
    story.run(READER, () => failed('it went wrong'))
    expect(stageAt(story.world, 0).parts[READER]).toBe('working')
    expect(todo(story.world, READER)).toEqual(['reflection'])
  })

  it('too many steps end the part with the number, when nobody allows more', () => {
    const { story } = storyOf(goals('read', READER))
    plans(story, READER, ...Array.from({ length: 30 }, () => 'think'))
    while (story.run(READER, () => outcomeOf({})));
    expect(stageAt(story.world, 0).parts[READER]).toBe('working')
    expect(stepsOf(story.world, READER).filter((step) => step.startedAt !== null)).toHaveLength(20)
    const limit = must(
      story.openRequests().find((request) => request.kind === 'limit'),
      'request',
    )
    const answer = { type: 'answerRequest', request: limit.id, arguments: null, digest: null } as const
    story.put(ANA, { ...answer, decision: 'refuse', text: 'enough' })
    expect(stageAt(story.world, 0).parts[READER]).toBe('failed')
    expect(stageAt(story.world, 0).partReasons[READER]).toBe('the limit of 20 steps; Ana refused to allow more: enough')
    expect(stepsOf(story.world, READER).filter((step) => step.startedAt !== null)).toHaveLength(20)
    expect(todo(story.world, READER)).toEqual([])
  })

  it('a person who cannot do it ends their part, and what is over in a stage stays over', () => {
    const { story, task } = storyOf(goals('read', READER, BEN))
    const part = must(
      story.openRequests().find((request) => request.kind === 'part'),
      'part',
    )
    const answer = { type: 'answerRequest', request: part.id, arguments: null, digest: null } as const
    story.put(BEN, { ...answer, decision: 'cannot', text: 'no time' })
    expect(stageAt(story.world, 0)).toMatchObject({ parts: { [BEN]: 'failed' }, judging: false })
    plans(story, READER, 'summary', 'think', 'reflection')
    story.run(READER, () => sync({ update_stage_agent_completion: { summary: 'all read' } }))
    expect(stageAt(story.world, 0)).toMatchObject({ parts: { [READER]: 'finished' }, judging: true })
    story.run(READER, () => outcomeOf({}))
    story.run(READER, () => failed('too late to matter'))
    expect(stageAt(story.world, 0)).toMatchObject({
      parts: { [READER]: 'finished' },
      summaries: { [READER]: 'all read' },
    })
    const notices = messagesOf(story.world, task).filter((message) => message.instruction?.type === 'judge_stage')
    expect(notices).toHaveLength(1)
  })

  it("a part's failure cancels its steps, but a reply that is owed still goes out", () => {
    const { story } = storyOf(goals('read', READER, ANALYST))
    plans(story, ANALYST, 'send_message', 'reflection')
    plans(story, READER, 'reflection', 'think')
    story.run(ANALYST, (step) => says([READER], { stage_relative: must(step.stage, 'stage') }))
    expect(todo(story.world, READER)[0]).toBe('send_message')
    // The reply runs first; the reflection behind it is what fails here.
    const reply = must(story.start(READER), 'reply')
    story.put('system:recovery', { type: 'recoverStep', step: reply.id, again: true, reason: 'stopped' })
    const { world } = story
    const [ref, ...others] = world.work[READER]?.todo ?? []
    story.world = {
      ...world,
      work: { ...world.work, [READER]: { ...must(world.work[READER], 'work'), todo: [...others, must(ref, 'ref')] } },
    }
    story.run(READER, () => failed('no format'))
    expect(stageAt(story.world, 0).parts[READER]).toBe('failed')
    expect(todo(story.world, READER)).toEqual(['send_message'])
    expect(locksOf(story.world, ANALYST)).toHaveLength(1)
    story.run(READER, () => says([ANALYST], { message: 'This one.', waiting: false, need_reply: false }))
    expect(locksOf(story.world, ANALYST)).toEqual([])
  })

  it('a wait that was asked free of the stage comes back into the stage that waits, so that the part goes on', () => {
    const { story } = storyOf(goals('read', READER))
    plans(story, READER, 'send_message')
    story.run(READER, () => says([BEN]))
    const asked = must(
      story.openRequests().find((request) => request.kind === 'answer'),
      'request',
    )
    story.put(BEN, {
      type: 'answerRequest',
      request: asked.id,
      decision: 'answer',
      text: 'this',
      arguments: null,
      digest: null,
    })
    const taken = must(
      stepsOf(story.world, READER).find(({ executor }) => executor === 'process_message'),
      'process_message',
    )
    expect([taken.state, taken.stage]).toEqual(['finished', stageAt(story.world, 0).id])
    expect(selectNextStep(story.world, READER)).toMatchObject({
      executor: 'reflection',
      stage: stageAt(story.world, 0).id,
    })
  })

  it('answers that need no call lead to one reflection, and only when the last of them is there and nothing is planned', () => {
    const { story } = storyOf(goals('read', READER))
    plans(story, READER, 'send_message', 'send_message')
    const answered = (person: AgentId): void => {
      const asked = must(
        story.openRequests().find(({ kind, asked }) => kind === 'answer' && asked.includes(person)),
        'request',
      )
      const answer = { decision: 'answer', text: 'this', arguments: null, digest: null } as const
      story.put(person, { type: 'answerRequest', request: asked.id, ...answer })
    }
    story.run(READER, () => says([BEN]))
    answered(BEN)
    // What is planned reads the answer.
    expect(todo(story.world, READER)).toEqual(['send_message'])
    story.run(READER, () => says([BEN, ANA]))
    answered(ANA)
    expect(locksOf(story.world, READER)).toHaveLength(1)
    expect(todo(story.world, READER)).toEqual([])
    answered(BEN)
    expect(todo(story.world, READER)).toEqual(['reflection'])
    const taken = stepsOf(story.world, READER).filter(({ executor }) => executor === 'process_message')
    expect(taken.map(({ state, calls }) => [state, calls])).toEqual(Array(3).fill(['finished', []]))
  })

  it('no open part of a running stage is left with nothing to do and nothing to wait for', () => {
    fc.assert(
      fc.property(anyMoves(120), (moves) => void walk(moves, ({ world }) => expect(strandedParts(world)).toEqual([]))),
      { numRuns: 60 },
    )
  })
})

function strandedParts(world: World): string[] {
  return Object.values(world.stages).flatMap((stages) =>
    Object.values(stages).flatMap((stage: StageRecord) => {
      if (stage.state !== 'running' || stage.task === world.baseTask) return []
      return (Object.keys(stage.parts) as AgentId[]).filter((agent) => {
        const state = stage.parts[agent]
        if (state === 'finished' || state === 'failed' || world.agents[agent]?.kind !== 'llm') return false
        const due = stepsOf(world, agent, stage.task).some((step) => step.stage === stage.id && !isStepOver(step))
        return !due && !locksOf(world, agent).some((lock) => lock.stage === stage.id)
      })
    }),
  )
}
