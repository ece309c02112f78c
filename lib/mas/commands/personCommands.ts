/** Commands of people; their schemas are beside what decides them. */
import type * as z from 'zod'
import type { AgentId } from '../ids'
import type { BodyRef, MessageRecord, ModelCall, ScheduleRecord } from '../records'
import type { Said } from '../said'
import type { TaskErased } from '../selectors/archive/erasedRecords'
import type { peerCommands } from './outside/schemas'
import type { requestCommands } from './requests/schemas'
import type { messageCommands } from './schemas'
import type { setupCommands } from './setup/schemas'
import type { stepCommands } from './steps/schemas'
import type { stageSpec, taskCommands } from './tasks/schemas'

type Fields<Schemas extends Readonly<Record<string, z.ZodType>>> = { [Type in keyof Schemas]: z.infer<Schemas[Type]> }

/** What a person may say of a command is in its schema; beside it here is what the program adds. */
export type PersonCommandFields = Fields<
  typeof messageCommands &
    typeof requestCommands &
    typeof setupCommands &
    typeof taskCommands &
    typeof stepCommands &
    typeof peerCommands
> & {
  /** said: what the program wrote in the person's name; `text` is the same sentence. fromTemplate, change: of a request for work */
  sendMessage: { sender: AgentId; said?: Said } & Pick<MessageRecord, 'attachments' | 'fromTemplate' | 'change'>
  /** arguments: edited ones of a confirmation, or a filled form; null: none */
  answerRequest: { arguments: BodyRef | null }
  /** Other arguments for its tool call; absent: those that it had. */
  retryStep: { arguments?: BodyRef }
  /** `confirmed`: they reviewed exactly this call, and why they want it; null: no confirmation needed. */
  runTool: { arguments: BodyRef; confirmed: { reason: string } | null }
  tryCall: { call: ModelCall }
  /** found: its entries and their sums, which the store knows */
  eraseTask: { found: Pick<TaskErased, 'from' | 'rows' | 'counters'> }
  saveSchedule: Pick<ScheduleRecord, 'attachments' | 'template'>
  /** keySha: of the generated key. */
  addPeer: { keySha: string }
  renewPeerKey: { keySha: string }
}

export type StageSpec = z.infer<typeof stageSpec>
