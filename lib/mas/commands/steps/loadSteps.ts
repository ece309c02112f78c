/** The steps of labelled load: `count 7 of 200`, planned a few at a time as agents plan their work. */

import type { StepRecord } from '../../records'
import type { DecisionContext } from '../decisionContext'
import { addStep, type StepHome } from '../effects/steps'

/** Each prompt shows all steps to come: a list of thousands would measure that list and nothing else. */
const STEPS_AHEAD = 5

const COUNT = /^count (\d+) of (\d+)$/

export function planCounting(context: DecisionContext, home: StepHome, from: number, of: number): void {
  for (let n = from; n < Math.min(from + STEPS_AHEAD, of + 1); n++) {
    addStep(context, home, { intention: `count ${n}`, text: `count ${n} of ${of}`, kind: 'skill', executor: 'think' })
  }
}

/** The list ran empty behind this step. out: false when it was the last one that was wished for. */
export function planOn(context: DecisionContext, step: StepRecord): boolean {
  const [n = 0, of = 0] = (COUNT.exec(step.text) ?? []).slice(1).map(Number)
  if (n >= of) return false
  planCounting(context, step, n + 1, of)
  return true
}
