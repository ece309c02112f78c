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
  NOT_SIGNED_IN: row(401, 'sign-in', () => "You aren't signed in."),
  SIGN_IN_FAILED: row(401, 'fix', () => 'Incorrect ID or password.'),
  LINK_USED: row(401, 'fix', () => 'This sign-in link has expired or was already used. Ask for a new one.'),
  NOT_ALLOWED: row(403, 'none', (d: { what: string }) => `You don't have permission to ${d.what}.`),
  NOT_YOU: row(403, 'fix', () => "human_agent_id isn't the person of this session."),
  FOREIGN_ORIGIN: row(403, 'none', (d: { origin: string }) => `Requests from ${d.origin} aren't accepted.`),
  NOT_FOUND: row(404, 'refresh', (d: { what: string; id: string }) => `There is no ${d.what} ${d.id}.`),
  NOT_KEPT: row(410, 'none', () => 'This is no longer kept: its task was archived longer ago than archives are kept.'),
  NO_RECEIVERS: row(422, 'fix', () => 'The list of receivers is empty.'),
  NOT_A_MEMBER: row(422, 'fix', (d: { name: string; task: string }) => `${d.name} isn't in the task ${d.task}.`),
  RECEIVER_UNKNOWN: row(422, 'fix', (d: { id: string }) => `There is no agent or person ${d.id}.`),
  RECEIVER_GONE: row(422, 'fix', (d: { name: string }) => `${d.name} was removed and can no longer receive messages.`),
  EMPTY_TEXT: row(422, 'fix', () => 'There is no text to send.'),
  TOO_LARGE: row(
    413,
    'fix',
    (d: { what: string; limit: string; size: string }) => `${d.what} is ${d.size}; the limit is ${d.limit}.`,
  ),
  BAD_INPUT: row(400, 'fix', (d: { why: string }) => d.why),
  BAD_ARGUMENTS: row(422, 'fix', (d: { why: string }) => `The arguments don't match the tool: ${d.why}`),
  TASK_OVER: row(409, 'none', (d: { task: string }) => `The task ${d.task} is finished and read-only.`),
  NOT_AT_REST: row(
    409,
    'none',
    (d: { what: string; id: string }) => `The ${d.what} ${d.id} is still active, so it isn't archived.`,
  ),
  BASE_TASK_STAYS: row(
    409,
    'none',
    () => "Requests always stays open: it can't be finished, and neither can its stage.",
  ),
  NOT_MANAGER: row(403, 'none', (d: { name: string; task: string }) => `${d.name} doesn't manage the task ${d.task}.`),
  STAGE_OVER: row(409, 'refresh', () => 'That stage has ended.'),
  STEP_OVER: row(409, 'refresh', () => 'That step has ended.'),
  STAGE_NOT_RUNNING: row(409, 'refresh', () => "That stage isn't running."),
  STEP_NOT_FAILED: row(409, 'refresh', () => 'Only a step that failed or was cancelled can be run again.'),
  TASK_PAUSED: row(409, 'wait', (d: { task: string; by: string }) => `The task ${d.task} is paused by ${d.by}.`),
  STAGE_MISSING: row(422, 'fix', () => 'Choose the stage of the task that this belongs to.'),
  NOT_YOUR_TOOL: row(403, 'none', (d: { server: string }) => `You don't have access to the tools of ${d.server}.`),
  CONFIRM_FIRST: row(
    409,
    'fix',
    (d: { call: string }) => `${d.call} may make changes: review the call and confirm it.`,
  ),
  TOOL_UNREACHABLE: row(503, 'wait', (d: { server: string; why: string }) =>
    d.why === '' ? `${d.server} isn't responding.` : `${d.server} isn't responding: ${d.why}`,
  ),
  NO_ACTIONS: row(
    422,
    'fix',
    (d: { name: string }) => `${d.name} doesn't accept actions. Message it with send_to_agent.`,
  ),
  NO_PEER: row(422, 'fix', (d: { uri: string }) => `No peer is configured for ${d.uri}.`),
  PEER_KNOWN: row(409, 'fix', (d: { uri: string }) => `The peer ${d.uri} already exists.`),
  PEER_CONFIGURED: row(409, 'none', (d: { uri: string }) => `${d.uri} is set in the configuration. Edit it there.`),
  PEER_SIGNS: row(
    422,
    'fix',
    (d: { uri: string }) =>
      `${d.uri} has a signing key, but MAP messages can't be signed. Remove MAP or the signing key.`,
  ),
  NAME_TAKEN: row(409, 'fix', (d: { name: string }) => `The name ${d.name} is taken.`),
  SETUP_CHANGED: row(
    409,
    'refresh',
    (d: { by: string }) => `${d.by} changed this in the meantime. Review it again; what you typed is kept.`,
  ),
  MODEL_UNKNOWN: row(422, 'fix', (d: { name: string }) => `There is no model called ${d.name}.`),
  MODEL_IN_USE: row(
    409,
    'fix',
    (d: { name: string; by: string }) => `${d.name} is used by ${d.by}. Give them another model first.`,
  ),
  TOOL_SERVER_UNKNOWN: row(422, 'fix', (d: { names: string }) => `There are no tools called ${d.names}.`),
  SKILLS_MISSING: row(422, 'fix', (d: { names: string }) => `An agent needs these skills to end its work: ${d.names}.`),
  AGENT_BUSY: row(
    409,
    'fix',
    (d: { name: string; parts: string }) =>
      `${d.name} has an open part in ${d.parts}. Finish that stage, or retry it with someone else, first.`,
  ),
  LAST_OPERATOR: row(
    409,
    'fix',
    (d: { name: string }) => `${d.name} is the last operator. Make someone else an operator first.`,
  ),
  PERSON_ASKED: row(
    409,
    'fix',
    (d: { name: string; tasks: string }) => `${d.name} has open requests in ${d.tasks}. Choose who takes them over.`,
  ),
  MANAGER_STAYS: row(
    409,
    'fix',
    (d: { name: string; task: string }) => `${d.name} manages ${d.task}. Make someone else the manager first.`,
  ),
  KEY_ELSEWHERE: row(
    422,
    'fix',
    (d: { name: string; host: string }) =>
      `The key ${d.name} isn't for ${d.host}. Type the key again, or name a variable that begins with CONVENE_KEY_.`,
  ),
  FILE_UNFIT: row(409, 'fix', (d: { why: string }) => `The configuration file wouldn't be valid: ${d.why}`),
  ADDRESS_PRIVATE: row(
    422,
    'fix',
    (d: { host: string }) =>
      `${d.host} is in a private network. To allow it, write server: { allow_private: true } into the configuration file and restart.`,
  ),
  COMMAND_NOT_ALLOWED: row(
    403,
    'fix',
    (d: { command: string }) => `The configuration doesn't allow ${d.command}: it names commands under tools_allowed.`,
  ),
  FIXED_BY_FILE: row(
    409,
    'none',
    (d: { name: string }) => `The connection of ${d.name} is set in the configuration file.`,
  ),
  ENVELOPE_ID_TAKEN: row(409, 'fix', (d: { id: string }) => `The ID ${d.id} was already used for something else.`),
  CONVERSATION_UNKNOWN: row(404, 'fix', (d: { id: string }) => `Conversation ${d.id} not found`),
  CONVERSATION_OVER: row(409, 'none', (d: { id: string }) => `The conversation ${d.id} has ended.`),
  PEER_LIMIT: row(429, 'wait', (d: { what: 'tasksAtOnce' | 'tokensPerDay' | 'costPerDay'; limit: number }) =>
    d.what === 'tasksAtOnce'
      ? `This system may have ${d.limit} tasks at once. It can ask again when one has ended.`
      : d.what === 'tokensPerDay'
        ? `This system has reached its limit of ${d.limit} tokens per 24 hours.`
        : `This system has reached its limit of $${d.limit} per 24 hours.`,
  ),
  CONVERSATION_ASLEEP: row(
    503,
    'wait',
    (d: { id: string; task: string }) => `The conversation ${d.id} is archived and is being restored.`,
  ),
  ALREADY_SO: row(409, 'refresh', (d: { what: string }) => `Nothing was changed: ${d.what}.`),
  STEP_NOT_NEXT: row(409, 'refresh', () => 'Another step comes first.', false),
  AGENT_WAITS: row(409, 'wait', (d: { name: string }) => `${d.name} is waiting and runs nothing.`, false),
  REQUEST_OVER: row(
    409,
    'refresh',
    (d: { by: string; how: string; at: number; request: string }) =>
      `${d.by} was first: the request is already ${d.how}.`,
  ),
  REQUEST_CLAIMED: row(
    409,
    'fix',
    (d: { by: string; until: number; request: string }) => `${d.by} took this request. Give a reason to take it over.`,
  ),
  NOT_ASKED: row(403, 'none', () => "This request isn't addressed to you."),
  DECISION_UNFIT: row(
    422,
    'fix',
    (d: { decision: string; kind: string }) => `${d.decision} isn't a valid answer to a request of kind ${d.kind}.`,
  ),
  ANSWER_NEEDED: row(
    422,
    'fix',
    (d: { who: string }) => `${d.who} asked a question: answer it, it can't be marked as done.`,
  ),
  REASON_MISSING: row(422, 'fix', () => 'Give a reason.'),
  NOBODY_TO_ASK: row(422, 'none', () => "The system asked this, so there's no one to ask back."),
  DUE_PAST: row(422, 'fix', () => 'The due time is in the past.'),
  HANDOVER_UNFIT: row(422, 'fix', (d: { why: string }) => `Couldn't hand over: ${d.why}`),
  DIGEST_CHANGED: row(409, 'refresh', () => 'The call changed since you saw it. Review it again.'),
  NOTHING_TO_UNDO: row(409, 'refresh', () => 'There is nothing to undo.'),
  COMMAND_ID_TAKEN: row(409, 'fix', () => 'This command ID is already used. Send the command again with a new one.'),
  EXPIRED: row(409, 'fix', () => "This came too late and wasn't done. Send it again."),
  TOO_MANY: row(429, 'wait', (d: { seconds: number }) => `Too many attempts. Try again in ${d.seconds} s.`),
  STORE_BROKEN: row(
    503,
    'wait',
    () =>
      "Nothing can be saved right now, so this wasn't done. You can still read everything. Try again in a few seconds; if it stays like this, ask an operator to check the server's disk and log.",
  ),
  STOPPING: row(503, 'wait', () => 'The server is stopping.'),
  INTERNAL: row(500, 'wait', () => 'Something went wrong on the server. It was recorded.'),
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
