/** Stories of work that costs money, under limits that the configuration sets. */

import type { Limits, ModelCall } from '@/lib/mas/records'
import type { StepOutcome } from '@/lib/mas/steps/outcome'
import { outcomeOf, type Story, teamConfig } from './worldHistories'

export const withLimits = (story: Story, limits: Partial<Limits>): void => {
  const config = teamConfig()
  const team = { ...config.team, limits: { ...config.team.limits, ...limits } }
  story.put('system:start', { ...config, team })
}

/** A call of a model. costUsd: US dollars */
export const call = (id: string, costUsd: number, tokens = 0): ModelCall => ({
  id,
  attempt: 1,
  model: 'm',
  modelVersion: null,
  prompt: { sha: '', bytes: 0 },
  answer: null,
  outcome: 'taken',
  error: null,
  promptTokens: tokens,
  completionTokens: null,
  estimated: false,
  costUsd,
  firstTokenMs: null,
  totalMs: 1,
  at: 1,
})

let calls = 0
/** The outcome of a step whose call cost that much; of each, a call of its own. */
export const paying = (costUsd: number, tokens = 0): StepOutcome => {
  calls += 1
  return outcomeOf({ call: call(`call ${calls}`, costUsd, tokens) })
}
