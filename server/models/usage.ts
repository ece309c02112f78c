/** Tokens and cost of a call. Unknown is null, never 0. */
import { estimateTokens } from '@/lib/mas/formats'
import type { Media, ModelUsage, Turn } from './model'

/** US dollars per million tokens. `cached`: prompt tokens from the server's cache; `cacheWrite`: written to it; else as `input`. */
export type Price = { input: number; output: number; cached?: number | null; cacheWrite?: number | null | undefined }

/** The server's counts; null or 0: it gave none. `cached` and `cacheWritten` are parts of the prompt, `reasoning` of the completion. */
export type Counted = Record<'prompt' | 'completion' | 'cached' | 'cacheWritten' | 'reasoning', number | null>

export const NOT_COUNTED: Counted = {
  prompt: null,
  completion: null,
  cached: null,
  cacheWritten: null,
  reasoning: null,
}

/** in: a server's count in any form. out: null: it is none, or no number of tokens */
export function tokenCount(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !(number >= 0)) return null
  const whole = Math.round(number)
  return Number.isSafeInteger(whole) ? whole : null
}

/** Estimate for a picture or a few seconds of sound; servers count them in different ways. */
export const MEDIA_TOKENS = 1_000
/** Estimate for a picture of low detail. */
const LOW_DETAIL_TOKENS = 85
const TOKENS_PER_MILLION = 1_000_000

/** An estimate; servers differ. */
export const mediaTokens = ({ kind, detail }: Pick<Media, 'kind' | 'detail'>): number =>
  kind === 'image' && detail === 'low' ? LOW_DETAIL_TOKENS : MEDIA_TOKENS

/** An estimate, media included. */
export const turnTokens = (turn: Turn): number =>
  (turn.media ?? []).reduce((sum, media) => sum + mediaTokens(media), estimateTokens(turn.content + callsText(turn)))

const callsText = (turn: Turn): string =>
  turn.role === 'assistant' ? (turn.calls ?? []).map(({ name, arguments: args }) => name + args).join('') : ''

/** out: counts, with `estimated` when one was computed from the text; cost null without a price */
export function usageOf(counted: Counted, turns: readonly Turn[], text: string, price: Price | null): ModelUsage {
  const promptTokens = counted.prompt || turns.reduce((sum, turn) => sum + turnTokens(turn), 0)
  // 0 is a valid count for an answer without text.
  const completionTokens = counted.completion || (text === '' ? 0 : estimateTokens(text))
  const cachedTokens = counted.cached
  const estimated = !counted.prompt || (!counted.completion && text !== '')
  return {
    promptTokens,
    completionTokens,
    cachedTokens,
    ...(counted.cacheWritten === null ? {} : { cacheWrittenTokens: counted.cacheWritten }),
    reasoningTokens: counted.reasoning,
    estimated,
    costUsd: price && costOf(promptTokens, completionTokens, counted, price),
  }
}

function costOf(prompt: number, completion: number, { cached, cacheWritten }: Counted, price: Price): number {
  const fromCache = Math.min(cached ?? 0, prompt)
  const toCache = Math.min(cacheWritten ?? 0, prompt - fromCache)
  const perMillion =
    (prompt - fromCache - toCache) * price.input +
    fromCache * (price.cached ?? price.input) +
    toCache * (price.cacheWrite ?? price.input) +
    completion * price.output
  return perMillion / TOKENS_PER_MILLION
}
