/** Anthropic's messages. */
import { fieldsIn } from '@/lib/json'
import { endingOf } from '../response'
import { byPackage, type Taken } from './byPackage'
import { namesInData, type Question } from './wire'

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
  isPiece: ({ type }) => typeof type === 'string' && EVENTS.includes(type),
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
  reader:
    () =>
    ({ value }): Taken => ({
      pass: value,
      ending: value.type === 'message_delta' ? endingOf(fieldsIn(value.delta).stop_reason) : null,
    }),
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
