/** What a request asks for beside its turns, and how it asks for less when the server refuses a part. */
import type { ClientSettings } from './client'
import { isAboveContext, shorterContext } from './learned'
import { type ModelCallOptions, ModelError, type ObjectAnswer, type Turn } from './model'
import type { Feature } from './response'

export type AskedParts = {
  answer: ObjectAnswer | null
  /** Token limit of the answer; null: the server's own. */
  maxTokens: number | null
  /** What the request does without; other calls may learn more meanwhile. */
  without: ReadonlySet<Feature>
}

/** What a call asks for, without what the server is known to refuse. */
export function askedOf(settings: ClientSettings, { about, answer }: ModelCallOptions): AskedParts {
  const { form, maxTokens, learned } = settings
  const own = maxTokens[about?.skill ?? 'default'] ?? maxTokens.default ?? null
  const most = learned.answerTokens
  return {
    answer: form === 'schema' ? (answer ?? null) : null,
    maxTokens: own === null || most === null ? own : most === 0 ? null : Math.min(own, most),
    without: new Set(learned.without),
  }
}

/** Statuses of a server that does not know a field. */
const REFUSES = [400, 422]

/** The same without what the server refused, which is remembered; null: there is nothing that can be left out. */
export function askedWithout(
  asked: AskedParts,
  error: ModelError,
  settings: ClientSettings,
  options: ModelCallOptions,
): AskedParts | null {
  const { learned, isFormOpen } = settings
  const { refused } = error.details
  switch (refused?.what) {
    case 'promptLength':
      return null
    case 'answerLength': {
      if (asked.maxTokens === null) return null
      learned.answerTokens = refused.most !== null && refused.most < asked.maxTokens ? refused.most : 0
      return { ...asked, maxTokens: askedOf(settings, options).maxTokens }
    }
    case 'streamOptions':
    case 'maxTokens':
    case 'temperature':
    case 'reasoningEffort':
    case 'systemRole':
    case 'toolChoice':
      if (!isSent(refused.what, asked, settings, options)) break
      learned.without.add(refused.what)
      return { ...asked, without: new Set([...asked.without, refused.what]) }
    // The caller's turns are written for functions: it asks again without them.
    case 'functions':
      if (!isSent(refused.what, asked, settings, options)) break
      learned.without.add('functions')
      return null
  }
  // A refusal that does not say of what is that of functions, until one was called.
  const mayBeFunctions = isFormOpen && !learned.calls && isSent('functions', asked, settings, options)
  if (isRefusal(error) && mayBeFunctions) learned.without.add('functions')
  return null
}

const isRefusal = ({ details: { status, trouble } }: ModelError): boolean =>
  status !== undefined && REFUSES.includes(status) && trouble === 'requestRefused'

function isSent(
  feature: Feature,
  { maxTokens, without }: AskedParts,
  settings: ClientSettings,
  { functions = [], choice = 'auto' }: ModelCallOptions,
): boolean {
  if (without.has(feature)) return false
  switch (feature) {
    case 'streamOptions':
    case 'systemRole':
      return true
    case 'functions':
      return functions.length > 0
    case 'toolChoice':
      return functions.length > 0 && choice !== 'auto'
    case 'maxTokens':
      return maxTokens !== null
    case 'temperature':
      return settings.temperature !== null
    case 'reasoningEffort':
      return settings.reasoningEffort !== null
  }
}

/**
 * A prompt that was too long may be asked again: the caller cuts it to the model's context, which is smaller from now on. So may one
 * with functions that the server refuses: the caller asks without them.
 */
export function askedOtherwise(
  error: ModelError,
  { turns, hadFunctions }: { turns: readonly Turn[]; hadFunctions: boolean },
  { learned, contextTokens }: ClientSettings,
): ModelError {
  const { details } = error
  if ((details.refused?.what === 'functions' || isRefusal(error)) && learned.without.has('functions') && hadFunctions)
    return againNow(error)
  if (details.refused?.what !== 'promptLength') return error
  const next = shorterContext(turns, details.refused)
  const known = learned.contextTokens ?? contextTokens
  if (next !== null && next < known) learned.contextTokens = next
  // Another call may have learned it meanwhile; what fits the known context already is not cut again.
  else if (!isAboveContext(turns, known)) return error
  return againNow(error)
}

const againNow = ({ code, message, details }: ModelError): ModelError => new ModelError(code, message, true, 0, details)
