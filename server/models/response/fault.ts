/** What a report of a model server means for the call: whether a repeat may succeed, after which wait, and what people read. */
import { beginningOf } from '@/lib/mas/bodies'
import { ModelError, type ModelErrorCode, type ModelTrouble } from '../model'
import type { Ending } from './endings'
import { refusedIn } from './limits'
import { errorInText, type ServerError } from './serverError'
import { type Headers, waitAsked } from './waits'

const LONGEST_SENTENCE = 300

export type FailedAnswer = {
  /** Of the response; null: unknown. */
  status: number | null
  headers: Headers
  error: ServerError
  /** Never repeated: the key, and what the address carries in its query. */
  secrets: readonly string[]
  /** Epoch ms. */
  now: number
  /** Whether a part of the answer had arrived. */
  hasBegun: boolean
}

/** in: an error that the server reports in any place. out: the fault, with the server's own sentence */
export function modelErrorOf({ status: http, headers, error, secrets, now, hasBegun }: FailedAnswer): ModelError {
  const status = statusOf(http, error)
  const { code, trouble, again, refused } = meaningOf(status, error, waitAsked(headers, error, now) !== null, hasBegun)
  const said = cleanSentence(error.sentence, secrets)
  const message = `${headlineOf(status, trouble, hasBegun)}${said === '' ? '' : `: ${said}`}`
  return new ModelError(code, message, again, again ? waitAsked(headers, error, now) : null, {
    trouble,
    ...(status === null ? {} : { status }),
    ...(said === '' ? {} : { said }),
    ...(refused === null ? {} : { refused }),
  })
}

/** The fault of an answer that ended in a way that makes it unusable; null: it is an answer. */
export function endingFault({ kind, word }: Ending): ModelError | null {
  switch (kind) {
    case 'stop':
    case 'length':
    // Whether functions were offered is known elsewhere.
    case 'toolCall':
      return null
    case 'filter': {
      const message = `the server's content filter ended the answer (${word})`
      return new ModelError('MODEL_REFUSED', message, false, null, { trouble: 'filtered' })
    }
    case 'broken': {
      const message = `the server broke off the answer and gave as the reason “${word}”`
      return new ModelError('MODEL_UNREACHABLE', message, true, null, { trouble: 'serverBroken' })
    }
  }
}

/** Statuses that say more than a plain 400 or 500 of a gateway. */
const EXACT = [401, 402, 404, 408, 413, 425, 429, 503, 504, 529]
const PLAIN = [400, 424, 500, 502]

function statusOf(http: number | null, { status }: ServerError): number | null {
  if (http === null || (http >= 200 && http < 300)) return status
  return status !== null && PLAIN.includes(http) && EXACT.includes(status) ? status : http
}

type Meaning = {
  code: ModelErrorCode
  trouble: ModelTrouble
  again: boolean
  refused: ReturnType<typeof refusedIn>
}

const REFUSED = (trouble: ModelTrouble): Meaning => ({ code: 'MODEL_REFUSED', trouble, again: false, refused: null })
const TOO_MANY: Meaning = { code: 'MODEL_RATE_LIMITED', trouble: 'tooMany', again: true, refused: null }
const TIME_LIMIT: Meaning = { code: 'MODEL_TIME_LIMIT', trouble: 'timeLimit', again: true, refused: null }
const BROKEN: Meaning = { code: 'MODEL_UNREACHABLE', trouble: 'serverBroken', again: true, refused: null }

/** Codes of single providers stand beside the words: GLM 1113, 1301, 1302; MiniMax 1002, 1008, 1026. */
const NO_CREDIT =
  /insufficient[_ ]?(?:quota|balance|credit|funds|user_quota)|billing|arrear|overdue|credit balance|out of credits?|exceeded[_ ](?:your )?current[_ ]quota|余额不足|欠费|\b(?:1113|1008)\b/
const FILTERED =
  /content[_ ]?(?:filter|policy)|responsibleai|data_?inspection|sensitive|moderation|敏感|\b(?:1301|1026)\b/
const RATE =
  /rate[_ -]?(?:limit|quota)|quota[_ -]?violation|request[_ -]?limit|\bqps\b|ratelimit|too[_ ]?many[_ ]?requests|throttl|resource_?exhausted|concurren|限流|频率|速率|\b(?:1302|1303|1305|1002)\b/
const OVERLOADED = /overload|unavailable|capacity|busy|loading|server_?error|internal|bad gateway/
const TIME_OUT = /time[d_ -]{0,2}out|deadline|超时/
const KEY =
  /invalid[_ ]?api[_ ]?key|authenticat|unauthori[sz]ed|(?:permission|access)[_ ]?denied|not authori[sz]ed|invalid token|api key/
const REQUEST = /invalid[_ ]?(?:request|argument|param)|bad[_ ]?request|validation|unprocessable|unsupported/

function meaningOf(status: number | null, error: ServerError, isWaitNamed: boolean, hasBegun: boolean): Meaning {
  const codes = error.codes.join(' ')
  const sentence = error.sentence.toLowerCase()
  const all = `${codes} ${sentence}`
  const refused = mayTellWhy(status) ? refusedIn(error) : null
  if (refused?.what === 'promptLength') return { ...REFUSED('promptTooLong'), refused }
  if (/insufficient_quota/.test(codes)) return REFUSED('outOfCredit')
  // Limits that a wait ends are worded like an exhausted account by some servers.
  if ((status === null || status === 400 || status === 403 || status === 429) && NO_CREDIT.test(all) && !isWaitNamed) {
    return REFUSED('outOfCredit')
  }
  if ((status === null || status === 400 || status === 403) && FILTERED.test(status === null ? all : codes)) {
    return REFUSED('filtered')
  }
  const plain =
    status === null
      ? meaningOfWords(all)
      : status === 400 || status === 422
        ? meaningOfCodes(codes, all)
        : meaningOfStatus(status, all)
  // It took the request: what it says in the middle of its answer is about the answer.
  const isPassing = hasBegun && (plain.trouble === 'requestRefused' || plain.trouble === 'addressWrong')
  return isPassing ? BROKEN : { ...plain, refused }
}

/** Refusals of the key, the account or the rate name fields and lengths for other reasons. */
const mayTellWhy = (status: number | null): boolean =>
  status === null || [400, 404, 413, 415, 422, 424, 500, 501].includes(status)

function meaningOfStatus(status: number, all: string): Meaning {
  if (status === 401 || status === 403) return REFUSED('keyRefused')
  if (status === 402) return REFUSED('outOfCredit')
  if (status === 404) return REFUSED(/model/.test(all) ? 'modelUnknown' : 'addressWrong')
  if (status === 405 || (status >= 300 && status < 400)) return REFUSED('addressWrong')
  if (status === 408 || status === 504) return TIME_LIMIT
  if (status === 425 || status === 429 || status === 498) return TOO_MANY
  // A conflict, a failed generation and a request that the server itself closed may pass.
  if (status === 409 || status === 424 || status === 499) return BROKEN
  if (status === 501 || status === 505) return REFUSED('requestRefused')
  return status >= 500 ? BROKEN : REFUSED('requestRefused')
}

/** A plain refusal whose type or code says more than its status. */
function meaningOfCodes(codes: string, all: string): Meaning {
  if (RATE.test(codes)) return TOO_MANY
  if (/overload|unavailable/.test(codes)) return BROKEN
  if (TIME_OUT.test(codes)) return TIME_LIMIT
  if (/invalid[_ ]?api[_ ]?key/.test(codes)) return REFUSED('keyRefused')
  return REFUSED(isUnknownModel(all) ? 'modelUnknown' : 'requestRefused')
}

/** A report without any status: its words decide, and without a known word it may pass. */
function meaningOfWords(all: string): Meaning {
  if (RATE.test(all)) return TOO_MANY
  if (TIME_OUT.test(all)) return TIME_LIMIT
  if (OVERLOADED.test(all)) return BROKEN
  if (KEY.test(all)) return REFUSED('keyRefused')
  if (isUnknownModel(all)) return REFUSED('modelUnknown')
  return REQUEST.test(all) ? REFUSED('requestRefused') : BROKEN
}

/** The titles of pages that a proxy shows for the server behind it; of any other page a word like `loading` says nothing. */
const PROXY_PAGE = /\b(?:429|502|503|504)\b|bad gateway|unavailable|time[d ]?-?out|too many requests/

/** Whether a text that is no answer and no report says that a repeat may succeed. */
export function saysLater(text: string): boolean {
  const sentence = errorInText(text).sentence.toLowerCase()
  const isPage = /^\s*</.test(text)
  return isPage ? PROXY_PAGE.test(sentence) : [RATE, TIME_OUT, OVERLOADED].some((words) => words.test(sentence))
}

const isUnknownModel = (all: string): boolean => /model/.test(all) && /not[_ ](?:found|exist)|不存在/.test(all)

function headlineOf(status: number | null, trouble: ModelTrouble, hasBegun: boolean): string {
  const number = status === null ? '' : ` (${status})`
  if (trouble === 'keyRefused') return `the server does not accept the key${number}`
  if (trouble === 'tooMany' && !hasBegun) return `too many requests${number}`
  if (hasBegun) return `the server stopped in the middle${number}`
  return status === null ? 'the server reports an error' : `the server answered ${status}`
}

/** Keys by their usual beginnings, parts of keys that a server blanks itself, and values in addresses. */
const SECRET =
  /\b(?:sk|pk|rk|gsk|xai|hf|nvapi|fw|tgp|r8)[-_][\w*.-]+|\bAIza[\w*-]+|\beyJ[\w-]+\.[\w.-]+|[\w-]*\*{3,}[\w*-]*|(?<=\bBearer\s)[^\s"',;]+|(?<=[?&](?:[\w-]*(?:key|token|secret|sig|signature|password))=)[^\s&"']+/giu
/** So many characters in a row of a secret are a part of it; fewer when one is a digit, as no word of a language has it. */
const LEAST_PART = 8
const LEAST_PART_WITH_DIGIT = 4

/** The sentence without secrets, on one line, shortened. */
export function cleanSentence(sentence: string, secrets: readonly string[]): string {
  let text = sentence
  for (const secret of secrets) if (secret !== '') text = text.replaceAll(secret, '***')
  const clean = text.replace(/[^\s"'`,;()]+/gu, (word) =>
    secrets.some((secret) => quotes(word, secret)) ? '***' : word,
  )
  return beginningOf(clean.replace(SECRET, '***'), LONGEST_SENTENCE).trim()
}

/** Whether a word holds a part of the secret. */
const quotes = (word: string, secret: string): boolean =>
  isShared(word, secret, LEAST_PART, /./) || isShared(word, secret, LEAST_PART_WITH_DIGIT, /\d/)

function isShared(word: string, secret: string, length: number, sign: RegExp): boolean {
  for (let at = 0; at + length <= word.length; at += 1) {
    const part = word.slice(at, at + length)
    if (sign.test(part) && secret.includes(part)) return true
  }
  return false
}
