/** A manager that must ask before it judges: its judgement waits for the answer, and the manager for nothing. */
import { describe, expect, it } from 'vitest'
import {
  ANA,
  ANALYST,
  answers,
  BEN,
  goals,
  locksOf,
  MANAGER,
  must,
  READER,
  requestOf,
  says,
  saysFyi,
  stageAt,
  stagesOf,
  storyOf,
  submits,
  tell,
  todo,
} from '@/test/stories'
import { outcomeOf, planned, type Story, send } from '@/test/worldHistories'
import { selectNextStep } from '../members'
import type { StepOutcome } from '../steps/outcome'

const asksFirst = (): StepOutcome =>
  outcomeOf({
    result: { kind: 'text', text: 'needs first', body: null, made: { again: true } },
    steps: { add: [], insert: [planned('decision'), planned('task_manager')] },
  })
/** The stage is to be judged; the manager asks Ana first. */
function asked(...to: (typeof ANA)[]): { story: Story } {
  const { story } = storyOf(goals('read', READER))
  submits(story, READER)
  story.run(MANAGER, asksFirst)
  story.run(MANAGER, () => outcomeOf({ steps: { add: [], insert: [planned('send_message')] } }))
  story.run(MANAGER, () => says(to, { message: 'Leave it out, or add it?' }))
  return { story }
}

describe('[R36] a judgement for which something was asked first', () => {
  it('waits for the answer without a lock, and is made when the answer was taken in', () => {
    const { story } = asked(ANA)
    expect([locksOf(story.world, MANAGER), todo(story.world, MANAGER)]).toEqual([[], ['task_manager']])
    expect(selectNextStep(story.world, MANAGER)).toBeNull()
    expect(requestOf(story, 'judge')).toBeNull()
    story.put(ANA, answers(must(requestOf(story, 'answer'), 'question'), 'answer', 'leave it out'))
    expect(selectNextStep(story.world, MANAGER)?.executor).toBe('task_manager')
    const stage = stageAt(story.world, 0)
    const better = { stage_intention: 'read without it', agent_allocation: { [READER]: 'leave it out' } }
    story.run(MANAGER, () => tell({ action: 'retry_stage', task_id: stage.task, stage_id: stage.id, stages: [better] }))
    expect(stagesOf(story.world).map((one) => one.state)).toEqual(['failed', 'running'])
  })

  it('holds nothing else up: the manager does what comes meanwhile', () => {
    const { story } = asked(ANA)
    story.ask('something else')
    expect(selectNextStep(story.world, MANAGER)).toMatchObject({ executor: 'send_message', text: 'something else' })
    story.put(ANA, send(ANA, [MANAGER], { task: stageAt(story.world, 0).task, text: 'by the way' }))
    story.run(MANAGER, () => saysFyi([ANA], 'Noted.'))
    expect(selectNextStep(story.world, MANAGER)).toMatchObject({ executor: 'process_message', text: 'by the way' })
  })

  it('waits for all who were asked, agents as well as people', () => {
    const { story } = asked(ANA, ANALYST)
    story.run(ANALYST, () => saysFyi([MANAGER], 'add it'))
    expect(selectNextStep(story.world, MANAGER)).toBeNull()
    story.put(ANA, answers(must(requestOf(story, 'answer'), 'question'), 'answer', 'leave it out'))
    expect(selectNextStep(story.world, MANAGER)?.executor).toBe('task_manager')
  })

  it('is made at once when nothing had to be asked of anybody', () => {
    const { story } = storyOf(goals('read', READER))
    submits(story, READER)
    story.run(MANAGER, asksFirst)
    story.run(MANAGER, () => outcomeOf({ steps: { add: [], insert: [planned('ask_info')] } }))
    story.run(MANAGER, () => outcomeOf({ sync: { ask_info: { type: 'agents_in_mas' } } }))
    expect(selectNextStep(story.world, MANAGER)?.executor).toBe('task_manager')
  })

  it('is not held up by what was only told', () => {
    const { story } = storyOf(goals('read', READER))
    submits(story, READER)
    story.run(MANAGER, asksFirst)
    story.run(MANAGER, () => outcomeOf({ steps: { add: [], insert: [planned('send_message')] } }))
    story.run(MANAGER, () => saysFyi([ANA], 'I judge it now.'))
    expect(selectNextStep(story.world, MANAGER)?.executor).toBe('task_manager')
  })

  it('is not held up by a question about something else', () => {
    const { story } = asked(ANA)
    const { task } = stageAt(story.world, 0)
    story.put(ANA, send(ANA, [MANAGER], { task, text: 'ask Ben for his opinion' }))
    story.run(MANAGER, () => outcomeOf({ steps: { add: [], insert: [planned('send_message')] } }))
    story.run(MANAGER, () => says([BEN], { message: 'What do you think?', waiting: false }))
    const questions = story.openRequests().filter(({ kind }) => kind === 'answer')
    expect(questions.map((one) => one.asked)).toEqual([[ANA], [BEN]])
    story.put(ANA, answers(must(questions[0], 'question'), 'answer', 'leave it out'))
    expect(selectNextStep(story.world, MANAGER)?.executor).toBe('task_manager')
  })

  it('is made without the answer when nobody is left to give it', () => {
    const { story } = asked(ANALYST)
    expect(selectNextStep(story.world, MANAGER)).toBeNull()
    const { task } = stageAt(story.world, 0)
    story.put(ANA, { type: 'changeParticipants', task, add: [], remove: [ANALYST], reason: 'not needed' })
    expect(selectNextStep(story.world, MANAGER)?.executor).toBe('task_manager')
  })
})
