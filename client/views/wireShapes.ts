/** Schemas of socket messages. Heads are checked whole, content only as far as needed to avoid crashes: rows have id and sort. */

import * as z from 'zod/mini'
import { isJsonObject } from '@/lib/json'
import type { AgentId, StepId, TaskId } from '@/lib/mas/ids'
import type { RecordPatch } from '@/lib/wire/recordPatch'
import type { AnyRow } from '@/lib/wire/rows'
import type { Beat, Closed, Ephemeral, Reset, ViewFrame } from '@/lib/wire/views'

const seq = z.int().check(z.nonnegative())

const isText = (value: unknown): boolean => typeof value === 'string'

// Hundreds of rows come each second; schemas of their own for each take ten times as long.
const listOf = <T>(isItem: (value: unknown) => boolean) =>
  z.custom<T[]>((value) => Array.isArray(value) && value.every(isItem))
const rows = listOf<AnyRow>(
  (value) =>
    isJsonObject(value) &&
    isText(value.id) &&
    isText(value.sort) &&
    (value.kind !== 'record' || isJsonObject(value.record)),
)

const head = { sub: z.string(), asked: z.int(), gen: z.string(), to: seq, cursor: z.string() }

const reset: z.ZodMiniType<Reset> = z.object({ ...head, n: z.int(), rows })
const marks = z.optional(z.record(z.string(), z.number()))
const patch = listOf<RecordPatch>(
  (value) =>
    isJsonObject(value) &&
    isText(value.id) &&
    isJsonObject(value.fields) &&
    (value.without === undefined || (Array.isArray(value.without) && value.without.every(isText))),
)
const changes = { set: rows, patch, del: z.array(z.string()) }
const frame: z.ZodMiniType<ViewFrame> = z.object({ ...head, ...changes, from: seq, marks })
const closed: z.ZodMiniType<Closed> = z.object({
  sub: z.string(),
  asked: z.int(),
  n: z.int(),
  reason: z.enum(['not-found', 'erased', 'not-allowed', 'bad-view']),
})
const beat: z.ZodMiniType<Beat> = z.object({
  at: z.number(),
  head: seq,
  node: z.string(),
  wire: z.number(),
  subs: z.record(z.string(), z.tuple([z.int(), z.string(), seq])),
  mono: z.optional(z.number()),
})
const agent = z.custom<AgentId>(isText)
const ofAttempt = { task: z.custom<TaskId>(isText), agent, step: z.custom<StepId>(isText), attempt: z.int() }
const doing = { kind: z.literal('doing'), ...ofAttempt, since: z.number() }
const ephemeral: z.ZodMiniType<Ephemeral> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), ...ofAttempt, at: seq, text: z.string() }),
  z.discriminatedUnion('what', [
    z.object({ ...doing, what: z.literal('queued'), place: z.int().check(z.positive()) }),
    z.object({ ...doing, what: z.enum(['asked', 'writing', 'repeating', 'person', 'between']) }),
    z.object({ ...doing, what: z.literal('tool'), tool: z.string() }),
  ]),
  z.object({ kind: z.literal('drafting'), request: z.string(), person: agent, name: z.string(), on: z.boolean() }),
  z.object({
    kind: z.literal('presence'),
    person: agent,
    presence: z.object({
      state: z.enum(['online', 'away', 'offline']),
      quiet: z.nullable(z.object({ until: z.nullable(z.number()) })),
    }),
  }),
  z.object({ kind: z.literal('read'), person: agent, place: z.string(), seq }),
  z.object({
    kind: z.literal('draft'),
    person: agent,
    key: z.string(),
    version: z.nullable(z.int()),
    isWritten: z.boolean(),
  }),
  z.object({ kind: z.literal('settings'), person: agent }),
])

export type ViewMessage =
  | { event: 'reset'; message: Reset }
  | { event: 'frame'; message: ViewFrame }
  | { event: 'closed'; message: Closed }
  | { event: 'beat'; message: Beat }

const read =
  <T>(shape: z.ZodMiniType<T>) =>
  (value: unknown): T | null => {
    const parsed = shape.safeParse(value)
    return parsed.success ? parsed.data : null
  }

/** Each returns the message, or null when the value is none. */
export const readReset = read(reset)
export const readFrame = read(frame)
export const readClosed = read(closed)
export const readBeat = read(beat)
export const readEphemeral = read(ephemeral)
