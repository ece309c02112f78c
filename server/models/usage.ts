/** What a call has used and cost. Unknown is null, never 0. */
import { estimateTokens } from '@/lib/mas/formats'
import type { Media, ModelUsage, Turn } from './model'

/** US dollars per million tokens. `cached`: prompt tokens from the server's cache; the same as `input` when left out. */
export type Price = { input: number; output: number; cached?: number | null }

/** As the server counted; null or 0 where it did not. `cached` is part of the prompt, `reasoning` of the completion. */
export type Counted = Record<'prompt' | 'completion' | 'cached' | 'reasoning', number | null>

export const NOT_COUNTED: Counted = { prompt: null, completion: null, cached: null, reasoning: null }

/** About what a picture or a few seconds of sound take; servers count them each in a way of their own. */
export const MEDIA_TOKENS = 1_000
/** A picture of low detail is looked at once, small. */
const LOW_DETAIL_TOKENS = 85
const TOKENS_PER_MILLION = 1_000_000

/** An estimate: servers count by their own rules. */
export const mediaTokens = ({ kind, detail }: Pick<Media, 'kind' | 'detail'>): number =>
  kind === 'image' && detail === 'low' ? LOW_DETAIL_TOKENS : MEDIA_TOKENS

/** An estimate, of text and attachments. */
export const turnTokens = (turn: Turn): number =>
  (turn.media ?? []).reduce((sum, media) => sum + mediaTokens(media), estimateTokens(turn.content))

/**
 * Usage and cost of one call.
 *
 * in      the server's own counts, the turns and the text that came; the configured price or null
 * out     counts with `estimated` when one had to be reckoned from the text; cost null without a price
 */
export function usageOf(counted: Counted, turns: readonly Turn[], text: string, price: Price | null): ModelUsage {
  const promptTokens = counted.prompt || turns.reduce((sum, turn) => sum + turnTokens(turn), 0)
  // A server that counted the prompt and says 0 for an answer without text is right.
  const completionTokens = counted.completion || (text === '' ? 0 : estimateTokens(text))
  const cachedTokens = counted.cached
  const estimated = !counted.prompt || (!counted.completion && text !== '')
  return {
    promptTokens,
    completionTokens,
    cachedTokens,
    reasoningTokens: counted.reasoning,
    estimated,
    costUsd: price && costOf(promptTokens, completionTokens, cachedTokens ?? 0, price),
  }
}

function costOf(prompt: number, completion: number, cached: number, price: Price): number {
  const fromCache = Math.min(cached, prompt)
  const perMillion =
    (prompt - fromCache) * price.input + fromCache * (price.cached ?? price.input) + completion * price.output
  return perMillion / TOKENS_PER_MILLION
}
