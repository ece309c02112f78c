/** Bodies: texts stored outside the world by their SHA-256. Making a reference is pure. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { NewBody } from './commands/command'
import type { BodyRef, StepResult } from './records'

export const PREVIEW_CHARACTERS = 400

const encoder = new TextEncoder()

/** SHA-256 of the text's UTF-8 bytes, 64 lower-case hex digits. */
export const shaOf = (text: string): string => bytesToHex(sha256(encoder.encode(text)))

/** The first characters of a text, never half a surrogate pair. */
export const beginningOf = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')

export const previewOf = (text: string): string => beginningOf(text, PREVIEW_CHARACTERS)

/** The whole text if its reference contains it; then the body need not be stored. */
export const wholeOf = ({ preview, bytes }: BodyRef): string | null =>
  encoder.encode(preview).length === bytes ? preview : null

/** The reference of a result's body with its beginning: the result's text, unless the reference has another. */
export const bodyOfResult = ({ body, text }: StepResult): BodyRef | null =>
  body && { ...body, preview: body.preview || text }

/** The body of a text, to be stored, and the reference that records hold. */
export function bodyOf(text: string, mime = 'text/plain'): { body: NewBody; ref: BodyRef } {
  const bytes = encoder.encode(text)
  const sha = bytesToHex(sha256(bytes))
  return { body: { sha, bytes, mime }, ref: { sha, bytes: bytes.length, preview: previewOf(text), mime } }
}
