/** The one table of faults: the HTTP status, what to do next, and whether it may leave the process. Sentences: messages/program.en.ts. */
import { FAULTS_EN } from '@/messages/program.en'
import { FAULTS_ZH } from '@/messages/program.zh'
import { fillIn, type ValuesOf } from '../i18n/sentences'

type FaultNext = 'fix' | 'refresh' | 'wait' | 'sign-in' | 'resync' | 'none'
export type FaultCode = keyof typeof FAULTS_EN
type FaultData<Code extends FaultCode> = ValuesOf<(typeof FAULTS_EN)[Code]>
type FaultRow = { status: number; next: FaultNext; leaves: boolean }

const row = (status: number, next: FaultNext, leaves = true): FaultRow => ({ status, next, leaves })

export const FAULTS: Readonly<Record<FaultCode, FaultRow>> = {
  NOT_SIGNED_IN: row(401, 'sign-in'),
  SIGN_IN_FAILED: row(401, 'fix'),
  LINK_USED: row(401, 'fix'),
  NOT_ALLOWED: row(403, 'none'),
  NOT_YOU: row(403, 'fix'),
  FOREIGN_ORIGIN: row(403, 'none'),
  NOT_FOUND: row(404, 'refresh'),
  NOT_KEPT: row(410, 'none'),
  NO_RECEIVERS: row(422, 'fix'),
  NOT_A_MEMBER: row(422, 'fix'),
  RECEIVER_UNKNOWN: row(422, 'fix'),
  RECEIVER_GONE: row(422, 'fix'),
  EMPTY_TEXT: row(422, 'fix'),
  TOO_LARGE: row(413, 'fix'),
  BAD_INPUT: row(400, 'fix'),
  BAD_ARGUMENTS: row(422, 'fix'),
  ARGUMENTS_UNUSED: row(422, 'fix'),
  TASK_OVER: row(409, 'none'),
  WORK_GOES_ON: row(409, 'fix'),
  NOT_AT_REST: row(409, 'none'),
  BASE_TASK_STAYS: row(409, 'none'),
  NOT_MANAGER: row(403, 'none'),
  STAGE_OVER: row(409, 'refresh'),
  STEP_OVER: row(409, 'refresh'),
  STAGE_NOT_RUNNING: row(409, 'refresh'),
  STEP_NOT_FAILED: row(409, 'refresh'),
  TASK_PAUSED: row(409, 'wait'),
  STAGE_MISSING: row(422, 'fix'),
  NOT_YOUR_TOOL: row(403, 'none'),
  CONFIRM_FIRST: row(409, 'fix'),
  TOOL_UNREACHABLE: row(503, 'wait'),
  NO_ACTIONS: row(422, 'fix'),
  NO_PEER: row(422, 'fix'),
  PEER_KNOWN: row(409, 'fix'),
  PEER_CONFIGURED: row(409, 'none'),
  PEER_URI: row(422, 'fix'),
  PEER_ADDRESS: row(422, 'fix'),
  PEER_SIGNS: row(422, 'fix'),
  NAME_TAKEN: row(409, 'fix'),
  SETUP_CHANGED: row(409, 'refresh'),
  MODEL_UNKNOWN: row(422, 'fix'),
  MODEL_IN_USE: row(409, 'fix'),
  TOOL_SERVER_UNKNOWN: row(422, 'fix'),
  SKILLS_MISSING: row(422, 'fix'),
  AGENT_BUSY: row(409, 'fix'),
  LAST_OPERATOR: row(409, 'fix'),
  PERSON_ASKED: row(409, 'fix'),
  MANAGER_STAYS: row(409, 'fix'),
  KEY_ELSEWHERE: row(422, 'fix'),
  SECRET_KEY_MISSING: row(409, 'fix'),
  FILE_UNFIT: row(409, 'fix'),
  ADDRESS_PRIVATE: row(422, 'fix'),
  COMMAND_NOT_ALLOWED: row(403, 'fix'),
  FIXED_BY_FILE: row(409, 'none'),
  ENVELOPE_ID_TAKEN: row(409, 'fix'),
  CONVERSATION_UNKNOWN: row(404, 'fix'),
  CONVERSATION_OVER: row(409, 'none'),
  PEER_LIMIT: row(429, 'wait'),
  CONVERSATION_ASLEEP: row(503, 'wait'),
  ALREADY_SO: row(409, 'refresh'),
  STEP_NOT_NEXT: row(409, 'refresh', false),
  REQUEST_OVER: row(409, 'refresh'),
  REQUEST_CLAIMED: row(409, 'fix'),
  NOT_ASKED: row(403, 'none'),
  DECISION_UNFIT: row(422, 'fix'),
  ANSWER_NEEDED: row(422, 'fix'),
  REASON_MISSING: row(422, 'fix'),
  NOBODY_TO_ASK: row(422, 'none'),
  DUE_PAST: row(422, 'fix'),
  HANDOVER_UNFIT: row(422, 'fix'),
  DIGEST_CHANGED: row(409, 'refresh'),
  NOTHING_TO_UNDO: row(409, 'refresh'),
  COMMAND_ID_TAKEN: row(409, 'fix'),
  EXPIRED: row(409, 'fix'),
  TOO_MANY: row(429, 'wait'),
  STORE_BROKEN: row(503, 'wait'),
  STOPPING: row(503, 'wait'),
  INTERNAL: row(500, 'wait'),
  JOURNAL_GAP: row(500, 'resync', false),
}

/** A refusal or a failure, with its English sentence. */
export class Fault<Code extends FaultCode = FaultCode> extends Error {
  override readonly name = 'Fault'
  readonly code: Code
  readonly data: FaultData<Code>
  constructor(code: Code, ...rest: FaultData<Code> extends undefined ? [] : [FaultData<Code>]) {
    const data = rest[0] as FaultData<Code>
    super(fillIn('en', FAULTS_EN[code], data))
    this.code = code
    this.data = data
  }

  /** A refusal that was stored or came from another node, with its words of then. INTERNAL for a code that this version does not know. */
  static again({ code, data, message }: { code: string; data: unknown; message: string }): Fault {
    if (!isFaultCode(code)) return new Fault('INTERNAL')
    return Object.assign(Object.create(Fault.prototype) as Fault, { code, data: data ?? undefined, message })
  }
}

const isFaultCode = (code: string): code is FaultCode => Object.hasOwn(FAULTS, code)

/** The body of every refusal. */
export type FaultBody = { error: FaultCode; message: string; status_code: number; details?: unknown }

const faultSays = ({ code, data, message }: Fault, language: 'en' | 'zh'): string =>
  language === 'en' ? message : fillIn('zh', FAULTS_ZH[code], data)

/** The fault as the body of a refusal, in that language. */
export const faultBody = (fault: Fault, language: 'en' | 'zh' = 'en'): FaultBody => ({
  error: fault.code,
  message: faultSays(fault, language),
  status_code: FAULTS[fault.code].status,
  ...(fault.data === undefined ? {} : { details: fault.data }),
})
