/** What a job took, from the calls that its steps keep. */
import type { StepRecord } from '@/lib/mas/records'

/** Why an answer was shown back. */
export const REPAIR_KINDS = ['no_tag', 'cut', 'form', 'name', 'look', 'other'] as const
type RepairKind = (typeof REPAIR_KINDS)[number]

export type JobFigures = {
  calls: number
  /** Calls whose answer was shown back, by why. */
  repairs: Partial<Record<RepairKind, number>>
  /** Calls that gave nothing: refused, broken off, stopped. */
  lostCalls: number
  failedSteps: number
  tokens: { sent: number; cached: number; got: number; estimated: boolean }
  /** US dollars; null when no call says what it cost. */
  cost: number | null
  /** The sum over the calls, ms. */
  modelMs: number
}

export function measure(steps: readonly StepRecord[]): JobFigures {
  const calls = steps.flatMap((step) => step.calls)
  const repaired = calls.filter(
    ({ outcome, answer }) => outcome === 'repaired' || (outcome === 'cut' && answer !== null),
  )
  const sum = (numbers: (number | null | undefined)[]): number =>
    numbers.reduce<number>((total, one) => total + (one ?? 0), 0)
  const costs = calls.flatMap(({ costUsd }) => costUsd ?? [])
  return {
    calls: calls.length,
    repairs: countBy(repaired.map(({ error }) => kindOfRepair(error ?? ''))),
    lostCalls: calls.filter((call) => call.outcome !== 'taken' && !repaired.includes(call)).length,
    failedSteps: steps.filter(({ state }) => state === 'failed').length,
    tokens: {
      sent: sum(calls.map(({ promptTokens }) => promptTokens)),
      cached: sum(calls.map(({ cachedTokens }) => cachedTokens)),
      got: sum(calls.map(({ completionTokens }) => completionTokens)),
      estimated: calls.some(({ estimated }) => estimated),
    },
    cost: costs.length === 0 ? null : sum(costs),
    modelMs: Math.round(sum(calls.map(({ totalMs }) => totalMs))),
  }
}

const KINDS: readonly [RepairKind, RegExp][] = [
  ['look', /^asked to see items/],
  ['cut', /length limit|broke off/],
  ['no_tag', /there is no <|opened twice|inside <|the answer is empty/],
  ['form', /^<\w+>|must be|is missing|JSON|unknown keys|bytes/],
  ['name', /\bno (?:receiver|agent|stage|task|tool|skill|member|step|configuration|note)\b|is a skill, not a tool/],
  ['name', /not in this task|not running|task is over|do not manage|there is no tool/],
  ['name', /没有(?:智能体|任务|阶段|配置|笔记|在运行)|不在这个任务|任务已结束|不是该任务/],
]

/** The runtime's words for what is wrong, in five drawers; the sixth holds what fits none. */
export const kindOfRepair = (reason: string): RepairKind =>
  KINDS.find(([, pattern]) => pattern.test(reason))?.[0] ?? 'other'

/** What calls that gave nothing say, each sentence once. */
export const sayLost = (steps: readonly StepRecord[]): string[] => [
  ...new Set(
    steps.flatMap(({ calls }) => calls.flatMap(({ outcome, error }) => (outcome === 'failed' && error ? [error] : []))),
  ),
]

function countBy(kinds: readonly RepairKind[]): JobFigures['repairs'] {
  const counts: JobFigures['repairs'] = {}
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

export const repairsOf = ({ repairs }: Pick<JobFigures, 'repairs'>): number =>
  Object.values(repairs).reduce((total, one) => total + one, 0)
