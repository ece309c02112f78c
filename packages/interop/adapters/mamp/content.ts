/** Converts between MAMP parts and our text with attachments. */

import { previewOf } from '@/lib/mas/bodies'
import type { Attachment, BodyRef } from '@/lib/mas/records'
import { bodyContent } from '@/server/shared/bodyText'
import { takingTurns } from '@/server/shared/pieces'
import { sha256 } from '@/server/shared/sha256'
import type { Store } from '@/server/store'
import type { MampContent, MampPart, MampSource } from '../../protocols/mamp/message'

type Bodies = Pick<Store['bodies'], 'get' | 'put'>
/** A longer text becomes an attachment; the message shows its beginning. */
export const TEXT_BYTES = 60 * 1024
const SHOWN_CHARACTERS = 2_000
const NAME_CHARACTERS = 200
const DEFAULT_MIME = 'application/octet-stream'

/** The picture at an address; null: none. */
export type PictureAt = (url: string) => Promise<{ bytes: Uint8Array; mime: string } | null>

/** Decoded parts. Nothing is stored or fetched before `keep`. */
type ReadParts = {
  text: string
  /** Without pictures by address. */
  attachments: Attachment[]
  /** Store the bodies and fetch those pictures; left out: nothing is fetched. */
  keep(bodies: Pick<Bodies, 'put'>, pictureAt?: PictureAt): Promise<{ text: string; attachments: Attachment[] }>
}
type Found = { name: string; mime: string; bytes: Uint8Array; attachment: Attachment }
type Named = { url: string; nameOf(mime: string): string }

/** in  textBytes: a longer text becomes an attachment */
export async function readParts(parts: readonly MampPart[], textBytes = TEXT_BYTES): Promise<ReadParts> {
  const lines: string[] = []
  const found: (Found | Named)[] = []
  const turn = takingTurns()
  const attach = async (name: string, mime: string, bytes: Uint8Array): Promise<void> => {
    found.push(foundFile(name, mime, bytes))
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
        const { source } = part
        const name = (mime: string): string => `image-${index + 1}.${endingOf(mime)}`
        if (source.type === 'base64') {
          const mime = mimeOf(source, 'image/png')
          await attach(name(mime), mime, decoded(source.data))
          break
        }
        lines.push(`!${link('image', source.url)}`)
        found.push({ url: source.url, nameOf: name })
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
  const whole = lines.filter((line) => line !== '').join('\n\n')
  const isLong = whole.length > SHOWN_CHARACTERS && Buffer.byteLength(whole) > textBytes
  if (isLong) await attach('message.md', 'text/markdown', Buffer.from(whole))
  const text = isLong ? `${whole.slice(0, SHOWN_CHARACTERS)}…` : whole
  return {
    text,
    attachments: found.flatMap((one) => ('url' in one ? [] : one.attachment)),
    async keep(bodies, pictureAt) {
      const attachments: Attachment[] = []
      for (const one of found) {
        const file = 'url' in one ? await fetched(one, pictureAt) : one
        if (file === null) continue
        await bodies.put(file.bytes, file.mime)
        attachments.push(file.attachment)
        await turn()
      }
      return { text, attachments }
    },
  }
}

/** The text and attachments of a message. Their bodies are stored when it resolves. */
export const fromParts = async (
  parts: readonly MampPart[],
  bodies: Pick<Bodies, 'put'>,
  textBytes?: number,
): ReturnType<ReadParts['keep']> => (await readParts(parts, textBytes)).keep(bodies)

const foundFile = (name: string, mime: string, bytes: Uint8Array): Found => ({
  name,
  mime,
  bytes,
  attachment: { name, body: refOf(bytes, mime), savedAs: null },
})

async function fetched({ url, nameOf }: Named, pictureAt?: PictureAt): Promise<Found | null> {
  const picture = (await pictureAt?.(url)) ?? null
  if (picture === null) return null
  const { mime, bytes } = picture
  const file = foundFile(nameOf(mime), mime, bytes)
  return { ...file, attachment: { ...file.attachment, copiedFrom: url } }
}

const mimeOf = (source: MampSource, otherwise: string): string =>
  /^[\w.+-]+\/[\w.+-]+$/.test(source.media_type ?? '') ? (source.media_type ?? otherwise) : otherwise
const endingOf = (mime: string): string => /\/([a-z0-9]{1,8})/.exec(mime)?.[1] ?? 'bin'
const decoded = (data: string): Buffer => Buffer.from(data, 'base64')

/** The last segment of a path, without control characters. */
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

const FENCE = /^(`{3,}|~{3,})([\w+#.-]*)[ \t]*$/
const PICTURE = /^!\[[^\]]*\]\((?:<(https?:\/\/[^\s<>]+)>|(https?:\/\/[^\s()<>]+))\)[ \t]*$/
/** Only the form that `link` writes: other links are references, not files. */
const FILE = /^\[([^[\]]+)\]\(<(https?:\/\/[^\s<>]+)>\)[ \t]*$/

/** Code blocks, and pictures and files by address on a line of their own, become parts; the rest is text. */
export function partsOfText(text: string): MampPart[] {
  const parts: MampPart[] = []
  const lines = text.split('\n')
  let said: string[] = []
  const add = (part?: MampPart): void => {
    const bare = said
      .join('\n')
      .replace(/^(?:[ \t]*\n)+/, '')
      .trimEnd()
    if (bare !== '') parts.push({ type: 'text', text: bare })
    said = []
    if (part !== undefined) parts.push(part)
  }
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const [, fence, language] = FENCE.exec(line) ?? []
    const [, pointed, bare] = PICTURE.exec(line) ?? []
    const [, name, file] = FILE.exec(line) ?? []
    const picture = pointed ?? bare
    if (fence !== undefined) {
      const end = lines.findIndex((other, index) => index > at && other.trimEnd() === fence)
      // An unclosed block stays text, with all that follows.
      if (end < 0) said.push(...lines.slice(at))
      else add({ type: 'code', ...(language ? { language } : {}), code: lines.slice(at + 1, end).join('\n') })
      at = end < 0 ? lines.length : end
    } else if (picture !== undefined) add({ type: 'image', source: { type: 'url', url: picture } })
    else if (name !== undefined && file !== undefined) {
      add({ type: 'file', name, source: { type: 'url', url: file } })
    } else said.push(line)
  }
  add()
  return parts
}

/** Our message as content: a string when it is text alone. A missing attachment is named in a text part. */
export async function toContent(
  text: string,
  attachments: readonly Attachment[],
  bodies: Bodies,
): Promise<MampContent> {
  const parts = partsOfText(text)
  if (attachments.length === 0 && parts.every(({ type }) => type === 'text')) return text
  for (const { name, body } of attachments) {
    const kept = await bodyContent(bodies, body)
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
