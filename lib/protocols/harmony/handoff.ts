/** The handoff packet harmony_handoff_v1: all that another agent needs to continue the work; the objective stays unchanged. */
import * as z from 'zod/mini'
import { exactJsonOf } from '../../json'

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

/** A text in its parts, in their order: words as they are, packets with the JSON that they are written in. */
export type HandoffPart = { words: string } | { packet: HandoffPacket; json: string }

/** out: one part with the whole text where it holds no packet; parts of white space only are left out */
export function partsWithHandoff(text: string): HandoffPart[] {
  const parts: HandoffPart[] = []
  let from = 0
  const addWords = (to: number): void => {
    const words = text.slice(from, to)
    if (words.trim() !== '') parts.push({ words })
  }
  for (const { 0: fence, 1: json = '', index } of text.matchAll(FENCE)) {
    const packet = HandoffPacket.safeParse(exactJsonOf(json)).data
    if (packet === undefined) continue
    addWords(index)
    parts.push({ packet, json })
    from = index + fence.length
  }
  if (parts.length === 0) return [{ words: text }]
  addWords(text.length)
  return parts
}

/** The last fenced JSON block that passes the schema; null: none. */
export function readHandoff(text: string): HandoffPacket | null {
  const packets = partsWithHandoff(text).flatMap((part) => ('packet' in part ? [part.packet] : []))
  return packets.at(-1) ?? null
}

/** One thing that is handed over. value: its text; state: of a file; count: how many entries it has, which only the JSON shows. */
export type HandoffItem = { name: string; value: string | null; state: string | null; count: number | null }

/** The artifacts of a packet as a reader takes them: a list of files is each file, other lists are counted; what is empty is left out. */
export function handoffItems({ context }: HandoffPacket): HandoffItem[] {
  return Object.entries(context.artifacts).flatMap(([name, value]) => itemsOf(name, value))
}

function itemsOf(name: string, value: unknown): HandoffItem[] {
  const item = { name, value: null, state: null, count: null }
  if (value === null || value === '') return []
  if (typeof value !== 'object') return [{ ...item, value: String(value) }]
  const entries = Object.values(value)
  if (entries.length === 0) return []
  const files = Array.isArray(value) ? entries.map(fileOf) : [fileOf(value)]
  const known = files.filter((file) => file !== null)
  return known.length === files.length ? known : [{ ...item, count: entries.length }]
}

const NamedFile = z.looseObject({
  path: z.optional(Line),
  name: z.optional(Line),
  uri: z.optional(Line),
  state: z.optional(z.string()),
  status: z.optional(z.string()),
})

function fileOf(entry: unknown): HandoffItem | null {
  const { path, name, uri, state, status } = NamedFile.safeParse(entry).data ?? {}
  const called = path ?? name ?? uri
  return called === undefined ? null : { name: called, value: null, state: state ?? status ?? null, count: null }
}

/** What a packet says, without its JSON: for lists, notifications and the search. */
function wordsOf(packet: HandoffPacket): string {
  const { completed_steps: done, next_immediate_step: next, constraints } = packet.context
  const items = handoffItems(packet).map(({ name, value }) => (value === null ? name : `${name}: ${value}`))
  return [packet.history_summary ?? '', ...done, next, ...constraints, ...items].filter((one) => one !== '').join(' · ')
}

const BEGINS = '```json\n'
const PACKET_BEGINS = '{"protocol":"harmony_handoff_v1"'

/** Without a packet at its end of which only the beginning was kept: nothing of it can be read. */
function withoutCutPacket(text: string): string {
  const at = text.lastIndexOf(BEGINS)
  const rest = at < 0 ? '' : text.slice(at + BEGINS.length)
  const head = rest.slice(0, 100).replace(/\s/g, '')
  const isPacket = head.startsWith(PACKET_BEGINS) || PACKET_BEGINS.startsWith(head)
  return at >= 0 && isPacket && !/\n```/.test(rest) ? text.slice(0, at) : text
}

/** A text with the words of its packets in place of their JSON. */
export const withHandoffWords = (text: string): string =>
  partsWithHandoff(withoutCutPacket(text))
    .map((part) => ('words' in part ? part.words : `\n${wordsOf(part.packet)}\n`))
    .join('')
