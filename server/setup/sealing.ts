/** Values of the accounts store that only a secret opens (AES-256-GCM), each bound to the id that it is kept under. */
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'

export const BYTES = 32
const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
/** A shorter one, which the cipher would take, is easier to forge. */
const TAG_BYTES = 16
const NOTHING = Buffer.alloc(0)

/** Ids of sign-ins at tool servers; those of typed-in keys have no colon. */
const SIGN_IN = 'sign-in:'
/** The id under which the sign-in at this server is kept. */
export const signInId = (server: string): string => `${SIGN_IN}${server}`
/** Is it the id of a sign-in? */
export const isSignIn = (id: string): boolean => id.startsWith(SIGN_IN)

/** in: CONVENE_SECRET_KEY */
export const derive = (secret: string): Buffer => scryptSync(secret, 'convene: keys of models and tools', BYTES)

/** in: a value that is JSON */
export function seal(secret: Buffer, id: string, value: object): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(ALGORITHM, secret, iv).setAAD(Buffer.from(id))
  const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
  return [iv, cipher.getAuthTag(), text].map((part) => part.toString('base64url')).join('.')
}

/** null: sealed with another secret, or damaged. */
export function unseal(secret: Buffer, id: string, sealed: string): unknown {
  try {
    const [iv = NOTHING, tag = NOTHING, text = NOTHING] = sealed
      .split('.')
      .map((part) => Buffer.from(part, 'base64url'))
    const decipher = createDecipheriv(ALGORITHM, secret, iv, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(id)).setAuthTag(tag)
    return JSON.parse(Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8'))
  } catch {
    return null
  }
}
