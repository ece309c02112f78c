/** Arguments as JSON text that a person edits: check before anything is sent. */

export type JsonCheck = { ok: true } | { ok: false; why: string }

/** Is it JSON, and an object as tools take it? `why` is the parser's own words. */
export function checkJson(text: string): JsonCheck {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? { ok: true } : { ok: false, why: '{ … }' }
  } catch (trouble) {
    return { ok: false, why: trouble instanceof Error ? trouble.message : String(trouble) }
  }
}

/** The same JSON over several lines; the text as it came when it is none. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
