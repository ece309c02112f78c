/** What a load is asked for, and how far it is. */
import * as z from 'zod'

/**
 * changesPerSecond  journal entries that all agents together make in a second; Infinity: as fast as it goes
 * bytes             characters of each answer
 * seconds           no more steps than fit into this time at that pace
 */
export const loadWish = z.object({
  agents: z.number().int().min(1).max(1000).default(10),
  tasks: z.number().int().min(1).max(100).default(1),
  stepsPerAgent: z.number().int().min(1).max(10_000).default(10),
  changesPerSecond: z.number().min(0).default(50),
  bytes: z
    .number()
    .int()
    .min(0)
    .max(64 * 1024)
    .default(0),
  seconds: z.number().min(0).default(10),
  seed: z.number().int().min(0).default(1),
})
export type LoadWish = z.infer<typeof loadWish>

export const loadProgress = z.object({
  id: z.string(),
  state: z.enum(['running', 'finished', 'failed']),
  entries: z.number(),
  seconds: z.number(),
  reason: z.string().nullable(),
})
export type LoadProgress = z.infer<typeof loadProgress>

/** What the parent process says to a server with a load (server.ts), and its answer. n: the same in both */
export const loadOrder = z.union([
  z.object({ n: z.number(), start: loadWish.partial() }),
  z.object({ n: z.number(), progress: z.string() }),
])
export const loadAnswer = z.object({
  n: z.number(),
  id: z.string().optional(),
  progress: loadProgress.nullable().optional(),
  error: z.string().optional(),
})
