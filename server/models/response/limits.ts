/** What a refusal says that the server cannot: a field of the request, a role, a prompt of that length. Pure. */
import type { ServerError } from './serverError'

/** What a request may do without. */
export type Feature =
  | 'streamOptions'
  | 'maxTokens'
  | 'temperature'
  | 'reasoningEffort'
  | 'systemRole'
  | 'toolChoice'
  | 'functions'

/** Tokens as the server counts them; null: it names no number. answer: the tokens reserved for the answer */
export type NamedLimit = { limit: number | null; prompt: number | null; answer: number | null }

export type RefusedPart =
  | { what: Feature }
  /** most: tokens of an answer; null: not named */
  | { what: 'answerLength'; most: number | null }
  | ({ what: 'promptLength' } & NamedLimit)

const UNSUPPORTED =
  /not (?:be )?(?:support|allow|permit|accept|implement|enabl|available)|does ?n[o']t (?:support|accept|allow)|unsupported|unknown|unrecogni[sz]ed|unexpected|extra|only the default|deprecated|incompatible|no longer|cannot (?:both )?be|must be removed|may only be|invalid (?:field|argument|param)|不支持/

const words = ({ sentence, codes }: ServerError): string => `${sentence} ${codes.join(' ')}`.toLowerCase()

/** out: null: the refusal has another reason */
export function refusedIn(error: ServerError): RefusedPart | null {
  const text = words(error)
  const isUnsupported = UNSUPPORTED.test(text)
  if (/stream_options|include_usage/.test(text)) return { what: 'streamOptions' }
  const tooLongAnswer = answerLengthIn(text)
  if (tooLongAnswer !== null) return tooLongAnswer
  if (/max_completion_tokens/.test(text) && isUnsupported) return { what: 'maxTokens' }
  if (isOfPromptLength(text, error)) return { what: 'promptLength', ...namedLimit(text, error) }
  if (isOfSystemRole(text, isUnsupported)) return { what: 'systemRole' }
  if (isOfToolChoice(text, isUnsupported)) return { what: 'toolChoice' }
  // A value outside of the range is a mistake of the configuration, which is shown.
  if (/temperature/.test(text) && isUnsupported && !/between|range|less than|greater than/.test(text)) {
    return { what: 'temperature' }
  }
  if (REASONING.test(text) && isUnsupported) return { what: 'reasoningEffort' }
  return FUNCTIONS.test(text) && (isUnsupported || /requires|not enabled/.test(text)) ? { what: 'functions' } : null
}

/** A server that takes functions and cannot be told to call one. vLLM names the choice where it takes no functions at all. */
const isOfToolChoice = (text: string, isUnsupported: boolean): boolean =>
  /tool[_ ]choice|forced tool|forces? tool use/.test(text) &&
  !/enable-auto-tool-choice/.test(text) &&
  (isUnsupported || /may not|must be|only|invalid|thinking/.test(text))

const REASONING =
  /reasoning[_. ]effort|['"`]effort['"`]|adaptive thinking|thinking[_ .]?(?:level|config|type)|support (?:thinking|reasoning)|"think"|\bthink\b.{0,20}not support/

const FUNCTIONS = /\btools?\b|function[_ ]?call|\bfunctions\b|tool[_ -](?:use|call)/

/** Templates of some models have no system turn; others see it as a user turn out of its place. */
const isOfSystemRole = (text: string, isUnsupported: boolean): boolean =>
  /roles must alternate/.test(text) ||
  (isUnsupported &&
    /system[_ ](?:role|message|prompt|instruction)|developer[_ ](?:role|message|instruction)|\brole\b.{0,40}\b(?:system|developer)\b|['"`](?:system|developer)['"`]/.test(
      text,
    ))

const ANSWER_FIELD = /\bmax_(?:completion_|output_|new_)?tokens\b/
const TOO_MANY = /too (?:large|big|high|many)|at most|range|exceed|must be less|maximum (?:allowed|value)|greater than/

/** `max_tokens` by itself is too high; where prompt and answer together are too long, the prompt is what can be cut. */
function answerLengthIn(text: string): RefusedPart | null {
  if (!ANSWER_FIELD.test(text) || !TOO_MANY.test(text)) return null
  const together = /input length and|inputs? tokens? \+|`inputs`/.test(text)
  if (together || (/context/.test(text) && !/tokens?['"`]? (?:is )?too (?:large|big|high)/.test(text))) return null
  const most = numberIn(text, [
    /at most (\d+)/,
    /\[\d+, ?(\d+)\]/,
    /(?:<=|less than or equal to|not exceed|cannot exceed|maximum (?:value )?(?:allowed )?(?:is|of)) ?(\d+)/,
    /which is (\d+)/,
  ])
  // vLLM names the context: what it leaves depends on the prompt, so the field is left out.
  return { what: 'answerLength', most: /context/.test(text) ? null : most }
}

const PROMPT_LENGTH = [
  /context[_ ](?:length|window|size|limit)[^.]{0,80}(?:exceed|overflow|is only|of only|too)/,
  /(?:exceed|longer than|larger than|over|too large for|too long for|beyond)[^.]{0,100}context/,
  /context[_ ](?:length|window|size|limit)[_ ]exceed|exceed_context|context the overflows/,
  /maximum (?:context|prompt|model|input) (?:length|size)/,
  /(?:prompt|input|message)s?(?: content)? (?:is|are|was) too (?:long|large)|prompt too long|input too long/,
  /input token count[^.]{0,40}exceed|too many (?:input )?tokens|token limit|exceed[^.]{0,40}(?:max(?:imum)?[^.]{0,20}tokens|token count)/,
  /range of input length|must have less than \d+ tokens|inputs?`? tokens? \+/,
  /reduce (?:the length of |your )?(?:the )?(?:messages?|prompt|input)/,
  /request too large|string_above_max_length|string too long/,
  /(?:prompt|输入|上下文|文本|请求)[^。]{0,20}(?:超长|过长|超出|超过)/,
]

function isOfPromptLength(text: string, { status }: ServerError): boolean {
  if (/per (?:minute|hour|day|second)|\b[rt]p[md]\b/.test(text) && status === 429) return false
  return PROMPT_LENGTH.some((pattern) => pattern.test(text))
}

const LIMIT = [
  /\d+ ?\+ ?\d+ > (\d+)/,
  /\d+ tokens? > (\d+)/,
  /(\d+) maximum context/,
  /(?:context (?:length|limit|size|window)|model length|prompt length|input length|token limit|number of tokens allowed)[^\d.\n]{0,40}?(\d{2,})(?! (?:tokens?\)? is|input))/,
  /must be <= ?(\d+)/,
  /less than (\d+) tokens/,
  /\[\d+, ?(\d+)\]/,
  /cannot exceed (\d+)/,
  /\blimit:? (\d+)/,
  /maximum(?: number)?(?: of)? (?:tokens|length)[^\d.]{0,20}(\d{2,})/,
]
const PROMPT = [
  /(\d+) ?\+ ?\d+ > \d+/,
  /(\d+) tokens? > \d+/,
  /(\d+) (?:tokens )?(?:in|from|of) (?:the )?(?:text )?(?:input|messages|prompt)/,
  /(?:resulted in|contains|passed|has|including|prompt of) (\d+) (?:input )?tokens/,
  /(?:input token count|input length|prompt length|request|input|prompt) \((?:length )?(\d+)/,
  /given:? (\d+)/,
  /received (\d+)/,
  /first (\d+) tokens/,
  /prompt (?:is|has|with) (\d+) tokens/,
  /requested:? (?:about |a total of )?(\d+)/,
]
const ANSWER = [
  /\d+ ?\+ ?(\d+) > \d+/,
  /(\d+) (?:tokens )?(?:in|for|of) the (?:completion|output)/,
  /and (\d+) `?max_new_tokens/,
  /requested (\d+) output tokens/,
]

function namedLimit(text: string, { fields }: ServerError): NamedLimit {
  // Thousands may be grouped.
  const plain = text.replace(/(\d)[,_](?=\d{3}\b)/g, '$1')
  return {
    limit: field(fields, 'n_ctx') ?? numberIn(plain, LIMIT),
    prompt: field(fields, 'n_prompt_tokens') ?? numberIn(plain, PROMPT),
    answer: numberIn(plain, ANSWER),
  }
}

const MOST_TOKENS = 1_000_000_000

function field(fields: ServerError['fields'], name: string): number | null {
  const number = Number(fields.get(name) ?? Number.NaN)
  return number > 0 && number < MOST_TOKENS ? number : null
}

function numberIn(text: string, patterns: readonly RegExp[]): number | null {
  for (const pattern of patterns) {
    const number = Number(pattern.exec(text)?.[1] ?? Number.NaN)
    if (number > 0 && number < MOST_TOKENS) return number
  }
  return null
}
