/** Turns and functions in the form that the packages of providers take. */
import type {
  JSONObject,
  LanguageModelV3CallOptions,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider'
import { isJsonObject, jsonValueOf } from '@/lib/json'
import type { FunctionTool, Media, ProviderPart, ToolChoice, Turn } from '../model'
import { argumentsObject } from './wire'

type PromptForm = {
  /** Parts that this model of this provider wrote may be sent back to it. */
  provider: string
  model: string
  /** Options that tell the provider to cache the prompt up to there. Absent: it is not told. */
  cached?: SharedV3ProviderOptions
  /** The provider takes a call's arguments as the text that the model wrote; else as an object. */
  takesText: boolean
}

/** The most places that Anthropic caches up to. */
const MOST_CACHED = 4

type Content<Role extends LanguageModelV3Message['role']> = Extract<LanguageModelV3Message, { role: Role }>['content']

export function promptOf(turns: readonly Turn[], form: PromptForm): LanguageModelV3Prompt {
  const cached = form.cached === undefined ? new Set<number>() : cachedPlaces(turns)
  const prompt: LanguageModelV3Prompt = []
  for (const [at, turn] of turns.entries()) {
    const providerOptions = cached.has(at) ? form.cached : undefined
    const message = messageOf(
      turn,
      form,
      prompt.every(({ role }) => role === 'system'),
    )
    const last = prompt.at(-1)
    // The results of the calls of one answer are one message.
    if (message.role === 'tool' && last?.role === 'tool') last.content.push(...message.content)
    else prompt.push(message)
    const sent = prompt.at(-1)
    if (sent !== undefined && providerOptions !== undefined) sent.providerOptions = providerOptions
  }
  return prompt
}

/** The first place, which most calls share, and the last ones. */
function cachedPlaces(turns: readonly Turn[]): Set<number> {
  const places = turns.flatMap(({ endsPrefix }, at) => (endsPrefix ? [at] : []))
  return new Set(places.length <= MOST_CACHED ? places : [...places.slice(0, 1), ...places.slice(1 - MOST_CACHED)])
}

function messageOf(turn: Turn, form: PromptForm, isBeginning: boolean): LanguageModelV3Message {
  switch (turn.role) {
    case 'system':
      // Providers take system texts at the beginning only.
      if (isBeginning) return { role: 'system', content: turn.content }
      return { role: 'user', content: [{ type: 'text', text: turn.content }] }
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: turn.content }, ...(turn.media ?? []).map(fileOf)] }
    case 'assistant':
      return { role: 'assistant', content: assistantContent(turn, form) }
    case 'tool': {
      const output = { type: turn.isError ? ('error-text' as const) : ('text' as const), value: turn.content }
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId: turn.call, toolName: turn.name, output }] }
    }
  }
}

function fileOf({ mime, base64, detail }: Media): Content<'user'>[number] {
  // A text that is an address would be fetched by the provider, or by its package: without its signs it is none.
  const data = base64.replace(/[^A-Za-z0-9+/=]/g, '')
  if (detail === undefined) return { type: 'file', mediaType: mime, data }
  return { type: 'file', mediaType: mime, data, providerOptions: { openai: { imageDetail: detail } } }
}

function assistantContent(turn: Extract<Turn, { role: 'assistant' }>, form: PromptForm): Content<'assistant'> {
  const own = turn.providerParts
  const isOwn = own !== undefined && own.provider === form.provider && own.model === form.model
  const plain: ProviderPart[] = [
    ...(turn.content === '' ? [] : [{ type: 'text' as const, text: turn.content }]),
    ...(turn.calls ?? []).map((call) => ({ type: 'call' as const, ...call })),
  ]
  return (isOwn ? own.parts : plain).map((part) => {
    const options = part.metadata === undefined ? {} : { providerOptions: part.metadata as SharedV3ProviderOptions }
    if (part.type !== 'call') return { type: part.type, text: part.text, ...options }
    const { id: toolCallId, name: toolName } = part
    return { type: 'tool-call', toolCallId, toolName, input: inputOf(part.arguments, form.takesText), ...options }
  })
}

/** As the model wrote them where the provider takes a text; what is no object becomes one. */
const inputOf = (text: string, takesText: boolean): unknown =>
  takesText && isJsonObject(jsonValueOf(text)) ? text : argumentsObject(text)

type ToolOptions = Pick<LanguageModelV3CallOptions, 'tools' | 'toolChoice'>

export function toolsOf(functions: readonly FunctionTool[], choice: ToolChoice): ToolOptions {
  if (functions.length === 0) return {}
  const tools = functions.map(({ name, description, schema }) => ({
    type: 'function' as const,
    name,
    description,
    inputSchema: schema as JSONObject,
  }))
  const toolChoice = typeof choice === 'string' ? { type: choice } : { type: 'tool' as const, toolName: choice.name }
  return { tools, toolChoice }
}
