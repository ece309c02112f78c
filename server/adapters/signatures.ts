/** Signatures of peers, for all protocols: over the bytes as sent. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Protocol, SignatureForm } from '@/lib/mas/outsideRecords'

/** Largest difference between a signature's time and ours, in both directions. */
export const SIGNATURE_WINDOW_MS = 5 * 60_000

/** The signature header of each protocol. MAP has none. */
export const SIGNATURE_HEADER = {
  mamp: 'x-mamp-signature',
  a2a: 'x-a2a-signature',
  harmony: 'x-harmony-signature',
} as const satisfies Record<Exclude<Protocol, 'map'>, string>

export type SigningKey = { key: string; form: SignatureForm }
type Bytes = string | Uint8Array

const digestOf = (key: string, time: string, bytes: Bytes): Buffer =>
  createHmac('sha256', key).update(time).update(bytes).digest()

/** in: at: epoch ms of this try. out: v2: `t=<ms>,sha256=<hex>` over t + "." + body; v1: `sha256=<hex>` over the body alone */
export function signBody({ key, form }: SigningKey, bytes: Bytes, at: number): string {
  if (form === 'v1') return `sha256=${digestOf(key, '', bytes).toString('hex')}`
  return `t=${at},sha256=${digestOf(key, `${at}.`, bytes).toString('hex')}`
}

const FORMS: Record<SignatureForm, RegExp> = {
  v1: /^()sha256=([0-9a-f]{64})$/i,
  v2: /^t=(\d{1,15}), ?sha256=([0-9a-f]{64})$/i,
}

/**
 * Why a signature is refused, for the sender to read; null: it is accepted.
 *
 * in      signature: null or undefined: none came; now: epoch ms
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
  // Checked last, so that a guess reveals nothing about our clock.
  if (form === 'v2' && Math.abs(Number(time) - now) > SIGNATURE_WINDOW_MS) {
    return 'The time of the signature is more than five minutes from ours.'
  }
  return null
}
