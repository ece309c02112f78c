/** Commands of people about the set-up, tasks, steps and other systems; their schemas are beside what decides them. */
import type * as z from 'zod'
import type { BodyRef, ModelCall, ScheduleRecord } from '../records'
import type { TaskErased } from '../selectors/archive/erasedRecords'
import type { peerCommands } from './outside/schemas'
import type { setupCommands } from './setup/schemas'
import type { stepCommands } from './steps/schemas'
import type { stageSpec, taskCommands } from './tasks/schemas'

type Fields<Schemas extends Readonly<Record<string, z.ZodType>>> = { [Type in keyof Schemas]: z.infer<Schemas[Type]> }

/** What a person may say of a command is in its schema; beside it here is what the program adds. */
export type PersonCommandFields = Fields<
  typeof setupCommands & typeof taskCommands & typeof stepCommands & typeof peerCommands
> & {
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
