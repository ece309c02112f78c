/** The packet that agents of the rehearsal hand over: facts with their places, files, sums. */
import * as z from 'zod/mini'
import { gather } from '@/lib/gather'
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

/** As a packet holds them: by file, in rows of key, column, value and line. */
const FactRows = z.record(z.string(), z.array(z.tuple([z.string(), z.string(), z.string(), z.nullable(z.number())])))
export function factRows(facts: readonly PacketFact[]): z.infer<typeof FactRows> {
  const files = gather(facts, ({ file }) => [file])
  return Object.fromEntries(
    [...files].map(([file, own]) => [file, own.map(({ key, column, value, line }) => [key, column, value, line])]),
  )
}
const FactTable = z.pipe(
  FactRows,
  z.transform((files) =>
    Object.entries(files).flatMap(([file, rows]) =>
      rows.map(([key, column, value, line]): PacketFact => ({ key, column, value, file, line })),
    ),
  ),
)

/** A file of the packet; the receiver need not open it. */
export const PacketFile = z.object({
  path: z.string(),
  kind: z.string(),
  state: z.enum(['read', 'partly', 'missing', 'unreadable', 'failed']),
  lines: z._default(z.nullable(z.number()), null),
  /** The tool's message, or why the file was not read. */
  note: z._default(z.nullable(z.string()), null),
  /** Where a missing file is named. */
  named_in: z._default(z.nullable(z.object({ file: z.string(), line: z.nullable(z.number()) })), null),
})
export type PacketFile = z.infer<typeof PacketFile>

export const FactsPacket = z.extend(HandoffPacket, {
  context: z.extend(HandoffContext, {
    status: z.enum(['in_progress', 'blocked', 'completed']),
    artifacts: z.object({
      files: z.array(PacketFile),
      facts: FactTable,
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
/** As it is written: files without what is not known of them. */
export type WrittenPacket = z.input<typeof FactsPacket>

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
