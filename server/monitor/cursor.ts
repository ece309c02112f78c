/** Cursors: the position of a page in a stream, as a text that only the server reads. */

type CursorPosition = { gen: string; seq: number }

/** out: the text that parseCursor reads back. */
export const writeCursor = ({ gen, seq }: CursorPosition): string => `${gen}@${seq}`

/** Read a cursor back; null for anything else. Its number is checked by the stream that it names. */
export function parseCursor(cursor: string): CursorPosition | null {
  const at = cursor.lastIndexOf('@')
  const digits = cursor.slice(at + 1)
  return at < 1 || !/^\d{1,15}$/.test(digits) ? null : { gen: cursor.slice(0, at), seq: Number(digits) }
}
