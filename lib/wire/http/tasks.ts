/** New work, what operators and managers do with tasks, stages and agents, archived tasks. */
import * as z from 'zod'
import { anyId, commandFields, count, executionState, json, longText, sha } from './common'

/** POST /api/work: ask for new work. Files are saved in the workspace before the message is sent. */
export const postWork = z.object({
  ...commandFields,
  wish: longText,
  pasted: longText,
  files: z.array(z.object({ name: z.string().max(1000), text: longText })).max(20),
  taken: z.array(z.object({ sha })).max(20).default([]).describe('files that were taken in before'),
})
export type PostWork = z.input<typeof postWork>

/** POST /api/work and /api/work/demo. saved: the paths of the saved files, relative to the workspace. */
export const workAnswer = z.object({ seq: count, reply: json, saved: z.array(z.string()) })
export type WorkAnswer = z.infer<typeof workAnswer>

const why = { reason: z.string().max(1000).describe('recorded, and told in the chat') }
/** A goal, an intention: at most this long. */
const goal = z.string().max(64 * 1024)
const intention = z
  .string()
  .min(1)
  .max(64 * 1024)
const stageFields = {
  intention,
  allocation: z.record(anyId, goal).describe('the goal of each agent, by its id'),
}
const stageSpec = z.object(stageFields)
/** A stage as a caller asks for it. */
export type StageSpecBody = z.input<typeof stageSpec>
const stageSpecs = z.array(stageSpec).max(50)

/**
 * POST /api/agents/<id>/{pause|resume|remove}, /api/tasks/<id>/{pause|resume}, /api/steps/<id>/{cancel|retry},
 * /api/stages/<id>/finish. The reason may be empty only where something resumes.
 */
export const postAct = z.object({ ...commandFields, ...why }).meta({ id: 'Act' })

/** POST /api/agents/<id>/read_now */
export const postReadNow = z.object({ ...commandFields, ...why, message: anyId })

/** POST /api/tasks */
export const postTask = z.object({
  ...commandFields,
  ...why,
  name: z.string().min(1).max(200),
  intention,
  manager: anyId,
  members: z.array(anyId).max(1000),
  stages: stageSpecs,
})

/** POST /api/tasks/<id>/stages */
export const postStages = z.object({ ...commandFields, ...why, stages: stageSpecs.min(1) })

/** POST /api/stages/<id>/retry */
export const postRetryStage = z.object({ ...commandFields, ...why, ...stageFields })

/** POST /api/tasks/<id>/finish */
export const postFinishTask = z.object({
  ...commandFields,
  ...why,
  state: z.enum(['finished', 'failed']),
  summary: goal,
})

/** POST /api/tasks/<id>/participants */
export const postParticipants = z.object({
  ...commandFields,
  ...why,
  add: z.array(anyId).max(1000),
  remove: z.array(anyId).max(1000),
})

/** POST /api/tasks/<id>/manager */
export const postManager = z.object({ ...commandFields, ...why, agent: anyId })

/** GET /api/tasks/archived */
export const archivedQuery = z.object({
  after: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
})
const archivedTask = z.object({
  task: z.string(),
  name: z.string(),
  state: executionState,
  summary: z.string().nullable(),
  endedAt: z.number().nullable(),
  archivedAt: z.number(),
  asker: z.string().nullable(),
  members: count,
})
export type ArchivedTask = z.infer<typeof archivedTask>
export const archivedPage = z.object({ tasks: z.array(archivedTask), next: z.string().nullable() })
export type ArchivedPage = z.infer<typeof archivedPage>
