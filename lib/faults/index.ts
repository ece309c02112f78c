/** The one table of faults: what may go wrong, what to do next, and the sentence a person reads. */

import { closeHanSpaces, markValues } from '../format/hanSpaces'
import { FAULTS_ZH } from './zh'

export type FaultNext = 'fix' | 'refresh' | 'wait' | 'sign-in' | 'resync' | 'none'
type FaultRow = { status: number; leaves: boolean; next: FaultNext; says: (data: never) => string }

const row = <Data>(status: number, next: FaultNext, says: (data: Data) => string, leaves = true) => ({
  status,
  leaves,
  next,
  says,
})

export const FAULTS = {
  NOT_SIGNED_IN: row(401, 'sign-in', () => 'You are not signed in.'),
  SIGN_IN_FAILED: row(401, 'fix', () => 'That ID and password do not match.'),
  LINK_USED: row(401, 'fix', () => 'This sign-in link was used before or is too old. Ask for a new one.'),
  NOT_ALLOWED: row(403, 'none', (d: { what: string }) => `You may not ${d.what}.`),
  NOT_YOU: row(403, 'fix', () => 'human_agent_id is not the person of this session.'),
  FOREIGN_ORIGIN: row(403, 'none', (d: { origin: string }) => `Requests from ${d.origin} are not accepted.`),
  NOT_FOUND: row(404, 'refresh', (d: { what: string; id: string }) => `There is no ${d.what} ${d.id}.`),
  NOT_KEPT: row(410, 'none', () => 'This is no longer kept: its task was archived longer ago than archives are kept.'),
  NO_RECEIVERS: row(422, 'fix', () => 'The list of receivers is empty.'),
  NOT_A_MEMBER: row(422, 'fix', (d: { name: string; task: string }) => `${d.name} is not in the task ${d.task}.`),
  RECEIVER_UNKNOWN: row(422, 'fix', (d: { id: string }) => `There is no agent or person ${d.id}.`),
  RECEIVER_GONE: row(422, 'fix', (d: { name: string }) => `${d.name} was removed and can no longer receive messages.`),
  EMPTY_TEXT: row(422, 'fix', () => 'There is no text to send.'),
  TOO_LARGE: row(
    413,
    'fix',
    (d: { what: string; limit: string; size: string }) => `${d.what} is ${d.size}; the limit is ${d.limit}.`,
  ),
  BAD_INPUT: row(400, 'fix', (d: { why: string }) => d.why),
  BAD_ARGUMENTS: row(422, 'fix', (d: { why: string }) => `The arguments do not fit the tool: ${d.why}`),
  TASK_OVER: row(409, 'none', (d: { task: string }) => `The task ${d.task} is over. You can read everything.`),
  NOT_AT_REST: row(409, 'none', (d: { what: string; id: string }) => `The ${d.what} ${d.id} is not at rest: it stays.`),
  BASE_TASK_STAYS: row(409, 'none', () => 'The base task stays: it cannot be finished, and neither can its stage.'),
  NOT_MANAGER: row(403, 'none', (d: { name: string; task: string }) => `${d.name} does not manage the task ${d.task}.`),
  STAGE_OVER: row(409, 'refresh', () => 'That stage is over.'),
  STEP_OVER: row(409, 'refresh', () => 'That step is over.'),
  STAGE_NOT_RUNNING: row(409, 'refresh', () => 'That stage does not run.'),
  STEP_NOT_FAILED: row(409, 'refresh', () => 'Only a step that failed or was cancelled can be run again.'),
  TASK_PAUSED: row(409, 'wait', (d: { task: string; by: string }) => `The task ${d.task} is paused by ${d.by}.`),
  STAGE_MISSING: row(422, 'fix', () => 'Say for which stage of the task this is.'),
  NOT_YOUR_TOOL: row(403, 'none', (d: { server: string }) => `The tools of ${d.server} are not among yours.`),
  CONFIRM_FIRST: row(
    409,
    'fix',
    (d: { call: string }) => `${d.call} may change something: look at what would run, and confirm it.`,
  ),
  TOOL_UNREACHABLE: row(503, 'wait', (d: { server: string; why: string }) =>
    d.why === '' ? `${d.server} does not answer.` : `${d.server} does not answer: ${d.why}`,
  ),
  NO_PEER: row(422, 'fix', (d: { uri: string }) => `No system is configured that ${d.uri} belongs to.`),
  PEER_KNOWN: row(409, 'fix', (d: { uri: string }) => `${d.uri} is named already.`),
  PEER_CONFIGURED: row(409, 'none', (d: { uri: string }) => `The configuration names ${d.uri}: it is changed there.`),
  PEER_SIGNS: row(
    422,
    'fix',
    (d: { uri: string }) => `${d.uri} has a signing key, and MAP has no signatures: take out MAP, or the signing key.`,
  ),
  ENVELOPE_ID_TAKEN: row(409, 'fix', (d: { id: string }) => `The id ${d.id} was used before, for something else.`),
  CONVERSATION_UNKNOWN: row(404, 'fix', (d: { id: string }) => `Conversation ${d.id} not found`),
  CONVERSATION_OVER: row(409, 'none', (d: { id: string }) => `The conversation ${d.id} is over.`),
  CONVERSATION_ASLEEP: row(503, 'wait', (d: { id: string; task: string }) => `The conversation ${d.id} rests.`),
  ALREADY_SO: row(409, 'refresh', (d: { what: string }) => `Nothing was changed: ${d.what}.`),
  STEP_NOT_NEXT: row(409, 'refresh', () => 'Another step comes first.', false),
  AGENT_WAITS: row(409, 'wait', (d: { name: string }) => `${d.name} waits and runs nothing.`, false),
  REQUEST_OVER: row(
    409,
    'refresh',
    (d: { by: string; how: string; at: number; request: string }) => `${d.by} was first: the request is ${d.how}.`,
  ),
  REQUEST_CLAIMED: row(
    409,
    'fix',
    (d: { by: string; until: number; request: string }) => `${d.by} is answering this. Say why you take it over.`,
  ),
  NOT_ASKED: row(403, 'none', () => 'This request is not put to you.'),
  DECISION_UNFIT: row(
    422,
    'fix',
    (d: { decision: string; kind: string }) => `${d.decision} is no answer to a request of kind ${d.kind}.`,
  ),
  REASON_MISSING: row(422, 'fix', () => 'Say why, in a sentence.'),
  NOBODY_TO_ASK: row(422, 'none', () => 'The system asked this: there is nobody to ask back.'),
  DUE_PAST: row(422, 'fix', () => 'The due time lies in the past.'),
  HANDOVER_UNFIT: row(422, 'fix', (d: { why: string }) => `That cannot be handed over: ${d.why}`),
  DIGEST_CHANGED: row(409, 'refresh', () => 'What would run is not what you saw. Look again.'),
  NOTHING_TO_UNDO: row(409, 'refresh', () => 'There is nothing to take back.'),
  COMMAND_ID_TAKEN: row(409, 'fix', () => 'This command id is taken. Send it again under a new one.'),
  EXPIRED: row(409, 'fix', () => 'This came too late and was not done. Send it again.'),
  TOO_MANY: row(429, 'wait', (d: { seconds: number }) => `Too many tries. Try again in ${d.seconds} s.`),
  STORE_BROKEN: row(
    503,
    'wait',
    () =>
      'Nothing can be saved at the moment, so this was not done. Reading goes on. Try again in a few seconds; if it stays like this, tell an operator to look at the disk and the log of the server.',
  ),
  STOPPING: row(503, 'wait', () => 'The server is stopping.'),
  INTERNAL: row(500, 'wait', () => 'Something went wrong here. It was recorded.'),
  JOURNAL_GAP: row(500, 'resync', (d: { have: number; got: number }) => `at ${d.have}, got ${d.got}`, false),
} satisfies Record<string, FaultRow>

export type FaultCode = keyof typeof FAULTS
export type FaultData<Code extends FaultCode> =
  Parameters<(typeof FAULTS)[Code]['says']> extends [infer Data] ? Data : undefined

/** Something that was refused or failed, with the sentence for whoever asked. */
export class Fault<Code extends FaultCode = FaultCode> extends Error {
  override readonly name = 'Fault'
  readonly code: Code
  readonly data: FaultData<Code>
  constructor(code: Code, ...rest: FaultData<Code> extends undefined ? [] : [FaultData<Code>]) {
    const data = rest[0] as FaultData<Code>
    const says = FAULTS[code].says as (data: FaultData<Code>) => string
    super(says(data))
    this.code = code
    this.data = data
  }

  /** A refusal that was stored, with the words it had then: a repeat of a command hears what the first one heard. */
  static again(code: FaultCode, data: unknown, message: string): Fault {
    return Object.assign(Object.create(Fault.prototype) as Fault, { code, data: data ?? undefined, message })
  }
}

export const isFaultCode = (code: string): code is FaultCode => Object.hasOwn(FAULTS, code)

/** The body of every refusal. */
export type FaultBody = { error: FaultCode; message: string; status_code: number; details?: unknown }

/** The sentence in that language. */
export function faultSays(fault: Fault, language: 'en' | 'zh'): string {
  if (language === 'en') return fault.message
  const says: (data: never) => string = FAULTS_ZH[fault.code]
  const { data } = fault
  return closeHanSpaces(says((typeof data === 'object' && data !== null ? markValues(data) : data) as never))
}

export const faultBody = (fault: Fault, language: 'en' | 'zh' = 'en'): FaultBody => ({
  error: fault.code,
  message: faultSays(fault, language),
  status_code: FAULTS[fault.code].status,
  ...(fault.data === undefined ? {} : { details: fault.data }),
})
