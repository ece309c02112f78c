/**
 * MAMP parts and our messages: what comes in becomes a text and attachments, what goes out becomes parts.
 *
 * Addresses in parts stay addresses: nothing is fetched.
 */
import { previewOf } from '@/lib/mas/bodies'
import type { Attachment, BodyRef } from '@/lib/mas/records'
import type { MampContent, MampPart, MampSource } from '@/lib/protocols/mamp'
import { takingTurns } from '../../shared/pieces'
import { sha256 } from '../../shared/sha256'
import type { Store } from '../../store'

type Bodies = Pick<Store['bodies'], 'get' | 'put'>
/** Longer texts become an attachment; the message shows how they begin. */
export const TEXT_BYTES = 60 * 1024
const SHOWN_CHARACTERS = 2_000
const NAME_CHARACTERS = 200
const DEFAULT_MIME = 'application/octet-stream'

/**
 * The text and attachments of our message. Their bodies are in the store when it returns.
 *
 * in  textBytes: a longer text becomes an attachment
 */
export async function fromParts(
  parts: readonly MampPart[],
  bodies: Bodies,
  textBytes = TEXT_BYTES,
): Promise<{ text: string; attachments: Attachment[] }> {
  const lines: string[] = []
  const attachments: Attachment[] = []
  const turn = takingTurns()
  const attach = async (name: string, mime: string, bytes: Uint8Array): Promise<void> => {
    await bodies.put(bytes, mime)
    attachments.push({ name, body: refOf(bytes, mime), savedAs: null })
    await turn()
  }
  for (const [index, part] of parts.entries()) {
    switch (part.type) {
      case 'text':
        lines.push(part.text)
        break
      case 'code':
        lines.push(fenced(part.code, part.language ?? ''))
        break
      case 'image': {
        const mime = mimeOf(part.source, 'image/png')
        if (part.source.type === 'url') lines.push(link('image', part.source.url))
        else await attach(`image-${index + 1}.${endingOf(mime)}`, mime, decoded(part.source.data))
        break
      }
      case 'file': {
        const name = nameOf(part.name)
        if (part.source.type === 'url') lines.push(link(name, part.source.url))
        else await attach(name, part.mime_type ?? mimeOf(part.source, DEFAULT_MIME), decoded(part.source.data))
        break
      }
      default:
        part satisfies never
    }
  }
  const text = lines.filter((line) => line !== '').join('\n\n')
  if (text.length <= SHOWN_CHARACTERS || Buffer.byteLength(text) <= textBytes) return { text, attachments }
  await attach('message.md', 'text/markdown', Buffer.from(text))
  return { text: `${text.slice(0, SHOWN_CHARACTERS)}…`, attachments }
}

const mimeOf = (source: MampSource, otherwise: string): string =>
  /^[\w.+-]+\/[\w.+-]+$/.test(source.media_type ?? '') ? (source.media_type ?? otherwise) : otherwise
const endingOf = (mime: string): string => /\/([a-z0-9]{1,8})/.exec(mime)?.[1] ?? 'bin'
const decoded = (data: string): Buffer => Buffer.from(data, 'base64')

/** Only the last part of a path, without control characters. */
const nameOf = (name: string): string => {
  const bare = name
    .replace(/^.*[\\/]/s, '')
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .slice(0, NAME_CHARACTERS)
  return bare === '' || bare === '.' || bare === '..' ? 'file' : bare
}

/** A fence longer than any in the code, so that the code cannot end it. */
function fenced(code: string, language: string): string {
  let longest = 2
  for (const [ticks] of code.matchAll(/`{3,}/g)) longest = Math.max(longest, ticks.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language.replaceAll(/[^\w+#.-]/g, '')}\n${code}\n${fence}`
}
const link = (name: string, url: string): string =>
  `[${name.replaceAll(/[[\]]/g, '')}](<${url.replaceAll(/[<>]/g, '')}>)`

const refOf = (bytes: Uint8Array, mime: string): BodyRef => ({
  sha: sha256(bytes),
  bytes: bytes.length,
  preview: mime.startsWith('text/') ? previewOf(new TextDecoder().decode(bytes.subarray(0, 1_600))) : '',
  mime,
})

/** A message of ours as content: a string when it is text alone. An attachment that is gone is named in a text part. */
export async function toContent(
  text: string,
  attachments: readonly Attachment[],
  bodies: Bodies,
): Promise<MampContent> {
  if (attachments.length === 0) return text
  const parts: MampPart[] = text === '' ? [] : [{ type: 'text', text }]
  for (const { name, body } of attachments) {
    const kept = await bodies.get(body.sha)
    if (!kept) {
      parts.push({ type: 'text', text: `[${name}]` })
      continue
    }
    const data = Buffer.from(kept.bytes).toString('base64')
    const source = { type: 'base64' as const, media_type: body.mime, data }
    parts.push(
      body.mime.startsWith('image/') ? { type: 'image', source } : { type: 'file', name, mime_type: body.mime, source },
    )
  }
  return parts
}
