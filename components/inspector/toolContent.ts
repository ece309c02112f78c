/**
 * A tool's result as parts to show. What it holds came from outside: nothing is trusted to have its shape.
 *
 * Owns: reading content blocks; which images may be drawn. Pure.
 */
import type { Json } from '@/lib/mas/records'

export type ToolPart =
  | { kind: 'text'; text: string }
  /** A data: URL of a picture; never an address elsewhere. */
  | { kind: 'image'; src: string; mime: string }
  | { kind: 'resource'; uri: string; text: string | null; mime: string }
  /** A resource that is only named: what the server calls it, and what it says of it. */
  | { kind: 'link'; uri: string; name: string; about: string }
  /** What the call told on its way. */
  | { kind: 'progress'; lines: string[] }
  /** Something that is not drawn: its kind and size are said. */
  | { kind: 'other'; mime: string; characters: number }
  | { kind: 'json'; value: Json }

/** Pictures that are only pictures: a drawing language could carry more. */
const IMAGES = /^image\/(png|jpeg|gif|webp|avif|bmp)$/
const BASE64 = /^[A-Za-z0-9+/=\s]+$/

const record = (value: Json | undefined): { [key: string]: Json } | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

function partOf(block: Json): ToolPart {
  const fields = record(block)
  const mime = text(fields?.mimeType)
  switch (fields?.type) {
    case 'text':
      return { kind: 'text', text: text(fields.text) }
    case 'image': {
      const data = text(fields.data)
      return IMAGES.test(mime) && BASE64.test(data)
        ? { kind: 'image', src: `data:${mime};base64,${data}`, mime }
        : { kind: 'other', mime: mime || 'image', characters: data.length }
    }
    case 'audio':
      return { kind: 'other', mime: mime || 'audio', characters: text(fields.data).length }
    case 'resource_link':
      return {
        kind: 'link',
        uri: text(fields.uri),
        name: text(fields.title) || text(fields.name),
        about: text(fields.description),
      }
    case 'resource':
      return {
        kind: 'resource',
        uri: text(fields.uri),
        mime,
        text: typeof fields.text === 'string' ? fields.text : null,
      }
    default:
      return { kind: 'json', value: block }
  }
}

/** The parts of a result: its content blocks, then what it gave as structure; anything else as JSON. */
export function toolParts(result: Json): ToolPart[] {
  if (result === null) return []
  if (typeof result === 'string') return [{ kind: 'text', text: result }]
  const outer = record(result)
  // The record keeps it under the name that prompts use.
  const fields = record(outer?.mcp_server_result) ?? outer
  if (!fields || !Array.isArray(fields.content)) return [{ kind: 'json', value: result }]
  const parts = fields.content.map(partOf)
  return [
    ...parts,
    ...(fields.structured === undefined || fields.structured === null
      ? []
      : [{ kind: 'json' as const, value: fields.structured }]),
    ...(Array.isArray(fields.progress) && fields.progress.length > 0
      ? [{ kind: 'progress' as const, lines: fields.progress.map(progressLine) }]
      : []),
  ]
}

/** `3/10 reading pages` */
function progressLine(told: Json): string {
  const { progress, total, message } = record(told) ?? {}
  const done = typeof progress === 'number' ? String(progress) : '?'
  return [typeof total === 'number' ? `${done}/${total}` : done, text(message)].join(' ').trim()
}
