/**
 * What an agent's prompt holds of messages and of work, over random histories: what was said to or by that agent in the task,
 * and in the base task in the thread, of the step; its own steps of the same stage or thread. Its notes are its own everywhere.
 *
 * Every text of a world is replaced by the id of its record, so that whatever stands in a prompt says where it comes from.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bodyOf } from '@/lib/mas/bodies'
import type { AgentId, MessageId, TaskId } from '@/lib/mas/ids'
import type { MessageRecord, StepRecord, World } from '@/lib/mas/records'
import { isSkill } from '@/lib/mas/records'
import { isJudging } from '@/lib/mas/stages/judge'
import { stepsIn, withChangedSteps } from '@/lib/mas/steps/ownSteps'
import { scriptedModel } from '@/test/scriptedModel'
import { testRun } from '@/test/skillWorld'
import { anyMoves, BASE_TASK, outcomeOf, planned, Story, send, TEAM, walk } from '@/test/worldHistories'
import { buildPrompt } from '../prompt'
import { loadPrompts } from '../prompts'

const prompts = loadPrompts('prompts')
const isAll = process.env.CONVENE_ALL === '1'
const { ana, ben, lee, manager } = TEAM

const allSteps = (world: World): StepRecord[] =>
  Object.values(world.steps).flatMap((byAgent) => Object.values(byAgent).flatMap((own) => stepsIn(own)))

async function promptOf(world: World, step: StepRecord): Promise<string> {
  if (!isSkill(step.executor)) throw new Error(`${step.executor} has no prompt`)
  const run = testRun(world, step, scriptedModel([], 200_000))
  const { turns } = await buildPrompt(run, step.executor, prompts.en)
  return turns.map(({ content }) => content).join('\n')
}

const markMessage = (message: MessageRecord): MessageRecord => ({
  ...message,
  text: `MESSAGE-${message.id}`,
  attachments: [{ name: `FILE-${message.id}.txt`, body: bodyOf(`MESSAGE-${message.id}`).ref, savedAs: null }],
})
const markStep = (step: StepRecord): StepRecord => ({
  ...step,
  intention: `STEP-${step.id}`,
  text: `STEP-${step.id}`,
  reason: step.reason === null ? null : `STEP-${step.id}`,
  result: step.result && { ...step.result, text: `STEP-${step.id}`, body: null },
})

/** The world in which every text names its record. */
function marked(world: World): World {
  const messages: World['messages'] = {}
  for (const [task, own] of Object.entries(world.messages)) {
    const all = Object.values(own).map((message) => [message.id, markMessage(message)] as const)
    messages[task as TaskId] = Object.fromEntries(all)
  }
  const steps: World['steps'] = {}
  for (const [task, byAgent] of Object.entries(world.steps)) {
    const all = Object.entries(byAgent).map(([agent, own]) => {
      const ids = stepsIn(own).map(({ id }) => id)
      return [agent as AgentId, withChangedSteps(own, ids, markStep)] as const
    })
    steps[task as TaskId] = Object.fromEntries(all)
  }
  return { ...world, messages, steps, memory: {} }
}

const ids = (text: string, kind: string): string[] => [
  ...new Set([...text.matchAll(new RegExp(`${kind}-([0-9a-f-]{36})`, 'g'))].map((match) => match[1] ?? '')),
]

const threadOf = ({ id, thread }: MessageRecord): MessageId => thread ?? id
const isTheirs = (message: MessageRecord | undefined, { task, agent, thread }: StepRecord): boolean =>
  message !== undefined &&
  message.task === task &&
  (message.sender === agent || message.receivers.includes(agent)) &&
  (task !== BASE_TASK || threadOf(message) === thread)

/** The one who manages a task now sees how it was judged last, also about another stage or by a manager before. */
function isLastJudgement(world: World, judged: StepRecord, step: StepRecord): boolean {
  const isOver = (other: StepRecord): boolean =>
    other.task === step.task && other.endedSeq !== null && isJudging(world, other)
  const newest = Math.max(
    ...allSteps(world)
      .filter(isOver)
      .map(({ endedSeq }) => endedSeq ?? 0),
  )
  return isOver(judged) && judged.endedSeq === newest && world.tasks[step.task]?.manager === step.agent
}

/** What stands in the prompt of the step and does not belong there. */
async function strangersIn(world: World, step: StepRecord): Promise<string[]> {
  const prompt = await promptOf(world, step)
  const messages = new Map(
    Object.values(world.messages).flatMap((own) => Object.values(own).map((one) => [String(one.id), one])),
  )
  const steps = new Map(allSteps(world).map((one) => [String(one.id), one]))
  // An agent has one conversation for all of a task, in the base task one for each thread.
  const isBase = world.tasks[step.task]?.base === true
  const isOwn = (other: StepRecord): boolean =>
    other.task === step.task && other.agent === step.agent && (!isBase || other.thread === step.thread)
  const belongs = (other: StepRecord | undefined): boolean =>
    other !== undefined && (isOwn(other) || isLastJudgement(world, other, step))
  return [
    ...ids(prompt, '(?:MESSAGE|FILE)').filter((id) => !isTheirs(messages.get(id), step)),
    ...ids(prompt, 'STEP').filter((id) => !belongs(steps.get(id))),
  ]
}

/** Steps that a model would be asked about now. */
const toRun = (world: World): StepRecord[] =>
  allSteps(world).filter(
    ({ agent, state, type, executor, boundTo }) =>
      world.agents[agent]?.kind === 'llm' &&
      type === 'skill' &&
      isSkill(executor) &&
      state !== 'finished' &&
      state !== 'failed' &&
      (executor !== 'instruction_generation' || boundTo !== null),
  )

describe("an agent's prompt", () => {
  it('[R58] holds nothing that was said in another thread or task, or to others, and no work of others', async () => {
    let looked = 0
    let quoted = 0
    await fc.assert(
      fc.asyncProperty(anyMoves(60), async (moves) => {
        const story = walk(moves)
        const { world } = story
        for (const step of allSteps(world)) {
          // What a step stands for was said where it stands: its own text is of there too.
          for (const id of [step.cause.message, step.answers?.message]) {
            const message = id ? world.messages[step.task]?.[id] : undefined
            if (message) expect([step.executor, isTheirs(message, step)]).toEqual([step.executor, true])
          }
        }
        const held = marked(world)
        for (const step of toRun(held).slice(-6)) {
          looked += 1
          quoted += ids(await promptOf(held, step), 'MESSAGE').length > 0 ? 1 : 0
          expect(await strangersIn(held, step)).toEqual([])
        }
      }),
      { numRuns: isAll ? 300 : 40, ...(isAll ? {} : { seed: 59 }) },
    )
    expect(looked).toBeGreaterThan(60)
    expect(quoted).toBeGreaterThan(15)
  }, 120_000)

  it('[R58] of one person’s request in the base task holds no word of another one’s, asked before, meanwhile or after', async () => {
    const story = new Story()
    story.put(ana.id, send(ana.id, [manager.id], { text: 'PRIVATEWORD of Ana', kind: 'action' }))
    story.run(manager.id, () => outcomeOf({ steps: { add: [], insert: [planned('decision'), planned('think')] } }))
    story.put(lee.id, send(lee.id, [manager.id], { text: 'the wish of Lee', kind: 'action' }))
    story.put(ben.id, send(ben.id, [manager.id], { text: 'PRIVATEWORD of Ben', kind: 'action' }))
    const { world } = story
    const of = (person: AgentId): StepRecord => {
      const root = Object.values(world.messages[BASE_TASK] ?? {}).find(({ sender }) => sender === person)
      const step = toRun(world).find(({ thread, executor }) => thread === root?.id && executor === 'send_message')
      if (!step) throw new Error('nothing is to be answered')
      return step
    }
    const prompt = await promptOf(world, of(lee.id))
    expect(prompt).toContain('the wish of Lee')
    expect(prompt).not.toContain('PRIVATEWORD')
    expect(await promptOf(world, of(ben.id))).not.toContain('of Ana')
  })
})
