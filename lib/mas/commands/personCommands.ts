/** Commands of people; their schemas are beside what decides them. */
import type * as z from 'zod'
import type { TaskErased } from '../archive/erasedRecords'
import type { requestCommands } from '../asks/commands/schemas'
import type { AgentId } from '../ids'
import type { peerCommands } from '../outside/commands/schemas'
import type { BodyRef, MessageRecord, ModelCall, NewStage, ScheduleRecord } from '../records'
import type { Said } from '../said'
import type { setupCommands } from '../setup/commands/schemas'
import type { stepCommands } from '../steps/commands/schemas'
import type { stageSpec, taskCommands } from '../tasks/commands/schemas'
import type { messageCommands } from './schemas'

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
  /** said: what the program wrote in the person's name; `text` is the same sentence. fromTemplate, reviewPlans, change: of a request for work */
  sendMessage: { sender: AgentId; said?: Said } & Pick<
    MessageRecord,
    'attachments' | 'fromTemplate' | 'reviewPlans' | 'change'
  >
  /** arguments: edited ones of a confirmation, or a filled form; null: none. plan: the stages that begin instead of the proposed ones */
  answerRequest: { arguments: BodyRef | null; plan?: readonly NewStage[] }
  /** Other arguments for its tool call; absent: those that it had. */
  retryStep: { arguments?: BodyRef }
  /** `confirmed`: they reviewed exactly this call, and why they want it; null: no confirmation needed. */
  runTool: { arguments: BodyRef; confirmed: { reason: string } | null }
  /** The digest of the tool's description and schema as they are now; null: they are not known. */
  ruleTool: { definition: string | null }
  tryCall: { call: ModelCall }
  /** found: its entries and their sums, which the store knows */
  eraseTask: { found: Pick<TaskErased, 'from' | 'rows' | 'counters'> }
  saveSchedule: Pick<ScheduleRecord, 'attachments' | 'template'>
  /** keySha: of the generated key. */
  addPeer: { keySha: string }
  renewPeerKey: { keySha: string }
}

export type StageSpec = z.infer<typeof stageSpec>
