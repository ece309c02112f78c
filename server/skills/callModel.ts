/** One call of a model: assembles and measures its stream. */
import type { ModelCall, PromptRef } from '@/lib/mas/records'
import { type Fitted, fitTurns } from '@/server/models/fitTurns'
import {
  type FunctionCall,
  type FunctionTool,
  ModelError,
  type ModelUsage,
  type ObjectAnswer,
  type ProviderParts,
  stopped,
  type Turn,
} from '../models/model'
import { wholeMs } from '../shared/wholeMs'
import { functionTokens } from './functions'
import { wholeRefOf } from './makeBody'
import type { SkillRun } from './port'

/** What one call of a model needs to know of the step that makes it. */
export type CallingStep = Pick<
  SkillRun,
  'world' | 'step' | 'now' | 'attempt' | 'model' | 'signal' | 'onText' | 'onDoing' | 'newId' | 'clock'
> & { bodies: Pick<SkillRun['bodies'], 'make'> }

/** The least share of a model's context kept for its answer. */
const ANSWER_SHARE = 1 / 8
/** The first turn after the system's is the step itself. */
const TURNS_OF_THE_STEP = 1

type CallParts = {
  /** Reasoning that the server gave apart from the text. */
  reasoning: string | null
  firstTokenMs: number | null
  totalMs: number
  /** Time in the endpoint's queue. */
  waitedMs: number
  leftOutTokens: number
}

export type CallResult =
  | ({
      ended: true
      text: string
      isCut: boolean
      usage: ModelUsage
      modelVersion: string
      fingerprint: string | undefined
      isObject: boolean
      calls: readonly FunctionCall[]
      /** For later turns of the same step. */
      providerParts: ProviderParts | undefined
    } & CallParts)
  | ({ ended: false; text: string; fault: ModelError } & CallParts)

/**
 * in      the run (its signal, clock, listener of the text); the turns, which are cut to the model's context; an upper bound of
 *         their tokens, if counted; the object to request, or the functions that the model may call, if any
 * out     the whole text with its usage (`isCut`: the model's length limit was reached); or the fault and the text so far: a
 *         stream without its end is the fault MODEL_CUT
 * units   clock() in ms, for durations; recorded as whole ms, from the time of sending
 * faults  errors other than ModelError are passed on
 */
export async function callModel(
  run: CallingStep,
  turns: Turn[],
  tokens: number | null = null,
  asked: { answer?: ObjectAnswer | null; functions?: readonly FunctionTool[] } = {},
): Promise<CallResult> {
  const entered = run.clock()
  let began: number | null = null
  let text = ''
  let firstTokenMs: number | null = null
  const sent = fitted(run, turns, tokens, asked.functions ?? [])
  const parts = (reasoning: string | null = null): CallParts => ({
    reasoning,
    firstTokenMs,
    totalMs: wholeMs(run.clock() - (began ?? entered)),
    waitedMs: wholeMs((began ?? entered) - entered),
    leftOutTokens: sent.leftOutTokens,
  })
  if (!sent.fits) return { ended: false, text, fault: tooLong(run), ...parts() }
  try {
    const options = {
      signal: run.signal,
      ...(asked.answer ? { answer: asked.answer } : {}),
      ...(asked.functions === undefined ? {} : { functions: asked.functions }),
      about: { agent: nameOf(run), skill: run.step.executor, step: run.step.id },
      onPlace: (place: number) => run.onDoing({ what: 'queued', place }),
      onStart: () => {
        began = run.clock()
        run.onDoing({ what: run.model.provider === 'person' ? 'person' : 'asked' })
      },
    }
    for await (const piece of run.model.call(sent.turns, options)) {
      if (piece.type === 'end') {
        const {
          usage,
          modelVersion,
          fingerprint,
          finish,
          reasoning,
          isObject = false,
          calls = [],
          providerParts,
        } = piece
        const end = { usage, modelVersion, fingerprint, isObject, calls, providerParts, isCut: finish === 'length' }
        return { ended: true, text, ...end, ...parts(reasoning) }
      }
      if (firstTokenMs === null) {
        firstTokenMs = wholeMs(run.clock() - (began ?? entered))
        run.onDoing({ what: 'writing' })
      }
      if (piece.type === 'text') text += piece.text
      run.onText(piece.text)
    }
  } catch (error) {
    if (run.signal.aborted) return { ended: false, text, fault: abortedBy(error), ...parts(reasoningOf(error)) }
    if (error instanceof ModelError) return { ended: false, text, fault: error, ...parts(reasoningOf(error)) }
    throw error
  } finally {
    run.onDoing({ what: 'between' })
  }
  if (run.signal.aborted) return { ended: false, text, fault: stopped(), ...parts() }
  const fault = new ModelError('MODEL_CUT', 'the answer broke off before its end', true)
  return { ended: false, text, fault, ...parts() }
}

const reasoningOf = (error: unknown): string | null =>
  error instanceof ModelError ? (error.details.reasoning ?? null) : null

/** An aborted call has a cost too. */
function abortedBy(error: unknown): ModelError {
  return error instanceof ModelError && error.code === 'MODEL_ABORTED' ? error : stopped()
}

/** The history was cut to its share before; this cuts other long parts: a message, a memory, many repairs. */
function fitted(run: CallingStep, turns: Turn[], tokens: number | null, functions: readonly FunctionTool[]): Fitted {
  const reserved = functions.length === 0 ? 0 : functionTokens(functions)
  const budgetTokens = Math.floor((run.model.contextTokens - reserved) * (1 - ANSWER_SHARE))
  // A character is at most one token of the estimate: a prompt with few characters needs no counting.
  const characters = turns.reduce((sum, turn) => sum + turn.content.length, 0)
  const isShort = characters <= budgetTokens && turns.every(({ media }) => !media?.length)
  if (isShort || (tokens !== null && tokens <= budgetTokens)) return { turns, fits: true, leftOutTokens: 0 }
  return fitTurns(turns, { budgetTokens, keepFirst: TURNS_OF_THE_STEP, language: run.world.team.language })
}

function tooLong({ model }: CallingStep): ModelError {
  const message = `the prompt does not fit a context of ${model.contextTokens} tokens, not even cut: give the model a larger one (context_tokens)`
  return new ModelError('MODEL_PROMPT', message, false)
}

/** The configured name, so that recordings match the same team elsewhere; agents made at run time have only a name. */
function nameOf({ world, step }: CallingStep): string {
  const agent = world.agents[step.agent]
  return agent?.configId ?? agent?.name ?? step.agent
}

/** How a call ended that gave no answer. */
export const outcomeOfFault = ({ code }: ModelError): ModelCall['outcome'] =>
  code === 'MODEL_ABORTED' ? 'cancelled' : code === 'MODEL_CUT' ? 'cut' : 'failed'

/** The record of a call. Unknown numbers are null, never 0. */
export function recordOf(
  run: CallingStep,
  prompt: PromptRef,
  result: CallResult,
  outcome: ModelCall['outcome'],
  error: string | null,
): ModelCall {
  const usage = result.ended ? result.usage : result.fault.details.usage
  return {
    id: run.newId(),
    attempt: run.attempt,
    model: run.model.name,
    modelVersion: result.ended ? result.modelVersion : null,
    ...(result.ended && result.fingerprint !== undefined ? { fingerprint: result.fingerprint } : {}),
    prompt,
    answer: result.text === '' ? null : wholeRefOf(result.text, run.bodies),
    ...(result.ended && result.calls.length > 0
      ? { calls: wholeRefOf(JSON.stringify(result.calls), run.bodies, 'application/json') }
      : {}),
    ...(result.ended && result.isObject ? { isObject: true } : {}),
    ...(result.reasoning === null ? {} : { reasoning: wholeRefOf(result.reasoning, run.bodies) }),
    outcome,
    error,
    promptTokens: usage?.promptTokens ?? null,
    completionTokens: usage?.completionTokens ?? null,
    estimated: usage?.estimated ?? false,
    costUsd: usage?.costUsd ?? null,
    ...(usage?.cachedTokens == null ? {} : { cachedTokens: usage.cachedTokens }),
    ...(usage?.reasoningTokens == null ? {} : { reasoningTokens: usage.reasoningTokens }),
    ...(result.leftOutTokens === 0 ? {} : { leftOutTokens: result.leftOutTokens }),
    ...(result.waitedMs < 1 ? {} : { waitedMs: result.waitedMs }),
    firstTokenMs: result.firstTokenMs,
    totalMs: result.totalMs,
    at: run.now,
  }
}
