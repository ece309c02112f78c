/** Predicates on the states of records: each question about a state is answered here once. */
import { fieldsIn } from '../json'
import type { AgentId } from './ids'
import type { WorkState } from './outside/records'
import type {
  DeliveryState,
  ExecutionState,
  PartState,
  RequestRecord,
  RequestState,
  StageRecord,
  StepRecord,
  StepResult,
  StepState,
  TaskRecord,
} from './records'

/**
 * What each state of a delivery implies.
 *
 * rank            a delivery only changes to a state of a higher rank; those of the highest rank are settled
 * isSeen          its receiver has seen the message by then
 * isAcknowledged  its receiver has acknowledged the message by then
 */
const DELIVERY_STATES: Record<DeliveryState, { rank: number; isSeen: boolean; isAcknowledged: boolean }> = {
  queued: { rank: 0, isSeen: false, isAcknowledged: false },
  delivered: { rank: 1, isSeen: false, isAcknowledged: false },
  shown: { rank: 2, isSeen: true, isAcknowledged: false },
  acknowledged: { rank: 3, isSeen: true, isAcknowledged: true },
  done: { rank: 4, isSeen: true, isAcknowledged: true },
  answered: { rank: 4, isSeen: true, isAcknowledged: true },
  released: { rank: 4, isSeen: false, isAcknowledged: false },
  expired: { rank: 4, isSeen: false, isAcknowledged: false },
  failed: { rank: 4, isSeen: false, isAcknowledged: false },
  superseded: { rank: 4, isSeen: false, isAcknowledged: false },
}
const SETTLED_RANK = 4

export const deliveryStateOf = (state: DeliveryState) => DELIVERY_STATES[state]

export const isSettled = (state: DeliveryState): boolean => DELIVERY_STATES[state].rank === SETTLED_RANK

/** The receiver did what the message asks: answered it, or it is done. */
export const isFulfilled = (state: DeliveryState): boolean => isSettled(state) && DELIVERY_STATES[state].isAcknowledged

const WORK_UNDER_WAY = {
  working: true,
  paused: true,
  stopped: true,
  input_required: false,
  finished: false,
  failed: false,
} satisfies Record<WorkState, boolean>

/** States of work by another system that are neither an end nor a question: a message with one answers nothing. */
export const isWorkUnderWay = (state: WorkState | undefined): boolean => state !== undefined && WORK_UNDER_WAY[state]

const OPEN_REQUEST: Record<RequestState, boolean> = {
  open: true,
  claimed: true,
  answered: false,
  released: false,
  expired: false,
  superseded: false,
}

export const isOpen = ({ state }: Pick<RequestRecord, 'state'>): boolean => OPEN_REQUEST[state]

const OVER: Record<ExecutionState | StepState | PartState, boolean> = {
  init: false,
  pending: false,
  idle: false,
  running: false,
  working: false,
  finished: true,
  failed: true,
}

export const isTaskOver = ({ state }: Pick<TaskRecord, 'state'>): boolean => OVER[state]
export const isStageOver = ({ state }: Pick<StageRecord, 'state'>): boolean => OVER[state]
export const isStepOver = ({ state }: Pick<StepRecord, 'state'>): boolean => OVER[state]
/** `undefined`: the agent has no part in the stage. */
export const isPartOver = (state: PartState | undefined): boolean => state !== undefined && OVER[state]
/** Whether the parts that it needs are finished. */
export const isPartReady = ({ needs, parts }: Pick<StageRecord, 'needs' | 'parts'>, agent: AgentId): boolean =>
  (needs?.[agent] ?? []).every((one) => parts[one] === 'finished')

/** Whether the step runs again later: it needs something first. */
export const comesAgain = (result: StepResult | null): boolean => fieldsIn(result?.made).again === true
