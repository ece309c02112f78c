/**
 * Texts in answers: whole up to 64 KiB, else a preview and where the whole is.
 *
 * Owns: that limit, and reading the bodies that a pure function asks for (ask once, read, ask again).
 */

import { previewOf } from '@/lib/mas/bodies'
import type { BodyRef, Json } from '@/lib/mas/records'
import type { Bodies } from '@/server/store'

export const WHOLE_BYTES = 64 * 1024

export interface Texts {
  text(ref: BodyRef, href: string): Json
  /** The JSON that the text holds; the text when it holds none. */
  json(ref: BodyRef, href: string): Json
}

/** The text, or {preview, bytes, href} past the limit. href null: there is no page for the whole of it. */
export function wholeOrPreview(text: string, href: string | null): Json {
  // Most texts are short: only those that could be over the limit are measured.
  if (text.length * 3 <= WHOLE_BYTES) return text
  const bytes = Buffer.byteLength(text)
  return bytes <= WHOLE_BYTES ? text : { preview: previewOf(text), bytes, href }
}

const previewOfBody = (ref: BodyRef, href: string): Json => ({ preview: ref.preview, bytes: ref.bytes, href })

/**
 * Run a pure function over texts that are in the store.
 *
 * in      make: called twice, first with previews only, to see what it asks for, then with the texts
 */
export async function withTexts<T>(bodies: Bodies, make: (texts: Texts) => T): Promise<T> {
  const wanted = new Map<string, BodyRef>()
  const note = (ref: BodyRef, href: string) => {
    if (ref.bytes <= WHOLE_BYTES) wanted.set(ref.sha, ref)
    return previewOfBody(ref, href)
  }
  const first = make({ text: note, json: note })
  if (wanted.size === 0) return first
  const known = new Map<string, string>()
  for (const sha of wanted.keys()) {
    const body = await bodies.get(sha)
    if (body) known.set(sha, new TextDecoder().decode(body.bytes))
  }
  return make({
    text: (ref, href) => known.get(ref.sha) ?? previewOfBody(ref, href),
    json: (ref, href) => {
      const text = known.get(ref.sha)
      return text === undefined ? previewOfBody(ref, href) : jsonOrText(text)
    },
  })
}

export function jsonOrText(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export function iso(at: number): string
export function iso(at: number | null): string | null
export function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
