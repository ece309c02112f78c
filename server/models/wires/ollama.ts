/** Ollama's own chat: one JSON object per line. No package is kept for it. */
import { fieldsIn } from '@/lib/json'
import { harmonyParts, harmonyText } from '@/lib/protocols/harmony/message'
import type { FunctionCall, Turn } from '../model'
import { endingOf } from '../response'
import { messageTexts } from '../response/parts'
import { tokenCount } from '../usage'
import { harmonyOf } from './harmonyTurns'
import { argumentsObject, argumentsText, bearer, type Piece, type Question, type StreamFrame, type Wire } from './wire'

/** Ollama's values for the reasoning effort: three levels and off. */
const THINK: Readonly<Record<string, string | false>> = {
  none: false,
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
}

export const ollamaWire: Wire = {
  headers: bearer,
  isPiece: (value) => 'message' in value || 'done' in value,
  list: { path: '/api/tags', names: namesInModels },
  async *ask(question, send) {
    let calls = 0
    for await (const piece of send({ path: '/api/chat', body: JSON.stringify(bodyOf(question)) })) {
      for (const call of callsIn(piece)) {
        calls += 1
        yield { call: { id: `call_${calls}`, ...call } }
      }
      yield frameOf(piece)
    }
  },
}

function bodyOf({ turns, settings, maxTokens, without, answer, functions, choice }: Question): Record<string, unknown> {
  const { extra, reasoningEffort, temperature } = settings
  return {
    ...extra,
    model: settings.model,
    messages: turns.map(messageOf),
    stream: true,
    ...(reasoningEffort === null || without.has('reasoningEffort') ? {} : { think: THINK[reasoningEffort] ?? true }),
    ...(answer === null ? {} : { format: answer.schema }),
    // It cannot be told to call one: without functions it calls none.
    ...(functions.length === 0 || choice === 'none' ? {} : { tools: functions.map(toolOf) }),
    options: {
      ...fieldsIn(extra.options),
      // Without it Ollama uses a small default context and drops what exceeds it without an error.
      num_ctx: settings.contextTokens,
      ...(temperature === null || without.has('temperature') ? {} : { temperature }),
      ...(maxTokens === null ? {} : { num_predict: maxTokens }),
    },
  }
}

const toolOf = ({ name, description, schema }: Question['functions'][number]) => ({
  type: 'function',
  function: { name, description, parameters: schema },
})

function namesInModels(value: unknown): string[] {
  const { models } = fieldsIn(value)
  const names = (Array.isArray(models) ? models : []).map((one) => fieldsIn(one).name)
  return names.filter((name): name is string => typeof name === 'string' && name !== '')
}

function callsIn({ value, text }: Piece): Omit<FunctionCall, 'id'>[] {
  const { tool_calls: calls } = fieldsIn(value.message)
  return (Array.isArray(calls) ? calls : []).flatMap((one) => {
    const { name, arguments: args } = fieldsIn(fieldsIn(one).function)
    return typeof name === 'string' ? [{ name, arguments: argumentsText(args, text, name) }] : []
  })
}

function frameOf({ value }: Piece): StreamFrame {
  const message = fieldsIn(value.message)
  const texts = messageTexts(message.content)
  const frame: StreamFrame = { text: texts.text, reasoning: texts.reasoning + messageTexts(message.thinking).text }
  if (typeof value.model === 'string') frame.version = value.model
  if (value.done === true) {
    // Older versions give no reason; `load` and `unload` answer no question.
    frame.ending = endingOf(value.done_reason) ?? { kind: 'stop', word: 'done' }
    frame.counted = { prompt: tokenCount(value.prompt_eval_count), completion: tokenCount(value.eval_count) }
  }
  return frame
}

/** Ollama takes pictures only: a sound is left out, and the text says so. */
function messageOf(turn: Turn): Record<string, unknown> {
  if (turn.role === 'tool') return { role: 'tool', tool_name: turn.name, content: turn.content }
  const message = harmonyOf(turn)
  const parts = harmonyParts(message)
  const images = parts.flatMap((part) =>
    part.type === 'image_url' ? [part.image_url.url.replace(/^data:[^,]*,/, '')] : [],
  )
  const sounds = parts.filter((part) => part.type === 'input_audio').length
  const text =
    sounds === 0 ? harmonyText(message) : `${harmonyText(message)}\n[${sounds} sounds that this model cannot hear]`
  const calls = turn.role === 'assistant' ? (turn.calls ?? []) : []
  return {
    role: message.role,
    content: text,
    ...(images.length > 0 ? { images } : {}),
    ...(calls.length > 0
      ? {
          tool_calls: calls.map(({ name, arguments: args }) => ({
            function: { name, arguments: argumentsObject(args) },
          })),
        }
      : {}),
  }
}
