/** The states of steps as a run of the program leaves them: engine, skills, model and store are the true ones. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsIn, isJsonObject } from '@/lib/json'
import type { Json } from '@/lib/mas/records'
import type { State } from '@/server/gateway/states/stateShapes'
import { statesOf } from '@/server/gateway/states/states'
import { ANSWER_TEXT_BYTES, WHOLE_BYTES } from '@/server/gateway/states/texts'
import { CREW, openRehearsal, type Rehearsal } from '@/test/rehearsalTeam'
import { play, sample } from './test/play'

/** The names under which the answer of a skill stands, by the documents. */
const NAMES: Record<string, readonly string[]> = {
  planning: ['planned_step'],
  reflection: ['reflection_step', 'summary'],
  instruction_generation: ['instruction_generation'],
  tool_decision: ['tool_decision'],
  send_message: ['send_message', 'task_instruction', 'get_more_info', 'decision_step'],
  task_manager: ['task_instruction', 'get_more_info', 'decision_step'],
  process_message: ['process_message', 'react_action'],
  decision: ['decision_step'],
  think: ['think'],
  summary: ['summary'],
  ask_info: ['ask_instruction'],
}

/** Everything in a value that was cut: a preview with its address. */
const cutIn = (value: Json): Json[] => {
  if (!isJsonObject(value)) return Array.isArray(value) ? value.flatMap(cutIn) : []
  return typeof value.href === 'string' && 'preview' in value ? [value] : Object.values(value).flatMap(cutIn)
}

async function stepStates(team: Rehearsal): Promise<State[]> {
  const world = team.world()
  const ana = world.agents[CREW.ana.id]
  if (ana === undefined) throw new Error('Ana is not there')
  const source = { world, bodies: team.store.bodies, models: {}, budget: { left: ANSWER_TEXT_BYTES } }
  const states: State[] = []
  for await (const [, state] of statesOf(source, ana, { type: 'step', task: null, after: null, limit: null })) {
    states.push(state)
  }
  return states
}

describe('execute_result after a whole task', () => {
  let team: Rehearsal
  beforeAll(async () => {
    team = await openRehearsal(sample())
    await play(team, 'Compare the price lists in prices and write a report.', ['3.20'], { lacking: 'Leave it out.' })
  })
  afterAll(() => team?.close())

  it('[R330] holds the parsed answer of every step that asked a model, however short or long', async () => {
    const states = await stepStates(team)
    const asked = new Map(team.steps().flatMap((step) => (step.calls.length > 0 ? [[String(step.id), step]] : [])))
    const sizes = new Set<string>()
    const found = states.flatMap((state) => {
      const step = asked.get(String(state.step_id))
      if (step === undefined || NAMES[step.executor] === undefined) return []
      const answer = step.calls.at(-1)?.answer
      sizes.add((answer?.sha ?? '') === '' ? 'in the reference' : 'in the store')
      const keys = Object.keys(fieldsIn(state.execute_result))
      return [{ executor: step.executor, isNamed: keys.some((key) => NAMES[step.executor]?.includes(key)) }]
    })
    expect(found.filter(({ isNamed }) => !isNamed)).toEqual([])
    expect([...sizes].sort()).toEqual(['in the reference', 'in the store'])
  })

  it('[R330] of the reply that made the task is its instruction, and of a message that the plan wrote that message', async () => {
    const results = new Map(
      (await stepStates(team)).map((state) => [String(state.step_id), fieldsIn(state.execute_result)]),
    )
    const messages = team.steps().filter(({ executor, byHand }) => executor === 'send_message' && !byHand)
    const made = messages.filter(({ result }) => fieldsIn(result?.made).task_id !== undefined)
    expect(made.map(({ id }) => results.get(id))).toEqual([
      expect.objectContaining({ task_instruction: expect.objectContaining({ action: 'add_task' }) }),
    ])
    const planned = messages.filter(({ ahead, calls }) => ahead !== undefined && calls.length === 0)
    expect(planned.length).toBeGreaterThan(0)
    for (const { id } of planned)
      expect(results.get(id)?.send_message).toMatchObject({
        receiver: [expect.any(String)],
        message: expect.any(String),
      })
  })

  it('[R330] cuts no text of less than 64 KiB', async () => {
    const cut = (await stepStates(team)).flatMap(cutIn)
    expect(cut.filter((one) => Number(fieldsIn(one).bytes) <= WHOLE_BYTES)).toEqual([])
  })
})
