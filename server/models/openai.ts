/** The wire format of OpenAI's chat completions, which many servers speak. */
import { z } from 'zod'
import { jsonValueOf } from '@/lib/json'
import type { StreamFrame, WireFormat } from './client'
import { harmonyOf, unofferedCall } from './harmonyTurns'
import { decodeEvents } from './lines'
import type { ObjectAnswer } from './model'
import type { Counted } from './usage'

const count = z.number().int().nonnegative().nullish().catch(null)

/** The fields that are read. Servers add others and set unused ones to null. */
const chunkShape = z.object({
  model: z.string().nullish(),
  system_fingerprint: z.string().max(200).nullish().catch(null),
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.string().nullish(),
            refusal: z.string().nullish(),
            /** Two names of the same field; some servers send both. */
            reasoning: z.string().nullish().catch(null),
            reasoning_content: z.string().nullish().catch(null),
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
      total_tokens: count,
      prompt_tokens_details: z.object({ cached_tokens: count }).nullish().catch(null),
      /** DeepSeek's name of the field above. */
      prompt_cache_hit_tokens: count,
      completion_tokens_details: z.object({ reasoning_tokens: count }).nullish().catch(null),
    })
    .nullish(),
})
type Chunk = z.infer<typeof chunkShape>

export const openaiFormat: WireFormat = {
  path: '/chat/completions',
  question: ({ turns, settings, maxTokens, speaks, answer }) => ({
    ...settings.extra,
    model: settings.model,
    messages: turns.map(harmonyOf),
    stream: true,
    ...(speaks.has('noStreamOptions') ? {} : { stream_options: { include_usage: true } }),
    ...(settings.temperature === null ? {} : { temperature: settings.temperature }),
    ...(settings.reasoningEffort === null ? {} : { reasoning_effort: settings.reasoningEffort }),
    ...(maxTokens === null
      ? {}
      : { [speaks.has('maxCompletionTokens') ? 'max_completion_tokens' : 'max_tokens']: maxTokens }),
    ...(answer === null ? {} : { response_format: { type: 'json_schema', json_schema: formatOf(answer) } }),
  }),
  frames: decodeEvents,
  read(frame) {
    if (frame.trim() === '[DONE]') return 'done'
    const json = jsonValueOf(frame)
    if (json === undefined) return null
    if (typeof json === 'object' && json !== null && 'error' in json && json.error) return { fault: frame }
    const chunk = chunkShape.safeParse(json)
    return chunk.success ? frameOf(chunk.data) : null
  },
  dialectOf(body) {
    if (body.includes('stream_options')) return 'noStreamOptions'
    return body.includes('max_completion_tokens') ? 'maxCompletionTokens' : null
  },
}

const formatOf = ({ name, schema, isStrict }: ObjectAnswer) => ({ name, schema, strict: isStrict })

function frameOf({ model, system_fingerprint: fingerprint, choices, usage }: Chunk): StreamFrame {
  const frame: StreamFrame = {}
  const choice = choices?.[0]
  const delta = choice?.delta
  if (delta?.content) frame.text = delta.content
  const reasoning = delta?.reasoning_content || delta?.reasoning
  if (reasoning) frame.reasoning = reasoning
  if (delta?.refusal) frame.refused = 'the model refuses to answer'
  if (choice?.finish_reason) Object.assign(frame, endingOf(choice.finish_reason))
  if (usage) frame.counted = countedIn(usage)
  if (model) frame.version = model
  if (fingerprint) frame.fingerprint = fingerprint
  return frame
}

function countedIn(usage: NonNullable<Chunk['usage']>): Counted {
  const prompt = usage.prompt_tokens ?? null
  const total = usage.total_tokens ?? null
  const said = usage.completion_tokens ?? null
  // Some servers do not count the reasoning in the completion; only the total includes it.
  const completion = prompt && total ? Math.max(said ?? 0, total - prompt) : said
  return {
    prompt,
    completion,
    cached: usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? null,
    reasoning: usage.completion_tokens_details?.reasoning_tokens ?? null,
  }
}

function endingOf(reason: string): StreamFrame {
  if (reason === 'length') return { finish: 'length' }
  if (reason === 'content_filter') return { refused: "the server's content filter ended the answer" }
  if (reason === 'tool_calls' || reason === 'function_call') {
    return { refused: unofferedCall(null) }
  }
  return { finish: 'stop' }
}
