/** Tokens of sessions and links: created here, stored only as hashes. */
import { sha256 } from '../../shared/sha256'

export const SIGN_IN_LINK_MS = 15 * 60_000
/** Minimum time between two writes of lastSeen; otherwise every request would cost a write */
export const SEEN_MS = 60_000

/** 256 random bits as base64url */
export function newToken(random: (n: number) => Uint8Array): string {
  return Buffer.from(random(32)).toString('base64url')
}

/** A session's public name: distinguishes sessions in a list, grants no access. */
export function newSessionId(random: (n: number) => Uint8Array): string {
  return Buffer.from(random(12)).toString('hex')
}

export const tokenHash = (token: string): string => sha256(token)

/** The name of a browser is external input: keep only what a text column can store. */
export function cleanAgent(agent: string | undefined): string | null {
  return agent === undefined ? null : agent.replaceAll('\0', ' ').slice(0, 300)
}
