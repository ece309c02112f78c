/** Arguments as JSON text that a person edits. */
type JsonCheck = { ok: true } | { ok: false; why: string }

/** Whether it is a JSON object; why: the words of the parser */
export function checkJson(text: string): JsonCheck {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? { ok: true } : { ok: false, why: '{ … }' }
  } catch (trouble) {
    return { ok: false, why: trouble instanceof Error ? trouble.message : String(trouble) }
  }
}

/** Indented; a text that is no JSON as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
