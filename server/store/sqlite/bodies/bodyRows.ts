/** The columns of a body's row. */

/** A row by the sha that is bound first. */
export const BY_SHA = 'substr(sha, 1, 8) = substr(?1, 1, 8) and sha = ?1'
export const INSERT_BODY =
  'insert into body (sha, mime, bytes, touched, packed, data, seal) values (?, ?, ?, ?, ?, ?, ?)'

export const SHA = /^[0-9a-f]{64}$/
export const shaBytes = (sha: string): Uint8Array => Buffer.from(sha, 'hex')
