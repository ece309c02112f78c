/** Keeps foreign text from looking like the runtime's own tags. */
import type { Json } from '../records'

export const ANSWER_TAGS = [
  'planned_step',
  'reflection_step',
  'summary',
  'tool_instruction',
  'think',
  'result',
  'quick_think',
  'get_more_info',
  'send_message',
  'process_message',
  'react_action',
  'task_instruction',
  'agent_instruction',
  'ask_info',
  'tool_decision',
  'decision_step',
  'skip',
  'persistent_memory',
] as const

export type AnswerTag = (typeof ANSWER_TAGS)[number]

/** The tags that the runtime writes into prompts, and those of blocks that agents hand to each other. */
export const LAYOUT_TAGS = [
  'section',
  'job',
  'job_result',
  'instruction',
  'answers_to',
  'message',
  'step_intention',
  'step_text',
  'rules',
  'answer_format',
  'executor',
  'history_item',
  'intention',
  'text',
  'call',
  'person_decided',
  'attachment',
  'failure',
  'note',
  'stage',
  'stage_goal',
  'part',
  'goal',
  'part_summary',
  'more_history',
  'task_state',
  'plan_sent_back',
] as const

/** U+2060, the word joiner: invisible, and no part of any tag. */
const JOINER = '\u2060'
const NAMES = [...ANSWER_TAGS, ...LAYOUT_TAGS].join('|')
const ANY_TAG = new RegExp(`<(${JOINER}*)(/?)(${NAMES})\\b`, 'gi')
const BARE_TAG = new RegExp(`<(/?)(${NAMES})\\b`, 'gi')
const ESCAPED_TAG = new RegExp(`<${JOINER}(${JOINER}*)(/?)(${NAMES})\\b`, 'gi')

/**
 * Make every known tag in a foreign text harmless.
 *
 * out     the same text with U+2060 behind the `<` of each known tag; unescapeTags gives back the original, also when the
 *         text held such joiners before
 * source  docs/prompts.md
 */
export const escapeTags = (text: string): string =>
  // Most texts have no tag, and a search for one character takes a tenth of the time.
  text.includes('<') ? text.replace(ANY_TAG, `<${JOINER}$1$2$3`) : text

/** As escapeTags, but a tag that is escaped already stays as it is: unescapeTags then takes both for the bare tag. */
export const escapeBareTags = (text: string): string => text.replace(BARE_TAG, `<${JOINER}$1$2`)

/** Take exactly one U+2060 out of each escaped tag. Text that was never escaped stays as it is. */
export const unescapeTags = (text: string): string => text.replace(ESCAPED_TAG, '<$1$2$3')

/** unescapeTags on every text inside a JSON value, keys included. */
export function unescapeDeep<Value extends Json>(value: Value): Value
export function unescapeDeep(value: Json): Json {
  if (typeof value === 'string') return unescapeTags(value)
  if (Array.isArray(value)) return value.map((item) => unescapeDeep(item))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [unescapeTags(key), unescapeDeep(item)]))
}

const ATTRIBUTE_MARKS: Record<string, string> = {
  '&': '&amp;',
  '"': '&quot;',
  '<': '&lt;',
  '>': '&gt;',
  '\n': '&#10;',
  '\r': '&#13;',
}
const ATTRIBUTE_BACK = Object.fromEntries(Object.entries(ATTRIBUTE_MARKS).map(([mark, entity]) => [entity, mark]))

/** A text as the value of a tag's attribute, on one line, unable to end it. */
export const escapeAttribute = (text: string): string =>
  text.replace(/[&"<>\n\r]/g, (mark) => ATTRIBUTE_MARKS[mark] ?? mark)

export const unescapeAttribute = (text: string): string =>
  text.replace(/&(?:amp|quot|lt|gt|#10|#13);/g, (entity) => ATTRIBUTE_BACK[entity] ?? entity)
