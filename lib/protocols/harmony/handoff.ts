/**
 * The handoff packet harmony_handoff_v1: what one agent gives another so that work goes on without asking back.
 *
 * Owns: its schema, how it travels in a message (a fenced JSON block), how it is found again.
 * Not here: who sends one and what for (a model's own matter), Harmony message lists.
 */

import * as z from 'zod/mini'

/** One figure or text with the place that it comes from; line is null when the source has no lines. */
export const HandoffFact = z.object({
  key: z.string(),
  column: z.string(),
  value: z.string(),
  file: z.string(),
  line: z.nullable(z.number()),
})
export type HandoffFact = z.infer<typeof HandoffFact>

/** A file that the packet speaks of; the receiver need not open it. */
export const HandoffFile = z.object({
  path: z.string(),
  kind: z.string(),
  state: z.enum(['read', 'partly', 'missing', 'unreadable', 'failed']),
  lines: z.nullable(z.number()),
  /** What the tool said, or why it was not read. */
  note: z.nullable(z.string()),
  /** Where it is named, when it is not there. */
  named_in: z.nullable(z.object({ file: z.string(), line: z.nullable(z.number()) })),
})
export type HandoffFile = z.infer<typeof HandoffFile>

export const HandoffPacket = z.object({
  protocol: z.literal('harmony_handoff_v1'),
  meta: z.object({ source_agent: z.string(), target_agent: z.string(), timestamp: z.string() }),
  context: z.object({
    primary_objective: z.string(),
    status: z.enum(['in_progress', 'blocked', 'completed']),
    completed_steps: z.array(z.string()),
    next_immediate_step: z.string(),
    constraints: z.array(z.string()),
    artifacts: z.object({
      files: z.array(HandoffFile),
      facts: z.array(HandoffFact),
      /** How many facts there are in all; more than in `facts` when the table was cut. */
      facts_in_all: z.number(),
      /** Sums over all facts, also those that the table leaves out: column → decimal. */
      sums: z.record(z.string(), z.string()),
      /** The constraints in a form that a program can read. */
      answers: z.array(z.record(z.string(), z.string())),
    }),
  }),
  history_summary: z.string(),
})
export type HandoffPacket = z.infer<typeof HandoffPacket>

const FENCE = /```json\n([\s\S]*?)\n```/g

/** The packet as the end of a message's text. */
export function writeHandoff(packet: HandoffPacket): string {
  return `\`\`\`json\n${JSON.stringify(packet)}\n\`\`\``
}

/**
 * The packet in a message's text, or null.
 *
 * in      any text; only a fenced JSON block that passes the schema counts, the last one of them
 * faults  none: what is no packet is null
 */
export function readHandoff(text: string): HandoffPacket | null {
  let found: HandoffPacket | null = null
  for (const [, json = ''] of text.matchAll(FENCE)) {
    const parsed = HandoffPacket.safeParse(jsonOrNull(json))
    if (parsed.success) found = parsed.data
  }
  return found
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
