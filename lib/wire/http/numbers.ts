/** The numbers of the team: what was done, used, and waited for, by day, member, model and task. */
import * as z from 'zod'
import { anyId, count, when } from './common'

/** 2026-02-31 is none, although Date takes it. */
function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}
const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'a day such as 2026-11-30')
  .refine(isDay, 'a day that exists')

/** GET /api/numbers. Days of the zone, both included. Absent filters: all. */
export const numbersQuery = z.object({
  from: day,
  to: day,
  zone: z.string().max(100).default('UTC').describe('an IANA time zone'),
  task: anyId.optional(),
  agent: anyId.optional().describe('who worked, asked or was waited for'),
  model: z.string().min(1).max(200).optional(),
})

const figures = {
  calls: count.describe('calls of models'),
  failedCalls: count,
  repairedCalls: count.describe('answers that were returned to the model'),
  estimatedCalls: count.describe('calls whose tokens are an estimate'),
  unpricedCalls: count.describe('calls that used tokens and have no price: they are in no cost'),
  promptTokens: count,
  cachedTokens: count.describe('part of promptTokens'),
  completionTokens: count,
  reasoningTokens: count.describe('part of completionTokens'),
  nanoUsd: count.describe('10⁻⁹ US dollars'),
  firstToken: z.array(count).describe('calls by time to the first token; the bounds are in firstTokenBoundsMs'),
  steps: count.describe('steps that ended'),
  failedSteps: count,
  waits: count.describe('waits that ended'),
  waitMs: count,
  longestWaitMs: count,
  tasksAsked: count,
  tasksFinished: count,
  tasksFailed: count,
}
const figuresOnly = z.object(figures)
export type Figures = z.infer<typeof figuresOnly>

export const numbersAnswer = z.object({
  /** Entries of the journal that are counted, of all. */
  counted: z.object({ upTo: count, head: count }),
  firstTokenBoundsMs: z.array(count),
  /** Before this day days are those of UTC. */
  hoursFrom: day,
  total: z.object(figures),
  /** Days in which something happened, in order. */
  days: z.array(
    z.object({
      day,
      ...figures,
      tasksActive: count.describe('tasks in which a step ended'),
      tasksWaiting: count.describe('tasks in which a wait ended'),
    }),
  ),
  members: z.array(z.object({ id: z.string(), name: z.string(), isPerson: z.boolean(), ...figures })),
  models: z.array(z.object({ model: z.string(), ...figures })),
  tasks: z.array(z.object({ id: z.string(), name: z.string(), ...figures })).describe('those of the highest use first'),
  otherTasks: count.describe('tasks that are in the sums and not listed'),
  waits: z
    .array(
      z.object({
        on: z.string().describe('the name of who was waited for'),
        task: z.string(),
        taskName: z.string(),
        waits: count,
        waitMs: count,
        longestWaitMs: count,
      }),
    )
    .describe('the longest first'),
  waitingNow: z
    .array(z.object({ on: z.string(), by: z.string(), task: z.string(), taskName: z.string(), since: when }))
    .describe('the longest first'),
})
export type Numbers = z.infer<typeof numbersAnswer>

/** GET /api/numbers/activity: ended steps in the hours (last day) or days (last two weeks) before now, oldest first. */
export const activityQuery = z.object({ of: z.enum(['tasks', 'members']) })
export const activityAnswer = z.object({
  slotMs: count,
  rows: z.record(z.string(), z.array(count)).describe('by id; those without any are absent'),
})
export type RecentActivity = z.infer<typeof activityAnswer>
