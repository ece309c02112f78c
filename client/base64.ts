/** Bytes as base64, as bodies of JSON carry them. Pure. */

/** More arguments than this at once are too many for some browsers. */
const PIECE = 0x8000

export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += PIECE) binary += String.fromCharCode(...bytes.subarray(at, at + PIECE))
  return btoa(binary)
}
