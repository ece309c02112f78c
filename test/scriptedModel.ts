/** A model that says what a test wrote down. */
import { type Model, ModelError, type ModelPiece, type Turn } from '@/server/models/model'

/** A text is a whole answer. `length`: cut by the model's own limit. `broken`: the stream ends without its end. */
export type ScriptLine =
  | string
  | { text: string; finish: 'length' | 'broken' }
  /** The server gives the model's reasoning apart from the text. */
  | { text: string; reasoning: string }
  /** Held to the object that it is asked for; cutAt: its length limit ends it there. */
  | { object: Record<string, unknown>; cutAt?: number }
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
    async *call(turns, { signal, answer }): AsyncIterable<ModelPiece> {
      const line = lines[asked.length]
      const isObject = typeof line === 'object' && 'object' in line
      const says = isObject && answer ? `\n${answer.says}` : ''
      asked.push(turns.map((turn, at) => ({ ...turn, content: turn.content + (at === turns.length - 1 ? says : '') })))
      if (line === undefined) throw new Error(`the script has no line for call ${asked.length}`)
      if (typeof line === 'object' && 'fault' in line) throw line.fault
      if (typeof line === 'object' && 'hangs' in line) {
        await new Promise((_resolve, reject) => {
          const stop = (): void => reject(new ModelError('MODEL_ABORTED', 'stopped', false))
          if (signal.aborted) stop()
          else signal.addEventListener('abort', stop, { once: true })
        })
      }
      const text = textOf(line, turns)
      for (let at = 0; at < text.length; at += 24) yield { type: 'text', text: text.slice(at, at + 24) }
      if (typeof line === 'object' && 'finish' in line && line.finish === 'broken') return
      const characters = turns.reduce((sum, turn) => sum + turn.content.length, 0)
      yield {
        type: 'end',
        finish: isCut(line) ? 'length' : 'stop',
        modelVersion: 'scripted-1',
        ...(isObject ? { isObject } : {}),
        ...(typeof line === 'object' && 'reasoning' in line ? { reasoning: line.reasoning } : {}),
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

function textOf(line: ScriptLine, turns: Turn[]): string {
  if (typeof line === 'function') return line(turns)
  if (typeof line === 'string') return line
  return 'object' in line ? JSON.stringify(line.object).slice(0, line.cutAt) : 'text' in line ? line.text : ''
}

const isCut = (line: ScriptLine): boolean =>
  typeof line === 'object' &&
  (('finish' in line && line.finish === 'length') || ('cutAt' in line && line.cutAt !== undefined))
