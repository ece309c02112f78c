/** Reads what a model server says, below any wire format: status, headers, body, event, choice. */
export { type Ending, endingIn, endingOf } from './endings'
export { type AnswerEvent, eventsIn, readEvent } from './events'
export { cleanSentence, endingFault, modelErrorOf, saysLater } from './fault'
export type { Feature, NamedLimit } from './limits'
export { errorIn, errorInText, type ServerError } from './serverError'
