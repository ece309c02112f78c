/** The prompt of a step of the test team, and its sections. */
import type { PromptRef, StepRecord, World } from '@/lib/mas/records'
import { isSkill } from '@/lib/mas/records'
import { scriptedModel } from '@/test/scriptedModel'
import { makeStep, testBodyCache, testRun, withSteps } from '@/test/skillWorld'
import type { Turn } from '../../models/model'
import type { BodyCache } from '../port'
import { buildPrompt, type Prompt } from '../prompt'
import type { ReadText } from '../prompt/historyItem'
import { readStoredPrompt, turnsFrom } from '../prompt/storedPrompt'
import { storePrompt } from '../prompt/turnList'
import { loadPrompts } from '../prompts'

export const prompts = loadPrompts('prompts')

/** The prompt of a step in a world that holds it, with a model of that context. */
export async function promptOf(
  world: World,
  step: StepRecord,
  contextTokens = 32_000,
  bodies: BodyCache = testBodyCache(),
): Promise<Prompt> {
  const run = testRun(withSteps(world, [step]), step, scriptedModel([], contextTokens), { bodies })
  if (!isSkill(step.executor)) throw new Error('no skill')
  return buildPrompt(run, step.executor, prompts.en)
}

/** The reference that a call with this prompt stores; no later prompt continues it. */
export function storedRef({ stored, about: { cut } }: Prompt, bodies: BodyCache): PromptRef {
  return storePrompt(stored, bodies, cut === undefined ? {} : { cut })
}

/** The turns of a stored prompt, as the model got them. */
export async function storedTurns(ref: PromptRef, read: ReadText): Promise<Turn[]> {
  const shown = (await readStoredPrompt(ref, read)).map(({ name, role, text }) => ({
    turn: { name, role, text },
    text,
  }))
  const turns = turnsFrom(shown)
  const step = turns.findLastIndex(({ content }) => content.includes('<section name="current_step">'))
  return turns.map((turn, at) => (at === step ? { ...turn, endsPrefix: true } : turn))
}

export const textOf = (prompt: Prompt): string => prompt.turns.map((turn) => turn.content).join('\n')
export const sectionNames = (prompt: Prompt): string[] =>
  [...textOf(prompt).matchAll(/<section name="([a-z_]+)">/g)].map((match) => match[1] ?? '')
export const sectionOf = (prompt: Prompt, name: string): string =>
  new RegExp(`<section name="${name}">\\n([\\s\\S]*?)\\n</section>`).exec(textOf(prompt))?.[1] ?? ''

export const running = (executor: string, more: Partial<StepRecord> = {}): StepRecord =>
  makeStep(900, { executor, state: 'running', startedSeq: 900, ...more })
