/** Signatures of peers, for all protocols: made and checked over the bytes as they go over the wire. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Protocol, SignatureForm } from '@/lib/mas/outsideRecords'

/** A signature is good as long as its time is no further from ours than this, on either side. */
export const SIGNATURE_WINDOW_MS = 5 * 60_000

/** The header of each protocol. MAP has no signatures. */
export const SIGNATURE_HEADER = {
  mamp: 'x-mamp-signature',
  a2a: 'x-a2a-signature',
  harmony: 'x-harmony-signature',
} as const satisfies Record<Exclude<Protocol, 'map'>, string>

export type SigningKey = { key: string; form: SignatureForm }
type Bytes = string | Uint8Array

const digestOf = (key: string, time: string, bytes: Bytes): Buffer =>
  createHmac('sha256', key).update(time).update(bytes).digest()

/**
 * in      at: epoch ms, the time of this attempt
 * out     v2: `t=<ms>,sha256=<hex>` over t + "." + body; v1: `sha256=<hex>` over the body alone
 */
export function signBody({ key, form }: SigningKey, bytes: Bytes, at: number): string {
  if (form === 'v1') return `sha256=${digestOf(key, '', bytes).toString('hex')}`
  return `t=${at},sha256=${digestOf(key, `${at}.`, bytes).toString('hex')}`
}

const FORMS: Record<SignatureForm, RegExp> = {
  v1: /^()sha256=([0-9a-f]{64})$/i,
  v2: /^t=(\d{1,15}), ?sha256=([0-9a-f]{64})$/i,
}

/**
 * Why a signature is refused, in words for the sender; null: it is accepted.
 *
 * in      signature: null or undefined where none came; now: epoch ms
 */
export function signatureProblem(
  { key, form }: SigningKey,
  bytes: Bytes,
  signature: string | null | undefined,
  now: number,
): string | null {
  if (signature === null || signature === undefined) return 'A signature is needed.'
  const [, time, hex] = FORMS[form].exec(signature.trim()) ?? []
  if (time === undefined || hex === undefined) {
    return form === 'v1' ? 'A signature is sha256=<hex>.' : 'A signature is t=<ms>,sha256=<hex>.'
  }
  const right = digestOf(key, form === 'v1' ? '' : `${time}.`, bytes)
  if (!timingSafeEqual(right, Buffer.from(hex, 'hex'))) return 'The signature does not fit the body.'
  // Checked after the signature, so that a guess learns nothing about our clock.
  if (form === 'v2' && Math.abs(Number(time) - now) > SIGNATURE_WINDOW_MS) {
    return 'The time of the signature is more than five minutes from ours.'
  }
  return null
}
