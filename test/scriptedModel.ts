/** A model that says what a test wrote down. */

import { type Model, ModelError, type ModelPiece, type Turn } from '@/server/models/model'

/** A text is a whole answer. `length`: cut by the model's own limit. `broken`: the stream ends without its end. */
export type ScriptLine =
  | string
  | { text: string; finish: 'length' | 'broken' }
  | { fault: ModelError }
  /** Waits until the call is aborted. */
  | { hangs: true }
  | ((turns: Turn[]) => string)

export type ScriptedModel = Model & { readonly asked: Turn[][] }

/**
 * in      the lines, one per call; more calls than lines is an error of the test
 * out     a model that keeps the turns of every call in `asked`
 */
export function scriptedModel(lines: ScriptLine[], contextTokens = 32_000): ScriptedModel {
  const asked: Turn[][] = []
  return {
    name: 'scripted',
    provider: 'scripted',
    contextTokens,
    asked,
    async *call(turns, { signal }): AsyncIterable<ModelPiece> {
      const line = lines[asked.length]
      asked.push(turns.map((turn) => ({ ...turn })))
      if (line === undefined) throw new Error(`the script has no line for call ${asked.length}`)
      if (typeof line === 'object' && 'fault' in line) throw line.fault
      if (typeof line === 'object' && 'hangs' in line) {
        await new Promise((_resolve, reject) => {
          const stop = (): void => reject(new ModelError('MODEL_ABORTED', 'stopped', false))
          if (signal.aborted) stop()
          else signal.addEventListener('abort', stop, { once: true })
        })
      }
      const text =
        typeof line === 'function' ? line(turns) : typeof line === 'string' ? line : 'text' in line ? line.text : ''
      for (let at = 0; at < text.length; at += 24) yield { type: 'text', text: text.slice(at, at + 24) }
      if (typeof line === 'object' && 'finish' in line && line.finish === 'broken') return
      const characters = turns.reduce((sum, turn) => sum + turn.content.length, 0)
      yield {
        type: 'end',
        finish: typeof line === 'object' && 'finish' in line && line.finish === 'length' ? 'length' : 'stop',
        modelVersion: 'scripted-1',
        usage: {
          promptTokens: Math.ceil(characters / 4),
          completionTokens: Math.ceil(text.length / 4),
          estimated: true,
          costUsd: 0,
        },
      }
    },
  }
}
