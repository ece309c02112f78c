/** Harmony messages: one ordered list of everything. Loose objects, so that unknown keys are preserved. */
import * as z from 'zod/mini'
import { Name } from '../fields'
import { CitationMap } from './citation'

/** Long base64, or a NUL: bytes that need a part of their own, or an address. */
const BASE64 = /data:[\w.+-]+\/[\w.+-]+;base64,[A-Za-z0-9+/]{64}/
const Text = z.string().check(
  z.refine((text) => !BASE64.test(text) && !text.includes('\0'), {
    error: 'bytes do not belong into a text; send a part or an address',
  }),
)

/** A text for other systems: embedded bytes are replaced by their names. */
export const withoutBytes = (text: string): string =>
  text.replaceAll(/data:([\w.+-]+\/[\w.+-]+);base64,[A-Za-z0-9+/=]{64,}/g, '[$1]').replaceAll('\0', '\uFFFD')

const TextPart = z.looseObject({ type: z.literal('text'), text: Text, index: z.optional(z.int()) })

const VideoMetadata = z.looseObject({
  video_id: z.optional(Name),
  timestamp_sec: z.number().check(z.nonnegative()),
  frame_index: z.optional(z.int().check(z.nonnegative())),
})
export const ImagePart = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.looseObject({
    /** https, or data: with base64 for content without an address. */
    url: z.string().check(z.minLength(1)),
    detail: z.optional(z.enum(['low', 'high', 'auto'])),
    rotation: z.optional(z.number()),
  }),
  /** The video of which this picture is a frame. */
  video_metadata: z.optional(VideoMetadata),
})
export const AudioPart = z.looseObject({
  type: z.literal('input_audio'),
  input_audio: z.looseObject({
    /** base64 */
    data: z.string().check(z.minLength(1)),
    format: Name,
    sample_rate: z.optional(z.number().check(z.positive())),
  }),
  /** The video of which this is the sound. */
  video_metadata: z.optional(VideoMetadata),
})
export const HarmonyPart = z.discriminatedUnion('type', [TextPart, ImagePart, AudioPart])
export type HarmonyPart = z.infer<typeof HarmonyPart>
export type ImagePart = z.infer<typeof ImagePart>
export type AudioPart = z.infer<typeof AudioPart>

export const HarmonyToolCall = z.looseObject({
  id: Name,
  type: z.literal('function'),
  function: z.looseObject({
    name: Name,
    /** JSON as text, not an object. */
    arguments: z.string(),
  }),
})
export type HarmonyToolCall = z.infer<typeof HarmonyToolCall>

export const HarmonyMetadata = z.looseObject({
  token_usage: z.optional(
    z.looseObject({
      prompt_tokens: z.optional(z.number()),
      completion_tokens: z.optional(z.number()),
      total_cost_usd: z.optional(z.number()),
    }),
  ),
  /** ttft: milliseconds to the first token; total_time: to the last. */
  latency_ms: z.optional(z.looseObject({ ttft: z.optional(z.number()), total_time: z.optional(z.number()) })),
  model_version: z.optional(z.string()),
  system_fingerprint: z.optional(z.string()),
  session_id: z.optional(z.string()),
  trace_id: z.optional(z.string()),
  safety_check: z.optional(z.looseObject({ flagged: z.boolean(), categories: z.array(z.string()) })),
  citation_map: z.optional(CitationMap),
})
export type HarmonyMetadata = z.infer<typeof HarmonyMetadata>

const common = {
  id: z.optional(Name),
  /** The speaker; required when several agents speak. */
  name: z.optional(Name),
  /** Unix seconds. */
  created_at: z.optional(z.number().check(z.nonnegative())),
  metadata: z.optional(HarmonyMetadata),
}
const Parts = z.array(HarmonyPart)
/** A plain text is allowed everywhere, as in the protocol's samples. */
const Content = z.union([Text, Parts])

export const HarmonyMessage = z.discriminatedUnion('role', [
  z.looseObject({ ...common, role: z.literal('system'), content: Content }),
  z.looseObject({ ...common, role: z.literal('user'), content: Content }),
  z.looseObject({
    ...common,
    role: z.literal('assistant'),
    content: z.optional(z.nullable(Content)),
    tool_calls: z.optional(z.array(HarmonyToolCall)),
  }),
  z.looseObject({ ...common, role: z.literal('tool'), tool_call_id: Name, content: Content }),
])
export type HarmonyMessage = z.infer<typeof HarmonyMessage>
export const HarmonyMessages = z.array(HarmonyMessage)

/** A violation in a list of well-formed messages. */
type ListProblem = {
  /** Index in the list, from 0. */
  at: number
  code: 'unknown_call' | 'call_answered_twice' | 'call_unanswered' | 'id_twice' | 'name_missing'
  message: string
}

/**
 * in      well-formed messages in order; speakers: the number of agents in this conversation
 * out     [] when every tool message answers an earlier call, every call is answered once and immediately, ids are unique, and
 *         each speaker has a name where there are several
 */
export function listProblems(messages: readonly HarmonyMessage[], speakers = 1): ListProblem[] {
  const problems: ListProblem[] = []
  const ids = new Set<string>()
  const made = new Set<string>()
  const answered = new Set<string>()
  /** Calls of the preceding assistant message without an answer so far. */
  let open = new Set<string>()
  const unanswered = (at: number): void => {
    for (const id of open) problems.push({ at, code: 'call_unanswered', message: `tool call ${id} got no answer` })
    open = new Set()
  }
  for (const [at, message] of messages.entries()) {
    if (message.id !== undefined) {
      if (ids.has(message.id)) problems.push({ at, code: 'id_twice', message: `id ${message.id} stands twice` })
      ids.add(message.id)
    }
    if (message.role === 'tool') {
      const id = message.tool_call_id
      if (!made.has(id)) problems.push({ at, code: 'unknown_call', message: `no call before has the id ${id}` })
      else if (answered.has(id))
        problems.push({ at, code: 'call_answered_twice', message: `call ${id} has its answer` })
      answered.add(id)
      open.delete(id)
      continue
    }
    unanswered(at)
    if (message.role !== 'assistant') continue
    if (speakers > 1 && message.name === undefined) {
      problems.push({ at, code: 'name_missing', message: 'several agents speak here, and this message names none' })
    }
    for (const { id } of message.tool_calls ?? []) {
      made.add(id)
      open.add(id)
    }
  }
  unanswered(messages.length)
  return problems
}

/** The part at an address, `<message id>#<index from 0>`; null: none. A plain text is part 0. */
export function harmonyPartAt(message: HarmonyMessage, address: string): HarmonyPart | null {
  if (message.id === undefined || !address.startsWith(`${message.id}#`)) return null
  const place = address.slice(message.id.length + 1)
  return /^\d{1,6}$/.test(place) ? (harmonyParts(message)[Number(place)] ?? null) : null
}

/** The content as parts, in either form. */
export function harmonyParts({ content }: Pick<HarmonyMessage, 'content'>): readonly HarmonyPart[] {
  if (content === null || content === undefined) return []
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

/** All texts of a message, joined by line breaks. */
export function harmonyText(message: Pick<HarmonyMessage, 'content'>): string {
  return harmonyParts(message)
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n')
}

const HALT_REASON = 'human_confirmation_required'

/** results: the tool's result as JSON text. */
export function toolSuccess(results: unknown): string {
  return JSON.stringify({ status: 'success', results })
}

/** errorType: a CamelCase name for programs; message: what to do differently. */
export function toolError(errorType: string, message: string): string {
  return JSON.stringify({ status: 'error', error_type: errorType, message })
}

/** The tool has not run yet: a person decides first. */
export function toolHalted(message: string): string {
  return JSON.stringify({ status: 'halted', reason: HALT_REASON, message })
}
