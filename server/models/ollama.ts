/** The wire format of Ollama's own chat: one JSON object per line. */
import { z } from 'zod'
import { jsonValueOf } from '@/lib/json'
import { harmonyParts, harmonyText } from '@/lib/protocols/harmony/message'
import type { StreamFrame, WireFormat } from './client'
import { callOf, harmonyOf, unofferedCall } from './harmonyTurns'
import type { Turn } from './model'
import { NOT_COUNTED } from './usage'

const count = z.number().int().nonnegative().nullish().catch(null)

const lineShape = z.object({
  model: z.string().nullish(),
  message: z
    .object({
      content: z.string().nullish(),
      thinking: z.string().nullish(),
      tool_calls: z
        .array(z.object({ function: z.object({ name: z.string(), arguments: z.unknown() }) }))
        .nullish()
        .catch(null),
    })
    .nullish(),
  done: z.boolean().nullish(),
  done_reason: z.string().nullish(),
  prompt_eval_count: count,
  eval_count: count,
  error: z.string().nullish(),
})

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
  question: ({ turns, settings, maxTokens, answer }) => ({
    ...settings.extra,
    model: settings.model,
    messages: turns.map(messageOf),
    stream: true,
    ...(settings.reasoningEffort === null ? {} : { think: THINK[settings.reasoningEffort] ?? true }),
    ...(answer === null ? {} : { format: answer.schema }),
    options: {
      ...(typeof settings.extra.options === 'object' ? settings.extra.options : {}),
      // Without it Ollama uses a small default context and drops what exceeds it without an error.
      num_ctx: settings.contextTokens,
      ...(settings.temperature === null ? {} : { temperature: settings.temperature }),
      ...(maxTokens === null ? {} : { num_predict: maxTokens }),
    },
  }),
  async *frames(lines) {
    for await (const line of lines) if (line.trim() !== '') yield line
  },
  read(line) {
    const found = lineShape.safeParse(jsonValueOf(line))
    if (!found.success) return null
    const { model, message, done, done_reason, prompt_eval_count, eval_count, error } = found.data
    if (error) return { fault: line }
    const frame: StreamFrame = {}
    if (message?.content) frame.text = message.content
    if (message?.thinking) frame.reasoning = message.thinking
    const [called] = message?.tool_calls ?? []
    if (called) frame.refused = unofferedCall(callOf('call_0', called.function.name, called.function.arguments))
    if (model) frame.version = model
    if (done) {
      frame.finish = done_reason === 'length' ? 'length' : 'stop'
      frame.counted = { ...NOT_COUNTED, prompt: prompt_eval_count ?? null, completion: eval_count ?? null }
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
