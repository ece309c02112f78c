/** Totals of a step's calls: a sum with an unknown part is unknown. Pure. */
import type { ModelCall } from '@/lib/mas/records'

const sum = (values: readonly (number | null | undefined)[]): number | null =>
  values.reduce<number | null>((all, one) => (all === null || one == null ? null : all + one), 0)

export type Costs = ReturnType<typeof costsOf>

/** out: tokens, US dollars and ms; null: unknown, or there was no call */
export function costsOf(calls: readonly ModelCall[]) {
  const total = (of: (call: ModelCall) => number | null | undefined): number | null =>
    calls.length === 0 ? null : sum(calls.map(of))
  const promptTokens = total((call) => call.promptTokens)
  const completionTokens = total((call) => call.completionTokens)
  return {
    calls: calls.length,
    promptTokens,
    completionTokens,
    /** Of promptTokens. */
    cachedTokens: total((call) => call.cachedTokens),
    /** Of completionTokens. */
    reasoningTokens: total((call) => call.reasoningTokens),
    tokens: sum([promptTokens, completionTokens]),
    isEstimated: calls.some((call) => call.estimated),
    costUsd: total((call) => call.costUsd),
    firstTokenMs: calls.at(-1)?.firstTokenMs ?? null,
    totalMs: total((call) => call.totalMs),
    /** Time waited for a slot among concurrent calls. */
    waitedMs: total((call) => call.waitedMs ?? 0) ?? 0,
  }
}
