/** OpenAI's Responses (provider `openai`). */
import { fieldsIn } from '@/lib/json'
import { type Ending, endingOf, errorIn } from '../response'
import { byPackage, type Taken } from './byPackage'
import { bearer, namesInData, ReportedError, type StreamFrame } from './wire'

export const responsesWire = byPackage({
  headers: bearer,
  isPiece: ({ type }) => typeof type === 'string' && type.startsWith('response.'),
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
  reader:
    () =>
    ({ value }): Taken => {
      const response = fieldsIn(value.response)
      const frame: StreamFrame = {}
      if (value.type === 'response.failed') throw new ReportedError(errorIn(response.error ?? response))
      const isRefusal = value.type === 'response.refusal.delta'
      if (isRefusal && typeof value.delta === 'string') frame.refusal = value.delta
      if (typeof response.model === 'string') frame.version = response.model
      // The package would give the words of a refusal as the answer.
      return { pass: isRefusal ? null : value, frame, ending: endingIn(value.type, response) }
    },
  takesText: true,
})

function endingIn(type: unknown, { incomplete_details: details }: Record<string, unknown>): Ending | null {
  if (type === 'response.completed') return { kind: 'stop', word: 'completed' }
  if (type !== 'response.incomplete') return null
  return endingOf(fieldsIn(details).reason) ?? { kind: 'broken', word: 'incomplete' }
}
