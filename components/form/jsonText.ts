import { isJsonObject, jsonValueOf } from '@/lib/json'
import { changedNumberIn } from '@/lib/jsonNumbers'

/**
 * What is wrong with a JSON text.
 *
 * openText   a text in it is not closed, or holds a line break
 * comma      a comma, a colon or a closing bracket is missing
 * name       a name in quotation marks is missing
 * unfinished it ends too early
 * digits     a number in it has more digits than are kept
 * value      something else that JSON does not know
 * notObject  it is JSON, but no object
 */
export type JsonProblem = {
  kind: 'openText' | 'comma' | 'name' | 'unfinished' | 'digits' | 'value' | 'notObject'
  /** From 1; null: the browser does not say. */
  line: number | null
  column: number | null
}
type JsonCheck = { ok: true } | { ok: false; problem: JsonProblem }

/** What browsers say of each kind, by the words that they use. */
const SAID: readonly [RegExp, JsonProblem['kind']][] = [
  [/unterminated string|control character|string literal/i, 'openText'],
  [/expected ',|expected ':|after (property|array)/i, 'comma'],
  [/property name/i, 'name'],
  [/end of (json|data|input)|unexpected eof/i, 'unfinished'],
]

export function checkJson(text: string): JsonCheck {
  try {
    const value: unknown = JSON.parse(text)
    if (!isJsonObject(value)) return { ok: false, problem: { kind: 'notObject', line: null, column: null } }
    const changed = changedNumberIn(text)
    return changed === null ? { ok: true } : { ok: false, problem: { kind: 'digits', ...lineAndColumn(text, changed) } }
  } catch (trouble) {
    const said = trouble instanceof Error ? trouble.message : ''
    const kind = SAID.find(([words]) => words.test(said))?.[1] ?? 'value'
    return { ok: false, problem: { kind, ...placeIn(text, said) } }
  }
}

function placeIn(text: string, said: string): Pick<JsonProblem, 'line' | 'column'> {
  const position = /position (\d+)/.exec(said)?.[1]
  if (position === undefined) return { line: null, column: null }
  return lineAndColumn(text, Number(position))
}

function lineAndColumn(text: string, position: number): { line: number; column: number } {
  const before = text.slice(0, position).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

/** Indented; a text that is no JSON, or has a number that parsing changes, as it is. */
export function prettyJson(text: string): string {
  const value = jsonValueOf(text)
  return value === undefined || changedNumberIn(text) !== null ? text : JSON.stringify(value, null, 2)
}
