/**
 * References and bodies of texts, as lib/mas/bodies makes them, with the machine's own SHA-256.
 *
 * Owns: hashing on the server, remembering the references of texts that come again with each prompt.
 */

import { createHash } from 'node:crypto'
import { PREVIEW_CHARACTERS, previewOf } from '@/lib/mas/bodies'
import type { NewBody } from '@/lib/mas/commands/command'
import { estimateTokens } from '@/lib/mas/formats'
import type { BodyRef } from '@/lib/mas/records'

const encoder = new TextEncoder()

export const shaOf = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

export const refOf = (text: string, mime = 'text/plain'): BodyRef => ({
  sha: shaOf(text),
  bytes: Buffer.byteLength(text),
  preview: previewOf(text),
  mime,
})

/** A text that its reference holds whole and that is kept nowhere else: nothing is found by its hash, so it has none. */
export const inlineRefOf = (text: string, mime = 'text/plain'): BodyRef | null =>
  text.length > PREVIEW_CHARACTERS ? null : { sha: '', bytes: Buffer.byteLength(text), preview: text, mime }

export const bodyOfRef = ({ sha, mime }: BodyRef, text: string): NewBody => ({ sha, bytes: encoder.encode(text), mime })

export type Measured = { ref: BodyRef; tokens: number }

/** The parts that most prompts share are a few texts for each agent and skill. */
const REMEMBERED = 2_000
const LONGEST = 32 * 1024

/** A function from a text to its reference (without preview) and tokens that computes both once for texts that come again. */
export function rememberMeasures(): (text: string) => Measured {
  const known = new Map<string, Measured>()
  return (text) => {
    const old = known.get(text)
    const measured = old ?? { ref: { ...refOf(text), preview: '' }, tokens: estimateTokens(text) }
    if (text.length > LONGEST) return measured
    if (old) known.delete(text)
    known.set(text, measured)
    const [oldest] = known.size > REMEMBERED ? known.keys() : []
    if (oldest !== undefined) known.delete(oldest)
    return measured
  }
}
