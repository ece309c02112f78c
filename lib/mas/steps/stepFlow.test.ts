/** Steps: their order, their copies, what cancels what, and those that ask for more and come again. */
import { describe, expect, it } from 'vitest'
import {
  ANA,
  ANALYST,
  failed,
  goals,
  judges,
  locksOf,
  MANAGER,
  messagesOf,
  must,
  plans,
  READER,
  says,
  stageAt,
  stepNow,
  stepsOf,
  storyOf,
  sync,
  todo,
} from '@/test/stories'
import { BASE_TASK, outcomeOf, planned, Story, send, TEAM, teamConfig } from '@/test/worldHistories'
import type { StepOutcome } from './outcome'

describe('steps', () => {
  it('a tool and the step that writes its call are bound, also with steps inserted between them', () => {
    const { story, task } = storyOf(goals('read', READER))
    story.run(READER, () =>
      outcomeOf({ steps: { insert: [], add: [planned('files', 'tool'), planned('reflection')] } }),
    )
    const [writer, tool] = stepsOf(story.world, READER).filter((step) => step.boundTo !== null)
    expect([writer?.boundTo, tool?.boundTo]).toEqual([tool?.id, writer?.id])
    const running = must(story.start(READER), 'instruction_generation')
    story.put(ANA, send(ANA, [READER], { task, kind: 'urgent', text: 'between' }))
    expect(todo(story.world, READER)).toEqual(['send_message', 'files', 'reflection'])
    story.finish(
      running,
      outcomeOf({ instruct: { step: must(tool, 'tool').id, instruction: { kind: 'get_description' } } }),
    )
    story.run(READER, () => says([], { waiting: false, need_reply: false }))
    expect(story.start(READER)).toMatchObject({ id: tool?.id, instruction: { kind: 'get_description' } })
  })

  it('several inserted steps keep their order, before what was planned', () => {
    const { story } = storyOf(goals('read', READER))
    plans(story, READER, 'think', 'reflection')
    story.run(READER, () =>
      outcomeOf({
        steps: { add: [planned('summary')], insert: [planned('ask_info'), planned('files', 'tool'), planned('think')] },
      }),
    )
    expect(todo(story.world, READER)).toEqual([
      'ask_info',
      'instruction_generation',
      'files',
      'think',
      'reflection',
      'summary',
    ])
  })

  it('[R6] when its call cannot be written, the tool step fails with it', () => {
    const { story } = storyOf(goals('read', READER))
    story.run(READER, () =>
      outcomeOf({ steps: { insert: [], add: [planned('files', 'tool'), planned('reflection')] } }),
    )
    story.run(READER, () => failed('no format'))
    const states = stepsOf(story.world, READER).filter((step) => step.boundTo !== null)
    expect(states.map((step) => step.state)).toEqual(['failed', 'failed'])
    expect(todo(story.world, READER)).toEqual(['reflection'])
  })

  it('[R6] a stage that ends cancels both of a pair, whichever had begun', () => {
    const { story } = storyOf(goals('read', READER), goals('compare', ANALYST))
    story.run(READER, () =>
      outcomeOf({ steps: { insert: [], add: [planned('files', 'tool'), planned('reflection')] } }),
    )
    story.start(READER)
    story.ask('go on')
    judges(story, stageAt(story.world, 0))
    expect(stepsOf(story.world, READER).map((step) => step.state)).toEqual(['finished', 'failed', 'failed', 'failed'])
    expect(todo(story.world, READER)).toEqual([])
  })

  it("ask_info is answered at once: the whole answer is the step's result, and the wait stands in the record", () => {
    const { story, task } = storyOf(goals('read', READER))
    plans(story, READER, 'ask_info', 'reflection')
    const step = must(
      story.run(READER, () =>
        sync({ ask_info: { type: 'agent_states', agents: Object.values(TEAM).map(({ id }) => id) } }),
      ),
      'step',
    )
    const now = stepNow(story.world, step)
    const message = must(messagesOf(story.world, task).at(-1), 'message')
    for (const { name } of Object.values(TEAM)) expect(message.text).toContain(name)
    expect(now).toMatchObject({ state: 'finished' })
    expect(message.text.startsWith(must(now.result, 'result').text)).toBe(true)
    expect(now.result?.body?.bytes).toBe(new TextEncoder().encode(message.text).length)
    expect(message).toMatchObject({ sender: 'system:task', receivers: [READER], stage: now.stage })
    expect(message.returnWaiting).not.toBeNull()
    expect(locksOf(story.world, READER)).toEqual([])
    const taken = stepsOf(story.world, READER).find((one) => one.cause.message === message.id)
    expect(taken).toMatchObject({ executor: 'process_message', state: 'finished', stage: now.stage, calls: [] })
    expect(todo(story.world, READER)).toEqual(['reflection'])
  })
})

describe('a step that asks for more and comes again', () => {
  it('answers the same message each time, and fails when it goes round in circles', () => {
    const story = new Story()
    // More than it takes to go round so often.
    const config = teamConfig()
    const limits = { ...config.team.limits, stepsPerPart: 60 }
    story.put('system:start', { ...config, team: { ...config.team, limits } })
    story.ask()
    const asks = (): StepOutcome =>
      outcomeOf({
        result: { kind: 'text', text: 'more', body: null, made: { again: true } },
        steps: { add: [], insert: [planned('decision'), planned('send_message')] },
      })
    let runs = 0
    for (let step = story.start(MANAGER); step && runs < 100; step = story.start(MANAGER)) {
      runs += step.executor === 'send_message' ? 1 : 0
      if (step.executor === 'send_message') expect(step.answers?.to).toBe(ANA)
      story.finish(step, step.executor === 'send_message' ? asks() : outcomeOf({}))
    }
    expect(runs).toBe(11)
    const replies = stepsOf(story.world, MANAGER, BASE_TASK).filter((step) => step.executor === 'send_message')
    expect(replies.filter((step) => step.state === 'failed').map((step) => step.reason)).toEqual([
      'it asked for more 10 times and never came to an end',
    ])
    const [message] = messagesOf(story.world, BASE_TASK)
    expect(story.world.deliveries[BASE_TASK]?.[MANAGER]?.[must(message, 'message').id]).toMatchObject({
      state: 'failed',
      note: expect.stringContaining('10 times'),
    })
  })
})
