/**
 * Passwords: argon2id, made and checked.
 *
 * Owns: hashing, checking in the same time whether there is a password or not, the least length.
 * Not here: where hashes are kept (server/store), how often one may try (attempts.ts).
 */
import { hash, verify } from '@node-rs/argon2'
import { Fault } from '@/lib/faults'

export const SHORTEST_PASSWORD = 8
/** Longer ones are refused: hashing them costs whoever sends them nothing, and us much. */
export const LONGEST_PASSWORD = 1024

/** The hash of a password that nobody has; checked when there is none, so that both answers take the same time. */
let dummy: Promise<string> | null = null
const dummyHash = (): Promise<string> => {
  dummy ??= hash(`nobody ${Math.PI}`)
  return dummy
}

/** argon2id with the defaults of the package: 19 MiB, 2 passes, 1 lane. */
export const hashPassword = (password: string): Promise<string> => hash(password)

/**
 * Is it the password?
 *
 * in      hash: null when there is no such person or no password; the check then takes as long and says no
 */
export async function checkPassword(stored: string | null, password: string): Promise<boolean> {
  const known = stored ?? (await dummyHash())
  const matches = await verify(known, password).catch(() => false)
  return stored !== null && matches
}

/** Make the dummy before the first try, or the first unknown id would take longer than the others. */
export const preparePasswords = async (): Promise<void> => {
  await dummyHash()
}

/** Throws BAD_INPUT when it is too short or too long to be a password. */
export function assertUsable(password: string): void {
  if (password.length < SHORTEST_PASSWORD) {
    throw new Fault('BAD_INPUT', { why: `A password needs at least ${SHORTEST_PASSWORD} characters.` })
  }
  if (password.length > LONGEST_PASSWORD) {
    throw new Fault('BAD_INPUT', { why: `A password has at most ${LONGEST_PASSWORD} characters.` })
  }
}
