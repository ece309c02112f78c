/** A tool's result as parts to show. It comes from outside: no shape is assumed. Pure. */
import { exactJsonOf, isJsonObject, type JsonObject, jsonValueOf } from '@/lib/json'
import { withNumbersWritten } from '@/lib/jsonNumbers'
import type { Json } from '@/lib/mas/records'
import type { ShownJson } from '../ui/text/writtenJson'

export type ToolPart =
  | { kind: 'text'; text: string }
  /** A data: URL of a picture; never a remote address. */
  | { kind: 'image'; src: string; mime: string }
  | { kind: 'audio'; data: string; mime: string }
  | { kind: 'resource'; uri: string; text: string | null; mime: string }
  /** A resource link: its name and description. */
  | { kind: 'link'; uri: string; name: string; about: string }
  | { kind: 'progress'; lines: string[] }
  /** What of the result could not be read. */
  | { kind: 'notes'; lines: string[] }
  /** A part that is not drawn: its kind and size are shown. */
  | { kind: 'other'; mime: string; characters: number }
  | { kind: 'json'; value: Json }
  /** Rows of a table, and the JSON that holds them. */
  | { kind: 'table'; rows: Rows; as: ShownJson }

/** Bitmap formats only: SVG could carry scripts. */
const MEDIA = {
  image: /^image\/(png|jpeg|gif|webp|avif|bmp)$/,
  audio: /^audio\/(mpeg|mp3|ogg|wav|x-wav|wave|webm|mp4|aac|flac)$/,
}
const BASE64 = /^[A-Za-z0-9+/=\s]+$/

const record = (value: Json | undefined): JsonObject | null => (isJsonObject(value) ? value : null)
const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

/** Its rows, where it holds a table. as: what is shown as JSON */
function tableOr(value: Json, otherwise: ToolPart, as: ShownJson = { value }): ToolPart {
  const rows = rowsIn(value)
  return rows === null ? otherwise : { kind: 'table', rows, as }
}

function partOf(block: Json): ToolPart {
  const fields = record(block)
  const [type, mime, uri] = [fields?.type, text(fields?.mimeType), text(fields?.uri)]
  switch (type) {
    case 'text': {
      const said = text(fields?.text)
      return tableOr(jsonIn(said), { kind: 'text', text: said }, { text: said })
    }
    case 'image':
    case 'audio': {
      const data = text(fields?.data)
      if (!MEDIA[type].test(mime) || !BASE64.test(data))
        return { kind: 'other', mime: mime || type, characters: data.length }
      return type === 'image' ? { kind: type, src: `data:${mime};base64,${data}`, mime } : { kind: type, data, mime }
    }
    case 'resource_link':
      return { kind: 'link', uri, name: text(fields?.title) || text(fields?.name), about: text(fields?.description) }
    case 'resource':
      return { kind: 'resource', uri, mime, text: typeof fields?.text === 'string' ? fields.text : null }
    default:
      return { kind: 'json', value: block }
  }
}

/** The parts of a result: its content blocks, then its structure; anything else as JSON. */
export function toolParts(result: Json): ToolPart[] {
  if (result === null) return []
  if (typeof result === 'string') return [{ kind: 'text', text: result }]
  const outer = record(result)
  // The record has it under the name that prompts use.
  const fields = record(outer?.mcp_server_result) ?? outer
  if (!fields || !Array.isArray(fields.content)) return [{ kind: 'json', value: result }]
  const structured = fields.content.some((block) => isTextOf(block, fields.structured)) ? null : fields.structured
  const parts = fields.content.filter((block) => !repeats(block, structured)).map(partOf)
  return [
    ...parts,
    ...(structured === undefined || structured === null
      ? []
      : [tableOr(structured, { kind: 'json', value: structured })]),
    ...(Array.isArray(fields.notes) && fields.notes.length > 0
      ? [{ kind: 'notes' as const, lines: fields.notes.map(text) }]
      : []),
    ...(Array.isArray(fields.progress) && fields.progress.length > 0
      ? [{ kind: 'progress' as const, lines: fields.progress.map(progressLine) }]
      : []),
  ]
}

/** Whether a result is this sentence and nothing else, so that a failure's reason is not shown twice. */
export function saysOnly(result: Json, sentence: string | null): boolean {
  const parts = toolParts(result)
  return (
    sentence !== null && parts.length > 0 && parts.every((part) => part.kind === 'text' && isSame(part.text, sentence))
  )
}
const isSame = (one: string, other: string): boolean => one.trim() === other.trim()

/** Servers repeat the structure as a text, for clients that read texts only. */
const repeats = (block: Json, structured: Json | undefined): boolean => {
  const fields = record(block)
  if (structured === undefined || structured === null || fields?.type !== 'text') return false
  const value = exactJsonOf(text(fields.text)) ?? null
  return value !== null && JSON.stringify(value) === JSON.stringify(structured)
}

/** A structure that holds nothing but the text itself. */
const isTextOf = (block: Json, structured: Json | undefined): boolean => {
  const fields = record(block)
  const values = Object.values(record(structured) ?? {})
  return fields?.type === 'text' && values.length === 1 && values[0] === fields.text
}

/** The list or object in a JSON text, with its numbers as they are written; null for any other text. */
function jsonIn(said: string): Json {
  return /^\s*[[{]/.test(said) ? (jsonValueOf(withNumbersWritten(said)) ?? null) : null
}

/** `3/10 reading pages` */
function progressLine(told: Json): string {
  const { progress, total, message } = record(told) ?? {}
  const done = typeof progress === 'number' ? String(progress) : '?'
  return [typeof total === 'number' ? `${done}/${total}` : done, text(message)].join(' ').trim()
}

export type Rows = { columns: string[]; cells: Json[][] }

/** More columns than this are not drawn as a table. */
const MOST_COLUMNS = 20

const isFlat = (value: Json): boolean => typeof value !== 'object' || value === null

/** The rows of a list of flat objects, or of the only such list in an object; null: there are none. */
function rowsIn(value: Json): Rows | null {
  if (Array.isArray(value)) return rowsOf(value)
  if (!isJsonObject(value)) return null
  const lists = Object.values(value).filter((inner): inner is Json[] => Array.isArray(inner))
  const [only] = lists
  const isRest = Object.values(value).every((inner) => Array.isArray(inner) || isFlat(inner))
  return lists.length === 1 && only !== undefined && isRest ? rowsOf(only) : null
}

function rowsOf(list: readonly Json[]): Rows | null {
  if (list.length === 0) return null
  const columns = new Set<string>()
  for (const one of list) {
    if (!isJsonObject(one) || !Object.values(one).every(isFlat)) return null
    for (const name of Object.keys(one)) columns.add(name)
  }
  if (columns.size === 0 || columns.size > MOST_COLUMNS) return null
  const names = [...columns]
  return {
    columns: names,
    cells: list.map((one) => names.map((name) => (isJsonObject(one) ? (one[name] ?? null) : null))),
  }
}
