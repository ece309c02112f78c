/** Calls, tokens, cost and repairs of a job, from the calls that its steps store. */
import { z } from 'zod'
import type { ModelCall, StepRecord } from '@/lib/mas/records'

/** Why an answer was returned to the model for repair. */
export const REPAIR_KINDS = ['no_tag', 'cut', 'form', 'name', 'look', 'other'] as const
type RepairKind = (typeof REPAIR_KINDS)[number]

export const figuresShape = z.object({
  calls: z.number(),
  /** Calls whose answer was returned for repair, by reason. */
  repairs: z.partialRecord(z.enum(REPAIR_KINDS), z.number()),
  /** Calls without a usable answer: refused, cut, aborted. */
  lostCalls: z.number(),
  failedSteps: z.number(),
  tokens: z.object({ sent: z.number(), cached: z.number(), got: z.number(), estimated: z.boolean() }),
  /** US dollars; null: no call reports a cost. */
  cost: z.number().nullable(),
  /** The sum over the calls, ms. */
  modelMs: z.number(),
})
export type JobFigures = z.infer<typeof figuresShape>

export function measure(steps: readonly StepRecord[]): JobFigures {
  const figures = sumFigures(steps.flatMap(({ calls }) => calls).map(figuresOf))
  const failedSteps = steps.filter(({ state }) => state === 'failed').length
  return { ...figures, failedSteps, modelMs: Math.round(figures.modelMs) }
}

function figuresOf({ outcome, answer, error, promptTokens, completionTokens, ...call }: ModelCall): JobFigures {
  const isRepaired = outcome === 'repaired' || (outcome === 'cut' && answer !== null)
  return {
    calls: 1,
    repairs: isRepaired ? { [kindOfRepair(error ?? '')]: 1 } : {},
    lostCalls: outcome === 'taken' || isRepaired ? 0 : 1,
    failedSteps: 0,
    tokens: {
      sent: promptTokens ?? 0,
      cached: call.cachedTokens ?? 0,
      got: completionTokens ?? 0,
      estimated: call.estimated,
    },
    cost: call.costUsd,
    modelMs: call.totalMs,
  }
}

export function sumFigures(all: readonly JobFigures[]): JobFigures {
  const sum = (figure: (one: JobFigures) => number): number => all.reduce((total, one) => total + figure(one), 0)
  return {
    calls: sum(({ calls }) => calls),
    repairs: Object.fromEntries(
      REPAIR_KINDS.map((kind) => [kind, sum(({ repairs }) => repairs[kind] ?? 0)] as const).filter(
        ([, count]) => count > 0,
      ),
    ),
    lostCalls: sum(({ lostCalls }) => lostCalls),
    failedSteps: sum(({ failedSteps }) => failedSteps),
    tokens: {
      sent: sum(({ tokens }) => tokens.sent),
      cached: sum(({ tokens }) => tokens.cached),
      got: sum(({ tokens }) => tokens.got),
      estimated: all.some(({ tokens }) => tokens.estimated),
    },
    cost: all.every(({ cost }) => cost === null) ? null : sum(({ cost }) => cost ?? 0),
    modelMs: sum(({ modelMs }) => modelMs),
  }
}

const KINDS: readonly [RepairKind, RegExp][] = [
  ['look', /^asked to see items/],
  ['cut', /length limit|broke off/],
  ['no_tag', /there is no <|opened twice|inside <|the answer is empty|no function was called/],
  ['form', /^<\w+>|must be|is missing|JSON|unknown keys|bytes/],
  ['name', /\bno (?:receiver|agent|stage|task|tool|skill|member|step|configuration|note)\b|is a skill, not a tool/],
  ['name', /not in this task|not running|task is over|do not manage|there is no tool/],
  ['name', /没有(?:智能体|任务|阶段|配置|笔记|在运行)|不在这个任务|任务已结束|不是该任务/],
]

/** The kind of a repair by the runtime's reason; `other` when no pattern matches. */
export const kindOfRepair = (reason: string): RepairKind =>
  KINDS.find(([, pattern]) => pattern.test(reason))?.[0] ?? 'other'

/** native: the calls of functions that a model server takes. */
export const FORMS = ['schema', 'tags', 'native', 'mixed'] as const
export type Form = (typeof FORMS)[number]

/** What the answered calls of these steps were asked for. */
export const formOf = (steps: readonly StepRecord[]): Form | null =>
  sumForm(
    steps.flatMap(({ calls }) =>
      // Half an object cannot be continued as an object: the rest of a cut answer has no form of its own.
      calls.flatMap(({ answer, calls: called, outcome, isObject }) => {
        if (called !== undefined) return ['native' as const]
        return answer === null || outcome === 'cut' ? [] : [isObject ? ('schema' as const) : ('tags' as const)]
      }),
    ),
  )

export function sumForm(forms: readonly (Form | null)[]): Form | null {
  const all = new Set(forms.filter((form) => form !== null))
  const [form = null] = all
  return all.size > 1 ? 'mixed' : form
}

/** The distinct errors of failed calls. */
export const sayLost = (steps: readonly StepRecord[]): string[] => [
  ...new Set(
    steps.flatMap(({ calls }) => calls.flatMap(({ outcome, error }) => (outcome === 'failed' && error ? [error] : []))),
  ),
]

export const repairsOf = ({ repairs }: Pick<JobFigures, 'repairs'>): number =>
  Object.values(repairs).reduce((total, one) => total + one, 0)
