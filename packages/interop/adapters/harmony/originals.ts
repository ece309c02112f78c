/** Imported messages: the original, and its representation in the chat. */

import type { ImportedRecord, MessageRecord } from '@/lib/mas/records'
import { type HarmonyMessage, type HarmonyPart, harmonyParts } from '@/lib/protocols/harmony/message'
import { bodyText } from '@/server/shared/bodyText'
import type { Store } from '@/server/store'
import type { MampPart } from '../../protocols/mamp/message'
import { type CachedCopies, copiedAt, withCopies } from './cachedCopies'
import type { MediaAddress } from './media'

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+);base64,([A-Za-z0-9+/=\s]*)$/
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/

/** The original message; a copied picture has our address beside its first one. */
export async function originalOf(
  { id, attachments }: MessageRecord,
  { body }: ImportedRecord,
  bodies: Pick<Store['bodies'], 'get'>,
  address: MediaAddress,
): Promise<unknown> {
  const kept = await bodyText(bodies, body)
  if (kept === null) return { role: 'system', content: 'This message is not kept any more.' }
  const original: unknown = JSON.parse(kept)
  return withCopies(original, attachments, (at) => address(id, at))
}

/** The representation in the chat: texts, then tool calls, and files. out: parts for the text and the attachments of our message */
export function shownParts(message: HarmonyMessage, at: number, copies: CachedCopies): MampPart[] {
  const parts = harmonyParts(message).map((part, index) => shownPart(part, index, copiedAt(copies, at, index)))
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : []
  return [
    ...parts,
    ...calls.map(
      (call): MampPart => ({
        type: 'code',
        language: 'json',
        code: `${call.function.name}(${call.function.arguments})`,
      }),
    ),
  ]
}

function shownPart(part: HarmonyPart, index: number, copy: ReturnType<typeof copiedAt>): MampPart {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image_url': {
      const { url } = part.image_url
      if (copy !== null && 'bytes' in copy) {
        const data = Buffer.from(copy.bytes).toString('base64')
        return {
          type: 'file',
          name: copy.name,
          mime_type: copy.mime,
          source: { type: 'base64', media_type: copy.mime, data },
        }
      }
      const [, mime, data] = DATA_URL.exec(url) ?? []
      if (mime !== undefined && data !== undefined && data !== '')
        return { type: 'image', source: { type: 'base64', media_type: mime, data } }
      const isWeb = /^https?:\/\//i.test(url)
      if (copy !== null) return { type: 'text', text: `${isWeb ? `[image](<${bare(url)}>)` : bare(url)} (${copy.why})` }
      return isWeb
        ? { type: 'image', source: { type: 'url', url } }
        : { type: 'text', text: `[image ${bare(url).slice(0, 200)}]` }
    }
    case 'input_audio': {
      const { data, format } = part.input_audio
      const isSound = BASE64.test(data)
      const mime = `audio/${/^[\w.+-]+$/.test(format) ? format : 'wav'}`
      return isSound
        ? {
            type: 'file',
            name: `sound-${index + 1}.${mime.slice(6)}`,
            mime_type: mime,
            source: { type: 'base64', media_type: mime, data },
          }
        : { type: 'text', text: `[sound, ${format.slice(0, 100)}]` }
    }
    default:
      return part satisfies never
  }
}

const bare = (url: string): string => url.replaceAll(/[<>\s]/g, '')
