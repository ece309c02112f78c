/** What the word with which a model server ends an answer means: one table for every server, format and spelling. */
import { fieldsIn, isJsonObject } from '@/lib/json'

/**
 * - stop: the model finished its answer
 * - length: a limit of tokens ended it
 * - filter: the server's rules, or the model's refusal, ended it
 * - toolCall: the model waits for the result of a call
 * - broken: the server gave it up, or a word that is not known
 */
type EndingKind = 'stop' | 'length' | 'filter' | 'toolCall' | 'broken'

/** word: as the server wrote it, shortened */
export type Ending = { kind: EndingKind; word: string }

/** Words by meaning, without capitals and signs: `MAX_TOKENS`, `maxTokens` and `max-tokens` are one. */
const WORDS: Record<Exclude<EndingKind, 'broken'>, readonly string[]> = {
  stop: [
    'stop',
    'stopped',
    'eos',
    'eostoken',
    'eosfound',
    'endturn',
    'endoftext',
    'stopsequence',
    'stopstring',
    'stopstringfound',
    'stoptoken',
    'complete',
    'completed',
    'done',
    'finished',
  ],
  length: [
    'length',
    'maxtokens',
    'maxtokensreached',
    'maxlength',
    'maxoutputtokens',
    'maxcompletiontokens',
    'maxnewtokens',
    'maxpredictedtokensreached',
    'modellength',
    'tokenlimit',
    'contextlength',
    'contextlengthexceeded',
    'contextlengthreached',
    'contextwindowexceeded',
    'modelcontextwindowexceeded',
    'errorlimit',
    'continuation',
  ],
  filter: [
    'contentfilter',
    'contentfiltered',
    'contentpolicy',
    'contentpolicyviolation',
    'safety',
    'imagesafety',
    'recitation',
    'imagerecitation',
    'sensitive',
    'refusal',
    'refused',
    'blocklist',
    'blocked',
    'prohibitedcontent',
    'imageprohibitedcontent',
    'spii',
    'moderation',
    'unsafe',
    'flagged',
    'errortoxic',
    'guardrailintervened',
    'modelarmor',
  ],
  toolCall: [
    'toolcall',
    'toolcalls',
    'tooluse',
    'functioncall',
    'unexpectedtoolcall',
    'malformedfunctioncall',
    'malformedtooluse',
  ],
}

const KINDS = new Map(
  Object.entries(WORDS).flatMap(([kind, words]) => words.map((word) => [word, kind as keyof typeof WORDS] as const)),
)

/** What servers write while an answer has not ended. */
const OPEN = ['', 'null', 'none', 'undefined', 'unspecified']
const LONGEST_WORD = 60

/** in: the value of a field for the ending, of any kind. out: null: the answer has not ended */
export function endingOf(reason: unknown): Ending | null {
  // Some servers give an object: { type: 'stop', matched: … }.
  const said = isJsonObject(reason) ? reason.type : reason
  if (said === undefined || said === null || said === false) return null
  if (typeof said !== 'string') return { kind: 'broken', word: (JSON.stringify(said) ?? '?').slice(0, LONGEST_WORD) }
  const word = said.trim().slice(0, LONGEST_WORD)
  const plain = word
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/^(?:finish|stop)reason/, '')
  if (OPEN.includes(plain)) return null
  return { kind: KINDS.get(plain) ?? 'broken', word }
}

/**
 * The ending of an answer, under any name of the field and wherever a server writes it.
 *
 * in      a choice; the piece that holds it
 */
export function endingIn(choice: unknown, piece?: unknown): Ending | null {
  const { delta, message } = fieldsIn(choice)
  const places = [choice, delta, message, piece].map(fieldsIn)
  const named = (...names: string[]): Ending | null => {
    for (const place of places)
      for (const name of names) if (endingOf(place[name]) !== null) return endingOf(place[name])
    return null
  }
  const own = named('finish_reason', 'finishReason')
  const behind = named('native_finish_reason', 'nativeFinishReason')
  // A gateway may write `stop` for whatever the server behind it says.
  if (own?.kind === 'stop' && behind !== null && behind.kind !== 'broken') return behind
  // The last is the text at which the model stopped where the first is there too.
  return own ?? behind ?? named('stop_reason', 'stopReason')
}
