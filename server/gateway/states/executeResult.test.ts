/** What `execute_result` holds: the parsed answer under the names of the documents. */
import { describe, expect, it } from 'vitest'
import { bodyOf } from '@/lib/mas/bodies'
import { event, type MasEvent } from '@/lib/mas/events'
import { asId, type StepId } from '@/lib/mas/ids'
import type { Json, StepResult, ToolInstruction } from '@/lib/mas/records'
import type { FunctionCall } from '@/server/models/model'
import { openDouble } from '../test/gatewayDouble'
import { call, ID, seed } from '../test/world'

const STEP = asId<StepId>('00000000-0000-4000-8000-0000000003f1')
const said = (text: string, made: Json = null): StepResult => ({ kind: 'text', text, body: null, made })

type Case = {
  executor: string
  answer?: string | null
  calls?: readonly FunctionCall[]
  result?: StepResult | null
  failed?: string
  boundTo?: StepId
}

/** The execute_result of a step of this skill that ended so. */
async function resultOf({ executor, answer = null, calls, result = said('in our words'), failed, boundTo }: Case) {
  const double = await openDouble()
  const about = { task: ID.prices, agent: ID.reader, step: STEP }
  const events: MasEvent[] = [event('step.added', seed(STEP, ID.prices, { executor, boundTo: boundTo ?? null }))]
  if (answer !== null) {
    const body = bodyOf(answer)
    await double.store.bodies.put(body.body.bytes, body.body.mime)
    events.push(event('model.called', { ...about, call: { ...call, answer: body.ref } }))
  }
  if (calls !== undefined) {
    const body = bodyOf(JSON.stringify(calls))
    await double.store.bodies.put(body.body.bytes, body.body.mime)
    events.push(event('model.called', { ...about, call: { ...call, answer: null, calls: body.ref } }))
  }
  if (failed !== undefined) events.push(event('step.failed', { ...about, reason: failed, result, repairs: [] }))
  else if (result !== null) events.push(event('step.finished', { ...about, result, repairs: [] }))
  await double.engine.put(events)
  const cookie = await double.signIn('ana')
  const { json } = await double.call('GET', '/api/states?type=step', { cookie })
  const step = json[`StepState_${STEP}`] as Record<string, unknown>
  return step.execute_result
}

const PLANNED = [
  { step_intention: 'look', type: 'tool', executor: 'files', text_content: 'list prices' },
  { step_intention: 'check', type: 'skill', executor: 'reflection', text_content: '' },
]
const ONE_COMMA_MORE = JSON.stringify(PLANNED).replace(/]$/, ',]')
const MESSAGE = {
  receiver: ['ana'],
  message: 'Which holds?',
  stage_relative: 'no_relative',
  need_reply: true,
  waiting: false,
}
const NEED = { step_intention: 'ask first', text_content: 'which list' }
const CALL = { instruction_type: 'function_call', tool_name: 'read_file', arguments: { path: 'a.csv' } }
const QUESTION = { type: 'my_tasks' }
const tag = (name: string, value: unknown) =>
  `Well.\n<${name}>${typeof value === 'string' ? value : JSON.stringify(value)}</${name}>`

describe('the result of a skill', () => {
  it.each<[of: string, executor: string, made: readonly [name: string, args: string][], result: unknown]>([
    ['a list', 'planning', [['planned_step', JSON.stringify({ value: PLANNED })]], { planned_step: PLANNED }],
    ['an object', 'send_message', [['send_message', JSON.stringify(MESSAGE)]], { send_message: MESSAGE }],
    ['a slip', 'planning', [['planned_step', `{"value": ${ONE_COMMA_MORE}}`]], { planned_step: PLANNED }],
    [
      'a call of a tool',
      'tool_decision',
      [['files__read_file', '{"path":"a.csv"}']],
      { tool_decision: 'in our words' },
    ],
  ])('[R672] is read from the calls of an answer: %s', async (_, executor, made, result) => {
    const calls = made.map(([name, args], at) => ({ id: `c${at}`, name, arguments: args }))
    expect(await resultOf({ executor, calls })).toEqual(result)
  })

  it.each<[skill: string, answer: string, result: unknown]>([
    ['planning', tag('planned_step', PLANNED), { planned_step: PLANNED }],
    ['reflection', tag('reflection_step', PLANNED), { reflection_step: PLANNED }],
    ['reflection', tag('summary', 'all read'), { summary: 'all read' }],
    ['decision', tag('decision_step', PLANNED), { decision_step: PLANNED }],
    ['send_message', tag('send_message', MESSAGE), { send_message: MESSAGE }],
    ['send_message', tag('get_more_info', NEED), { get_more_info: NEED }],
    [
      'process_message',
      `${tag('react_action', NEED)}\n${tag('process_message', 'taken in')}`,
      { process_message: 'taken in', react_action: NEED },
    ],
    ['instruction_generation', tag('tool_instruction', CALL), { instruction_generation: CALL }],
    ['instruction_generation', tag('tool_instruction', [CALL, CALL]), { instruction_generation: [CALL, CALL] }],
    [
      'agent_manager',
      tag('agent_instruction', { action: 'add_task_participant', task_id: 'x', agents: ['reader'] }),
      { agent_instruction: { action: 'add_task_participant', task_id: 'x', agents: ['reader'] } },
    ],
    [
      'task_manager',
      tag('task_instruction', { action: 'finish_stage', task_id: 'x', stage_id: 'stage 1' }),
      { task_instruction: { action: 'finish_stage', task_id: 'x', stage_id: 'stage 1' } },
    ],
    [
      'tool_decision',
      tag('tool_decision', { continue: false, result: '7 lines' }),
      { tool_decision: { continue: false, result: '7 lines' } },
    ],
    ['ask_info', tag('ask_info', QUESTION), { ask_instruction: QUESTION, answer: 'in our words' }],
    ['planning', tag('skip', 'nothing to plan'), { skip: 'nothing to plan' }],
    ['summary', tag('summary', 'in the answer'), { summary: 'in our words' }],
    ['think', tag('result', 'in the answer'), { think: 'in our words' }],
  ])('%s holds what was parsed, by the tag that was taken: %#', async (executor, answer, result) => {
    expect(await resultOf({ executor, answer })).toEqual(result)
  })

  it('holds what was made beside it', async () => {
    const result = said('Sent to Ana: Which holds?', { message_id: 'm-1' })
    expect(await resultOf({ executor: 'send_message', answer: tag('send_message', MESSAGE), result })).toEqual({
      send_message: MESSAGE,
      made: { message_id: 'm-1' },
    })
  })

  it('is null while there is none', async () => {
    expect(await resultOf({ executor: 'planning', result: null })).toBeNull()
  })

  it('is why nothing was called where nothing was', async () => {
    const result: StepResult = { kind: 'none', text: 'nothing to plan', body: null, made: null }
    expect(await resultOf({ executor: 'planning', result })).toEqual({ not_called: 'nothing to plan' })
  })

  it('is the text where no model was asked', async () => {
    expect(await resultOf({ executor: 'planning' })).toEqual({ planned_step: 'in our words' })
  })

  it('holds the call of the tool step that was written with it', async () => {
    expect(await resultOf({ executor: 'instruction_generation', boundTo: ID.toolStep })).toEqual({
      instruction_generation: {
        instruction_type: 'function_call',
        tool_name: 'write_file',
        arguments: { path: 'prices/report.md', content: 'total' },
      },
    })
  })

  it('of another skill that is bound to a tool step is its own text, not that call', async () => {
    expect(await resultOf({ executor: 'tool_decision', boundTo: ID.toolStep })).toEqual({
      tool_decision: 'in our words',
    })
  })

  it('is where the whole answer can be read when the answer is too long to be told whole', async () => {
    const answer = tag('send_message', { ...MESSAGE, message: 'x'.repeat(70_000) })
    expect(await resultOf({ executor: 'send_message', answer })).toEqual({
      send_message: { preview: expect.any(String), bytes: answer.length, href: `/api/steps/${STEP}/response` },
    })
  })
})

describe('the result of a step that failed', () => {
  it('says why, and keeps what was parsed and what was refused', async () => {
    const result = said('Sent', { refused: 'Cy is not in the task' })
    const answer = tag('send_message', MESSAGE)
    expect(await resultOf({ executor: 'send_message', answer, result, failed: 'Cy is not in the task' })).toEqual({
      send_message: MESSAGE,
      error: 'Cy is not in the task',
      made: { refused: 'Cy is not in the task' },
    })
  })

  it('says why, and nothing more, when it came to nothing', async () => {
    const result: StepResult = { kind: 'none', text: '', body: null, made: null }
    expect(await resultOf({ executor: 'planning', result, failed: 'the model was away' })).toEqual({
      error: 'the model was away',
    })
    expect(await resultOf({ executor: 'planning', result: null, failed: 'ended' })).toEqual({ error: 'ended' })
  })
})

describe('a tool step', () => {
  /** The state of a tool step with this instruction and result. */
  async function stateOf(instruction: ToolInstruction, result: StepResult): Promise<Record<string, unknown>> {
    const double = await openDouble()
    const about = { task: ID.prices, agent: ID.reader, step: STEP }
    await double.engine.put([
      event('step.added', seed(STEP, ID.prices, { kind: 'tool', executor: 'files' })),
      event('step.instructed', { ...about, instruction }),
      event('step.finished', { ...about, result, repairs: [] }),
    ])
    const { json } = await double.call('GET', '/api/states?type=step', { cookie: await double.signIn('ana') })
    return json[`StepState_${STEP}`] as Record<string, unknown>
  }

  it('that asked what its server can do has that as its result', async () => {
    const told = JSON.stringify({ capabilities_list_description: { files: ['read_file'] } })
    const result: StepResult = { kind: 'description', text: told, body: null, made: null }
    expect(await stateOf({ kind: 'get_description' }, result)).toMatchObject({
      instruction_content: { instruction_type: 'get_description' },
      execute_result: { capabilities_list_description: { files: ['read_file'] } },
    })
  })

  it.each([
    ['null', null],
    ['7', 7],
    ['[1]', [1]],
    ['no JSON', 'no JSON'],
    ['{"rows":2}', { rows: 2 }],
    ['{"mcp_server_result":null}', null],
  ])('whose result is the text %s has that as its result', async (text, whole) => {
    const result: StepResult = { kind: 'tool', text, body: null, made: null }
    expect(await stateOf({ kind: 'get_description' }, result)).toMatchObject({
      execute_result: { mcp_server_result: whole },
    })
  })

  it('that called nothing says why', async () => {
    const result: StepResult = { kind: 'none', text: 'nothing to read', body: null, made: null }
    expect(await stateOf({ kind: 'none', reason: 'nothing to read' }, result)).toMatchObject({
      instruction_content: { instruction_type: 'none', reason: 'nothing to read' },
      execute_result: { not_called: 'nothing to read' },
    })
  })
})
