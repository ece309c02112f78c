/** What the tree of a task shows of steps that its view does not hold. */
import * as z from 'zod'
import type { TreeRow } from '../rows'
import { count, typed } from './common'

const treeRow = typed<TreeRow>()(
  z
    .looseObject({
      id: z.string(),
      kind: z.enum(['stage', 'agent', 'step', 'older']),
      parent: z.string().nullable(),
      name: z.string(),
      state: z.string(),
      stage: z.string().nullable(),
      agent: z.string().nullable(),
    })
    .meta({ id: 'TreeRow' }),
)
const place = z.coerce.number().int().min(0).max(1e12)
const moment = z.coerce
  .number()
  .int()
  .min(1)
  .max(1e15)
  .optional()
  .describe('an entry: as the task was after it; absent: now')
const stage = z.string().max(100).optional().describe('absent: steps in no stage')

/** GET /api/tasks/<id>/tree/steps?stage=&agent=&before=&at=&moment= */
export const treeStepsQuery = z.object({
  moment,
  stage,
  agent: z.string().max(100),
  before: place.optional().describe('those before this place of the lane; absent: the last ones'),
  at: place.optional().describe('the page that holds this place'),
})
/** The steps of one agent in one stage with from <= place < to, in the order in which they ran. */
export const treeSteps = z.object({ from: count, to: count, rows: z.array(treeRow) })
export type TreeSteps = z.infer<typeof treeSteps>

/** GET /api/tasks/<id>/tree/matches?text=&state=&agent=&before=&moment= */
export const treeMatchesQuery = z.object({
  moment,
  text: z.string().max(200).default(''),
  state: z.enum(['failed', 'done']).optional(),
  agent: z.string().max(100).optional(),
  before: z.coerce.number().int().min(1).max(1e15).optional().describe('only those added before this entry'),
})
export type TreeMatchesQuery = z.infer<typeof treeMatchesQuery>
/** The newest ones, in the order of the tree; next: `before` of those that follow, null: there are none. A page may be short. */
export const treeMatches = z.object({ rows: z.array(treeRow), next: count.nullable() })
export type TreeMatches = z.infer<typeof treeMatches>

/** GET /api/tasks/<id>/tree/failure?from=&stage=&agent=&back=&moment= */
export const treeFailureQuery = z.object({
  moment,
  from: z.string().max(100).optional().describe('the step from which is gone on'),
  stage,
  agent: z.string().max(100).optional().describe('with stage: the lane from whose beginning is gone on'),
  back: z.literal('yes').optional(),
})
/** The next failed step that was not tried again, in the order of the tree, with its page; null: there is none. */
export const treeFailure = z.object({ step: z.string().nullable(), page: treeSteps.nullable() })
export type TreeFailure = z.infer<typeof treeFailure>

/** GET /api/tasks/<id>/tree/ruler?moment= */
export const treeRulerQuery = z.object({ moment })
/**
 * GET /api/tasks/<id>/tree/ruler: the lanes with failed steps that were not tried again, in the order of the tree.
 *
 * failed   how many of them have left the live world
 * places   of failed steps within the lane: the first in each thousandth of all steps of the task
 */
export const treeRuler = z.object({
  lanes: z.array(z.object({ stage: z.string().nullable(), agent: z.string(), failed: count, places: z.array(count) })),
})
export type TreeRuler = z.infer<typeof treeRuler>
