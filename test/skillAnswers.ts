/** Runs one step of a skill on an answer that a test wrote down. */

import type { StepRecord, World } from '@/lib/mas/records'
import type { PlannedStep, StepOutcome } from '@/lib/mas/steps/outcome'
import { loadPrompts } from '@/server/skills/prompts'
import { runSkill } from '@/server/skills/run'
import { scriptedModel } from './scriptedModel'
import { makeStep, type TestRun, testRun, testWorld, withSteps } from './skillWorld'

export const run = runSkill(loadPrompts('prompts'), { sleep: async () => undefined })

/** Run a step of that skill on one answer, or on the same answer as often as it is asked for. */
export async function answered(
  executor: string,
  answer: string,
  more: Partial<StepRecord> = {},
  others: StepRecord[] = [],
  world: World = testWorld,
): Promise<{ outcome: StepOutcome; given: TestRun; calls: number }> {
  const step = makeStep(90, { executor, state: 'running', startedSeq: 90, ...more })
  const model = scriptedModel(Array(6).fill(answer))
  const given = testRun(withSteps(world, [...others, step]), step, model)
  return { outcome: await run(given), given, calls: model.asked.length }
}

export const tagged = (tag: string, value: unknown): string =>
  `<${tag}>${typeof value === 'string' ? value : JSON.stringify(value)}</${tag}>`
export const planned = (executor: string, type: 'skill' | 'tool' = 'skill'): PlannedStep => ({
  step_intention: `do ${executor}`,
  type,
  executor,
  text_content: 'text',
})
export const executors = (steps: PlannedStep[]): string[] => steps.map((step) => step.executor)
