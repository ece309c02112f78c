/** The exports of the formats: tags in prompts and answers, their contents, instructions as text. */

export {
  ANSWER_TAGS,
  type AnswerTag,
  escapeAttribute,
  escapeTags,
  LAYOUT_TAGS,
  unescapeAttribute,
  unescapeDeep,
  unescapeTags,
} from './escape'
export { type Fixup, fixupText } from './fixups'
export { writeInstruction } from './instructions'
export { NOTES_KEY, tagsOfObject } from './objectAnswer'
export {
  type ExpectedTags,
  type ParsedAnswer,
  parseAnswer,
  type ReadOptions,
  type TakenTag,
  UNDERSTOOD_ONLY,
} from './parseAnswer'
export { unreadableIn } from './references'
export {
  CALLS_AHEAD,
  MESSAGE_AHEAD,
  type NeededStep,
  type PlannedStepFormat,
  TAG_FORMATS,
  type TagValues,
  takesReference,
  type WrittenInstruction,
} from './schemas'
export { afterThoughts, dropReasoning, findLastTag, isOnlyThoughts, stripFence } from './tags'
export { countWide, estimateTokens, tokensOf } from './tokens'
export { type MessageReader, readWrittenMessage } from './writtenMessage'
