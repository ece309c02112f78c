/** The parts of a prompt, the turns that are stored of them, and the sections that a reader sees. */
import * as z from 'zod'
import { Fault } from '@/lib/faults'
import { estimateTokens } from '@/lib/mas/formats'
import type { MessageId } from '@/lib/mas/ids'
import type { PromptRef } from '@/lib/mas/records'
import type { FunctionCall, TextTurn, Turn } from '../../models/model'
import type { ReadText } from './historyItem'
import { SECTION_NAMES } from './section'
import { asList, ownTurn, type PromptEntry, readTurns, type StoredTurn, sharedTurn } from './turnList'

export type Role = StoredTurn['role']
/** isOwn: no other prompt has it. turns: what is stored of it; absent: its text as one turn. */
export type Part = {
  name: string
  role: Role
  text: string
  tokens: number
  isOwn: boolean
  messages?: readonly MessageId[]
  turns?: readonly PromptEntry[]
}

/** A part that other prompts of this agent and skill have too. */
export const share = (name: string, role: Role, text: string, messages: readonly MessageId[] = []): Part => ({
  ...{ name, role, text, messages },
  tokens: estimateTokens(text),
  isOwn: false,
})

/** A part of this prompt alone. */
export const keepOnce = (name: string, text: string, messages: readonly MessageId[] = []): Part => ({
  ...share(name, 'user', text, messages),
  isOwn: true,
})

/** The turns of a prompt. Those before the first part of its own are one list. */
export function turnsOf(parts: readonly Part[]): PromptEntry[] {
  const stored = parts.flatMap(
    (part) => part.turns ?? [part.isOwn ? ownTurn(part, part.text) : sharedTurn(part, part.text)],
  )
  const firstOwn = Math.max(
    0,
    parts.findIndex(({ isOwn }) => isOwn),
  )
  return [asList(stored.slice(0, firstOwn)), ...stored.slice(firstOwn)]
}

/** A turn after the prompt itself: an answer of the model, or the runtime's reply. */
export const laterTurn = (name: string, { role, content }: TextTurn): PromptEntry => ownTurn({ role, name }, content)

/** The calls of an answer, as the record of the model call stores them. */
export const readCalls = (text: string): FunctionCall[] => z.array(CALL).parse(JSON.parse(text))
const CALL = z.object({ id: z.string(), name: z.string(), arguments: z.string() })

/** What is stored of a call in an answer, and of its result. */
export const callTurn = ({ id, name, arguments: text }: FunctionCall) =>
  ({ role: 'assistant', name: `call ${id} ${name}`, text }) as const
export const callEntry = (call: FunctionCall): PromptEntry => ownTurn(callTurn(call), call.arguments)
export const resultEntry = ({ id, name }: Pick<FunctionCall, 'id' | 'name'>, content: string): PromptEntry =>
  ownTurn({ role: 'tool', name: `result ${id} ${name}` }, content)

/** The turns of a conversation, from what is stored of them. in: before: the turns before these, which stay as they are */
export function turnsFrom(shown: Iterable<{ turn: StoredTurn; text: string }>, before: readonly Turn[] = []): Turn[] {
  const turns = [...before]
  for (const { turn, text } of shown) {
    const last = turns.at(-1)
    const [kind = '', id = '', name = ''] = turn.name.split(' ')
    if (turn.role === 'tool') turns.push({ role: 'tool', call: id, name, content: text })
    else if (turn.role === 'assistant' && kind === 'call') {
      const call = { id, name, arguments: text }
      if (last?.role === 'assistant') turns.splice(-1, 1, { ...last, calls: [...(last.calls ?? []), call] })
      else turns.push({ role: 'assistant', content: '', calls: [call] })
    } else if (last !== undefined && last.role === turn.role)
      turns.splice(-1, 1, { ...last, content: `${last.content}${turn.joins ? '' : '\n'}${text}` })
    else turns.push({ role: turn.role, content: text, ...(turn.role === 'system' ? { endsPrefix: true } : {}) })
  }
  return turns
}

/** messages: those whose text it holds, whole or cut, in the order of the prompt. */
type ShownSection = { name: string; role: Role; text: string; messages: MessageId[] }

/** More characters than any model takes. A list of an opened archive could name a long body many times. */
const MOST_CHARACTERS = 64_000_000

/** The sections of a stored prompt, in order. Throws as readTurns does */
export async function readStoredPrompt(ref: PromptRef, read: ReadText): Promise<ShownSection[]> {
  const sections: ShownSection[] = []
  let left = MOST_CHARACTERS
  for (const turn of await readTurns(ref, read)) {
    const text = 'text' in turn ? turn.text : await read({ sha: turn.sha, bytes: turn.bytes, preview: '', mime: '' })
    left -= text.length
    if (left < 0) throw new Fault('NOT_KEPT')
    const name = turn.name.split('/')[0] ?? turn.name
    const known = SECTION_NAMES.some((section) => section === name)
    const last = sections.at(-1)
    if (known && last?.name === name) {
      last.text += turn.joins ? text : `\n${text}`
      last.messages.push(...(turn.messages ?? []))
    } else
      sections.push({ name: known ? name : turn.name, role: turn.role, text, messages: [...(turn.messages ?? [])] })
  }
  return sections
}
