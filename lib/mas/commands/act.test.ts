/** What acts of people have in common: who may, on what that is not over, with a reason of a length. */
import { describe, expect, it } from 'vitest'
import {
  ANA,
  actsOf,
  BEN,
  goals,
  LEE,
  linesOf,
  must,
  READER,
  requestOf,
  stageAt,
  storyOf,
  submits,
} from '@/test/stories'
import { asks, teamOf } from '@/test/waitStories'
import { BASE_TASK, type Story } from '@/test/worldHistories'
import type { StageId, TaskId } from '../ids'
import { decide } from '.'
import { REASON_CHARACTERS } from './act'
import type { Command } from './command'

/** The code of the refusal; null: it would be done. */
const refusal = (story: Story, by: string, command: Command): string | null => {
  const decided = decide(story.world, { id: 'a-try', by, command }, story.world.at + 1)
  return decided.ok ? null : decided.fault.code
}
const pauses = (task: TaskId, reason = 'lunch'): Command => ({ type: 'pauseTask', task, reason })
/** Lee may read all of the task then. */
const joins = (story: Story, task: TaskId): void => {
  story.put(ANA, { type: 'changeParticipants', task, add: [LEE], remove: [], reason: 'he helps' })
}
const ends = (stage: StageId): Command => ({ type: 'finishStage', stage, reason: 'it will do' })

describe('a reason', () => {
  it('is needed, without its spaces, and has a longest length', () => {
    const { story, task } = storyOf(goals('read', READER))
    expect(refusal(story, ANA, pauses(task, '  \n '))).toBe('REASON_MISSING')
    expect(refusal(story, ANA, pauses(task, 'x'.repeat(REASON_CHARACTERS)))).toBeNull()
    expect(refusal(story, ANA, pauses(task, `  ${'x'.repeat(REASON_CHARACTERS)}  `))).toBeNull()
    expect(refusal(story, ANA, pauses(task, 'x'.repeat(REASON_CHARACTERS + 1)))).toBe('TOO_LARGE')
    story.put(ANA, pauses(task, '  lunch '))
    expect(actsOf(story).at(-1)?.reason).toBe('lunch')
    expect(linesOf(story.world).at(-1)).toMatch(/ · lunch$/)
  })

  it('that may be left out is as long at most', () => {
    const { story, task } = storyOf(goals('read', READER))
    story.put(ANA, pauses(task))
    const resumes = (reason: string): Command => ({ type: 'resumeTask', task, reason })
    expect(refusal(story, ANA, resumes('x'.repeat(REASON_CHARACTERS + 1)))).toBe('TOO_LARGE')
    story.put(ANA, resumes(''))
    expect(linesOf(story.world).at(-1)).not.toContain('·')
  })
})

describe('the person who directs a task', () => {
  it('is its manager or an operator, and the task is there and not over', () => {
    const { story, task } = storyOf(goals('read', READER))
    joins(story, task)
    expect(refusal(story, ANA, pauses('none' as TaskId))).toBe('NOT_FOUND')
    expect(refusal(story, BEN, pauses(task))).toBe('NOT_MANAGER')
    expect(refusal(story, LEE, ends(stageAt(story.world, 0).id))).toBe('NOT_MANAGER')
    story.put(ANA, { type: 'changeManager', task, agent: BEN, reason: 'he knows it' })
    expect(refusal(story, BEN, pauses(task))).toBeNull()
    expect(refusal(story, LEE, pauses(task))).toBe('NOT_MANAGER')
    story.put(ANA, { type: 'finishTask', task, state: 'finished', summary: 'done', reason: 'done' })
    expect(refusal(story, ANA, pauses(task))).toBe('TASK_OVER')
  })

  it('ends a stage that runs, none that is over or has not begun', () => {
    const { story } = storyOf(goals('read', READER), goals('read again', READER), goals('third', READER))
    const [first, second] = [stageAt(story.world, 0).id, stageAt(story.world, 1).id]
    expect(refusal(story, ANA, ends('none' as StageId))).toBe('NOT_FOUND')
    expect(refusal(story, ANA, ends(second))).toBe('STAGE_NOT_RUNNING')
    story.put(ANA, ends(first))
    expect(refusal(story, ANA, ends(first))).toBe('STAGE_OVER')
    story.put(ANA, ends(second))
    expect(refusal(story, ANA, ends(stageAt(story.world, 2).id))).toBeNull()
  })

  it('[R6] does not end the base task', () => {
    const { story } = storyOf(goals('read', READER))
    const command: Command = { type: 'finishTask', task: BASE_TASK, state: 'finished', summary: 'done', reason: 'done' }
    expect(refusal(story, ANA, command)).toBe('BASE_TASK_STAYS')
  })

  it('of what concerns several tasks has one record of no task, and a line in each', () => {
    const { story, task } = storyOf(goals('read', READER))
    story.put(ANA, { type: 'pauseAgent', agent: READER, reason: 'look first' })
    const act = must(actsOf(story).at(-1), 'act')
    expect(act).toMatchObject({ act: 'pauseAgent', agent: ANA, reason: 'look first' })
    expect(linesOf(story.world, task).at(-1)).toContain('look first')
  })
})

describe('asking back', () => {
  it('needs words, somebody to ask, and a question that was put to the one who asks', () => {
    const ring = teamOf(1)
    const { story, task } = ring
    joins(story, task)
    asks(ring, BEN)
    const { id } = must(requestOf(story, 'answer'), 'request')
    const asksBack = (text: string): Command => ({ type: 'askBack', request: id, text })
    expect(refusal(story, BEN, asksBack('  '))).toBe('EMPTY_TEXT')
    expect(refusal(story, LEE, asksBack('Which?'))).toBe('NOT_ASKED')
    expect(refusal(story, BEN, asksBack('Which?'))).toBeNull()
    const { story: other } = storyOf(goals('read', BEN))
    const part = must(requestOf(other, 'part'), 'request')
    expect(part.asker).toBe('system:task')
    expect(refusal(other, BEN, { type: 'askBack', request: part.id, text: 'Which?' })).toBe('NOBODY_TO_ASK')
  })
})

it('a part that is submitted is not asked for any more', () => {
  const { story } = storyOf(goals('read', READER, BEN))
  submits(story, READER)
  const request = must(requestOf(story, 'part'), 'request')
  const answer = (decision: 'done' | 'answer' | 'approve', text: string): Command => ({
    type: 'answerRequest',
    request: request.id,
    decision,
    text,
    arguments: null,
    digest: null,
  })
  expect(refusal(story, BEN, answer('done', ' '))).toBe('REASON_MISSING')
  expect(refusal(story, BEN, answer('answer', 'here'))).toBe('DECISION_UNFIT')
  expect(refusal(story, BEN, answer('approve', 'here'))).toBe('DECISION_UNFIT')
  story.put(BEN, answer('done', 'all read'))
  expect(stageAt(story.world, 0)).toMatchObject({ parts: { [BEN]: 'finished' }, summaries: { [BEN]: 'all read' } })
  expect(refusal(story, BEN, answer('done', 'all read'))).toBe('REQUEST_OVER')
})
