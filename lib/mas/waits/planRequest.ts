import { selectOpenRequests } from '../asks/requests'
import type { RequestRecord, StepRecord, World } from '../records'

/**
 * The open request about a plan that holds this step up: its own plan, or that of a step of the same agent and thread, if this one
 * was in the list before. A later step may run: it may answer a question about the plan.
 *
 * out     null: none
 */
export const selectPlanRequest = (
  world: Pick<World, 'requests'>,
  { id, task, agent, thread, createdSeq }: StepRecord,
): RequestRecord | null =>
  selectOpenRequests(world, task).find(
    (request) =>
      request.kind === 'plan' &&
      request.asker === agent &&
      request.thread === thread &&
      (request.step === id || createdSeq < request.openedSeq),
  ) ?? null
