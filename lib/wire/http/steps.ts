/** Steps: pages of them, and the prompt, the response, the result and the tool call of one. */
import * as z from 'zod'
import type { MessageId } from '../../mas/ids'
import type { ModelCall, StepRecord } from '../../mas/records'
import { commandFields, count, idOf, json, promptRole, typed, when } from './common'

const bodyRef = z.object({ sha: z.string(), bytes: count, preview: z.string(), mime: z.string() })
const modelCall = typed<ModelCall>()(
  z
    .looseObject({
      id: z.string(),
      attempt: count,
      model: z.string(),
      answer: bodyRef.nullable(),
      reasoning: bodyRef.optional(),
      outcome: z.string(),
      promptTokens: count.nullable(),
      cachedTokens: count.nullish(),
      completionTokens: count.nullable(),
      reasoningTokens: count.nullish(),
      costUsd: z.number().nullable(),
      totalMs: z.number(),
      at: when,
    })
    .meta({ id: 'ModelCall' }),
)
const stepRecord = typed<StepRecord>()(
  z
    .looseObject({
      id: z.string(),
      task: z.string(),
      stage: z.string().nullable(),
      agent: z.string(),
      intention: z.string(),
      type: z.enum(['skill', 'tool']),
      executor: z.string(),
      state: z.enum(['init', 'pending', 'running', 'finished', 'failed']),
      text: z.string(),
      calls: z.array(modelCall),
    })
    .meta({ id: 'Step' }),
)

/** GET /api/tasks/<id>/steps?after=<cursor>&limit=&agent=&text= */
export const stepPageQuery = z.object({
  after: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
  agent: z.string().max(100).optional().describe('only those of this agent'),
  text: z.string().max(200).optional().describe('only those whose intention or skill holds it'),
})
export type StepPageQuery = z.infer<typeof stepPageQuery>
export const stepPage = z.object({ steps: z.array(stepRecord), next: z.string().nullable() })
export type StepPage = z.infer<typeof stepPage>

/** GET /api/steps/<id> */
export const stepAnswer = z.object({
  step: stepRecord,
  taskName: z.string(),
  agentName: z.string(),
  archived: z.boolean(),
  opened: z.literal(true).optional().describe('its task was opened from a file'),
})
export type StepAnswer = z.infer<typeof stepAnswer>

/** ?call=<id> of a prompt and a response: the newest call when absent. */
export const callQuery = z.object({ call: z.string().max(200).optional() })

/** GET /api/steps/<id>/prompt */
export const promptAnswer = z.object({
  call: modelCall,
  sections: z.array(
    z.object({
      name: z.string(),
      role: promptRole,
      text: z.string(),
      bytes: count,
      messages: z.array(idOf<MessageId>()).describe('messages whose text the section holds, whole or cut'),
    }),
  ),
})
export type PromptAnswer = z.infer<typeof promptAnswer>

/** GET /api/steps/<id>/response. reasoning: null where the model's server gave none apart from the answer. */
/** calls: of functions, arguments as they came */
export const responseAnswer = z.object({
  call: modelCall,
  text: z.string(),
  calls: z.array(z.object({ name: z.string(), arguments: z.string() })),
  reasoning: z.string().nullable(),
})
export type ResponseAnswer = z.infer<typeof responseAnswer>

/** GET /api/steps/<id>/result: the whole parsed result. */
export const resultAnswer = z.object({ kind: z.string(), text: z.string(), json })
export type ResultAnswer = z.infer<typeof resultAnswer>

/** GET /api/steps/<id>/arguments. schema: what its tool takes; null: the tool is gone, or cannot be asked. */
export const stepArguments = z.object({ json, text: z.string(), schema: json })
export type StepArguments = z.infer<typeof stepArguments>

/** GET /api/steps/<id>/tool: the call and its result, whole up to 256 KiB each. */
export const toolAnswer = z.object({
  server: z.string(),
  name: z.string().nullable(),
  arguments: json,
  approvedBy: z
    .object({
      name: z.string(),
      edited: z.boolean(),
      allowed: z
        .enum(['task', 'agent'])
        .nullable()
        .describe('without a review: by a standing rule of the task, or of the agent'),
    })
    .nullable(),
  editedBy: z.string().nullable().describe('who had it done again with other arguments'),
  result: json,
  isError: z.boolean().nullable(),
  cut: z.boolean(),
})
export type ToolAnswer = z.infer<typeof toolAnswer>

/** POST /api/steps/<id>/try: the model of an earlier call of the step, with other sections. */
export const postTriedCall = z.object({
  id: commandFields.id,
  call: z.string().min(1).max(200),
  sections: z
    .array(z.object({ name: z.string().max(200), role: promptRole.exclude(['tool']), text: z.string() }))
    .min(1)
    .max(500),
})
export type PostTriedCall = z.input<typeof postTriedCall>
export const triedCall = z.object({ call: modelCall, text: z.string(), reasoning: z.string().nullable() })
export type TriedCall = z.infer<typeof triedCall>
