/** The rehearsal: a rule-based model for newcomers, tests and load. */
import { type Model, type ModelPiece, type ModelUsage, stopped, type Turn } from '../model'
import { answer } from './answer'

export { answer } from './answer'

export const REHEARSAL_VERSION = 'rehearsal-1'
const PIECE_CHARACTERS = 24
const CHARACTERS_PER_TOKEN = 4

/** Rejects with `stopped()` when the signal ends it. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

/**
 * out     pieces of 24 characters that may split any tag; usage estimated at 4 characters a token; cost 0
 * faults  MODEL_PROMPT for a prompt that it cannot read, MODEL_ABORTED when stopped
 */
export function rehearsalModel(options: { name: string; contextTokens: number; delayMs: number; sleep: Sleep }): Model {
  return {
    name: options.name,
    provider: 'rehearsal',
    contextTokens: options.contextTokens,
    async *call(turns, { signal }): AsyncGenerator<ModelPiece> {
      const text = answer(turns)
      for (const piece of piecesOf(text)) {
        if (options.delayMs > 0) await options.sleep(options.delayMs, signal)
        if (signal.aborted) throw stopped()
        yield { type: 'text', text: piece }
      }
      yield { type: 'end', usage: usageOf(turns, text), modelVersion: REHEARSAL_VERSION, finish: 'stop' }
    },
  }
}

/** Splits by code point, so that no surrogate pair is cut. */
function piecesOf(text: string): string[] {
  const points = Array.from(text)
  return Array.from({ length: Math.ceil(points.length / PIECE_CHARACTERS) }, (_, at) =>
    points.slice(at * PIECE_CHARACTERS, (at + 1) * PIECE_CHARACTERS).join(''),
  )
}

function usageOf(turns: readonly Turn[], text: string): ModelUsage {
  const prompt = turns.reduce((sum, turn) => sum + turn.content.length, 0)
  return {
    promptTokens: Math.ceil(prompt / CHARACTERS_PER_TOKEN),
    completionTokens: Math.ceil(text.length / CHARACTERS_PER_TOKEN),
    estimated: true,
    costUsd: 0,
  }
}
