/** The packet that agents of the rehearsal hand over: facts with their places, files, sums. */
import * as z from 'zod/mini'
import { HandoffContext, HandoffPacket, readHandoff } from '@/lib/protocols/harmony/handoff'
import { type RehearsalPrompt, tookIn } from './readPrompt'

/** One figure or text with its place; line is null when the source has no lines. */
export const PacketFact = z.object({
  key: z.string(),
  column: z.string(),
  value: z.string(),
  file: z.string(),
  line: z.nullable(z.number()),
})
export type PacketFact = z.infer<typeof PacketFact>

/** A file of the packet; the receiver need not open it. */
export const PacketFile = z.object({
  path: z.string(),
  kind: z.string(),
  state: z.enum(['read', 'partly', 'missing', 'unreadable', 'failed']),
  lines: z.nullable(z.number()),
  /** The tool's message, or why the file was not read. */
  note: z.nullable(z.string()),
  /** Where a missing file is named. */
  named_in: z.nullable(z.object({ file: z.string(), line: z.nullable(z.number()) })),
})
export type PacketFile = z.infer<typeof PacketFile>

export const FactsPacket = z.extend(HandoffPacket, {
  context: z.extend(HandoffContext, {
    status: z.enum(['in_progress', 'blocked', 'completed']),
    artifacts: z.object({
      files: z.array(PacketFile),
      facts: z.array(PacketFact),
      /** The number of all facts; more than in `facts` when the table was cut. */
      facts_in_all: z.number(),
      /** Sums over all facts, also those that were cut: column → decimal. */
      sums: z.record(z.string(), z.string()),
      /** Constraints in a form that a program can read. */
      answers: z.array(z.record(z.string(), z.string())),
    }),
  }),
  history_summary: z.string(),
})
export type FactsPacket = z.infer<typeof FactsPacket>

/** The newest packet that another agent of this task handed over. In messages of people and in files the same text is plain text. */
export function handedPacket({ history, messages, role, step }: RehearsalPrompt): FactsPacket | null {
  const others = step.members.filter(({ kind, name }) => kind === 'agent' && name !== role.name).map(({ name }) => name)
  const before = messages.filter(({ from }) => others.includes(from))
  return [...before, ...tookIn(history, ...others)].flatMap(({ text }) => readFactsPacket(text) ?? []).at(-1) ?? null
}

/** The packet of facts in a message; null for packets of other kinds. */
export function readFactsPacket(text: string): FactsPacket | null {
  return FactsPacket.safeParse(readHandoff(text)).data ?? null
}
