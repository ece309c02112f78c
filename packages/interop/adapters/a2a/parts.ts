/** Parts of A2A as text and files of ours, and back. */
import type { Part } from '@a2a-js/sdk'
import { ContentTypeNotSupportedError, RequestMalformedError } from '@a2a-js/sdk/errors'
import type { Attachment } from '@/lib/mas/records'
import { bodyContent, type StoredBodies } from '@/server/shared/bodyText'
import type { MampPart } from '../../protocols/mamp/message'
import { partsOfText } from '../mamp/content'

/** What a message may hold; `*` stands for any text. */
export const INPUT_MODES = [
  'text/*',
  'image/*',
  'audio/*',
  'application/json',
  'application/pdf',
  'application/zip',
  'application/octet-stream',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
] as const
export const OUTPUT_MODES = ['text/plain', 'application/json', 'application/octet-stream'] as const

const isAccepted = (type: string): boolean => {
  const bare = type.split(';')[0]?.trim().toLowerCase() ?? ''
  return INPUT_MODES.some((mode) => (mode.endsWith('*') ? bare.startsWith(mode.slice(0, -1)) : bare === mode))
}

/** Throws ContentTypeNotSupportedError, RequestMalformedError. */
export function mampPartsIn(parts: readonly Part[]): MampPart[] {
  const other = parts.find(({ mediaType }) => mediaType !== '' && !isAccepted(mediaType))
  if (other !== undefined)
    throw new ContentTypeNotSupportedError(`${other.mediaType.slice(0, 100)} is not taken here. See defaultInputModes.`)
  return mampPartsOfTheirs(parts)
}

/** The same for what we asked for: a file of any type. Throws RequestMalformedError. */
export const mampPartsOfTheirs = (parts: readonly Part[]): MampPart[] => parts.map(fromPart)

function fromPart({ content, mediaType, filename }: Part): MampPart {
  switch (content?.$case) {
    case 'text':
      return { type: 'text', text: content.value }
    case 'data':
      return { type: 'code', language: 'json', code: JSON.stringify(content.value, null, 2) }
    case 'raw': {
      const data = Buffer.from(content.value).toString('base64')
      const source = { type: 'base64' as const, ...(mediaType === '' ? {} : { media_type: mediaType }), data }
      return mediaType.startsWith('image/') && filename === ''
        ? { type: 'image', source }
        : fileOf(filename, mediaType, source)
    }
    case 'url': {
      if (!/^https?:\/\//.test(content.value) || !URL.canParse(content.value))
        throw new RequestMalformedError('The url of a part must be a web address.')
      return fileOf(filename, mediaType, { type: 'url', url: content.value })
    }
    case undefined:
      throw new RequestMalformedError('Each part must hold one of text, raw, url, data.')
  }
}

type Source = Extract<MampPart, { type: 'file' }>['source']
const fileOf = (name: string, mime: string, source: Source): MampPart => ({
  type: 'file',
  name: name === '' ? 'file' : name,
  ...(mime === '' ? {} : { mime_type: mime }),
  source,
})

/** A text of ours: what it shows as JSON becomes data, pictures and files by address become urls. Never empty. */
export function partsOf(text: string): Part[] {
  const parts = partsOfText(text).map(partOf)
  return parts.length > 0 ? parts : [textPart(text)]
}

function partOf(part: MampPart): Part {
  switch (part.type) {
    case 'text':
      return textPart(part.text)
    case 'code':
      return codePart(part.language ?? '', part.code)
    case 'image':
    case 'file': {
      const { source } = part
      const filename = part.type === 'file' ? part.name : ''
      return source.type === 'url'
        ? { ...PLAIN, filename, content: { $case: 'url', value: source.url } }
        : { ...PLAIN, filename, content: { $case: 'raw', value: Buffer.from(source.data, 'base64') } }
    }
  }
}

/** A file of ours; one whose content is gone is named. */
export async function filePart(bodies: StoredBodies, { name, body }: Attachment): Promise<Part> {
  const kept = await bodyContent(bodies, body)
  if (kept === null) return textPart(`[${name}]`)
  const value = Buffer.from(kept.bytes)
  return { ...PLAIN, filename: name, mediaType: body.mime, content: { $case: 'raw', value } }
}

const PLAIN = { metadata: undefined, filename: '', mediaType: '' }
export const textPart = (value: string): Part => ({
  ...PLAIN,
  mediaType: 'text/plain',
  content: { $case: 'text', value },
})

function codePart(language: string, code: string): Part {
  const fenced = textPart(`\`\`\`${language}\n${code}\n\`\`\``)
  if (language !== 'json') return fenced
  try {
    const value: unknown = JSON.parse(code)
    return { ...PLAIN, mediaType: 'application/json', content: { $case: 'data', value } }
  } catch {
    return fenced
  }
}
