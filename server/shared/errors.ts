/** What was thrown, in words and by its code. */

/** in: anything thrown. out: its message, or the thing itself as a text */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** in: anything thrown. out: the code of an error of Node, SQLite or PostgreSQL; '' without one */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
