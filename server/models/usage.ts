/** Tokens and cost of a call. Unknown is null, never 0. */
import { fieldsIn } from '@/lib/json'
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

/**
 * The counts of a server, under the names of OpenAI, Anthropic and those who write like them.
 *
 * out     null: it counts nothing, or in no way that is known
 */
export function countedIn(usage: unknown): Partial<Counted> | null {
  const fields = fieldsIn(usage)
  const cacheWritten = tokenCount(fields.cache_creation_input_tokens)
  // Anthropic counts what was cached beside the input.
  const read = tokenCount(fields.cache_read_input_tokens)
  const input = tokenCount(fields.input_tokens)
  const prompt = tokenCount(fields.prompt_tokens) ?? (input === null ? null : input + (cacheWritten ?? 0) + (read ?? 0))
  const total = tokenCount(fields.total_tokens)
  const said = tokenCount(fields.completion_tokens) ?? tokenCount(fields.output_tokens)
  const inputDetails = fieldsIn(fields.prompt_tokens_details ?? fields.input_tokens_details)
  const outputDetails = fieldsIn(fields.completion_tokens_details ?? fields.output_tokens_details)
  // Some servers do not count the reasoning in the completion; only the total includes it.
  const completion = prompt && total ? Math.max(said ?? 0, total - prompt) : said
  return known({
    prompt,
    completion,
    // The last is DeepSeek's name of the first.
    cached: tokenCount(inputDetails.cached_tokens) ?? read ?? tokenCount(fields.prompt_cache_hit_tokens),
    cacheWritten,
    reasoning: tokenCount(outputDetails.reasoning_tokens ?? outputDetails.thinking_tokens),
  })
}

/** null: nothing is counted. */
export const known = (counted: Partial<Counted>): Partial<Counted> | null =>
  Object.values(counted).every((count) => count === null) ? null : counted

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
