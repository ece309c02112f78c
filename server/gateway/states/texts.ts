/** Texts in answers: whole up to 64 KiB each and 4 MiB together, else a preview and the URL of the whole. */
import { jsonOrText } from '@/lib/json'
import { previewOf } from '@/lib/mas/bodies'
import type { BodyRef, Json } from '@/lib/mas/records'
import { bodyText } from '@/server/shared/bodyText'
import type { Bodies } from '@/server/store'

export const WHOLE_BYTES = 64 * 1024

/** Of all states of one answer; later texts are previews. */
export const ANSWER_TEXT_BYTES = 4 * 1024 * 1024

export interface Texts {
  /** beginning: the preview, where the reference has none. */
  text(ref: BodyRef, href: string, beginning?: string): Json
  /** The text parsed as JSON; the text itself when it is not JSON. */
  json(ref: BodyRef, href: string): Json
  /** A text that is in the world; href null: the whole has no URL. */
  own(text: string, href: string | null): Json
}

/** Bytes of whole texts that one answer may still hold. Short texts are always whole, and count. */
export type TextBudget = { left: number }

/** A text with so many bytes is no longer than its preview. */
const PREVIEW_BYTES = 400

/** Is a text of so many bytes included whole? It then counts. */
function takes(budget: TextBudget, bytes: number): boolean {
  const fits = bytes <= WHOLE_BYTES && (bytes <= PREVIEW_BYTES || bytes <= budget.left)
  if (fits) budget.left -= bytes
  return fits
}

/** The text, or {preview, bytes, href} past the limit of one text or of the answer. */
const ownTexts =
  (budget: TextBudget): Texts['own'] =>
  (text, href) => {
    const bytes = Buffer.byteLength(text)
    return takes(budget, bytes) ? text : { preview: previewOf(text), bytes, href }
  }

const previewOfBody = ({ preview, bytes }: BodyRef, href: string, beginning = ''): Json => ({
  preview: preview || beginning,
  bytes,
  href,
})

/**
 * Run a pure function over texts that are in the store.
 *
 * in      budget: of the whole answer; reduced by the texts. make: called twice, first with previews, to find out which texts
 *         it needs, then with the texts
 */
export async function withTexts<T>(bodies: Bodies, budget: TextBudget, make: (texts: Texts) => T): Promise<T> {
  const wanted = new Map<string, BodyRef>()
  const tried = { ...budget }
  const note = (ref: BodyRef, href: string, beginning?: string) => {
    if (takes(tried, ref.bytes)) wanted.set(keyOf(ref), ref)
    return previewOfBody(ref, href, beginning)
  }
  const first = make({ text: note, json: note, own: ownTexts(tried) })
  if (wanted.size === 0) {
    budget.left = tried.left
    return first
  }
  const known = new Map<string, string>()
  for (const [key, ref] of wanted) {
    const text = await bodyText(bodies, ref)
    if (text !== null) known.set(key, text)
  }
  const read = (ref: BodyRef): string | undefined => (takes(budget, ref.bytes) ? known.get(keyOf(ref)) : undefined)
  return make({
    text: (ref, href, beginning) => read(ref) ?? previewOfBody(ref, href, beginning),
    json: (ref, href) => {
      const text = read(ref)
      return text === undefined ? previewOfBody(ref, href) : jsonOrText(text)
    },
    own: ownTexts(budget),
  })
}

/** References without a hash hold their text. */
const keyOf = ({ sha, preview }: BodyRef): string => sha || `=${preview}`

/** in: epoch ms; out: ISO 8601 in UTC */
export function iso(at: number): string
export function iso(at: number | null): string | null
export function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
