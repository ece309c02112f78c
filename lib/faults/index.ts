/** The one table of faults, with the HTTP status of each. Sentences: messages/program.en.ts. */
import type { Language } from '@/lib/language'
import { type ArchiveFault, FAULTS_EN } from '@/messages/program.en'
import { FAULTS_ZH } from '@/messages/program.zh'
import { isPlain, shownValues } from '../format/hiddenSigns'
import { fillIn, type ValuesOf } from '../i18n/sentences'

export type { ArchiveFault }

export type FaultCode = keyof typeof FAULTS_EN
type FaultData<Code extends FaultCode> = ValuesOf<(typeof FAULTS_EN)[Code]>

export const FAULT_STATUS: Readonly<Record<FaultCode, number>> = {
  NOT_SIGNED_IN: 401,
  SIGN_IN_FAILED: 401,
  LINK_USED: 401,
  SIGN_IN_STALE: 401,
  SIGN_IN_UNFIT: 401,
  PROVIDER_REFUSED: 401,
  PROVIDER_UNREACHABLE: 503,
  NOT_ADMITTED: 403,
  PASSWORDS_OFF: 403,
  NOT_ALLOWED: 403,
  TOKEN_UNKNOWN: 401,
  TOKEN_SCOPE: 403,
  NOT_YOU: 403,
  FOREIGN_ORIGIN: 403,
  FOREIGN_HOST: 403,
  CONFIRM_PASSWORD: 403,
  WRONG_PASSWORD: 403,
  WEAK_PASSWORD: 400,
  NOT_FOUND: 404,
  NOT_KEPT: 410,
  TASK_ERASED: 410,
  STILL_COUNTING: 503,
  NO_RECEIVERS: 422,
  NOT_A_MEMBER: 422,
  RECEIVER_UNKNOWN: 422,
  RECEIVER_GONE: 422,
  EMPTY_TEXT: 422,
  TOO_LARGE: 413,
  BAD_INPUT: 400,
  NOT_JSON: 415,
  BAD_ARGUMENTS: 422,
  ARGUMENTS_UNUSED: 422,
  TASK_OVER: 409,
  WORK_GOES_ON: 409,
  NOT_AT_REST: 409,
  BASE_TASK_STAYS: 409,
  TALK_FOR_TWO: 409,
  NOT_MANAGER: 403,
  STAGE_OVER: 409,
  STEP_OVER: 409,
  STAGE_NOT_RUNNING: 409,
  STEP_NOT_FAILED: 409,
  NO_TOOL_CALL: 409,
  TASK_PAUSED: 409,
  STAGE_MISSING: 422,
  NOT_YOUR_TOOL: 403,
  CONFIRM_FIRST: 409,
  TOOL_UNREACHABLE: 503,
  NO_ACTIONS: 422,
  NO_PEER: 422,
  PEER_KNOWN: 409,
  PEER_CONFIGURED: 409,
  PEER_URI: 422,
  PEER_ADDRESS: 422,
  PEER_SIGNS: 422,
  NAME_TAKEN: 409,
  SETUP_CHANGED: 409,
  MODEL_UNKNOWN: 422,
  MODEL_IN_USE: 409,
  TOOL_SERVER_UNKNOWN: 422,
  SKILLS_MISSING: 422,
  AGENT_BUSY: 409,
  LAST_OPERATOR: 409,
  PERSON_ASKED: 409,
  MANAGER_STAYS: 409,
  KEY_ELSEWHERE: 422,
  SECRET_KEY_MISSING: 409,
  FILE_UNFIT: 409,
  ARCHIVE_UNFIT: 422,
  ONLY_READ: 409,
  ADDRESS_PRIVATE: 422,
  COMMAND_NOT_ALLOWED: 403,
  FIXED_BY_FILE: 409,
  BUDGET_UNFIT: 400,
  BUDGET_USED: 409,
  ENVELOPE_ID_TAKEN: 409,
  CONVERSATION_UNKNOWN: 404,
  CONVERSATION_OVER: 409,
  PEER_LIMIT: 429,
  CONVERSATION_ASLEEP: 503,
  ALREADY_SO: 409,
  STEP_NOT_NEXT: 409,
  REQUEST_OVER: 409,
  REQUEST_CLAIMED: 409,
  NOT_ASKED: 403,
  DECISION_UNFIT: 422,
  ANSWER_NEEDED: 422,
  REASON_MISSING: 422,
  NOBODY_TO_ASK: 422,
  DUE_PAST: 422,
  HANDOVER_UNFIT: 422,
  DIGEST_CHANGED: 409,
  NOTHING_TO_UNDO: 409,
  COMMAND_ID_TAKEN: 409,
  EXPIRED: 409,
  TOO_MANY: 429,
  QUOTA: 409,
  STORE_BROKEN: 503,
  STOPPING: 503,
  INTERNAL: 500,
  JOURNAL_GAP: 500,
}

/** These never leave the process. */
export const INNER_FAULTS: ReadonlySet<FaultCode> = new Set(['STEP_NOT_NEXT', 'JOURNAL_GAP'])

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

const isFaultCode = (code: string): code is FaultCode => Object.hasOwn(FAULT_STATUS, code)

/** The body of every refusal. */
export type FaultBody = { error: FaultCode; message: string; status_code: number; details?: unknown }

const SENTENCES = { en: FAULTS_EN, zh: FAULTS_ZH }

/** The English sentence is there already, and may be that of another version; its values may have to be shown in another way. */
const faultSays = ({ code, data, message }: Fault, language: Language): string =>
  language === 'en' && isPlain(message) ? message : fillIn(language, SENTENCES[language][code], shownValues(data ?? {}))

/** The fault as the body of a refusal, in that language; hidden characters of its values are shown as codes. */
export const faultBody = (fault: Fault, language: Language = 'en'): FaultBody => ({
  error: fault.code,
  message: faultSays(fault, language),
  status_code: FAULT_STATUS[fault.code],
  ...(fault.data === undefined ? {} : { details: fault.data }),
})
