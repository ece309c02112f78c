/** Google's Gemini: contents and candidates. */
import { fieldsIn } from '@/lib/json'
import { type Ending, endingOf } from '../response'
import { type Counted, known, tokenCount } from '../usage'
import { byPackage, type Taken } from './byPackage'
import { argumentsText, type Piece, type Question } from './wire'

export const googleWire = byPackage({
  headers: (key): Record<string, string> => (key === null ? {} : { 'x-goog-api-key': key }),
  isPiece: (value) => 'candidates' in value || 'usageMetadata' in value || 'promptFeedback' in value,
  list: { path: '/models?pageSize=1000', names: namesInModels },
  open: async ({ settings }, { baseURL, fetch }) =>
    (await import('@ai-sdk/google')).createGoogleGenerativeAI({ baseURL, fetch, apiKey: 'added later' })(
      settings.model,
    ),
  options: ({ settings, without }) => ({
    google: {
      ...(settings.reasoningEffort === null || without.has('reasoningEffort')
        ? {}
        : { thinkingConfig: thinkingOf(settings.reasoningEffort) }),
    },
  }),
  rewrite: withWholeSchemas,
  writesSchemas: true,
  reader: () => readPiece,
  takesText: false,
})

/** The package writes schemas in a form that leaves out objects with free keys; Gemini takes them whole under other names. */
function withWholeSchemas({ answer, functions }: Question) {
  if (answer === null && functions.length === 0) return null
  return ({ generationConfig, tools, ...body }: Record<string, unknown>): Record<string, unknown> => {
    const { responseSchema: _, ...config } = fieldsIn(generationConfig)
    const schema = answer === null ? {} : { responseJsonSchema: answer.schema }
    const functionDeclarations = functions.map(({ name, description, schema }) => {
      return { name, description, parametersJsonSchema: schema }
    })
    return {
      ...body,
      generationConfig: { ...config, ...schema },
      ...(functions.length === 0 ? {} : { tools: [{ functionDeclarations }] }),
    }
  }
}

/** Only models that write text. */
function namesInModels(value: unknown): string[] {
  const { models } = fieldsIn(value)
  return (Array.isArray(models) ? models : []).flatMap((one) => {
    const { name, supportedGenerationMethods: methods } = fieldsIn(one)
    const isAsked = !Array.isArray(methods) || methods.includes('generateContent')
    return typeof name === 'string' && isAsked ? [name.replace(/^models\//, '')] : []
  })
}

/** Gemini's own words for the effort. */
const LEVELS: Readonly<Record<string, 'minimal' | 'low' | 'medium' | 'high'>> = {
  none: 'minimal',
  minimal: 'minimal',
  low: 'low',
  medium: 'medium',
}
const thinkingOf = (effort: string) => ({ thinkingLevel: LEVELS[effort] ?? ('high' as const), includeThoughts: true })

function readPiece({ value, text }: Piece): Taken {
  const [candidate] = Array.isArray(value.candidates) ? value.candidates.map(fieldsIn) : []
  const { parts } = fieldsIn(candidate?.content)
  for (const part of Array.isArray(parts) ? parts : []) {
    const { functionCall: call } = fieldsIn(part)
    // The package reads the arguments as numbers and writes them again.
    if (call !== undefined) argumentsText(fieldsIn(call).args, text, String(fieldsIn(call).name))
  }
  const counted = countedIn(value.usageMetadata)
  const { blockReason } = fieldsIn(value.promptFeedback)
  const blocked: Ending | null = typeof blockReason === 'string' ? { kind: 'filter', word: blockReason } : null
  return {
    pass: candidate === undefined ? null : { candidates: [neededOf(candidate)] },
    frame: {
      ...(typeof value.modelVersion === 'string' ? { version: value.modelVersion } : {}),
      ...(counted === null ? {} : { counted }),
    },
    ending: blocked ?? endingOf(candidate?.finishReason),
  }
}

/**
 * A candidate as the package reads it. With its continuation token the package would ask on by itself: one question is one exchange,
 * and a cut answer is continued by the caller.
 */
function neededOf({ content, finishReason }: Record<string, unknown>): Record<string, unknown> {
  const { parts } = fieldsIn(content)
  const known = (Array.isArray(parts) ? parts.map(fieldsIn) : []).map(
    ({ text, thought, thoughtSignature, functionCall }) => ({ text, thought, thoughtSignature, functionCall }),
  )
  return { content: { parts: known }, ...(typeof finishReason === 'string' ? { finishReason } : {}) }
}

/** What the server counted, thoughts as a part of the answer. */
function countedIn(usage: unknown): Partial<Counted> | null {
  const fields = fieldsIn(usage)
  const reasoning = tokenCount(fields.thoughtsTokenCount)
  const said = tokenCount(fields.candidatesTokenCount)
  return known({
    prompt: tokenCount(fields.promptTokenCount),
    completion: said === null ? null : said + (reasoning ?? 0),
    cached: tokenCount(fields.cachedContentTokenCount),
    reasoning,
  })
}
