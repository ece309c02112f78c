/** The changes of a task by which its moments are chosen, and what differs between two of them. */
import * as z from 'zod'
import { count, when } from './common'

const seq = z.coerce.number().int().min(1).max(1e15)

/** failure: of a step, a stage or the task; stage: one begins or ends, or the task ends; checkpoint: an agent reports one */
export const markKind = z.enum(['ask', 'answer', 'failure', 'stage', 'checkpoint'])
export type MarkKind = z.infer<typeof markKind>
/** who: the agent or person, null: none; whom: who is asked */
export const momentMark = z.object({ kind: markKind, who: z.string().nullable(), whom: z.array(z.string()) })
export type MomentMark = z.infer<typeof momentMark>

const marksOfBucket = z.object({ ask: count, answer: count, failure: count, stage: count, checkpoint: count })
/** from, to: entries; marks: the first entry of each kind, 0: there is none */
const momentBucket = z.object({ from: count, to: count, at: when, changes: count, marks: marksOfBucket })
export type MomentBucket = z.infer<typeof momentBucket>

/** GET /api/tasks/<id>/moments: at most 1,000 buckets of equally many changes, the oldest first. */
export const momentsOfTask = z.object({ changes: count, buckets: z.array(momentBucket) })
export type MomentsOfTask = z.infer<typeof momentsOfTask>

/** GET /api/tasks/<id>/moments/changes?around= */
export const momentChangesQuery = z.object({ around: seq.describe('an entry') })
/** place: 1 for the first change of the task */
const momentChange = z.object({ seq: count, at: when, place: count, mark: momentMark.nullable() })
export type MomentChange = z.infer<typeof momentChange>
/** 200 changes before an entry and 200 after it, in order. */
export const momentChanges = z.object({ changes: z.array(momentChange), of: count })
export type MomentChanges = z.infer<typeof momentChanges>

/** GET /api/tasks/<id>/moments/compare?from=&to= */
export const momentCompareQuery = z.object({ from: seq, to: seq.optional().describe('absent: now') })
/** Of a stage, a step or a request; sent: of a message */
const momentState = z.enum([
  ...['init', 'pending', 'running', 'finished', 'failed'],
  ...['open', 'claimed', 'answered', 'released', 'expired', 'superseded', 'sent'],
] as const)
export type MomentState = z.infer<typeof momentState>
/** was, is: null: it was not there yet, or is there no more */
const difference = z.object({
  id: z.string(),
  name: z.string(),
  was: momentState.nullable(),
  is: momentState.nullable(),
})
export type MomentDifference = z.infer<typeof difference>
const differences = z.object({ count, newest: z.array(difference) })
/** What differs between two moments; of each kind the newest 50. name: of a message or request its first words */
export const momentCompare = z.object({
  stages: differences,
  steps: differences,
  messages: differences,
  requests: differences,
})
export type MomentCompare = z.infer<typeof momentCompare>
