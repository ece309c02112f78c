/** Storage of prompts: shared parts are stored once, a call's own parts with the call; and reading them back. */
import { estimateTokens } from '@/lib/mas/formats'
import type { MessageId } from '@/lib/mas/ids'
import type { BodyRef, PromptRef, StepRecord } from '@/lib/mas/records'
import type { Turn } from '../../models/model'
import { recentMap } from '../../shared/recentMap'
import { refOf, wholeRefOf } from '../makeBody'
import type { BodyCache } from '../port'
import { type HistorySources, isHistory } from './historyChain'
import { readHistory } from './historySection'
import { SECTION_NAMES } from './section'

export type Role = PromptRef['sections'][number]['role']
type Section = PromptRef['sections'][number]
/** isShared: other prompts of this agent and skill have it too. */
export type Part = Section & { text: string; tokens: number; isShared: boolean }

/** A few texts per agent and skill, in bytes all together. */
const MEASURED_BYTES = 16_000_000
const measured = recentMap<string, { ref: BodyRef; tokens: number }>(MEASURED_BYTES, ({ ref }) => ref.bytes)
const measure = (text: string) =>
  measured.getOrMake(text, () => ({ ref: { ...refOf(text), preview: '' }, tokens: estimateTokens(text) }))
/** How many steps back a stored frame is searched. */
const LOOK_BACK = 20

/** A shared part: its text is measured and hashed once. */
export function share(name: string, role: Role, text: string, messages: readonly MessageId[] = []): Part {
  const { ref: body, tokens } = measure(text)
  return { name, role, text, body, tokens, isShared: true, ...held(messages) }
}

const held = (messages: readonly MessageId[]): Pick<Section, 'messages'> =>
  messages.length === 0 ? {} : { messages: [...messages] }

/** A part of this prompt alone: a short one is inlined in its reference. */
export function keepOnce(name: string, text: string, bodies: BodyCache, messages: readonly MessageId[] = []): Part {
  const body = wholeRefOf(text, bodies)
  return { name, role: 'user', text, body, tokens: estimateTokens(text), isShared: false, ...held(messages) }
}

/** The body of a frame: shared parts, and `null` in place of each section of the call. */
type Frame = (Section | null)[]
const FRAME_MIME = 'application/vnd.convene.prompt-frame+json'

/** The reference of a prompt. Frame and shared parts are stored with their first prompt. */
export function framed(parts: Part[], steps: readonly StepRecord[], bodies: BodyCache): PromptRef {
  const text = JSON.stringify(parts.map((part) => (part.isShared ? sectionOf(part) : null)) satisfies Frame)
  const { sha, bytes } = measure(text).ref
  if (!isFrameStored(steps, sha)) {
    for (const part of parts) if (part.isShared) bodies.make(part.text, 'text/plain')
    bodies.make(text, FRAME_MIME)
  }
  return { frame: { sha, bytes }, sections: parts.filter((part) => !part.isShared).map(sectionOf) }
}

const sectionOf = ({ name, role, body, messages = [] }: Part): Section => ({ name, role, body, ...held(messages) })

/** Does a call in the world have this frame? Then it is durable, with its parts. */
const isFrameStored = (steps: readonly StepRecord[], sha: string): boolean =>
  steps.slice(-LOOK_BACK).some((step) => step.calls.some((call) => call.prompt.frame?.sha === sha))

/** All parts of a prompt in order: the frame's, with the call's between them, then later turns. */
async function partsOf({ frame, sections }: PromptRef, read: (body: BodyRef) => Promise<string>): Promise<Section[]> {
  if (frame === undefined) return sections
  const shared = JSON.parse(await read({ ...frame, preview: '', mime: FRAME_MIME })) as Frame
  const own = sections.values()
  const inFrame = shared.map((part) => part ?? own.next().value).filter((part) => part !== undefined)
  return [...inFrame, ...own]
}

/** A turn after the prompt itself: an answer of the model, or the runtime's reply. */
export function keepTurn(name: string, turn: Turn, bodies: BodyCache): PromptRef['sections'][number] {
  return { name, role: turn.role, body: { ...bodies.make(turn.content, 'text/plain'), preview: '' } }
}

/** messages: those whose text it holds, whole or cut, in the order of the prompt. */
type ShownSection = { name: string; role: Role; text: string; messages: MessageId[] }

/** The sections of a stored prompt, in order. */
export async function readStoredPrompt(ref: PromptRef, sources: HistorySources): Promise<ShownSection[]> {
  const read = (body: BodyRef): Promise<string> => sources.text(body)
  const sections: ShownSection[] = []
  for (const part of await partsOf(ref, read)) {
    const name = part.name.split('/')[0] ?? part.name
    const known = SECTION_NAMES.find((section) => section === name)
    const { text, messages } =
      known && isHistory(part.body)
        ? await readHistory(known, part.body, sources)
        : { text: await read(part.body), messages: part.messages ?? [] }
    const last = sections.at(-1)
    if (known && last?.name === name) {
      last.text += `\n${text}`
      last.messages.push(...messages)
    } else sections.push({ name: known ? name : part.name, role: part.role, text, messages: [...messages] })
  }
  return sections
}
