/** Chat completions, which most servers speak (provider `openai-compatible`). */
import { fieldsIn } from '@/lib/json'
import { endingIn, errorIn } from '../response'
import { messageTexts } from '../response/parts'
import { countedIn } from '../usage'
import { byPackage, type Taken } from './byPackage'
import { argumentsText, bearer, namesInData, type Piece, ReportedError, type StreamFrame } from './wire'

/** Under this name the package reads its options. */
const NAME = 'chat'

export const chatWire = byPackage({
  headers: bearer,
  isPiece: (value) => 'choices' in value || 'usage' in value,
  list: { path: '/models', names: namesInData },
  open: async ({ settings, without }, { baseURL, fetch }) =>
    (await import('@ai-sdk/openai-compatible'))
      .createOpenAICompatible({
        name: NAME,
        baseURL,
        fetch,
        includeUsage: !without.has('streamOptions'),
        supportsStructuredOutputs: true,
      })
      .chatModel(settings.model),
  options: ({ settings, without, answer }) => ({
    [NAME]: {
      ...(settings.reasoningEffort === null || without.has('reasoningEffort')
        ? {}
        : { reasoningEffort: settings.reasoningEffort }),
      ...(answer === null ? {} : { strictJsonSchema: answer.isStrict }),
    },
  }),
  rewrite: ({ without }) => (without.has('maxTokens') ? withNewerName : null),
  reader,
  takesText: true,
  wantsReasoning: true,
})

/** Some servers take the limit under its newer name only. */
const withNewerName = ({ max_tokens: limit, ...body }: Record<string, unknown>) =>
  limit === undefined ? body : { ...body, max_completion_tokens: limit }

/** Writes each piece as OpenAI does, whatever shape a server gives it. */
function reader(): (piece: Piece) => Taken {
  let written = ''
  return ({ value, text: piece }) => {
    const choice = firstChoice(value.choices)
    if (choice.error) throw new ReportedError(errorIn(choice.error))
    const { isWhole, message, texts } = messageOf(choice)
    // The whole text so far, as some servers repeat it: only what is new of it.
    const text = !isWhole ? texts.text : texts.text.startsWith(written) ? texts.text.slice(written.length) : ''
    written += text
    const delta = {
      content: text,
      reasoning_content: reasoningOf(message, texts.reasoning),
      tool_calls: callsOf(message.tool_calls, piece),
    }
    const isEmpty = delta.content === '' && delta.reasoning_content === '' && delta.tool_calls.length === 0
    const ending = endingIn(choice, value)
    const pass = { model: namedIn(value.model), choices: [{ delta, finish_reason: ending === null ? null : 'stop' }] }
    return {
      pass: isEmpty && ending === null && pass.model === null ? null : pass,
      frame: {
        ...besideOf(value, choice, texts.refusal + messageTexts(message.refusal).text),
        ...(isWhole ? { isWhole } : {}),
      },
      ending,
      hasText: text !== '',
    }
  }
}

const namedIn = (model: unknown): string | null => (typeof model === 'string' ? model : null)

/** Only the first answer is asked for; one without a number is it. */
function firstChoice(choices: unknown): Record<string, unknown> {
  return listed(choices).find(({ index }) => Number(index ?? 0) === 0) ?? {}
}

/** One choice alone, or choices under their numbers, are a list too. */
function listed(choices: unknown): Record<string, unknown>[] {
  if (Array.isArray(choices)) return choices.map(fieldsIn)
  const fields = fieldsIn(choices)
  return ['delta', 'message', 'text', 'error'].some((name) => name in fields)
    ? [fields]
    : Object.values(fields).map(fieldsIn)
}

/** A piece is a `delta`; a server that does not stream gives the whole `message`, and one of completions `text`. */
function messageOf(choice: Record<string, unknown>) {
  const isPiece = choice.delta !== undefined && choice.delta !== null
  const given = isPiece ? choice.delta : choice.message
  const message = typeof given === 'string' ? { content: given } : fieldsIn(given)
  const isWhole = !isPiece && (choice.message ?? choice.text ?? null) !== null
  return {
    isWhole,
    message,
    texts: messageTexts(message.content ?? message.text ?? (isPiece ? undefined : choice.text)),
  }
}

/** Names of the same field; some servers send several. */
function reasoningOf(message: Record<string, unknown>, inContent: string): string {
  const own = [message.reasoning_content, message.reasoning, message.reasoning_details]
    .map((one) => (typeof one === 'string' || Array.isArray(one) ? messageTexts(one) : null))
    .map((one) => one && one.reasoning + one.text)
    .find(Boolean)
  return inContent + (own ?? '')
}

/** Calls in pieces; a whole message gives them without a number. */
function callsOf(calls: unknown, piece: string): Record<string, unknown>[] {
  const all = Array.isArray(calls) ? calls.map(fieldsIn) : []
  return all.map((call, at) => {
    const { name, arguments: args } = fieldsIn(call.function)
    const text = args === undefined || args === null ? '' : argumentsText(args, piece, String(name ?? ''))
    const id = typeof call.id === 'string' && call.id !== '' ? call.id : null
    const index = typeof call.index === 'number' ? call.index : at
    return { index, id, function: { name: typeof name === 'string' ? name : null, arguments: text } }
  })
}

function besideOf(value: Record<string, unknown>, choice: Record<string, unknown>, refusal: string): StreamFrame {
  const frame: StreamFrame = {}
  if (refusal !== '') frame.refusal = refusal
  const counted = countedIn(value.usage ?? choice.usage ?? fieldsIn(value.x_groq).usage)
  if (counted !== null) frame.counted = counted
  const { system_fingerprint: fingerprint } = value
  if (typeof fingerprint === 'string' && fingerprint.length <= 200) frame.fingerprint = fingerprint
  if (typeof value.model === 'string') frame.version = value.model
  return frame
}
