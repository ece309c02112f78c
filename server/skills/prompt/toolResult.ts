import { isJsonObject, jsonValueOf } from '@/lib/json'
import { sayBytes } from './files'

type Part = {
  type?: unknown
  text?: unknown
  data?: unknown
  mimeType?: unknown
  uri?: unknown
  name?: unknown
  blob?: unknown
  resource?: unknown
  content?: unknown
}

/**
 * in      the body of a result: JSON {content, isError, structured} (bare, or under mcp_server_result); any other text (a
 *         description, an error message) is shown unchanged
 * out     text contents joined by blank lines, images as `[image image/png 12 KB]`, at the end what of the result could not be
 *         read; after an error, first the line `isError: true`
 */
export function readToolResult(whole: string): string {
  const result = parse(whole)
  if (result === null) return whole
  const parts = partsOf(result)
  if (parts === null) return whole
  const texts = parts.map(readPart).filter((text) => text !== '')
  const structured = result.structured ?? result.structuredContent
  if (texts.length === 0 && structured !== undefined) texts.push(JSON.stringify(structured))
  const notes = Array.isArray(result.notes) ? result.notes.filter((note) => typeof note === 'string') : []
  const body = [...texts, ...notes.map((note) => `[${note}]`)].join('\n\n')
  return result.isError === true ? `isError: true\n${body}` : body
}

function parse(whole: string): Record<string, unknown> | null {
  if (!whole.trimStart().startsWith('{')) return null
  const value: unknown = jsonValueOf(whole)
  if (!isJsonObject(value)) return null
  return isJsonObject(value.mcp_server_result) ? value.mcp_server_result : value
}

/** The content parts of a tool's, a resource's or a prompt's result. */
function partsOf(result: Record<string, unknown>): Part[] | null {
  for (const list of [result.content, result.contents])
    if (Array.isArray(list)) return list.filter((one) => isJsonObject(one))
  if (Array.isArray(result.messages)) {
    return result.messages
      .filter((one) => isJsonObject(one))
      .flatMap((message) => (isJsonObject(message.content) ? [message.content] : []))
  }
  return null
}

export type ResultMedia = { kind: 'image' | 'audio'; mime: string; name: string; bytes: number; base64: string }

/** Pictures and sounds of a stored result in order, embedded resources included. */
export function readResultMedia(whole: string): ResultMedia[] {
  const result = parse(whole)
  return (result === null ? null : partsOf(result))?.flatMap(mediaOf) ?? []
}

function mediaOf(part: Part): ResultMedia[] {
  if (isJsonObject(part.resource)) return mediaOf(part.resource)
  const base64 = typeof part.data === 'string' ? part.data : part.blob
  const mime = part.mimeType
  if (typeof base64 !== 'string' || typeof mime !== 'string') return []
  const kind = mime.startsWith('image/') ? 'image' : mime.startsWith('audio/') ? 'audio' : null
  if (kind === null) return []
  return [{ kind, mime, name: typeof part.uri === 'string' ? part.uri : '', bytes: bytesIn(base64), base64 }]
}

function readPart(part: Part): string {
  if (isJsonObject(part.resource)) return readPart(part.resource)
  if (typeof part.text === 'string') return part.text
  const mime = typeof part.mimeType === 'string' ? part.mimeType : 'unknown kind'
  const data = typeof part.data === 'string' ? part.data : typeof part.blob === 'string' ? part.blob : null
  const name = typeof part.uri === 'string' ? ` ${part.uri}` : ''
  const kind = typeof part.type === 'string' ? part.type : 'resource'
  return data === null ? `[${kind}${name} ${mime}]` : `[${kind}${name} ${mime} ${sayBytes(bytesIn(data))}]`
}

const bytesIn = (base64: string): number => Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
