/** References and bodies of texts, as lib/mas/bodies makes them, with Node's SHA-256. */
import { PREVIEW_CHARACTERS, previewOf } from '@/lib/mas/bodies'
import type { NewBody } from '@/lib/mas/commands/command'
import type { BodyRef } from '@/lib/mas/records'
import { sha256 } from '../shared/sha256'
import type { BodyCache } from './port'

const encoder = new TextEncoder()

/** The reference of a text; does not store the text. */
export const refOf = (text: string, mime = 'text/plain'): BodyRef => ({
  sha: sha256(text),
  bytes: Buffer.byteLength(text),
  preview: previewOf(text),
  mime,
})

/** A reference that holds its text whole; nothing is looked up by hash, so it has none. null: the text is too long. */
const inlineRefOf = (text: string, mime: string): BodyRef | null =>
  text.length > PREVIEW_CHARACTERS ? null : { sha: '', bytes: Buffer.byteLength(text), preview: text, mime }

/** For texts that are always read whole: the reference holds all of a short text, and no preview of a long one. */
export const wholeRefOf = (text: string, bodies: Pick<BodyCache, 'make'>, mime = 'text/plain'): BodyRef =>
  inlineRefOf(text, mime) ?? { ...bodies.make(text, mime), preview: '' }

/** The text as a body to be stored under that reference. */
export const bodyOfRef = ({ sha, mime }: BodyRef, text: string): NewBody => ({ sha, bytes: encoder.encode(text), mime })
