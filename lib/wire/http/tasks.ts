/** New work, what operators and managers do with tasks, stages and agents, archived tasks. */
import * as z from 'zod'
import { LANGUAGES } from '@/lib/language'
import { FAILURE_CAUSES } from '@/lib/mas/steps/failureCause'
import { DECISIONS, REQUEST_KINDS } from '../../mas/asks/records'
import { goal, MOST_STAGES, stageSpec, taskCommands, why } from '../../mas/tasks/commands/schemas'
import { anyId, commandFields, count, executionState, json, longText, sha, when } from './common'
import { fileName } from './files'
import { requestRow } from './requests'

const { saveSchedule, saveTemplate } = taskCommands

const workFields = {
  wish: longText,
  pasted: longText,
  files: z.array(z.object({ name: z.string().max(1000), text: longText })).max(20),
  taken: z.array(z.object({ sha })).max(20).default([]).describe('files that were taken in before'),
  template: z
    .object({ id: anyId, values: z.record(z.string().max(100), z.string().max(20_000)) })
    .nullable()
    .default(null)
    .describe('in place of wish: a template and the values of its fields; that of a file is its name'),
}
const reviewPlans = z.boolean().default(false).describe('people approve the plans of its task before they begin')
/** POST /api/work: ask for new work. Files are saved in the workspace before the message is sent. */
export const postWork = z.object({ ...commandFields, ...workFields, reviewPlans })
export type PostWork = z.input<typeof postWork>

/** POST /api/work and /api/work/demo. saved: the paths of the saved files, relative to the workspace. */
export const workAnswer = z.object({ seq: count, reply: json, saved: z.array(z.string()) })
export type WorkAnswer = z.infer<typeof workAnswer>

/** GET /api/work/<id>. message: that asked for it; progress: running, or what it waits for; null: there is no task yet */
export const workStatus = z.object({
  message: z.string().nullable(),
  task: z.object({ id: z.string(), name: z.string() }).nullable(),
  state: z
    .enum(['asked', 'answered', 'running', 'input_required', 'finished', 'failed'])
    .describe(
      'asked: nobody has begun; answered: in words, without a task; input_required: something is open to the caller',
    ),
  progress: z.string().nullable(),
  summary: z.string().nullable(),
  requests: z.array(requestRow).describe('open to the caller, oldest first'),
  messages: z
    .array(z.object({ id: z.string(), at: when, from: z.string(), text: z.string(), files: z.array(z.string()) }))
    .describe('to the caller, the newest last, 20 at most; files: paths in the workspace'),
})
export type WorkStatus = z.infer<typeof workStatus>

const templateVersion = z.object({
  name: z.string(),
  text: z.string(),
  fields: z.array(saveTemplate.shape.fields.element),
  reviewPlans: z.boolean(),
  by: z.string().describe('the name of the person who saved it'),
  at: z.number().describe('epoch ms'),
})
/** POST /api/templates. template null: a new one. */
export const postTemplate = z.object({ ...commandFields, ...saveTemplate.shape })
export const templateList = z.object({
  templates: z.array(templateVersion.extend({ id: z.string(), removed: z.boolean() })),
})
export type TemplateList = z.infer<typeof templateList>
export type TemplateShown = TemplateList['templates'][number]
/** Earlier versions, the newest first. */
export const templateHistory = z.object({ versions: z.array(templateVersion) })
export type TemplateHistory = z.infer<typeof templateHistory>

const { text, ...scheduleFields } = saveSchedule.omit({ schedule: true }).shape
/** POST /api/schedules: a new one of the caller. */
export const postSchedule = z.object({ ...commandFields, ...workFields, ...scheduleFields })
/** POST /api/schedules/<id>. Its files stay. */
export const postScheduleChange = z.object({ ...commandFields, ...scheduleFields, text })
export const scheduleList = z.object({
  schedules: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      of: z.object({ id: z.string(), name: z.string() }),
      text: z.string(),
      files: z.array(z.object({ name: z.string(), bytes: count })),
      cron: z.string(),
      timeZone: z.string(),
      paused: z.object({ by: z.string().nullable(), reason: z.string(), at: z.number() }).nullable(),
      next: z.number().nullable(),
      last: z
        .object({
          due: z.number(),
          at: z.number(),
          message: z.string(),
          task: z.object({ id: z.string(), name: z.string().nullable(), state: executionState.nullable() }).nullable(),
        })
        .nullable(),
    }),
  ),
})
export type ScheduleList = z.infer<typeof scheduleList>
export type ScheduleShown = ScheduleList['schedules'][number]

/** POST /api/work/again: of which task or message. */
export const postAgain = z.union([z.strictObject({ task: anyId }), z.strictObject({ message: anyId })])
/** name: of the task; null for a message. Files count as uploaded by the caller, and are named by their hash in a request. */
export const againAnswer = z.object({
  text: z.string(),
  name: z.string().nullable(),
  files: z.array(z.object({ name: z.string(), bytes: count, sha })),
})
export type AgainAnswer = z.infer<typeof againAnswer>

/** An agent may be named by any form of its id. */
const stageFields = {
  ...stageSpec.shape,
  allocation: z.record(anyId, goal).describe('the goal of each agent, by its id'),
}
const stageSpecs = z.array(z.object(stageFields)).max(MOST_STAGES)
/** A requested stage. */
export type StageSpecBody = z.input<typeof stageSpecs>[number]

/** POST /api/{agents,tasks,steps,stages}/<id>/<act>. The reason may be empty only where something resumes. */
export const postAct = z.object({ ...commandFields, ...why }).meta({ id: 'Act' })

/** POST /api/steps/<id>/retry. arguments: other ones for its tool call, as JSON text; null or absent: those that it had. */
export const postRetryStep = z.object({ ...commandFields, ...why, arguments: longText.nullable().default(null) })

/** POST /api/agents/<id>/read_now */
export const postReadNow = z.object({ ...commandFields, ...taskCommands.readNow.omit({ agent: true }).shape })

/** POST /api/talks. with: a member by id or name */
export const postTalk = z.object({ ...commandFields, with: anyId })

/** POST /api/tasks */
export const postTask = z.object({
  ...commandFields,
  ...taskCommands.makeTask.shape,
  manager: anyId,
  members: z.array(anyId).max(1000),
  stages: stageSpecs,
})
export type PostTask = z.input<typeof postTask>

/** POST /api/tasks/<id>/stages */
export const postStages = z.object({ ...commandFields, ...why, stages: stageSpecs.min(1) })

/** POST /api/stages/<id>/retry */
export const postRetryStage = z.object({ ...commandFields, ...why, ...stageFields })

/** The body of a command about a task: all but the task. */
const aboutTask = { task: true } as const
/** POST /api/tasks/<id>/finish */
export const postFinishTask = z.object({ ...commandFields, ...taskCommands.finishTask.omit(aboutTask).shape })

/** POST /api/tasks/<id>/participants */
export const postParticipants = z.object({
  ...commandFields,
  ...why,
  add: z.array(anyId).max(1000),
  remove: z.array(anyId).max(1000),
  handTo: anyId
    .nullable()
    .default(null)
    .describe('who gets what only people that leave were asked; null: those questions end, and their parts fail'),
})

/** POST /api/tasks/<id>/rate */
export const postRating = z.object({ ...commandFields, ...taskCommands.rateTask.omit(aboutTask).shape })
/** POST /api/tasks/<id>/rename */
export const postRename = z.object({ ...commandFields, ...taskCommands.renameTask.omit(aboutTask).shape })
/** POST /api/stages/<id>/rename. intention: another goal; absent: it stays. */
export const postRenameStage = z.object({ ...commandFields, ...taskCommands.renameStage.omit({ stage: true }).shape })

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

/** POST /api/archives */
export const postArchive = z.object({
  name: fileName,
  // Its form is checked when it is decoded: the check of a schema takes 0.3 s for 33 MiB.
  base64: z.string(),
})
export const openedArchive = z.object({
  archive: z.string(),
  task: z.string().describe('its new id, under which it can be read'),
  name: z.string(),
  file: z.string(),
  by: z.string().describe('who opened it'),
  at: z.number(),
  exported: z.object({ by: z.string(), at: z.number() }).describe('as the file says'),
  bytes: count,
})
export type OpenedArchive = z.infer<typeof openedArchive>
/** GET /api/archives */
export const openedArchives = z.object({ archives: z.array(openedArchive) })
export type OpenedList = z.infer<typeof openedArchives>
export const removedArchive = z.object({ removed: z.string() })

const resultFact = z.object({
  label: z.string(),
  value: z.string(),
  source: z.string().nullable(),
  record: z
    .object({ kind: z.enum(['step', 'message']), id: z.string() })
    .nullable()
    .describe('the step or message that the source names'),
})
const taskDecision = z.object({
  request: z.string(),
  kind: z.enum(REQUEST_KINDS),
  title: z.string().describe('the question; of a call to confirm what it does'),
  decision: z.enum(DECISIONS),
  text: z.string(),
  name: z.string().describe('of the person who decided'),
  at: z.number().describe('epoch ms'),
})

/** GET /api/tasks/<id>/result of an ended task. tookMs, calls, costUsd: null when unknown. bytes null: removed. */
export const taskResult = z.object({
  task: z.string(),
  name: z.string(),
  state: z.enum(['finished', 'failed']),
  headline: z.string().nullable(),
  facts: z.array(resultFact),
  summary: z.string().nullable(),
  leftOut: z.array(z.string()),
  decisions: z.array(taskDecision),
  questions: count.describe('that agents and tools put to people'),
  approvals: count.describe('calls that people allowed'),
  ratings: z.array(
    z.object({
      agent: z.string(),
      name: z.string(),
      rating: z.enum(['up', 'down']),
      sentence: z.string(),
      at: z.number().describe('epoch ms'),
    }),
  ),
  mayRate: z.boolean().describe('the caller may rate it'),
  opened: z.literal(true).optional().describe('its task was opened from a file: no change of it can be asked for'),
  files: z.array(
    z.object({
      path: z.string(),
      change: z.enum(['made', 'changed', 'removed']),
      bytes: count.nullable(),
      seq: count.describe('of the version that the task left'),
      isKept: z.boolean().describe('the content of that version is stored'),
      isChanged: z.boolean().describe('a later version is recorded'),
    }),
  ),
  tookMs: z.number().nullable(),
  steps: count,
  calls: count.nullable(),
  tokens: count,
  isEstimated: z.boolean().describe('tokens and cost of some calls are estimates'),
  costUsd: z.number().nullable(),
  notDone: z.array(
    z.object({
      why: z.enum(['failed', 'notStarted', 'part']),
      stage: z.string(),
      stageName: z.string(),
      intention: z.string(),
      name: z.string().nullable(),
      reason: z.string(),
    }),
  ),
  failure: z
    .object({
      step: z.string(),
      agent: z.string(),
      name: z.string().describe("the agent's"),
      cause: z.enum(FAILURE_CAUSES),
      model: z.string().nullable(),
      server: z.string().nullable().describe('of the tool'),
    })
    .nullable()
    .describe('of a failed task: its last step that failed for a known cause'),
})
export type TaskResult = z.infer<typeof taskResult>

/** Of a passage that is quoted in a request for a change. */
export const PASSAGE_CHARACTERS = 2_000
/** POST /api/tasks/<id>/change: a request for new work. */
export const postChange = z.object({
  ...commandFields,
  passage: z.string().max(PASSAGE_CHARACTERS).default('').describe("of the result; '': all of it"),
  comment: longText.describe('what is to be changed'),
})
const relatedTask = z.object({ task: z.string(), name: z.string(), state: executionState })
/** GET /api/tasks/<id>/changes. by: the newest last */
export const taskChanges = z.object({ of: relatedTask.nullable(), by: z.array(relatedTask) })
export type TaskChanges = z.infer<typeof taskChanges>

/** GET /api/tasks/<id>/export. as result: the result alone, as Markdown. language: of the headings. */
export const exportQuery = z.object({
  as: z.enum(['markdown', 'result', 'archive']),
  language: z.enum(LANGUAGES).default('en'),
})
