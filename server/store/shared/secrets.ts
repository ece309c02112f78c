/** Tokens of sessions and links: made here, kept only as their hash. */
import { sha256 } from '../../shared/sha256'

export const SIGN_IN_LINK_MS = 15 * 60_000
/** lastSeen is written at most this often, or every request would cost a write */
export const SEEN_MS = 60_000

/** 256 random bits as base64url */
export function newToken(random: (n: number) => Uint8Array): string {
  return Buffer.from(random(32)).toString('base64url')
}

/** A session's public name: tells sessions apart in a list, opens nothing. */
export function newSessionId(random: (n: number) => Uint8Array): string {
  return Buffer.from(random(12)).toString('hex')
}

export const tokenHash = (token: string): string => sha256(token)

/** A browser's name for itself comes from outside: keep what a text column can hold. */
export function cleanAgent(agent: string | undefined): string | null {
  return agent === undefined ? null : agent.replaceAll('\0', ' ').slice(0, 300)
}
