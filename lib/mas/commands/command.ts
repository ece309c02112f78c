/** Commands: all requested changes of the world. */

import type { TaskPiece } from '../archive/branches'
import type { AgentId, AttemptId, MessageId, RequestId, ScheduleId, StepId, TaskId, ThreadId } from '../ids'
import type { OutsideCommandFields } from '../outside/commands/outsideCommands'
import type { PeerConfig } from '../outside/records'
import type {
  Access,
  AgentConfig,
  AttemptOutcome,
  AttemptRecord,
  FileChange,
  HeldCall,
  ModelCall,
  NoticeChannel,
  StepInput,
  TeamRecord,
  ToolQuestion,
} from '../records'
import type { Said } from '../said'
import type { SetupFile } from '../setup/setupRecords'
import type { StepOutcome } from '../steps/outcome'
import type { RuleOwner } from '../steps/toolRules'
import type { PersonCommandFields } from './personCommands'

export type { Bringer } from '../outside/commands/outsideCommands'
export type { PeerSpec } from '../outside/commands/schemas'
export type { StageSpec } from './personCommands'

/** Of which another file has the fields. */
type NamedElsewhere = OutsideCommandFields & PersonCommandFields

type CommandFields = NamedElsewhere & {
  /** The configuration file, compared with the world; its values are used. */
  applyConfig: {
    team: TeamRecord
    agents: AgentConfig[]
    baseTask: { id: TaskId; name: string; intention: string }
    /** From the file; absent: none. */
    models?: SetupFile['model']
    tools?: SetupFile['tool']
    /** Peers; absent: none. */
    peers?: PeerConfig[]
  }
  startNode: { node: string; epoch: number }
  /**
   * Somebody signed in by their company, or it was asked about them again. isNew: their first time here: `id` must be free.
   * groups: of the managed ones they are in the given ones and in no other
   */
  admitPerson: {
    id: string
    agent: AgentId
    name: string
    isNew: boolean
    access: Exclude<Access, 'none'>
    groups: { given: readonly string[]; managed: readonly string[] }
  }

  /** The due time of a message has come: its open deliveries and requests expire. */
  expireWait: { task: TaskId; message: MessageId }
  /** A reminder is due. */
  remindDue: { task: TaskId; agent: AgentId; about: NamedElsewhere['remindMe']['about'] }
  /** Notify a person by one channel about all of these. held: do not disturb until then; missing: no own channel. */
  attemptNotice: {
    person: AgentId
    items: { task: TaskId; request: RequestId }[]
    channel: Exclude<NoticeChannel, 'page' | 'desktop' | 'next'>
    because: AttemptRecord['because']
    rung: number
    outcome: Extract<AttemptOutcome, 'began' | 'held' | 'missing'>
    until: number | null
    node: string
  }
  endAttempt: {
    attempt: AttemptId
    items: { task: TaskId; request: RequestId }[]
    outcome: Extract<AttemptOutcome, 'sent' | 'failed' | 'unknown'>
    note: string | null
  }
  /** A person could not be reached: the next one is asked too. */
  escalate: { task: TaskId; request: RequestId; from: AgentId; to: AgentId }
  /** The end of an operator's rule for a tool has come. */
  endToolRule: { about: RuleOwner; server: string; tool: string; endsAt: number }
  /** An approval has waited since `since`, which is too long: it becomes urgent. */
  urgeDue: { task: TaskId; request: RequestId; since: number }
  /** It was acknowledged at `since` and not answered: it alerts again. */
  raiseAgain: { task: TaskId; request: RequestId; person: AgentId; since: number }

  startStep: { step: StepId; agent: AgentId; node: string; epoch: number }
  /** goOn: the agent's next step starts at that node, in the same decision. */
  finishStep: {
    step: StepId
    /** Where the step is, if the sender knows: this saves the search. */
    near?: { task: TaskId; agent: AgentId }
    attempt: number
    outcome: StepOutcome
    goOn: { node: string; epoch: number } | null
  }
  /** A risky call needs confirmation: people are asked. title: what it would do, in words; absent: the tool is named */
  holdStep: { step: StepId; attempt: number; call: HeldCall; title?: Said }
  /** The server of a call needs input before it answers: people are asked, and the call is sent again with what they say. */
  askInput: { step: StepId; attempt: number; input: StepInput }
  /** A model call without a usable result: recorded at once. */
  recordCall: { step: StepId; call: ModelCall }
  /** Files changed during a call of the step; recorded even if the step has ended. */
  recordFiles: { step: StepId; changes: FileChange[]; more: number; complete: boolean; keep: number }
  startEffect: { step: StepId; attempt: number; key: string; node: string }
  /** Its node is gone. attempt: the one that ran there; absent: the running one. `again`: it may be repeated. */
  recoverStep: { step: StepId; attempt?: number | null; again: boolean | 'unlessCalled'; reason: string }

  /** The time `due` of a schedule has come. */
  askScheduled: { schedule: ScheduleId; due: number }
  openToolRequest: { step: StepId; attempt: number; message: string; tool: ToolQuestion }
  /** The request is withdrawn: by the server, or because the call has ended. */
  withdrawToolRequest: { request: RequestId; because: 'server' | 'call' }

  /** Records without open work leave the world; refused if there is open work again. */
  archiveTask: { task: TaskId }
  /** Restore an archived conversation. piece: the restored records. */
  wakeTask: { task: TaskId; piece: TaskPiece }
  retireThread: { thread: ThreadId }
  evictRecords: { task: TaskId }

  /** A day at its limit has ended. */
  beginDay: { day: string }
}

export type CommandType = keyof CommandFields
export type CommandOf<Type extends CommandType> = { type: Type } & CommandFields[Type]
export type Command = { [Type in CommandType]: CommandOf<Type> }[CommandType]

/**
 * A command with its sender.
 *
 * id      made by the sender; the same id again returns the first outcome (R4)
 * by      the person's or agent's id, or `system:<what>`
 * session the id of the person's session; absent: a command of the program, or of a person in no session
 * until   epoch ms by the store's clock; afterwards it is EXPIRED and never done; outcomes of runners have none
 * bodies  texts and files that its events will refer to
 */
export type Envelope = {
  id: string
  by: string
  session?: string
  until?: number
  command: Command
  bodies?: NewBody[]
}

export type NewBody = { sha: string; bytes: Uint8Array; mime: string }
