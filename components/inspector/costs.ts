/** Totals of a step's calls, as the rows of the tree count them. Pure. */
import type { ModelCall } from '@/lib/mas/records'
import { sumKnown } from '@/lib/sumKnown'

export type Costs = ReturnType<typeof costsOf>

/** out: tokens, US dollars and ms; null: not known of any call */
export function costsOf(calls: readonly ModelCall[]) {
  const total = (of: (call: ModelCall) => number | null | undefined): number | null => sumKnown(calls.map(of))
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
    tokens: sumKnown([promptTokens, completionTokens]),
    isEstimated: calls.some((call) => call.estimated),
    costUsd: total((call) => call.costUsd),
    firstTokenMs: calls.at(-1)?.firstTokenMs ?? null,
    totalMs: total((call) => call.totalMs),
    /** Time waited for a slot among concurrent calls. */
    waitedMs: total((call) => call.waitedMs ?? 0) ?? 0,
  }
}
