/** The index of all steps of all tasks, also of those that left the world: a part of the search index. */

/** The steps of one agent in one stage of a task; stage null: in none. */
export type StepLane = { stage: string | null; agent: string }
/** ran: how many of its steps have a place. failed: how many of its steps failed and were not tried again */
export type StepLaneSum = StepLane & { ran: number; failed: number }

/**
 * One step.
 *
 * created  the entry that added it
 * place    0, 1, 2 … within its lane, in the order in which its steps began; null: it has neither begun nor ended
 * isFailed it failed and was not tried again, as lastFailures of server/monitor/rows/failures.ts sees all steps of the lane
 */
export type IndexedStep = StepLane & {
  step: string
  created: number
  type: 'skill' | 'tool'
  place: number | null
  isFailed: boolean
}
/** A failed step on a ruler of its task. */
export type FailedPlace = StepLane & { type: 'skill' | 'tool'; place: number }

/** What an entry changes in the index; seq: of the entry. Changes of a step that is not in the index are ignored. */
export type StepChange = { seq: number; step: string } & (
  | {
      kind: 'added'
      task: string
      stage: string | null
      agent: string
      type: 'skill' | 'tool'
      executor: string
      retryOf: string | null
    }
  /** name: of what it calls */
  | { kind: 'instructed'; name: string }
  | { kind: 'began' }
  | { kind: 'ended'; isFailure: boolean }
  | { kind: 'moved'; stage: string | null }
)

/** Reads the steps of the search index, which `SearchIndex.add` writes: it is as far as the cursor of the search. */
export interface StepIndex {
  /** Those in which a step has a place. */
  lanesOf(task: string): Promise<StepLaneSum[]>
  /** Those with from <= place < to, by place. */
  stepsAt(task: string, lane: StepLane, from: number, to: number): Promise<IndexedStep[]>
  /** Failed steps of a lane after or before a place, the nearest first. */
  failedIn(
    task: string,
    lane: StepLane,
    side: { after: number } | { before: number },
    limit: number,
  ): Promise<IndexedStep[]>
  /** Failed steps of a task, lane by lane and by place; at most `limit`. */
  failedOf(task: string, limit: number): Promise<FailedPlace[]>
  /** Those that were created before the entry `before`, the newest first. isFailed true: only failed ones */
  newestSteps(
    task: string,
    only: { agent?: string; isFailed?: boolean },
    before: number,
    limit: number,
  ): Promise<IndexedStep[]>
  /** Those that these entries added, the newest first. */
  stepsCreated(task: string, seqs: readonly number[]): Promise<IndexedStep[]>
  /** null: unknown, or not indexed yet */
  placeOf(step: string): Promise<IndexedStep | null>
}
