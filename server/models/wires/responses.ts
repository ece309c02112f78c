/** OpenAI's Responses (provider `openai`). */
import { fieldsIn } from '@/lib/json'
import { type Ending, endingOf, errorIn } from '../response'
import { messageTexts } from '../response/parts'
import { countedIn } from '../usage'
import { byPackage, type Taken } from './byPackage'
import { argumentsText, bearer, namesInData, type Piece, ReportedError, type StreamFrame } from './wire'

export const responsesWire = byPackage({
  headers: bearer,
  isPiece: ({ type, object }) => (typeof type === 'string' && type.startsWith('response.')) || object === 'response',
  list: { path: '/models', names: namesInData },
  open: async ({ settings }, { baseURL, fetch }) =>
    (await import('@ai-sdk/openai')).createOpenAI({ baseURL, fetch, apiKey: 'added later' }).responses(settings.model),
  options: ({ settings, without, answer }) => ({
    openai: {
      // Answers are not kept at OpenAI; the package then asks for encrypted reasoning, which goes back within a step.
      store: false,
      ...(settings.reasoningEffort === null || without.has('reasoningEffort')
        ? {}
        : { reasoningEffort: settings.reasoningEffort, forceReasoning: true }),
      ...(answer === null ? {} : { strictJsonSchema: answer.isStrict }),
    },
  }),
  reader: () => readPiece,
  takesText: true,
})

function readPiece({ value, text }: Piece): Taken {
  // A server that ignores `stream` answers with the response alone.
  const isWhole = value.object === 'response'
  const type = isWhole ? `response.${value.status}` : value.type
  const response = isWhole ? value : fieldsIn(value.response)
  if (type === 'response.failed') throw new ReportedError(errorIn(response.error ?? response))
  const frame: StreamFrame = isWhole ? { isWhole } : {}
  const isRefusal = type === 'response.refusal.delta'
  if (isRefusal && typeof value.delta === 'string') frame.refusal = value.delta
  if (isWhole)
    frame.refusal = partsIn(response.output)
      .map(({ refusal }) => messageTexts(refusal).text)
      .join('')
  if (typeof response.model === 'string') frame.version = response.model
  const counted = countedIn(response.usage)
  if (counted !== null) frame.counted = counted
  const events = isWhole ? eventsOf(response, String(type), text) : [value]
  // The package would give the words of a refusal as the answer.
  return { pass: isRefusal ? null : events.map(neededOf), frame, ending: endingIn(type, response) }
}

/** An event without what the package may refuse it for. */
function neededOf(event: Record<string, unknown>): Record<string, unknown> {
  if (event.response === undefined) return event
  const { id, created_at: at, model, incomplete_details: details } = fieldsIn(event.response)
  const { reason } = fieldsIn(details)
  return {
    type: event.type,
    response: {
      id: typeof id === 'string' ? id : '',
      created_at: typeof at === 'number' ? at : 0,
      model: typeof model === 'string' ? model : '',
      incomplete_details: typeof reason === 'string' ? { reason } : null,
    },
  }
}

/** What a server sends that writes the whole response at once, as the events that it would have sent. */
function eventsOf(response: Record<string, unknown>, type: string, text: string): Record<string, unknown>[] {
  const items = Array.isArray(response.output) ? response.output.map(fieldsIn) : []
  const events = items.flatMap((item, at) => {
    const id = typeof item.id === 'string' ? item.id : `item_${at}`
    const around = (more: object) => ({ output_index: at, item: { ...more, id, type: item.type } })
    switch (item.type) {
      case 'message': {
        const said = partsIn([item]).map((part) => (part.type === 'refusal' ? '' : messageTexts(part).text))
        const begin = { type: 'response.output_item.added', ...around({}) }
        const end = { type: 'response.output_item.done', ...around({}) }
        return [begin, { type: 'response.output_text.delta', item_id: id, delta: said.join('') }, end]
      }
      case 'function_call': {
        const call = { call_id: item.call_id, name: item.name }
        const args = argumentsText(item.arguments, text, String(item.name))
        return [
          { type: 'response.output_item.added', ...around({ ...call, arguments: '' }) },
          { type: 'response.output_item.done', ...around({ ...call, arguments: args, status: 'completed' }) },
        ]
      }
      default:
        return []
    }
  })
  return [{ type: 'response.created', response }, ...events, { type, response }]
}

/** The parts of all messages of an output. */
const partsIn = (output: unknown): Record<string, unknown>[] =>
  (Array.isArray(output) ? output.map(fieldsIn) : []).flatMap(({ type, content }) =>
    type === 'message' && Array.isArray(content) ? content.map(fieldsIn) : [],
  )

function endingIn(type: unknown, { incomplete_details: details }: Record<string, unknown>): Ending | null {
  if (type === 'response.completed') return { kind: 'stop', word: 'completed' }
  if (type === 'response.cancelled') return { kind: 'broken', word: 'cancelled' }
  if (type !== 'response.incomplete') return null
  return endingOf(fieldsIn(details).reason) ?? { kind: 'broken', word: 'incomplete' }
}
