/** Signatures of peers, for all protocols: over the bytes as sent. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Protocol } from '@/lib/mas/outside/peerProtocols'

/** Largest difference between a signature's time and ours, in both directions. */
export const SIGNATURE_WINDOW_MS = 5 * 60_000

/** The signature header of each protocol that has one. */
export const SIGNATURE_HEADER = {
  mamp: 'x-mamp-signature',
  envelope: 'x-envelope-signature',
  harmony: 'x-harmony-signature',
} as const satisfies Partial<Record<Protocol, string>>

type Bytes = string | Uint8Array
const FORM = /^t=(\d{1,15}), ?sha256=([0-9a-f]{64})$/i

const digestOf = (key: string, time: string, bytes: Bytes): Buffer =>
  createHmac('sha256', key).update(`${time}.`).update(bytes).digest()

/** in: at: epoch ms of this try. out: `t=<ms>,sha256=<hex>` over t + "." + body */
export const signBody = (key: string, bytes: Bytes, at: number): string =>
  `t=${at},sha256=${digestOf(key, `${at}`, bytes).toString('hex')}`

/**
 * Why a signature is refused, for the sender to read; null: it is accepted.
 *
 * in      signature: null or undefined: none came; now: epoch ms
 */
export function signatureProblem(
  key: string,
  bytes: Bytes,
  signature: string | null | undefined,
  now: number,
): string | null {
  if (signature === null || signature === undefined) return 'A signature is needed.'
  const [, time, hex] = FORM.exec(signature.trim()) ?? []
  if (time === undefined || hex === undefined) return 'A signature is t=<ms>,sha256=<hex>.'
  if (!timingSafeEqual(digestOf(key, time, bytes), Buffer.from(hex, 'hex')))
    return 'The signature does not fit the body.'
  // Checked last, so that a guess reveals nothing about our clock.
  return Math.abs(Number(time) - now) > SIGNATURE_WINDOW_MS
    ? 'The time of the signature is more than five minutes from ours.'
    : null
}
