/** The packet that the rehearsal's agents hand on: facts with their places, files, sums. */
import * as z from 'zod/mini'
import { HandoffContext, HandoffPacket, readHandoff } from '@/lib/protocols/harmony/handoff'
import type { RehearsalPrompt } from './readPrompt'

/** One figure or text with the place that it comes from; line is null when the source has no lines. */
export const PacketFact = z.object({
  key: z.string(),
  column: z.string(),
  value: z.string(),
  file: z.string(),
  line: z.nullable(z.number()),
})
export type PacketFact = z.infer<typeof PacketFact>

/** A file that the packet speaks of; the receiver need not open it. */
export const PacketFile = z.object({
  path: z.string(),
  kind: z.string(),
  state: z.enum(['read', 'partly', 'missing', 'unreadable', 'failed']),
  lines: z.nullable(z.number()),
  /** What the tool said, or why it was not read. */
  note: z.nullable(z.string()),
  /** Where it is named, when it is not there. */
  named_in: z.nullable(z.object({ file: z.string(), line: z.nullable(z.number()) })),
})
export type PacketFile = z.infer<typeof PacketFile>

export const FactsPacket = z.extend(HandoffPacket, {
  context: z.extend(HandoffContext, {
    status: z.enum(['in_progress', 'blocked', 'completed']),
    artifacts: z.object({
      files: z.array(PacketFile),
      facts: z.array(PacketFact),
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
export type FactsPacket = z.infer<typeof FactsPacket>

/** The newest packet that another agent of this task handed on. The same text of a person or in a file is plain text. */
export function handedPacket({ history, messages, role, step }: RehearsalPrompt): FactsPacket | null {
  const others = step.members.filter(({ kind, name }) => kind === 'agent' && name !== role.name).map(({ name }) => name)
  const before = messages.filter(({ from }) => others.includes(from))
  const taken = history.filter(
    ({ executor, state, intention }) =>
      executor === 'process_message' && state === 'finished' && others.some((name) => intention.includes(name)),
  )
  return [...before, ...taken].flatMap(({ text }) => readFactsPacket(text) ?? []).at(-1) ?? null
}

/** The packet of facts in a message's text; null for packets of other kinds. */
export function readFactsPacket(text: string): FactsPacket | null {
  return FactsPacket.safeParse(readHandoff(text)).data ?? null
}
