/** The wire format of Ollama's own chat: one JSON object per line. */
import { fieldsIn } from '@/lib/json'
import { harmonyParts, harmonyText } from '@/lib/protocols/harmony/message'
import { bearer, type StreamFrame, type WireFormat } from './client'
import { callOf, harmonyOf, unofferedCall } from './harmonyTurns'
import type { Turn } from './model'
import { endingOf } from './response'
import { messageTexts } from './response/parts'
import { tokenCount } from './usage'

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

export const ollamaFormat: WireFormat = {
  path: '/api/chat',
  question: ({ turns, settings, maxTokens, without, answer }) => ({
    ...settings.extra,
    model: settings.model,
    messages: turns.map(messageOf),
    stream: true,
    ...(settings.reasoningEffort === null || without.has('reasoningEffort')
      ? {}
      : { think: THINK[settings.reasoningEffort] ?? true }),
    ...(answer === null ? {} : { format: answer.schema }),
    options: {
      ...(typeof settings.extra.options === 'object' ? settings.extra.options : {}),
      // Without it Ollama uses a small default context and drops what exceeds it without an error.
      num_ctx: settings.contextTokens,
      ...(settings.temperature === null || without.has('temperature') ? {} : { temperature: settings.temperature }),
      ...(maxTokens === null ? {} : { num_predict: maxTokens }),
    },
  }),
  headers: bearer,
  read(value) {
    if (!('message' in value) && !('done' in value)) return null
    const message = fieldsIn(value.message)
    const texts = messageTexts(message.content)
    const frame: StreamFrame = { text: texts.text, reasoning: texts.reasoning + messageTexts(message.thinking).text }
    const [called] = Array.isArray(message.tool_calls) ? message.tool_calls.map((one) => fieldsIn(one).function) : []
    const call = fieldsIn(called)
    if (typeof call.name === 'string') frame.refused = unofferedCall(callOf('call_0', call.name, call.arguments))
    if (typeof value.model === 'string') frame.version = value.model
    if (value.done === true) {
      // Older versions give no reason; `load` and `unload` answer no question.
      frame.ending = endingOf(value.done_reason) ?? { kind: 'stop', word: 'done' }
      frame.counted = { prompt: tokenCount(value.prompt_eval_count), completion: tokenCount(value.eval_count) }
    }
    return frame
  },
}

/** Ollama takes pictures only: a sound is left out, and the text says so. */
function messageOf(turn: Turn): Record<string, unknown> {
  const message = harmonyOf(turn)
  const parts = harmonyParts(message)
  const images = parts.flatMap((part) =>
    part.type === 'image_url' ? [part.image_url.url.replace(/^data:[^,]*,/, '')] : [],
  )
  const sounds = parts.filter((part) => part.type === 'input_audio').length
  const text =
    sounds === 0 ? harmonyText(message) : `${harmonyText(message)}\n[${sounds} sounds that this model cannot hear]`
  return { role: message.role, content: text, ...(images.length > 0 ? { images } : {}) }
}
