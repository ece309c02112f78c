/** Waits and replies: who is asked, in which order, what each answer frees. */
import { describe, expect, it } from 'vitest'
import { stepIn } from '@/lib/mas/steps/ownSteps'
import {
  ANA,
  ANALYST,
  BEN,
  failed,
  goals,
  judges,
  LEE,
  locksOf,
  MANAGER,
  messagesOf,
  must,
  plans,
  READER,
  says,
  stagesOf,
  stepNow,
  stepsOf,
  storyOf,
  sync,
  todo,
  workTask,
} from '@/test/stories'
import { BASE_TASK, outcomeOf, planned, type Story, send } from '@/test/worldHistories'
import { selectNextStep } from '../members'

describe('waits and replies', () => {
  it('[R7] several waiting ids come back one by one, and only then the sender goes on', () => {
    const { story } = storyOf(goals('read', READER, ANALYST, BEN))
    plans(story, READER, 'send_message', 'reflection')
    story.run(READER, (step) => says([ANALYST, BEN], { stage_relative: must(step.stage, 'stage') }))
    expect(locksOf(story.world, READER).map((lock) => lock.on)).toEqual([ANALYST, BEN])
    expect(selectNextStep(story.world, READER)).toBeNull()
    story.run(ANALYST, () => says([], { message: 'mine', waiting: false, need_reply: false }))
    expect(locksOf(story.world, READER).map((lock) => lock.on)).toEqual([BEN])
    expect(selectNextStep(story.world, READER)).toBeNull()
    const asked = must(
      story.openRequests().find((request) => request.kind === 'answer'),
      'request',
    )
    story.put(BEN, {
      type: 'answerRequest',
      request: asked.id,
      decision: 'answer',
      text: 'his',
      arguments: null,
      digest: null,
    })
    expect(locksOf(story.world, READER)).toEqual([])
    // Answers are taken in behind each other, in the order of their arrival, without a call: what was planned reads them.
    expect(todo(story.world, READER)).toEqual(['reflection'])
    const taken = stepsOf(story.world, READER).filter(({ executor }) => executor === 'process_message')
    expect(taken).toMatchObject([
      { text: 'mine', state: 'finished', calls: [] },
      { text: 'his', state: 'finished', calls: [] },
    ])
  })

  it('[R7] a reply goes to its asker and hands the id back, no matter whom the model names', () => {
    const { story } = storyOf(goals('read', READER, ANALYST))
    plans(story, READER, 'send_message', 'reflection')
    const lock = () => locksOf(story.world, READER)[0]?.id
    story.run(READER, (step) => says([ANALYST], { stage_relative: must(step.stage, 'stage') }))
    const waiting = lock()
    story.run(ANALYST, () => says([BEN, 'nobody'], { message: 'What do you mean?' }))
    const reply = messagesOf(story.world, workTask(story.world).id).at(-1)
    expect(reply).toMatchObject({
      receivers: [READER],
      returnWaiting: waiting,
      text: 'What do you mean?',
      waiting: null,
    })
    expect(lock()).toBeUndefined()
  })

  it('[R7] a reply that fails hands the id back as failed, with who and why', () => {
    const { story } = storyOf(goals('read', READER, ANALYST))
    plans(story, READER, 'send_message', 'reflection')
    story.run(READER, (step) => says([ANALYST], { stage_relative: must(step.stage, 'stage') }))
    story.run(ANALYST, () => failed('no format at all'))
    expect(locksOf(story.world, READER)).toEqual([])
    const told = messagesOf(story.world, workTask(story.world).id).at(-1)
    expect(told).toMatchObject({ sender: 'system:task', receivers: [READER] })
    expect(told?.text).toContain('Analyst')
    expect(told?.text).toContain('no format at all')
  })

  it('[R7] a wait whose request is withdrawn reaches its asker with the reason', () => {
    const { story, task } = storyOf(goals('read', BEN), goals('compare', ANALYST))
    // Outside of any stage, Reader asks Ben about the stage that runs.
    story.put(BEN, send(BEN, [READER], { task, text: 'look at it', kind: 'fyi' }))
    const [first] = stagesOf(story.world)
    story.run(READER, () => outcomeOf({ steps: { add: [], insert: [planned('send_message')] } }))
    story.run(READER, () => says([BEN], { stage_relative: must(first, 'stage').id }))
    expect(locksOf(story.world, READER)).toMatchObject([{ stage: null, on: BEN }])
    story.ask('go on')
    judges(story, must(first, 'stage'))
    expect(locksOf(story.world, READER)).toEqual([])
    const told = messagesOf(story.world, task).find(
      (one) => one.sender === 'system:task' && one.receivers[0] === READER,
    )
    expect(told?.text).toContain('Ben')
    expect(told?.text).toContain('the stage ended')
    expect(todo(story.world, READER)).toEqual(['process_message'])
  })

  it('a manager does not stand still: its wait becomes a plain question, and its step says so', () => {
    const { story } = storyOf(goals('read', READER))
    story.ask('ask Ben')
    const step = must(
      story.run(MANAGER, () => says([BEN])),
      'step',
    )
    // The reply goes to Ana; a question of its own is the next step.
    expect(stepNow(story.world, step).state).toBe('finished')
    story.put(ANA, send(ANA, [MANAGER], { kind: 'fyi', text: 'ask him' }))
    story.run(MANAGER, () => outcomeOf({ steps: { add: [], insert: [planned('send_message')] } }))
    const asks = must(
      story.run(MANAGER, () => says([BEN])),
      'step',
    )
    expect(locksOf(story.world, MANAGER)).toEqual([])
    expect(stepNow(story.world, asks).result?.text).toContain('you do not wait for this')
    expect(messagesOf(story.world, BASE_TASK).at(-1)).toMatchObject({
      receivers: [BEN],
      type: 'action',
      waiting: null,
    })
    expect(
      story.openRequests().filter((request) => request.kind === 'answer' && request.asked[0] === BEN),
    ).toMatchObject([{ lock: null, type: 'action' }])
  })

  it("a person's message hands back the oldest wait of its receiver in that task", () => {
    const { story, task } = storyOf(goals('read', READER, ANALYST))
    for (const agent of [READER, ANALYST]) {
      plans(story, agent, 'send_message', 'reflection')
      story.run(agent, (step) => says([BEN], { stage_relative: must(step.stage, 'stage'), message: `from ${agent}` }))
    }
    const [older] = locksOf(story.world, READER)
    story.put(BEN, send(BEN, [READER, ANALYST], { task, answers: 'oldest', text: 'both' }))
    expect([locksOf(story.world, READER), locksOf(story.world, ANALYST)]).toEqual([[], []])
    const sent = messagesOf(story.world, task).filter((message) => message.text === 'both')
    expect(sent.map((message) => message.returnWaiting)).toContain(older?.id)
    expect(new Set(sent.map((message) => message.dispatch)).size).toBe(1)
    expect(story.openRequests().filter((request) => request.kind === 'answer')).toEqual([])
    // With nothing to answer it hands nothing back.
    story.put(BEN, send(BEN, [READER], { task, answers: 'oldest', text: 'more' }))
    expect(messagesOf(story.world, task).at(-1)?.returnWaiting).toBeNull()
  })

  it('a request of another task cannot be answered by a message in this one', () => {
    const { story, task } = storyOf(goals('read', READER))
    story.ask('which?')
    story.run(MANAGER, () => says([ANA], { waiting: false }))
    const elsewhere = must(
      story.openRequests().find((request) => request.task === BASE_TASK),
      'request',
    )
    const wish = send(ANA, [MANAGER], { task, answers: elsewhere.id, text: 'here' })
    expect(story.put(ANA, wish)).toBeNull()
    expect(story.world.requests[BASE_TASK]?.[elsewhere.id]?.state).toBe('open')
  })

  it('a waiting question comes before plain ones that are still to be answered', () => {
    const { story, task } = storyOf(goals('read', READER))
    plans(story, READER, 'think', 'reflection')
    while (selectNextStep(story.world, READER)?.executor !== 'reflection') story.run(READER, () => outcomeOf({}))
    submitsLater(story)
    story.put(BEN, send(BEN, [READER], { task, kind: 'action', text: 'when you can' }))
    story.put(ANA, send(ANA, [READER], { task, kind: 'urgent', text: 'now' }))
    story.put(LEE, send(LEE, [READER], { task, kind: 'urgent', text: 'not a member' }))
    story.put(BEN, send(BEN, [READER], { task, kind: 'urgent', text: 'now too' }))
    const texts = (story.world.work[READER]?.todo ?? []).map(
      ({ task: of, step }) => stepIn(story.world.steps[of]?.[READER], step)?.text,
    )
    expect(texts).toEqual(['now', 'now too', 'when you can'])
  })

  function submitsLater(story: Story): void {
    story.run(READER, () => outcomeOf({ steps: { insert: [], add: [planned('summary')] } }))
    story.run(READER, () => sync({ update_stage_agent_completion: { summary: 'read' } }))
  }
})
