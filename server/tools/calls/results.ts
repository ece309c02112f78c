/** Results of servers, read part by part: what is good is kept, what is not is named in `unread`. */
import { fieldsIn, isJsonObject } from '@/lib/json'
import { jsonKindOf, UnreadList } from '../foreign/unread'
import { takenApart } from '../transports/messages'
import type { Annotations, ToolContent, ToolResult } from '../types'

type Fields = Record<string, unknown>

/** Texts of error results pass through `show`; everything else is unchanged. */
export function fromToolResult(answer: unknown, show: (text: string) => string): ToolResult {
  const { value, unread } = opened(answer)
  const { content: given, structuredContent, isError: said, ...rest } = isJsonObject(value) ? value : { content: value }
  const isError = said === true || said === 1 || said === 'true'
  const isElsewhere = given === undefined && structuredContent === undefined && Object.keys(rest).length > 0
  const content = isElsewhere ? [] : partsIn(given, 'content', unread)
  if (isElsewhere || (isJsonObject(value) && given === undefined && structuredContent === undefined))
    unread.add('missing', 'content')
  // A server without any content may have put its answer beside it.
  const structured = isElsewhere ? rest : structuredContent
  return {
    isError,
    content: isError
      ? content.map((part) => (part.type === 'text' ? { ...part, text: show(part.text) } : part))
      : content,
    ...(structured === undefined || structured === null ? {} : { structured }),
    ...unreadOf(unread),
  }
}

/** Contents of a resource, in order. */
export function fromResource(answer: unknown): ToolResult {
  const { value, unread } = opened(answer)
  const given = listOf(isJsonObject(value) ? value.contents : value, 'contents', unread)
  const content = given.flatMap((one, index): ToolContent[] => {
    if (typeof one === 'string') return [{ type: 'text', text: one }]
    const read = contentsOf(one, `contents[${index}]`, unread)
    return read === null ? [] : [read]
  })
  return { isError: false, content, ...unreadOf(unread) }
}

/** A prompt's messages as content in order; their roles are in `structured.roles`, one for each part. */
export function fromPrompt(answer: unknown): ToolResult {
  const { value, unread } = opened(answer)
  const fields = fieldsIn(value)
  const messages = listOf(isJsonObject(value) ? fields.messages : value, 'messages', unread)
  const parts = messages.flatMap((message, index) => {
    const at = `messages[${index}]`
    const { role, content } = isJsonObject(message) ? message : { role: 'user', content: message }
    const said = role === 'assistant' ? role : 'user'
    return partsIn(content, `${at}.content`, unread).map((part) => ({ part, role: said }))
  })
  return {
    isError: false,
    content: parts.map(({ part }) => part),
    structured: {
      description: unread.text(fields.description, 'description'),
      roles: parts.map(({ role }) => role),
    },
    ...unreadOf(unread),
  }
}

/** An error answer instead of a result means the same to an agent as an error result. */
export function errorResult(text: string): ToolResult {
  return { isError: true, content: [{ type: 'text', text }] }
}

function opened(answer: unknown): { value: unknown; unread: UnreadList } {
  const { value, numbers } = takenApart(answer)
  const unread = new UnreadList()
  for (const number of numbers) unread.add('number', 'result', number)
  return { value, unread }
}

const unreadOf = (unread: UnreadList): Pick<ToolResult, 'unread'> =>
  unread.all().length === 0 ? {} : { unread: unread.all() }

/** The items of a list; one item alone is a list of one, nothing is an empty one. */
function listOf(value: unknown, at: string, unread: UnreadList): unknown[] {
  if (Array.isArray(value)) return value
  if (value === undefined || value === null) {
    unread.add(value === null ? 'isNull' : 'missing', at)
    return []
  }
  return [value]
}

function partsIn(value: unknown, at: string, unread: UnreadList): ToolContent[] {
  if (value === undefined) return []
  const isList = Array.isArray(value)
  return listOf(value, at, unread).flatMap((one, index): ToolContent[] => {
    const read = partOf(one, isList ? `${at}[${index}]` : at, unread)
    return read === null ? [] : [read]
  })
}

function partOf(part: unknown, at: string, unread: UnreadList): ToolContent | null {
  if (typeof part === 'string') return { type: 'text', text: part }
  // A value in place of a text says the same.
  if (typeof part === 'number' || typeof part === 'boolean') return { type: 'text', text: JSON.stringify(part) }
  if (!isJsonObject(part)) {
    if (part === null) unread.add('isNull', at)
    else unread.other(part, at)
    return null
  }
  const noted = notesOf(part, at, unread)
  const read = readPart(part, at, unread)
  return read === null ? null : { ...read, ...noted }
}

function readPart(part: Fields, at: string, unread: UnreadList): ToolContent | null {
  switch (part.type) {
    case 'text':
      return textPart(part, at, unread)
    case 'image':
    case 'audio':
      return mediaPart(part.type, part, at, unread)
    case 'resource':
      return contentsOf(part.resource ?? part, `${at}.resource`, unread)
    case 'resource_link':
      return linkPart(part, at, unread)
    default:
      return otherPart(part, at, unread)
  }
}

function textPart({ text }: Fields, at: string, unread: UnreadList): ToolContent | null {
  if (typeof text === 'string') return { type: 'text', text }
  if (text === undefined) unread.add('missing', `${at}.text`)
  else if (text === null) unread.add('isNull', `${at}.text`)
  // A value in place of its text says the same.
  else return { type: 'text', text: JSON.stringify(text) }
  return null
}

function mediaPart(type: 'image' | 'audio', part: Fields, at: string, unread: UnreadList): ToolContent | null {
  const { data: given } = part
  if (typeof given !== 'string' || given === '') {
    if (given === undefined || given === null || given === '') unread.add('missing', `${at}.data`)
    else unread.other(given, `${at}.data`)
    return null
  }
  const [, mime, base64] = /^data:([^;,]*)[^,]*,(.*)$/s.exec(given) ?? []
  const data = base64 ?? given
  const said = unread.text(part.mimeType, `${at}.mimeType`) || mime
  if (said !== undefined && said !== '') return { type, data, mimeType: said }
  const mimeType = typeOfBytes(data, type)
  unread.add('noType', at, mimeType)
  return { type, data, mimeType }
}

/** How base64 of common pictures and sounds begins. */
const BEGINNINGS: readonly [string, string][] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['SUQz', 'audio/mpeg'],
  ['T2dnUw', 'audio/ogg'],
  ['ZkxhQw', 'audio/flac'],
]

function typeOfBytes(base64: string, type: 'image' | 'audio'): string {
  // Both a WebP picture and a WAV sound begin as RIFF.
  if (base64.startsWith('UklGR')) return type === 'image' ? 'image/webp' : 'audio/wav'
  return BEGINNINGS.find(([start]) => base64.startsWith(start))?.[1] ?? 'application/octet-stream'
}

function linkPart(part: Fields, at: string, unread: UnreadList): ToolContent | null {
  const { uri, size } = part
  if (typeof uri !== 'string' || uri === '') {
    unread.add('missing', `${at}.uri`)
    return null
  }
  const title = unread.text(part.title, `${at}.title`)
  return {
    type: 'resource_link',
    uri,
    name: unread.text(part.name, `${at}.name`) ?? title ?? uri,
    title,
    mimeType: unread.text(part.mimeType, `${at}.mimeType`),
    description: unread.text(part.description, `${at}.description`),
    ...(typeof size === 'number' ? { size } : {}),
  }
}

function contentsOf(contents: unknown, at: string, unread: UnreadList): ToolContent | null {
  if (typeof contents === 'string') return { type: 'resource', uri: '', text: contents }
  if (!isJsonObject(contents)) {
    if (contents === null) unread.add('isNull', at)
    else unread.other(contents, at)
    return null
  }
  const text = unread.text(contents.text, `${at}.text`)
  const blob = text === undefined ? unread.text(contents.blob, `${at}.blob`) : undefined
  if (text === undefined && blob === undefined) unread.add('missing', `${at}.text`)
  if (typeof contents.uri !== 'string') unread.add('missing', `${at}.uri`)
  return {
    type: 'resource',
    uri: typeof contents.uri === 'string' ? contents.uri : '',
    mimeType: unread.text(contents.mimeType, `${at}.mimeType`),
    ...(text === undefined ? {} : { text }),
    ...(blob === undefined ? {} : { blob }),
  }
}

/** A part of a kind that is not known here, or of none: its text, its bytes, or all of it as JSON. */
function otherPart(part: Fields, at: string, unread: UnreadList): ToolContent {
  if (part.type === undefined && typeof part.text === 'string') return { type: 'text', text: part.text }
  const kind = typeof part.type === 'string' ? part.type : jsonKindOf(part.type ?? null)
  unread.add('unknownPart', at, kind)
  const { data, mimeType } = part
  if (typeof data === 'string' && typeof mimeType === 'string')
    return { type: 'resource', uri: '', mimeType, blob: data }
  return { type: 'text', text: JSON.stringify(part) }
}

/** Known annotations of a part; others are left out. */
function notesOf({ annotations }: Fields, at: string, unread: UnreadList): { annotations?: Annotations } {
  if (annotations === undefined || annotations === null) return {}
  if (!isJsonObject(annotations)) {
    unread.other(annotations, `${at}.annotations`)
    return {}
  }
  const { priority, lastModified } = annotations
  const audience = [annotations.audience ?? []].flat().filter((one) => one === 'user' || one === 'assistant')
  const isWeight = typeof priority === 'number' && priority >= 0 && priority <= 1
  if (!isWeight) unread.other(priority, `${at}.annotations.priority`)
  const said = {
    ...(audience.length === 0 ? {} : { audience }),
    ...(isWeight ? { priority } : {}),
    ...(typeof lastModified === 'string' ? { lastModified } : {}),
  }
  return Object.keys(said).length === 0 ? {} : { annotations: said }
}
