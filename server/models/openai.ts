/** The wire format of OpenAI's chat completions, which many servers speak. */

import { z } from 'zod'
import type { StreamFrame, WireFormat } from './client'
import { harmonyOf, unofferedCall } from './harmonyTurns'
import { decodeEvents } from './lines'

const count = z.number().int().nonnegative().nullish().catch(null)

/** Only what is read; servers add fields of their own, and fill unused ones with null. */
const chunkShape = z.object({
  model: z.string().nullish(),
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.string().nullish(),
            refusal: z.string().nullish(),
            reasoning: z.unknown().optional(),
            reasoning_content: z.unknown().optional(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z
    .object({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_tokens_details: z.object({ cached_tokens: count }).nullish(),
    })
    .nullish(),
})
type Chunk = z.infer<typeof chunkShape>

export const openaiFormat: WireFormat = {
  path: '/chat/completions',
  question: (turns, settings, plain) => ({
    model: settings.model,
    messages: turns.map(harmonyOf),
    stream: true,
    ...(plain ? {} : { stream_options: { include_usage: true } }),
    ...(settings.temperature === null ? {} : { temperature: settings.temperature }),
  }),
  frames: decodeEvents,
  read(frame) {
    if (frame.trim() === '[DONE]') return 'done'
    const json = parsed(frame)
    if (json === undefined) return null
    if (typeof json === 'object' && json !== null && 'error' in json && json.error) return { fault: frame }
    const chunk = chunkShape.safeParse(json)
    return chunk.success ? frameOf(chunk.data) : null
  },
  wantsPlain: (body) => body.includes('stream_options'),
}

function frameOf({ model, choices, usage }: Chunk): StreamFrame {
  const frame: StreamFrame = {}
  const choice = choices?.[0]
  const delta = choice?.delta
  if (delta?.content) frame.text = delta.content
  if (delta?.reasoning || delta?.reasoning_content) frame.isAlive = true
  if (delta?.refusal) frame.refused = 'the model refuses to answer'
  if (choice?.finish_reason) Object.assign(frame, endingOf(choice.finish_reason))
  if (usage) {
    frame.counted = {
      prompt: usage.prompt_tokens ?? null,
      completion: usage.completion_tokens ?? null,
      cached: usage.prompt_tokens_details?.cached_tokens ?? null,
    }
  }
  if (model) frame.version = model
  return frame
}

function endingOf(reason: string): StreamFrame {
  if (reason === 'length') return { finish: 'length' }
  if (reason === 'content_filter') return { refused: "the server's content filter ended the answer" }
  if (reason === 'tool_calls' || reason === 'function_call') {
    return { refused: unofferedCall(null) }
  }
  return { finish: 'stop' }
}

/** undefined when it is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) ?? null
  } catch {
    return undefined
  }
}
