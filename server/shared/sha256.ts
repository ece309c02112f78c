/** SHA-256 in hex, the name of bodies, keys and packets wherever the server makes one. */
import crypto from 'node:crypto'

/** Half the time for a short text; not there in the first versions of Node 20. */
const oneShot: typeof crypto.hash | undefined = crypto.hash

/** Is a name one of these: 64 lower-case hex digits? */
export const isSha256 = (name: string): boolean => /^[0-9a-f]{64}$/.test(name)

/** A text counts as its UTF-8 bytes. */
export const sha256 = (bytes: string | Uint8Array): string =>
  oneShot ? oneShot('sha256', bytes) : crypto.createHash('sha256').update(bytes).digest('hex')
