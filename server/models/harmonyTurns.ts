/** Converts prompts to Harmony messages, from which both wire formats are built. */
import type { AudioPart, HarmonyMessage, HarmonyToolCall, ImagePart } from '@/lib/protocols/harmony/message'
import type { Media, Turn } from './model'

/** out: content as text alone, or as parts when the turn has pictures or sounds */
export function harmonyOf({ role, content, media }: Turn): HarmonyMessage {
  if (!media?.length) return { role, content }
  return { role, content: [{ type: 'text', text: content }, ...media.map(partOf)] }
}

function partOf({ kind, mime, base64, detail }: Media): ImagePart | AudioPart {
  if (kind === 'image') {
    const url = `data:${mime};base64,${base64}`
    return { type: 'image_url', image_url: detail === undefined ? { url } : { url, detail } }
  }
  return { type: 'input_audio', input_audio: { data: base64, format: /mpeg|mp3/.test(mime) ? 'mp3' : 'wav' } }
}

/** A tool call of any server; arguments given as an object are serialised. */
export function callOf(id: string, name: string, args: unknown): HarmonyToolCall {
  const text = typeof args === 'string' ? args : JSON.stringify(args ?? {})
  return { id, type: 'function', function: { name, arguments: text } }
}

/** Why the answer of a model that calls a tool is refused: none was offered. call: null: unknown */
export const unofferedCall = (call: HarmonyToolCall | null): string =>
  call === null
    ? 'the model wants to call a tool that it was not offered'
    : `the model wants to call a tool that it was not offered: ${call.function.name}(${call.function.arguments.slice(0, 200)})`
