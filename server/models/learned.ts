/** What a server turned out not to support, by address and model: learned from its refusals. */
import type { Turn } from './model'
import type { Feature, NamedLimit } from './response'
import { turnTokens } from './usage'

/** Mutable: the calls of all models at that address share it. */
export type Learned = {
  /** What its requests do without. */
  readonly without: Set<Feature>
  /** Estimated tokens that a call may hold; null: as configured. */
  contextTokens: number | null
  /** The most tokens of an answer; 0: the request names none; null: as configured. */
  answerTokens: number | null
  /** Whether an answer ever had an ending, and how many complete responses had none. */
  saysEndings: boolean
  unended: number
  /** Whether it ever called a function, and how many answers in a row had no call where functions were offered. */
  calls: boolean
  withoutCall: number
}

/** out: a new record: the server supports all that is configured */
export const nothingLearned = (): Learned => ({
  without: new Set(),
  contextTokens: null,
  answerTokens: null,
  saysEndings: false,
  unended: 0,
  calls: false,
  withoutCall: 0,
})

/** Less holds no prompt. */
const LEAST_CONTEXT = 256
/** What remains of a prompt whose length the server does not name. */
const SHARE = 3 / 4
/** The estimate of the cut prompt may be off by this much. */
const MARGIN = 0.95
/** Of the prompt in a call (`callModel.ts` keeps the rest for the answer). */
const PROMPT_SHARE = 7 / 8

const tokensOf = (turns: readonly Turn[]): number => turns.reduce((sum, turn) => sum + turnTokens(turn), 0)

/** Whether a prompt would be cut for a model of that context. */
export const isAboveContext = (turns: readonly Turn[], contextTokens: number): boolean =>
  tokensOf(turns) > contextTokens * PROMPT_SHARE

/**
 * A context in which a prompt that was refused as too long is cut.
 *
 * in      the turns that were too long; what the server names, in its own tokens; the tokens that the answer may take
 * out     estimated tokens, such that the next prompt is shorter; null: nothing can be cut
 */
export function shorterContext(turns: readonly Turn[], { limit, prompt, answer }: NamedLimit): number | null {
  const estimated = tokensOf(turns)
  const most = Math.floor((estimated * SHARE) / PROMPT_SHARE)
  if (limit === null) return most >= LEAST_CONTEXT ? most : null
  const counted = prompt ?? Math.max(estimated, limit)
  const room = Math.min((limit - (answer ?? 0)) / PROMPT_SHARE, limit)
  const context = Math.floor((MARGIN * room * estimated) / counted)
  // A limit that the prompt seems to keep says only that the estimate is too low.
  const next = context * PROMPT_SHARE < estimated ? context : most
  return next >= LEAST_CONTEXT ? next : null
}
