/** Copies of pictures at expiring addresses, fetched once at import. */
import type { Attachment } from '@/lib/mas/records'
import { type HarmonyMessage, type HarmonyPart, harmonyParts } from '@/lib/protocols/harmony/message'
import type { PictureAt } from '../mamp/content'
import { openPictures } from '../pictures'

/** The copy of one part, or why there is none. */
type CachedCopy = { bytes: Uint8Array; mime: string; name: string } | { why: string }
export type CachedCopies = ReadonlyMap<string, CachedCopy>

const LIST_LIMITS = { most: 50, mostBytes: 50 * 1024 * 1024 }
const AT_ONCE = 4
const NAME = /^copy-(\d+)\./

const keyOf = (at: number, part: number): string => `${at}/${part}`
export const copiedAt = (copies: CachedCopies, at: number, part: number): CachedCopy | null =>
  copies.get(keyOf(at, part)) ?? null

/** Query parameters of signed addresses: expiry time or signature. */
const EXPIRY = [
  'x-amz-expires',
  'x-amz-signature',
  'x-goog-expires',
  'x-goog-signature',
  'expires',
  'signature',
  'se',
  'sig',
  'exp',
]

/** Does this address expire? */
export function isExpiring(url: string): boolean {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return false
  return [...new URL(url).searchParams.keys()].some((key) => EXPIRY.includes(key.toLowerCase()))
}

/** in: a well-formed list; allowPrivate: this caller may use private addresses. Never rejects. */
export async function copyExpiring(
  messages: readonly HarmonyMessage[],
  { allowPrivate }: { allowPrivate: boolean },
): Promise<CachedCopies> {
  const copies = new Map<string, CachedCopy>()
  const wanted = messages.flatMap((message, at) =>
    harmonyParts(message).flatMap((part: HarmonyPart, index) =>
      part.type === 'image_url' && isExpiring(part.image_url.url)
        ? [{ key: keyOf(at, index), index, url: part.image_url.url }]
        : [],
    ),
  )
  const fetchOne = openPictures({ allowPrivate, ...LIST_LIMITS })
  const copyOne = async (url: string, index: number): Promise<CachedCopy> => {
    const picture = await fetchOne(url)
    if ('why' in picture) return { why: `not copied: ${picture.why}` }
    return { ...picture, name: `copy-${index}.${picture.mime.slice(6)}` }
  }
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (let next = wanted.shift(); next; next = wanted.shift())
      copies.set(next.key, await copyOne(next.url, next.index))
  })
  await Promise.all(workers)
  return copies
}

/** Fetches a picture at an expiring address, with the limits of a list for all calls together; null: not fetched. */
export function copyExpiringAt({ allowPrivate }: { allowPrivate: boolean }): PictureAt {
  const fetchOne = openPictures({ allowPrivate, ...LIST_LIMITS })
  return async (url) => {
    const picture = isExpiring(url) ? await fetchOne(url) : null
    return picture === null || 'why' in picture ? null : picture
  }
}

/** The original, with our addresses for copied pictures. */
export function withCopies(
  original: unknown,
  attachments: readonly Attachment[],
  address: (at: number) => string,
): unknown {
  const copied = new Map(
    attachments.flatMap(({ name }, at) => {
      const [, part] = NAME.exec(name) ?? []
      return part === undefined ? [] : [[Number(part), at] as const]
    }),
  )
  if (copied.size === 0 || original === null || typeof original !== 'object' || !('content' in original))
    return original
  const { content } = original
  if (!Array.isArray(content)) return original
  return {
    ...original,
    content: content.map((part: unknown, index) => {
      const at = copied.get(index)
      if (at === undefined || part === null || typeof part !== 'object' || !('image_url' in part)) return part
      const image = { ...(part.image_url ?? {}) }
      const was = 'url' in image ? image.url : null
      return { ...part, image_url: { ...image, url: address(at), copied_from: was } }
    }),
  }
}
