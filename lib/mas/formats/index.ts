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
export { FIXUPS, type Fixup, fixupOf, fixupText } from './fixups'
export { writeInstruction } from './instructions'
export { OBJECT_KEYS, tagsOfObject } from './objectAnswer'
export { type AnswerReading, type ExpectedTags, type ParsedAnswer, parseAnswer, type TakenTag } from './parseAnswer'
export {
  type NeededStep,
  sayIssues,
  TAG_FORMATS,
  type TagValues,
  type ToolDecision,
  type WrittenInstruction,
} from './schemas'
export { dropReasoning, findLastTag, isOnlyThoughts, stripFence } from './tags'
export { countWide, estimateTokens, tokensOf } from './tokens'
export { type MessageReader, readWrittenMessage } from './writtenMessage'
