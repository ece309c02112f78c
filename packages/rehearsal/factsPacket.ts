/** The packet that agents of the rehearsal hand over: facts with their places, files, sums. */
import { isDeepStrictEqual } from 'node:util'
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
      /** Files and facts are absent where they are those of the packet that was handed over before. */
      files: z.optional(z.array(PacketFile)),
      facts: z.optional(FactTable),
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

type Artifacts = FactsPacket['context']['artifacts']
type Handed = Pick<Required<Artifacts>, 'files' | 'facts'>
export type HandedFacts = Artifacts & Handed

/**
 * What the newest packet says that another agent of this task handed over; null: there is none. In messages of people and in files
 * the same text is plain text.
 */
export function handedFacts({ history, messages, role, step }: RehearsalPrompt): HandedFacts | null {
  const others = step.members.filter(({ kind, name }) => kind === 'agent' && name !== role.name).map(({ name }) => name)
  const before = messages.filter(({ from }) => others.includes(from))
  const all = packetsIn([...before, ...tookIn(history, ...others)]).map(({ context }) => context.artifacts)
  const newest = all.at(-1)
  return newest === undefined ? null : { ...newest, ...newestIn(all) }
}

/** Did this agent hand the same to that one before? Notes do not count. */
export function wasHanded({ files, facts }: Handed, to: string, { history, messages, role }: RehearsalPrompt): boolean {
  const sent = [
    ...messages.filter(({ from }) => from === role.name),
    ...history.flatMap(({ executor, result }) => (executor === 'send_message' ? [{ text: result }] : [])),
  ]
  const all = packetsIn(sent).flatMap(({ meta, context }) => (meta.target_agent === to ? [context.artifacts] : []))
  const before = newestIn(all)
  const known = (all: readonly PacketFile[]) =>
    all.map(({ path, kind, state, lines }) => ({ path, kind, state, lines }))
  return isDeepStrictEqual([known(before.files), before.facts], [known(files), facts])
}

const packetsIn = (messages: readonly { text: string }[]): FactsPacket[] =>
  messages.flatMap(({ text }) => readFactsPacket(text) ?? [])

const newestIn = (all: readonly Artifacts[]): Handed => ({
  files: all.flatMap(({ files }) => (files === undefined ? [] : [files])).at(-1) ?? [],
  facts: all.flatMap(({ facts }) => (facts === undefined ? [] : [facts])).at(-1) ?? [],
})

/** The packet of facts in a message; null for packets of other kinds. */
export function readFactsPacket(text: string): FactsPacket | null {
  return FactsPacket.safeParse(readHandoff(text)).data ?? null
}
