/** References and bodies of texts, as lib/mas/bodies makes them, with the machine's own SHA-256. */
import { PREVIEW_CHARACTERS, previewOf } from '@/lib/mas/bodies'
import type { NewBody } from '@/lib/mas/commands/command'
import { estimateTokens } from '@/lib/mas/formats'
import type { BodyRef } from '@/lib/mas/records'
import { recentMap } from '../shared/recentMap'
import { sha256 } from '../shared/sha256'
import type { BodyCache } from './port'

const encoder = new TextEncoder()

/** The reference of a text; the text itself is not kept by this. */
export const refOf = (text: string, mime = 'text/plain'): BodyRef => ({
  sha: sha256(text),
  bytes: Buffer.byteLength(text),
  preview: previewOf(text),
  mime,
})

/** A text that its reference holds whole and that is kept nowhere else: nothing is found by its hash, so it has none. */
export const inlineRefOf = (text: string, mime = 'text/plain'): BodyRef | null =>
  text.length > PREVIEW_CHARACTERS ? null : { sha: '', bytes: Buffer.byteLength(text), preview: text, mime }

/** A text that is only ever read whole: its reference holds all of it or, when it is long, nothing. */
export const wholeRefOf = (text: string, bodies: Pick<BodyCache, 'make'>, mime = 'text/plain'): BodyRef =>
  inlineRefOf(text, mime) ?? { ...bodies.make(text, mime), preview: '' }

/** The text as a body to be kept under that reference. */
export const bodyOfRef = ({ sha, mime }: BodyRef, text: string): NewBody => ({ sha, bytes: encoder.encode(text), mime })

type Measured = { ref: BodyRef; tokens: number }

/** The parts that most prompts share are a few texts for each agent and skill. */
const REMEMBERED = 2_000
const LONGEST = 32 * 1024

/** A function from a text to its reference (without preview) and tokens that computes both once for texts that come again. */
export function rememberMeasures(): (text: string) => Measured {
  const known = recentMap<string, Measured>(REMEMBERED)
  return (text) => {
    const old = known.get(text)
    if (old) return old
    const measured = { ref: { ...refOf(text), preview: '' }, tokens: estimateTokens(text) }
    if (text.length <= LONGEST) known.set(text, measured)
    return measured
  }
}
