/** Totals of a step's calls: a sum with an unknown part is unknown. Pure. */
import type { ModelCall } from '@/lib/mas/records'

type Costs = {
  calls: number
  promptTokens: number | null
  completionTokens: number | null
  /** Of promptTokens; null when the model server does not say. */
  cachedTokens: number | null
  /** Of completionTokens; null when the model server does not say. */
  reasoningTokens: number | null
  tokens: number | null
  isEstimated: boolean
  costUsd: number | null
  firstTokenMs: number | null
  totalMs: number | null
  /** Time waited for a slot among concurrent calls. */
  waitedMs: number
}

const sum = (values: readonly (number | null)[]): number | null =>
  values.length === 0
    ? null
    : values.reduce<number | null>((all, one) => (all === null || one === null ? null : all + one), 0)

export const costsOf = (calls: readonly ModelCall[]): Costs => ({
  calls: calls.length,
  promptTokens: sum(calls.map((call) => call.promptTokens)),
  completionTokens: sum(calls.map((call) => call.completionTokens)),
  cachedTokens: sum(calls.map((call) => call.cachedTokens ?? null)),
  reasoningTokens: sum(calls.map((call) => call.reasoningTokens ?? null)),
  tokens: sum(calls.flatMap((call) => [call.promptTokens, call.completionTokens])),
  isEstimated: calls.some((call) => call.estimated),
  costUsd: sum(calls.map((call) => call.costUsd)),
  firstTokenMs: calls.at(-1)?.firstTokenMs ?? null,
  totalMs: sum(calls.map((call) => call.totalMs)),
  waitedMs: sum(calls.map((call) => call.waitedMs ?? 0)) ?? 0,
})
