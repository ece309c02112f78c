/** The wire format of OpenAI's chat completions, which many servers speak. */
import { fieldsIn } from '@/lib/json'
import { bearer, type StreamFrame, type WireFormat } from './client'
import { harmonyOf } from './harmonyTurns'
import type { ObjectAnswer } from './model'
import { endingIn, errorIn } from './response'
import { messageTexts } from './response/parts'
import { type Counted, tokenCount } from './usage'

export const openaiFormat: WireFormat = {
  path: '/chat/completions',
  question: ({ turns, settings, maxTokens, without, answer }) => ({
    ...settings.extra,
    model: settings.model,
    messages: turns.map(harmonyOf),
    stream: true,
    ...(without.has('streamOptions') ? {} : { stream_options: { include_usage: true } }),
    ...(settings.temperature === null || without.has('temperature') ? {} : { temperature: settings.temperature }),
    ...(settings.reasoningEffort === null || without.has('reasoningEffort')
      ? {}
      : { reasoning_effort: settings.reasoningEffort }),
    ...(maxTokens === null ? {} : { [without.has('maxTokens') ? 'max_completion_tokens' : 'max_tokens']: maxTokens }),
    ...(answer === null ? {} : { response_format: { type: 'json_schema', json_schema: formatOf(answer) } }),
  }),
  headers: bearer,
  read(value) {
    if (!('choices' in value) && !('usage' in value)) return null
    const choice = firstChoice(value.choices)
    const frame: StreamFrame = {}
    if (choice.error) frame.error = errorIn(choice.error)
    const ending = endingIn(choice)
    if (ending !== null) frame.ending = ending
    readMessage(choice, frame)
    const counted = countedIn(value.usage ?? choice.usage ?? fieldsIn(value.x_groq).usage)
    if (counted !== null) frame.counted = counted
    if (typeof value.model === 'string') frame.version = value.model
    const { system_fingerprint: fingerprint } = value
    if (typeof fingerprint === 'string' && fingerprint.length <= 200) frame.fingerprint = fingerprint
    return frame
  },
}

const formatOf = ({ name, schema, isStrict }: ObjectAnswer) => ({ name, schema, strict: isStrict })

/** Only the first answer is asked for; one without a number is it. */
function firstChoice(choices: unknown): Record<string, unknown> {
  const all = Array.isArray(choices) ? choices.map(fieldsIn) : []
  return all.find(({ index }) => Number(index ?? 0) === 0) ?? {}
}

/** A piece is a `delta`; a server that does not stream gives the whole `message`, and one of completions `text`. */
function readMessage(choice: Record<string, unknown>, frame: StreamFrame): void {
  const isPiece = choice.delta !== undefined && choice.delta !== null
  const message = fieldsIn(isPiece ? choice.delta : choice.message)
  const texts = messageTexts(message.content ?? (isPiece ? undefined : choice.text))
  // Names of the same field; some servers send several.
  const reasoning = [message.reasoning_content, message.reasoning, message.reasoning_details]
    .map((one) => (typeof one === 'string' || Array.isArray(one) ? messageTexts(one) : null))
    .map((one) => one && one.reasoning + one.text)
    .find(Boolean)
  if (isPiece) frame.text = texts.text
  else if ((choice.message ?? choice.text ?? null) !== null) frame.whole = texts.text
  frame.reasoning = texts.reasoning + (reasoning ?? '')
  frame.refusal = texts.refusal + messageTexts(message.refusal).text
}

/** null: the server counts nothing, or in no way that is known. */
function countedIn(usage: unknown): Partial<Counted> | null {
  const fields = fieldsIn(usage)
  const prompt = tokenCount(fields.prompt_tokens) ?? tokenCount(fields.input_tokens)
  const total = tokenCount(fields.total_tokens)
  const said = tokenCount(fields.completion_tokens) ?? tokenCount(fields.output_tokens)
  const inputDetails = fieldsIn(fields.prompt_tokens_details ?? fields.input_tokens_details)
  const outputDetails = fieldsIn(fields.completion_tokens_details ?? fields.output_tokens_details)
  // Some servers do not count the reasoning in the completion; only the total includes it.
  const completion = prompt && total ? Math.max(said ?? 0, total - prompt) : said
  const counted = {
    prompt,
    completion,
    // The second is DeepSeek's name of the first.
    cached: tokenCount(inputDetails.cached_tokens) ?? tokenCount(fields.prompt_cache_hit_tokens),
    reasoning: tokenCount(outputDetails.reasoning_tokens),
  }
  return Object.values(counted).every((count) => count === null) ? null : counted
}
