/** The handoff packet harmony_handoff_v1: all that another agent needs to continue the work; the objective stays unchanged. */
import * as z from 'zod/mini'
import { jsonValueOf } from '../../json'

const Line = z.string().check(z.minLength(1))

export const HandoffContext = z.looseObject({
  primary_objective: Line,
  status: Line,
  completed_steps: z.array(z.string()),
  next_immediate_step: z.string(),
  constraints: z.array(z.string()),
  /** By name: an address, a text, or anything that the two sides agree on. */
  artifacts: z.record(z.string(), z.unknown()),
})

export const HandoffPacket = z.looseObject({
  protocol: z.literal('harmony_handoff_v1'),
  meta: z.looseObject({ source_agent: Line, target_agent: Line, timestamp: Line }),
  context: HandoffContext,
  history_summary: z.optional(z.string()),
})
export type HandoffPacket = z.infer<typeof HandoffPacket>

const FENCE = /```json\n([\s\S]*?)\n```/g

/** The packet in the form in which it ends a message's text. */
export function writeHandoff(packet: HandoffPacket): string {
  return `\`\`\`json\n${JSON.stringify(packet)}\n\`\`\``
}

/** The last fenced JSON block that passes the schema; null: none. */
export function readHandoff(text: string): HandoffPacket | null {
  let found: HandoffPacket | null = null
  for (const [, json = ''] of text.matchAll(FENCE)) {
    const parsed = HandoffPacket.safeParse(jsonValueOf(json))
    if (parsed.success) found = parsed.data
  }
  return found
}
