/** Anthropic's messages. */
import { fieldsIn, own } from '@/lib/json'
import { endingOf } from '../response'
import { countedIn, known } from '../usage'
import { byPackage, type Taken } from './byPackage'
import { argumentsText, namesInData, type Piece, type Question, type StreamFrame } from './wire'

const VERSION = '2023-06-01'

/** Events of others, and of later versions, which the package does not know. */
const EVENTS = [
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'ping',
]

export const anthropicWire = byPackage({
  headers: (key) => ({ 'anthropic-version': VERSION, ...(key === null ? {} : { 'x-api-key': key }) }),
  isPiece: ({ type, content }) => typeof type === 'string' && (EVENTS.includes(type) || isMessage(type, content)),
  list: { path: '/models?limit=1000', names: namesInData },
  open: async ({ settings }, { baseURL, fetch }) =>
    (await import('@ai-sdk/anthropic')).createAnthropic({ baseURL, fetch, apiKey: 'added later' })(settings.model),
  options: ({ settings, without, answer }) => ({
    anthropic: {
      // Arguments come checked by the server, and gateways need not know the field.
      toolStreaming: false,
      ...thinkingOf(settings.reasoningEffort, without),
      ...(answer === null ? {} : { structuredOutputMode: 'outputFormat' as const }),
    },
  }),
  reader: () => readPiece,
  takesText: false,
  cached: { anthropic: { cacheControl: { type: 'ephemeral' } } },
})

/** Anthropic's own words for the effort: five levels, and thinking that is off. */
const EFFORTS: Readonly<Record<string, string>> = {
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'xhigh',
  max: 'max',
}

function thinkingOf(effort: string | null, without: Question['without']) {
  if (effort === null || without.has('reasoningEffort')) return {}
  if (effort === 'none') return { thinking: { type: 'disabled' as const } }
  return { thinking: { type: 'adaptive' as const }, effort: EFFORTS[effort] ?? 'high' }
}

const isMessage = (type: string, content: unknown): boolean =>
  type === 'message' && (typeof content === 'string' || Array.isArray(content))

function readPiece({ value, text }: Piece): Taken {
  const isWhole = value.type === 'message'
  const events = isWhole ? eventsOf(value, text) : [value]
  const { stop_reason: reason } = fieldsIn(isWhole ? value : value.type === 'message_delta' ? value.delta : undefined)
  const ending = endingOf(reason)
  const frame: StreamFrame = isWhole ? { isWhole } : {}
  const counted = value.type === 'message_start' ? promptIn(fieldsIn(value.message).usage) : countedIn(value.usage)
  if (counted !== null) frame.counted = counted
  return { pass: events.map(neededOf).filter((event) => event !== null), frame, ending }
}

/** What the first piece says of the answer is not its end. */
function promptIn(usage: unknown) {
  const { completion: _, ...counted } = countedIn(usage) ?? {}
  return known(counted)
}

/** What a server that ignores `stream` answers with, as the events that it would have sent. */
function eventsOf(message: Record<string, unknown>, text: string): Record<string, unknown>[] {
  const { content, stop_reason: reason } = message
  const blocks = Array.isArray(content) ? content.map(fieldsIn) : [{ type: 'text', text: content }]
  return [
    { type: 'message_start', message },
    ...blocks.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: { ...block, text: '', thinking: '', input: {} } },
      ...deltasOf(block, text).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: reason } },
    { type: 'message_stop' },
  ]
}

function deltasOf(block: Record<string, unknown>, text: string): Record<string, unknown>[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text_delta', text: block.text }]
    case 'thinking':
      return [
        { type: 'thinking_delta', thinking: block.thinking },
        { type: 'signature_delta', signature: block.signature },
      ]
    case 'tool_use':
      return [{ type: 'input_json_delta', partial_json: argumentsText(block.input, text, String(block.name)) }]
    default:
      return []
  }
}

/** Of a block, and of a piece of one: the fields that are texts. */
const BLOCKS: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  thinking: ['thinking'],
  tool_use: ['id', 'name'],
  redacted_thinking: ['data'],
}
const DELTAS: Readonly<Record<string, readonly string[]>> = {
  text_delta: ['text'],
  thinking_delta: ['thinking'],
  signature_delta: ['signature'],
  input_json_delta: ['partial_json'],
}

/**
 * An event as the package reads it; one of a kind that is not known is left to it, and breaks the answer: it may hold a part of it.
 *
 * out     null: it says nothing of the answer
 */
function neededOf(event: Record<string, unknown>): Record<string, unknown> | null {
  const { type, index } = event
  switch (type) {
    case 'message_start': {
      const { id, model } = fieldsIn(event.message)
      const message = { id: typeof id === 'string' ? id : null, model: typeof model === 'string' ? model : null }
      return { type, message: { ...message, usage: { input_tokens: 0 } } }
    }
    case 'content_block_start': {
      const block = textsOf(event.content_block, BLOCKS)
      return {
        type,
        index,
        content_block: block?.type === 'tool_use' ? { ...block, input: {} } : (block ?? event.content_block),
      }
    }
    case 'content_block_delta': {
      const isSource = fieldsIn(event.delta).type === 'citations_delta'
      return isSource ? null : { type, index, delta: textsOf(event.delta, DELTAS) ?? event.delta }
    }
    case 'message_delta': {
      const { stop_reason: reason } = fieldsIn(event.delta)
      return { type, delta: { stop_reason: typeof reason === 'string' ? reason : null }, usage: { output_tokens: 0 } }
    }
    case 'content_block_stop':
      return { type, index }
    default:
      return { type }
  }
}

function textsOf(given: unknown, kinds: Readonly<Record<string, readonly string[]>>): Record<string, unknown> | null {
  const fields = fieldsIn(given)
  const names = typeof fields.type === 'string' ? own(kinds, fields.type) : undefined
  if (names === undefined) return null
  const texts = names.map((name) => [name, typeof fields[name] === 'string' ? fields[name] : ''])
  return { type: fields.type, ...Object.fromEntries(texts) }
}
