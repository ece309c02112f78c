/** What a message of an agent is founded on, and work that it hands on. */
import { describe, expect, it } from 'vitest'
import { withSourceNames } from '@/lib/mas/cited'
import type { StepRecord } from '@/lib/mas/records'
import type { OutgoingMessage, StepOutcome } from '@/lib/mas/steps/outcome'
import { readHandoff } from '@/lib/protocols/harmony/handoff'
import { scriptedModel } from '@/test/scriptedModel'
import {
  ANA,
  MANAGER,
  makeMessage,
  makeStep,
  READER,
  stepId,
  testBodyCache,
  testRun,
  testWorld,
  withMessage,
  withSteps,
} from '@/test/skillWorld'
import { loadPrompts } from './prompts'
import { runSkill } from './run'

const run = runSkill(loadPrompts('prompts'))
const shelf = testBodyCache()
const read = makeStep(8, {
  type: 'tool',
  executor: 'files',
  state: 'finished',
  instruction: {
    kind: 'call',
    target: 'tool',
    name: 'read_text_file',
    arguments: { sha: '', bytes: 27, mime: 'application/json', preview: '{"path":"prices/north.csv"}' },
  },
  result: {
    kind: 'tool',
    text: 'item;price',
    made: null,
    body: shelf.make(
      JSON.stringify({ content: [{ type: 'text', text: 'item;price\npear;2\n\napple;3.20' }] }),
      'application/json',
    ),
  },
})
const joined = makeStep(11, {
  ...read,
  id: stepId(11),
  number: 11,
  instruction: {
    kind: 'call',
    target: 'tool',
    name: 'read_multiple_files',
    arguments: { sha: '', bytes: 27, mime: 'application/json', preview: '{"paths":["a.csv","b.csv"]}' },
  },
  result: {
    kind: 'tool',
    text: 'a.csv:',
    made: null,
    body: shelf.make(
      JSON.stringify({ content: [{ type: 'text', text: 'a.csv:\nitem;price\n\n---\nb.csv:\nitem;price\npear;2\n' }] }),
      'application/json',
    ),
  },
})
const told = makeMessage('m1', { sender: MANAGER, receivers: [READER], text: 'Prices are in EUR.' })
const took = makeStep(9, {
  executor: 'process_message',
  state: 'finished',
  cause: { message: told.id, step: null },
})
const thought = makeStep(10, {
  executor: 'think',
  state: 'finished',
  result: { kind: 'text', text: 'so', body: null, made: null },
})
const world = withSteps(withMessage(testWorld, told), [read, took, thought, joined])
const step = makeStep(900, { executor: 'send_message', state: 'running' })

/** The model writes these messages one after the other, until one is taken. */
async function outcomeOf(...messages: object[]): Promise<StepOutcome> {
  const answers = messages.map(
    (message) => `<send_message>${JSON.stringify({ receiver: [ANA], ...message })}</send_message>`,
  )
  const own = testRun(withSteps(world, [step as StepRecord]), step, scriptedModel(answers), {
    bodies: testBodyCache(shelf.shelf),
  })
  return run(own)
}

const sent = async (...messages: object[]): Promise<OutgoingMessage | undefined> =>
  (await outcomeOf(...messages)).sync.send_message

describe('the sources of a message', () => {
  it('002-11 [R162] are results of tools and messages that its agent took in, each with the words that it gave', async () => {
    const message = await sent({ message: 'Apples cost 3.20 [cit_8:4], in EUR [cit_9]. All is in the list [cit_8].' })
    expect(message?.message).toBe('Apples cost 3.20, in EUR. All is in the list.')
    expect(message?.cited).toEqual({
      at: [
        { offset: 16, id: 'cit_8:4' },
        { offset: 24, id: 'cit_9' },
        { offset: 44, id: 'cit_8' },
      ],
      sources: {
        'cit_8:4': {
          source_type: 'tool_result',
          source_id: read.id,
          source_name: 'read prices/north.csv',
          location: { line_number: 4, text_snippet: 'apple;3.20' },
        },
        cit_9: {
          source_type: 'message',
          source_id: told.id,
          source_name: 'Manager',
          location: { text_snippet: 'Prices are in EUR.' },
        },
        cit_8: {
          source_type: 'tool_result',
          source_id: read.id,
          source_name: 'read prices/north.csv',
          location: { text_snippet: 'item;price\npear;2\n\napple;3.20' },
        },
      },
    })
  })

  it('002-11 [R162] are never made up: an item that there is not, or that found nothing out, is shown back', async () => {
    const { repairs, sync } = await outcomeOf(
      { message: 'Pears 2 [cit_77], apples 3.20 [cit_10].' },
      { message: 'Pears 2 [cit_8:2], apples 3.20.' },
    )
    expect(repairs).toEqual([
      '[cit_77], [cit_10] in the message is neither a tool result nor a message of your history. Sources are [cit_8], [cit_9], [cit_11]: name the right one, or none',
    ])
    expect(sync.send_message?.message).toBe('Pears 2, apples 3.20.')
  })

  it('002-11 [R162] that are wrong a third time are removed', async () => {
    const wrong = { message: 'So [cit_10] and [cit_77].', cited: { at: [], sources: { cit_77: {} } } }
    const message = await sent(wrong, wrong, wrong)
    expect(message?.message).toBe('So and.')
    expect(message?.cited).toBeUndefined()
  })

  it('[R162] of a joined result name the file of the line, and its line in that file', async () => {
    const message = await sent({ message: 'Pears 2 [cit_11:7], and [cit_11:99].' })
    expect(message?.cited?.sources['cit_11:7']).toMatchObject({
      source_name: 'read b.csv',
      location: { line_number: 2, text_snippet: 'pear;2' },
    })
    expect(message?.cited && withSourceNames(message.message, message.cited)).toBe(
      'Pears 2 (read b.csv, line 2), and (read a.csv, b.csv).',
    )
  })
})

describe('work that is handed on', () => {
  it('002-10 [R163] goes as a packet behind the words, with the objective of the task as it was given', async () => {
    const handoff = {
      status: 'in_progress',
      completed_steps: ['both lists read'],
      next_immediate_step: 'write the report',
      constraints: ['prices in EUR (Manager)'],
    }
    const artifacts = [{ name: 'list', value: 'prices/north.csv' }]
    const message = await sent({ message: 'Go on [cit_8:4].', handoff: { ...handoff, artifacts } })
    expect(message?.message.startsWith('Go on.\n\n```json\n')).toBe(true)
    expect(readHandoff(message?.message ?? '')).toEqual({
      protocol: 'harmony_handoff_v1',
      meta: { source_agent: 'Reader', target_agent: 'Ana', timestamp: expect.stringMatching(/^\d{4}-.*Z$/) },
      context: {
        primary_objective: world.tasks[step.task]?.intention,
        ...handoff,
        artifacts: { list: 'prices/north.csv' },
      },
    })
  })

  it('002-10 [R163] needs the next step alone; what is not said is empty, and no model writes another objective', async () => {
    const handoff = { next_immediate_step: 'write it', primary_objective: 'something else' }
    const message = await sent({ message: 'Go on.', handoff })
    expect(readHandoff(message?.message ?? '')?.context).toEqual({
      primary_objective: world.tasks[step.task]?.intention,
      status: 'in_progress',
      completed_steps: [],
      next_immediate_step: 'write it',
      constraints: [],
      artifacts: {},
    })
  })
})
