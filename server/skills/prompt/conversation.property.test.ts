/**
 * Conversations, over random histories: each prompt is the one before with its answer and one turn, or the conversation begins anew.
 * What was said to an agent and done by it is shown in it, and nothing of another thread.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Entry } from '@/lib/mas/events'
import { type AgentId, asId, type MessageId, type StepId, type TaskId } from '@/lib/mas/ids'
import { emptyWorld, isSkill, type MessageRecord, type ModelCall, type StepRecord, type World } from '@/lib/mas/records'
import { reduceAll } from '@/lib/mas/reduce/reduceAll'
import { isStepOver } from '@/lib/mas/statuses'
import { selectHistoryRecords } from '@/lib/mas/steps/history'
import { stepIn, stepsIn, withChangedSteps } from '@/lib/mas/steps/ownSteps'
import { anyAnswerMoves, walkAnswers } from '@/test/answerStories'
import { scriptedModel } from '@/test/scriptedModel'
import { testBodyCache, testRun } from '@/test/skillWorld'
import { anyMoves, walk } from '@/test/worldHistories'
import type { Turn } from '../../models/model'
import { buildPrompt } from '../prompt'
import { loadPrompts } from '../prompts'
import { storePrompt } from './turnList'

const prompts = loadPrompts('prompts')
const isAll = process.env.CONVENE_ALL === '1'

const answerOf = (step: StepId): string => `ANSWER-${step}`
const markOf = (id: string): string => `MARK-${id}`

/** Every message and every result names its record, also where a step has the text of its message; the steps have their calls. */
function marked(world: World, calls: ReadonlyMap<StepId, ModelCall>): World {
  const said = (id: MessageId | null | undefined, text: string): string => (id ? `${markOf(id)} ${text}` : text)
  const messages = Object.fromEntries(
    Object.entries(world.messages).map(([task, own]) => [
      task,
      Object.fromEntries(
        Object.values(own).map((one: MessageRecord) => [one.id, { ...one, text: said(one.id, one.text) }]),
      ),
    ]),
  )
  const steps: World['steps'] = {}
  for (const [task, byAgent] of Object.entries(world.steps)) {
    const own = Object.entries(byAgent).map(([agent, list]) => {
      const ids = stepsIn(list).map(({ id }) => id)
      const markStep = (step: StepRecord): StepRecord => {
        const call = calls.get(step.id)
        const result = step.result && { ...step.result, text: `${markOf(step.id)} ${step.result.text}` }
        const message = world.messages[step.task]?.[step.answers?.message ?? step.cause.message ?? asId<MessageId>('')]
        const text = message?.text === step.text ? said(message.id, step.text) : step.text
        return { ...step, text, result, calls: call === undefined ? [] : [call] }
      }
      return [agent as AgentId, withChangedSteps(list, ids, markStep)] as const
    })
    steps[task as TaskId] = Object.fromEntries(own)
  }
  return { ...world, messages, steps }
}

type Counts = { grown: number; anew: number; lookedFor: number }

/** Asks each skill step of the history as it begins; its answer is taken. */
async function play(
  entries: readonly Entry[],
  shelf: ReadonlyMap<string, string>,
  contextTokens: number,
): Promise<Counts> {
  const bodies = testBodyCache(new Map(shelf))
  const calls = new Map<StepId, ModelCall>()
  const sent: { key: string; step: StepId; turns: Turn[] }[] = []
  const counts: Counts = { grown: 0, anew: 0, lookedFor: 0 }
  let plain = emptyWorld
  for (let from = 0; from < entries.length; ) {
    const size = entries.slice(from).findIndex((entry) => entry.cause !== entries[from]?.cause)
    const decision = entries.slice(from, size < 0 ? entries.length : from + size)
    from += decision.length
    plain = reduceAll(plain, decision)
    for (const { event } of decision) {
      if (event.type !== 'step.started') continue
      const world = marked(plain, calls)
      const step = stepIn(world.steps[event.task]?.[event.agent], event.step)
      if (step?.state !== 'running' || step.type !== 'skill' || !isSkill(step.executor)) continue
      const run = testRun(world, step, scriptedModel([], contextTokens), { bodies })
      const prompt = await buildPrompt(run, step.executor, prompts.en)
      const isBase = world.tasks[step.task]?.base === true
      const key = `${step.task} ${step.agent} ${isBase ? step.thread : ''}`
      // A step that was interrupted is asked again where the conversation stood before it.
      const before = sent.findLast((one) => one.key === key && one.step !== step.id)?.turns
      const isGrown = before !== undefined && prompt.turns.length > 2
      if (isGrown) {
        counts.grown += 1
        const plainTurns = (turns: readonly Turn[]) => turns.map(({ role, content }) => ({ role, content }))
        expect(plainTurns(prompt.turns.slice(0, before.length))).toEqual(plainTurns(before))
        expect(prompt.turns).toHaveLength(before.length + 1)
      } else counts.anew += 1
      const text = prompt.turns.map(({ content }) => content).join('\n')
      if (contextTokens > 100_000) counts.lookedFor += look(world, step, text)
      const about = { role: 'assistant', content: answerOf(step.id) } as const
      sent.push({ key, step: step.id, turns: [...prompt.turns, about] })
      calls.set(step.id, callOf(step, about.content, storePrompt(prompt.stored, bodies, prompt.about), bodies))
    }
  }
  return counts
}

/** Everything that the step's conversation holds is shown, and nothing of another one. out: how much was looked for */
function look(world: World, step: StepRecord, text: string): number {
  const isBase = world.tasks[step.task]?.base === true
  const isHere = (one: { task: TaskId; thread: string | null }): boolean =>
    one.task === step.task && (!isBase || one.thread === step.thread)
  const messages = Object.values(world.messages).flatMap((own) => Object.values<MessageRecord>(own))
  const foreign = messages.filter((one) => !isHere(one) && text.includes(markOf(one.id)))
  expect(foreign.map(({ id, text: said }) => [id, said])).toEqual([])
  const { over, coming } = selectHistoryRecords(world, step)
  const toCome = new Set(coming.flatMap(({ cause, answers }) => [cause.message, answers?.message]))
  const due = messages.filter(
    (one) =>
      isHere(one) &&
      one.sender !== 'system:task' &&
      one.receivers.includes(step.agent) &&
      one.instruction === null &&
      !toCome.has(one.id),
  )
  expect(due.filter(({ id }) => !text.includes(markOf(id))).map(({ id, text: said }) => [id, said])).toEqual([])
  const done = over.filter(({ type, state, result }) => type === 'tool' && isStepOver({ state }) && result !== null)
  expect(done.filter(({ id }) => !text.includes(markOf(id))).map(({ id, executor }) => [id, executor])).toEqual([])
  return due.length + done.length
}

const callOf = (
  { id }: StepRecord,
  answer: string,
  prompt: ModelCall['prompt'],
  bodies: ReturnType<typeof testBodyCache>,
): ModelCall => ({
  ...{ id: `call-${id}`, attempt: 1, model: 'm', modelVersion: null, prompt, outcome: 'taken', error: null, at: 0 },
  answer: bodies.make(answer, 'text/plain'),
  ...{ promptTokens: null, completionTokens: null, estimated: false, costUsd: null, firstTokenMs: null, totalMs: 1 },
})

describe('a conversation', () => {
  it('[R669] [R670] [R671] grows by an answer and a turn, shows what was said and done in it, and nothing else', async () => {
    const all: Counts = { grown: 0, anew: 0, lookedFor: 0 }
    await fc.assert(
      fc.asyncProperty(anyMoves(80), async (moves) => {
        const { entries, bodies } = walk(moves)
        const { grown, anew, lookedFor } = await play(entries, bodies, 400_000)
        all.grown += grown
        all.anew += anew
        all.lookedFor += lookedFor
      }),
      isAll ? { numRuns: 2_000 } : { numRuns: 60, seed: 669 },
    )
    expect(all.grown).toBeGreaterThan(150)
    expect(all.lookedFor).toBeGreaterThan(150)
  }, 300_000)

  it('[R671] shows answers that members and people wait for', async () => {
    const all: Counts = { grown: 0, anew: 0, lookedFor: 0 }
    await fc.assert(
      fc.asyncProperty(anyAnswerMoves(), async (moves) => {
        const { entries, bodies } = walkAnswers(moves).story
        const { grown, lookedFor } = await play(entries, bodies, 400_000)
        all.grown += grown
        all.lookedFor += lookedFor
      }),
      isAll ? { numRuns: 2_000 } : { numRuns: 60, seed: 671 },
    )
    expect(all.grown).toBeGreaterThan(60)
    expect(all.lookedFor).toBeGreaterThan(100)
  }, 300_000)

  it('[R669] begins anew where there is no room, and grows again from there', async () => {
    const all: Counts = { grown: 0, anew: 0, lookedFor: 0 }
    await fc.assert(
      fc.asyncProperty(anyMoves(80), async (moves) => {
        const { entries, bodies } = walk(moves)
        const { grown, anew } = await play(entries, bodies, 6_000)
        all.grown += grown
        all.anew += anew
      }),
      isAll ? { numRuns: 500 } : { numRuns: 15, seed: 670 },
    )
    expect(all.grown).toBeGreaterThan(30)
    expect(all.anew).toBeGreaterThan(30)
  }, 300_000)
})
