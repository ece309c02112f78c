/** What a model would be asked for a step of the small world, by the true prompts. */
import type { StepRecord } from '@/lib/mas/records'
import { ModelError, type Turn } from '@/server/models'
import { loadPrompts, runSkill } from '@/server/skills'
import type { SkillRun } from '@/server/skills/port'
import { testRun, testWorld, withSteps } from './skillWorld'

const prompts = loadPrompts('prompts')

/**
 * The turns of the step's first call.
 *
 * in      the step, and others beside it; what of the run is not as usual
 */
export async function turnsOf(
  step: StepRecord,
  others: readonly StepRecord[] = [],
  more: Partial<SkillRun> = {},
): Promise<Turn[]> {
  const asked: Turn[][] = []
  const listens = {
    name: 'default',
    provider: 'test',
    contextTokens: 32_000,
    call(turns: Turn[]): never {
      asked.push(turns)
      throw new ModelError('MODEL_REFUSED', 'only the question counts', false)
    },
  }
  await runSkill(prompts)(testRun(withSteps(testWorld, [...others, step]), step, listens, more))
  const [turns] = asked
  if (turns === undefined) throw new Error(`${step.executor} asked no model`)
  return turns
}
