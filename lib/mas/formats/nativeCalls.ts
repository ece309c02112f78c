/** Calls in the forms that models write by themselves when they were trained on native tools. */
import { skipJson } from './blocks'

/** The openings of Qwen, Hermes, GLM, Granite, Llama and Mistral. A closing tag may be missing at the end. */
const OPENING = /<(tool_calls?|function_calls?|tool_use)>|<\|(?:python_tag|tool_call)\|>|\[TOOL_CALLS?\]/gi
/** `<function=name>` with JSON, or with a tag for each argument. */
const NAMED = /<function=([\w.-]{1,120})>([\s\S]*?)<\/function>/g
const ARGUMENT = /<parameter=([\w.-]{1,120})>\n?([\s\S]*?)\n?<\/parameter>/g

/** out: the JSON of the calls in the text, in their order; null: there is none that is whole */
export function nativeCallsIn(text: string): string[] | null {
  const named = [...text.matchAll(NAMED)].map(([, name = '', inside = '']) => namedCall(name, inside))
  if (named.length > 0) return named
  const found = [...text.matchAll(OPENING)].map(({ 0: opening, index }) => {
    const from = index + opening.length
    const end = skipJson(text, from)
    return end.isWhole ? text.slice(from, end.at).trim() : null
  })
  const whole = found.filter((one) => one !== null)
  return whole.length === 0 || whole.length < found.length ? null : whole
}

function namedCall(name: string, inside: string): string {
  const given = [...inside.matchAll(ARGUMENT)].map(([, key = '', value = '']) => [key, value])
  const args = given.length > 0 ? JSON.stringify(Object.fromEntries(given)) : inside.trim() || '{}'
  return `{"tool_name": ${JSON.stringify(name)}, "arguments": ${args}}`
}
