/**
 * The form of a stored prompt: a body with a JSON list of its turns. A turn names the body of its text, or has a short text itself.
 *
 * What many prompts share stands in lists of its own, which a list names by their hashes: the sections before the history,
 * and groups of its items. So the thousandth prompt of a stage stores little more than the third.
 */
import * as z from 'zod'
import { Fault } from '@/lib/faults'
import { jsonValueOf } from '@/lib/json'
import { PREVIEW_CHARACTERS } from '@/lib/mas/bodies'
import type { MessageId } from '@/lib/mas/ids'
import type { PromptRef } from '@/lib/mas/records'
import { refOf } from '../makeBody'
import type { BodyCache } from '../port'
import type { ReadText } from './historyItem'

const MIME = 'application/vnd.convene.turns+json'

const about = {
  /** tool: the result of a call. A call of an assistant's turn is a turn of its own, named `call`, with its arguments as text. */
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  /** Its section, `name/part` if the section has several. */
  name: z.string(),
  /** It continues the text of the turn before, without a line break. */
  joins: z.literal(true).optional(),
  /** Messages whose text it holds, whole or cut. */
  messages: z.array(z.custom<MessageId>((value) => typeof value === 'string')).optional(),
}
const named = z.object({ ...about, sha: z.string(), bytes: z.number() })
const inline = z.object({ ...about, text: z.string() })
const list = z.object({ list: z.string(), bytes: z.number() })
const entries = z.array(z.union([named, inline, list]))

export type StoredTurn = z.infer<typeof named> | z.infer<typeof inline>
export type ListEntry = StoredTurn | z.infer<typeof list>

type About = { role: StoredTurn['role']; name: string; joins?: true; messages?: readonly MessageId[] }

/** An entry with the text of the body that it names, null: it names none; and the entries of its list. */
export type PromptEntry = { entry: ListEntry; text: string | null; inside: readonly PromptEntry[] }

const aboutOf = ({ role, name, joins, messages = [] }: About) => ({
  ...{ role, name },
  ...(joins === undefined ? {} : { joins }),
  ...(messages.length === 0 ? {} : { messages: [...messages] }),
})

/** A turn whose text other prompts have too: always a body. */
export function sharedTurn(about: About, text: string): PromptEntry {
  const { sha, bytes } = refOf(text)
  return { entry: { ...aboutOf(about), sha, bytes }, text, inside: [] }
}

/** A turn of this prompt alone: a short text is in the list. */
export const ownTurn = (about: About, text: string): PromptEntry =>
  text.length <= PREVIEW_CHARACTERS
    ? { entry: { ...aboutOf(about), text }, text: null, inside: [] }
    : sharedTurn(about, text)

/** These as one entry. */
export function asList(inside: readonly PromptEntry[]): PromptEntry {
  const text = written(inside)
  const { sha, bytes } = refOf(text)
  return { entry: { list: sha, bytes }, text, inside }
}

/** A list that is stored. */
export const storedList = ({ sha, bytes }: Pick<PromptRef, 'sha' | 'bytes'>): PromptEntry => ({
  entry: { list: sha, bytes },
  text: null,
  inside: [],
})

const written = (listed: readonly PromptEntry[]): string => JSON.stringify(listed.map(({ entry }) => entry))

/**
 * A prompt of these turns, with all of their bodies. Its list is a body always: an entry of the journal and a record in
 * memory stay small.
 */
export function storePrompt(
  turns: readonly PromptEntry[],
  bodies: Pick<BodyCache, 'make' | 'has'>,
  about: Pick<PromptRef, 'cut' | 'seq'> = {},
): PromptRef {
  makeAll(turns, bodies)
  const { sha, bytes } = bodies.make(written(turns), MIME)
  return { sha, bytes, ...about }
}

/** A list that is stored is so with all that it names: nothing in it is looked at again. */
function makeAll(listed: readonly PromptEntry[], bodies: Pick<BodyCache, 'make' | 'has'>): void {
  for (const { entry, text, inside } of listed) {
    if (text === null || bodies.has(shaOf(entry))) continue
    bodies.make(text, inside.length === 0 ? 'text/plain' : MIME)
    makeAll(inside, bodies)
  }
}

const shaOf = (entry: ListEntry): string => ('list' in entry ? entry.list : 'sha' in entry ? entry.sha : '')

/** One of four, told by the entry alone: prompts with the same items have the same groups, wherever their histories begin. */
function endsGroup({ entry }: PromptEntry): boolean {
  const digit = shaOf(entry).charAt(0)
  return digit !== '' && digit < '4'
}

/** The same turns, in groups of a few; groups are grouped again. A group that is still open is left as it is. */
export function grouped(turns: readonly PromptEntry[]): readonly PromptEntry[] {
  const closed: PromptEntry[] = []
  let open: PromptEntry[] = []
  for (const turn of turns) {
    open.push(turn)
    if (open.length === 1 || !endsGroup(turn)) continue
    closed.push(asList(open))
    open = []
  }
  return closed.length === 0 ? open : [...grouped(closed), ...open]
}

/** No prompt that a model got has more. A list of an opened archive could name one list many times. */
const MOST_ENTRIES = 100_000

/** The turns of a prompt in order. Throws NOT_KEPT: a list is missing, or is none; errors of `read` */
export async function readTurns(prompt: Pick<PromptRef, 'sha' | 'bytes'>, read: ReadText): Promise<StoredTurn[]> {
  const turns: StoredTurn[] = []
  let left = MOST_ENTRIES
  async function add(sha: string, bytes: number): Promise<void> {
    const found = await readEntries({ sha, bytes }, read)
    left -= found.length
    if (left < 0) throw new Fault('NOT_KEPT')
    for (const entry of found) {
      if ('list' in entry) await add(entry.list, entry.bytes)
      else turns.push(entry)
    }
  }
  await add(prompt.sha, prompt.bytes)
  return turns
}

/** The entries of one list. Throws NOT_KEPT: it is missing, or is none; errors of `read` */
export async function readEntries(
  { sha, bytes }: Pick<PromptRef, 'sha' | 'bytes'>,
  read: ReadText,
): Promise<ListEntry[]> {
  const found = entriesIn(await read({ sha, bytes, preview: '', mime: MIME }))
  if (found === null) throw new Fault('NOT_KEPT')
  return found
}

const entriesIn = (text: string): ListEntry[] | null => entries.safeParse(jsonValueOf(text)).data ?? null

/** The lists that the text of a list names. */
export const listsIn = (text: string): string[] =>
  (entriesIn(text) ?? []).flatMap((entry) => ('list' in entry ? [entry.list] : []))
