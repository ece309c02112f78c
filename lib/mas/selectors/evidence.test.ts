/** What a question rests on is chosen when it is asked, and kept with it. */
import { describe, expect, it } from 'vitest'
import { ANALYST, BEN, goals, must, plans, READER, requestOf, says, stepsOf, storyOf } from '@/test/stories'
import { outcomeOf, planned, type Story, send } from '@/test/worldHistories'
import type { AgentId } from '../ids'
import type { StepRecord } from '../records'

const stepOf = (story: Story, agent: AgentId, executor: string): StepRecord =>
  must(
    stepsOf(story.world, agent).find((step) => step.executor === executor),
    executor,
  )
const evidenceOfQuestion = (story: Story) => must(requestOf(story, 'answer'), 'question').evidence

describe('the evidence of a request', () => {
  it('is what its asker found out last in the stage, the newest first, without what only arranges', () => {
    const { story } = storyOf(goals('read', READER))
    plans(story, READER, 'think', 'decision', 'quick_think', 'process_message', 'send_message')
    for (let step = 0; step < 4; step++) story.run(READER, () => outcomeOf({}))
    story.run(READER, (step) => says([BEN], { stage_relative: must(step.stage, 'stage') }))
    expect(evidenceOfQuestion(story)?.map(({ id }) => id)).toEqual([
      stepOf(story, READER, 'quick_think').id,
      stepOf(story, READER, 'think').id,
    ])
  })

  it('has first what its text names, and never anything of another stage', () => {
    const { story } = storyOf(goals('read', READER, ANALYST))
    plans(story, ANALYST, 'think', 'reflection')
    story.run(ANALYST, () => outcomeOf({}))
    const named = stepOf(story, ANALYST, 'think')
    plans(story, READER, 'think', 'send_message', 'send_message')
    story.run(READER, () => outcomeOf({}))
    story.run(READER, () => says([BEN], { message: `Is ${named.id} right?`, waiting: false }))
    // A question about no stage.
    expect(evidenceOfQuestion(story)).toBeUndefined()
    story.run(READER, () =>
      says([BEN], { message: `Is ${named.id} right?`, stage_relative: must(named.stage, 'stage') }),
    )
    const second = story.openRequests().find(({ kind, stage }) => kind === 'answer' && stage !== null)
    expect(second?.evidence).toMatchObject([{ id: named.id }, { id: stepOf(story, READER, 'think').id }])
  })

  it('ends with the message of whoever brought the question about', () => {
    const { story, task } = storyOf(goals('read', READER))
    story.put(BEN, send(BEN, [READER], { task, text: 'Ask me when in doubt' }))
    plans(story, READER)
    const inserts = outcomeOf({ steps: { add: [], insert: [planned('send_message')] } })
    const read = story.run(READER, (step) => (step.executor === 'process_message' ? inserts : outcomeOf({})))
    expect(read?.executor).toBe('process_message')
    story.run(READER, () => says([BEN], { message: 'In doubt' }))
    expect(evidenceOfQuestion(story)).toMatchObject([{ kind: 'message', name: 'Ben' }])
  })
})
