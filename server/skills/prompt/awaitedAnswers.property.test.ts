/**
 * Awaited answers in prompts, over random histories: once an answer has ended a wait of an agent, every prompt of that agent
 * in that task (in the base task, in that thread) holds it, by the ids in the stored prompt and by its text.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Entry } from '@/lib/mas/events'
import { type AgentId, type MessageId, SYSTEM_TASK } from '@/lib/mas/ids'
import { emptyWorld, isSkill, type MessageRecord, type SkillName, type StepRecord, type World } from '@/lib/mas/records'
import { reduceAll } from '@/lib/mas/reduce/reduceAll'
import { stepIn } from '@/lib/mas/steps/ownSteps'
import { anyAnswerMoves, walkAnswers } from '@/test/answerStories'
import { scriptedModel } from '@/test/scriptedModel'
import { testBodyCache, testRun } from '@/test/skillWorld'
import { anyMoves, BASE_TASK, type Move, type Story, walk } from '@/test/worldHistories'
import { buildPrompt } from '../prompt'
import { loadPrompts } from '../prompts'
import { storedRef } from '../test/promptParts'
import { readStoredPrompt } from './storedPrompt'

const prompts = loadPrompts('prompts')
const isAll = process.env.CONVENE_ALL === '1'

/** An answer that ended a wait of this agent. */
type Answer = { agent: AgentId; message: MessageRecord }

/** What these entries of one decision say of ended waits. */
function answersIn(world: World, entries: readonly Entry[]): Answer[] {
  const events = entries.map(({ event }) => event)
  return events.flatMap((event) => {
    if (event.type !== 'lock.released' || event.outcome !== 'answered') return []
    const sent = events.find((other) => other.type === 'message.sent' && other.returnWaiting === event.waiting)
    const message = sent?.type === 'message.sent' ? world.messages[sent.task]?.[sent.message] : undefined
    return message ? [{ agent: event.agent, message }] : []
  })
}

/** Must a prompt of this step hold it? What the system answered is part of one history only. */
function concerns(world: World, { agent, message }: Answer, step: StepRecord): boolean {
  if (agent !== step.agent || message.task !== step.task) return false
  if (step.task === BASE_TASK) return message.thread === step.thread
  if (message.sender !== SYSTEM_TASK) return true
  return world.tasks[step.task]?.manager === agent || message.stage === step.stage
}

type Bodies = Story['bodies']

/** The messages in the stored prompt of this step; every one of them stands in the text. */
async function heldBy(world: World, step: StepRecord, skill: SkillName, bodies: Bodies): Promise<Set<MessageId>> {
  const run = testRun(world, step, scriptedModel([], 400_000), { bodies: testBodyCache(new Map(bodies)) })
  const prompt = await buildPrompt(run, skill, prompts.en)
  const sections = await readStoredPrompt(storedRef(prompt, run.bodies), (ref) => run.bodies.text(ref))
  expect(sections.map(({ text }) => text).join('\n')).toBe(prompt.turns.map(({ content }) => content).join('\n'))
  for (const { text, messages } of sections)
    for (const id of messages) {
      const message = world.messages[step.task]?.[id]
      if (message) expect(text).toContain(message.text.split('\n')[0])
    }
  return new Set(sections.flatMap(({ messages }) => messages))
}

/** Skills without a history, as if the agent ran one of them now. */
const INSTEAD: readonly SkillName[] = ['quick_think', 'ask_info', 'planning']

/** Goes through the decisions of a history. out: how many prompts behind an answer were read */
async function check({ entries, bodies }: Pick<Story, 'entries' | 'bodies'>): Promise<number> {
  const answers: Answer[] = []
  let world = emptyWorld
  let looked = 0
  for (let from = 0; from < entries.length; ) {
    const cause = entries[from]?.cause
    const size = entries.slice(from).findIndex((entry) => entry.cause !== cause)
    const decision = entries.slice(from, size < 0 ? entries.length : from + size)
    from += decision.length
    world = reduceAll(world, decision)
    answers.push(...answersIn(world, decision))
    for (const { event } of decision) {
      if (event.type !== 'step.started') continue
      const step = stepIn(world.steps[event.task]?.[event.agent], event.step)
      if (step?.state !== 'running' || step.type !== 'skill' || !isSkill(step.executor)) continue
      const due = answers.filter((answer) => concerns(world, answer, step))
      if (due.length === 0) continue
      looked += 1
      const none = { executor: '', answers: null, boundTo: null, cause: { message: null, step: null } }
      for (const skill of [step.executor, INSTEAD[looked % INSTEAD.length] ?? 'quick_think']) {
        const asked = skill === step.executor ? step : { ...step, ...none, executor: skill }
        const held = await heldBy(world, asked, skill, bodies)
        const lacking = due.filter(({ message }) => !held.has(message.id)).map(({ message }) => message)
        expect({ skill, step: step.id, lacking }).toEqual({ skill, step: step.id, lacking: [] })
      }
    }
  }
  return looked
}

/** A manager asks the system beside all stages, and then runs a step of a stage. */
const MANAGER_ASKS: Move[] = [
  [0, 550, 0, 0],
  [75, 0, 0, 513],
  [55, 943, 0, 0],
  [100, 0, 416, 929],
  [0, 0, 0, 0],
  [0, 0, 0, 1],
  [75, 0, 73, 279],
  [0, 0, 0, 60],
  [0, 0, 0, 94],
  [0, 0, 0, 1],
  [0, 0, 0, 760],
].map(([kind = 0, a = 0, b = 0, c = 0]) => ({ kind, a, b, c }))

describe('an answer that an agent waited for', () => {
  it('[R331] is in every later prompt of that agent in that task: people, agents and operators act in any order', async () => {
    let looked = 0
    await fc.assert(
      fc.asyncProperty(anyMoves(90), async (moves) => {
        looked += await check(walk(moves))
      }),
      { ...(isAll ? { numRuns: 3_000 } : { numRuns: 20, seed: 331 }), examples: [[MANAGER_ASKS]] },
    )
    expect(looked).toBeGreaterThan(0)
  }, 300_000)

  it('[R331] is in every later prompt of that agent in that task: members wait for each other and for people', async () => {
    let looked = 0
    await fc.assert(
      fc.asyncProperty(anyAnswerMoves(), async (moves) => {
        looked += await check(walkAnswers(moves).story)
      }),
      isAll ? { numRuns: 3_000 } : { numRuns: 40, seed: 332 },
    )
    expect(looked).toBeGreaterThan(60)
  }, 300_000)
})
