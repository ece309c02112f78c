/** A server of the stateless revision needs input before it answers: what it asks, and how the call is repeated with it. */
import { asJson, fieldsIn } from '@/lib/json'
import type { CallAnswers, InputRequired, QuestionAnswer, ServerQuestion } from '../types'

/** A server that asks for more at once is not asked on. */
const MOST_QUESTIONS = 10

/** out: null: the result is none that asks for input; a text: it asks for what cannot be given, in words */
export function inputRequiredIn(result: unknown): InputRequired | string | null {
  const { resultType, inputRequests, requestState } = fieldsIn(result)
  if (resultType !== 'input_required') return null
  const asked = Object.entries(fieldsIn(inputRequests))
  if (asked.length > MOST_QUESTIONS) return `it asks for more than ${MOST_QUESTIONS} things at once`
  const questions: InputRequired['questions'] = []
  for (const [key, request] of asked) {
    const { method, params } = fieldsIn(request)
    if (method !== 'elicitation/create') return `it asks for ${JSON.stringify(method)}, which nobody can give`
    questions.push({ key, question: questionIn(fieldsIn(params)) })
  }
  return { questions, state: typeof requestState === 'string' ? requestState : null }
}

function questionIn({ mode, message, url, requestedSchema }: Record<string, unknown>): ServerQuestion {
  const text = typeof message === 'string' ? message : ''
  if (mode === 'url') return { mode: 'url', message: text, url: String(url ?? '') }
  return { mode: 'form', message: text, schema: asJson(requestedSchema ?? {}) }
}

/** The parameters of the repeated call. */
export function repeatParams({ answers, state }: CallAnswers): Record<string, unknown> {
  const given = Object.entries(answers).map(([key, answer]) => [key, flat(answer)])
  return {
    ...(given.length === 0 ? {} : { inputResponses: Object.fromEntries(given) }),
    ...(state === null ? {} : { requestState: state }),
  }
}

const flat = (answer: QuestionAnswer): QuestionAnswer =>
  answer.action === 'accept' && answer.content !== undefined
    ? { ...answer, content: formContent(answer.content) }
    : answer

/** MCP allows flat values only in forms. */
export function formContent(content: Record<string, unknown>): Record<string, string | number | boolean | string[]> {
  const flat: Record<string, string | number | boolean | string[]> = {}
  for (const [name, value] of Object.entries(content)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') flat[name] = value
    else if (Array.isArray(value)) flat[name] = value.map(String)
  }
  return flat
}
