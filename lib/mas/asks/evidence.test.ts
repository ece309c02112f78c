/** What a question rests on is chosen when it is asked, and kept with it. */
import { describe, expect, it } from 'vitest'
import {
  makeMessage,
  makeStep,
  READER as SKILLED,
  STAGE,
  stepId,
  TASK,
  testWorld,
  withMessage,
  withSteps,
} from '@/test/skillWorld'
import { ANALYST, BEN, goals, must, plans, READER, requestOf, says, stepsOf, storyOf } from '@/test/stories'
import { outcomeOf, planned, type Story, send } from '@/test/worldHistories'
import { type AgentId, asId, type StageId, type ThreadId } from '../ids'
import type { MessageRecord, StepRecord, World } from '../records'
import { evidenceOf } from './evidence'

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

  it('ends with the message of the one who brought the question about', () => {
    const { story, task } = storyOf(goals('read', READER))
    story.put(BEN, send(BEN, [READER], { task, text: 'Ask me when in doubt', kind: 'action' }))
    plans(story, READER)
    const inserts = outcomeOf({ steps: { add: [], insert: [planned('send_message')] } })
    const read = story.run(READER, (step) => (step.executor === 'send_message' ? inserts : outcomeOf({})))
    expect(read?.executor).toBe('send_message')
    story.run(READER, () => says([BEN], { message: 'In doubt' }))
    expect(evidenceOfQuestion(story)).toMatchObject([{ kind: 'message', name: 'Ben' }])
  })
})

describe('what a question rests on', () => {
  const asking = {
    task: TASK,
    stage: STAGE,
    thread: null,
    asker: SKILLED,
    message: null,
    step: null,
    question: 'Right?',
  }
  const ids = (world: World, change: Partial<Parameters<typeof evidenceOf>[1]> = {}) =>
    evidenceOf(world, { ...asking, ...change }).map(({ id }) => id)
  const over = (n: number, change: Partial<StepRecord> = {}) => makeStep(n, { state: 'finished', ...change })

  it('is five things at most, each once, and never the question or the step that asks', () => {
    const world = withSteps(testWorld, [over(1), over(2), over(3), over(4), over(5, { stage: null })])
    expect(ids(world)).toEqual([stepId(4), stepId(3), stepId(2)])
    expect(ids(world, { step: stepId(4) })).toEqual([stepId(3), stepId(2)])
    expect(ids(world, { question: `${stepId(1)} ${stepId(1)} ${stepId(4)}?` })).toEqual([
      stepId(1),
      stepId(4),
      stepId(3),
      stepId(2),
    ])
    const many = withSteps(world, [over(6), over(7), over(8)])
    expect(ids(many, { question: [1, 2, 3].map(stepId).join(' ') })).toEqual([1, 2, 3, 8, 7].map(stepId))
    expect(ids(world, { asker: 'system:task' })).toEqual([])
  })

  it('is of the same stage and thread', () => {
    const thread = asId<ThreadId>('thread')
    const world = withSteps(testWorld, [over(1, { thread }), over(2, { stage: asId<StageId>('other') }), over(3)])
    expect([ids(world), ids(world, { thread })]).toEqual([[stepId(3)], [stepId(1)]])
    expect(ids(world, { question: `${stepId(1)} ${stepId(2)}` })).toEqual([stepId(3)])
  })

  it('names messages of people and agents, not those of the task or of another thread', () => {
    const said = (change: Partial<MessageRecord> = {}) => withMessage(testWorld, makeMessage(stepId(70), change))
    const question = `What of ${stepId(70)}?`
    expect(evidenceOf(said({ at: 8 }), { ...asking, question })).toEqual([
      { kind: 'message', id: stepId(70), name: 'Ana', at: 8 },
    ])
    expect(ids(said({ sender: 'system:task' }), { question })).toEqual([])
    expect(ids(said({ thread: asId<ThreadId>('thread') }), { question })).toEqual([])
    expect(ids(said(), { question, message: asId(stepId(70)) })).toEqual([])
    expect(ids(testWorld, { question })).toEqual([])
  })

  it('[R212] is called as in the tree: by what it was to do, cut where that is long, else by its skill', () => {
    const name = (intention: string) => evidenceOf(withSteps(testWorld, [over(1, { intention })]), asking)[0]?.name
    expect([name(' read  the\nlist '), name(' ')]).toEqual(['Read the list', 'Think'])
    expect(name('x'.repeat(80))).toBe(`X${'x'.repeat(79)}`)
    expect(name('x'.repeat(81))).toBe(`${'x'.repeat(79)}…`)
  })
})
