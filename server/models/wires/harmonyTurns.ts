/** Converts turns to Harmony messages, which are those of chat completions. */
import type { AudioPart, HarmonyMessage, ImagePart } from '@/lib/protocols/harmony/message'
import type { Media, Turn } from '../model'

/** out: content as text alone, or as parts when the turn has pictures or sounds */
export function harmonyOf(turn: Turn): HarmonyMessage {
  const { role, content, media } = turn
  if (role === 'tool') return { role, content, tool_call_id: turn.call, name: turn.name }
  if (role === 'assistant' && turn.calls?.length) return { role, content, tool_calls: turn.calls.map(callOf) }
  if (!media?.length) return { role, content }
  return { role, content: [{ type: 'text', text: content }, ...media.map(partOf)] }
}

const callOf = ({ id, name, arguments: args }: { id: string; name: string; arguments: string }) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: args },
})

function partOf({ kind, mime, base64, detail }: Media): ImagePart | AudioPart {
  if (kind === 'image') {
    const url = `data:${mime};base64,${base64}`
    return { type: 'image_url', image_url: detail === undefined ? { url } : { url, detail } }
  }
  return { type: 'input_audio', input_audio: { data: base64, format: /mpeg|mp3/.test(mime) ? 'mp3' : 'wav' } }
}
