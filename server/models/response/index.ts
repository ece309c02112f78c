/** Reads what a model server says, below any wire format: status, headers, body, event, choice. */
export { type Ending, endingIn, endingOf } from './endings'
export { type AnswerEvent, type EventRead, eventsIn, readEvent } from './events'
export { cleanSentence, endingFault, type FailedAnswer, modelErrorOf } from './fault'
export { type Feature, type NamedLimit, type RefusedPart, refusedIn } from './limits'
export { errorIn, errorInText, isErrorReport, NO_ERROR_TEXT, type ServerError } from './serverError'
export { retryAfterMs, waitAsked } from './waits'
