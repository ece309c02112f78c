/** How histories are stored: a prompt names the steps that are new in it, and the step whose prompt has those before them. */
import type { StepId } from '@/lib/mas/ids'
import type { BodyRef, StepRecord } from '@/lib/mas/records'
import { historyMarkOf } from '@/lib/mas/selectors/history'
import { recentMap } from '../../shared/recentMap'
import { wholeRefOf } from '../makeBody'
import type { BodyCache } from '../port'
import { type HistoryItem, type ReadText, toItem } from './historyItem'
import { type NodeEnds, readNodes, refOfNode, type StoredNode } from './historyNodes'
import type { SectionName } from './section'

const HEAD_MIME = 'application/vnd.convene.history+json'

/** Which items are shown how. Numbers begin at 1. */
export type HistoryView = {
  /** Items of this range are left out: from the first to before the second. */
  left: [number, number]
  /** Items below it are cut, but for the first of all when `firstWhole`. */
  wholeFrom: number
  firstWhole: boolean
  /** What one item that did not fit whole may show instead of a preview. */
  partly: { item: number; characters: number } | null
}

/** What a prompt's section refers to. All steps of a history are over, so that their items are the same for ever. */
type StepsHead = HeadParts & {
  v: 2
  /** A step whose prompt has the items before `more`, and which of its calls, from 0; null: there are none. */
  from: [StepId, number] | null
  /** In order. */
  more: StepId[]
}
type NodesHead = HeadParts & NodeEnds & { v: 1; before: string }
type HeadParts = {
  /** The last so many of all of them, whatever lies before. */
  count: number
  /** A hash of the ids of their steps: whether a later history continues this one. */
  ids: string
  view: HistoryView
  /** A line after the items; the same for many prompts, so a body of its own. */
  after: string | StoredNode
}
export type HistoryHead = StepsHead | NodesHead

/** Where a stored history is read from. */
export type HistorySources = { text: ReadText; step(id: StepId): Promise<StepRecord> }

/** Ids are random by themselves, so that two sums modulo primes tell lists apart; each id is read once. */
const idHashes = new WeakMap<StepRecord, number>()
const [FIRST_PRIME, SECOND_PRIME] = [4_294_967_291, 4_294_967_279]

function hashOfId(step: StepRecord): number {
  let hash = idHashes.get(step)
  if (hash === undefined) {
    hash = 0x811c9dc5
    for (let i = 0; i < step.id.length; i++) hash = Math.imul(hash ^ step.id.charCodeAt(i), 0x01000193) >>> 0
    idHashes.set(step, hash)
  }
  return hash
}

/** A list's hash, to continue from: the two sums, and whose they are. */
type Sums = { one: number; two: number }
const NO_SUMS: Sums = { one: 7, two: 11 }

function sumsOf(steps: readonly StepRecord[], from: number, to: number, before: Sums): Sums {
  let { one, two } = before
  for (let n = from; n < to; n++) {
    const step = steps[n]
    if (step === undefined) break
    const hash = hashOfId(step)
    one = (one * 65_599 + hash) % FIRST_PRIME
    two = (two * 69_069 + hash) % SECOND_PRIME
  }
  return { one, two }
}

const written = ({ one, two }: Sums): string => `${one.toString(36)}-${two.toString(36)}`

/** A history as it was stored last: the agent's next prompt continues it. */
export type StoredHistory = Listed & { ref: BodyRef }

/** The lists of newest heads, by their hash: how many of them left since is then seen exactly. */
type Listed = { ids: readonly StepId[]; sums: Sums }
const LISTED_HEADS = 1_000
const listed = recentMap<string, Listed>(LISTED_HEADS)

/** How many of the list's first have left it, when what remains begins this history; -1: it goes another way. */
function leftOf({ ids }: Listed, steps: readonly StepRecord[]): number {
  const [first] = steps
  const left = first === undefined ? -1 : ids.indexOf(first.id)
  if (left < 0 || ids.length - left > steps.length) return -1
  for (let n = left; n < ids.length; n++) if (steps[n - left]?.id !== ids[n]) return -1
  return left
}

/**
 * Store a history and give its head.
 *
 * in      steps in order; how they are shown; what was stored last of these steps, if that is known; the section (tool
 *         histories are chains of their own)
 * out     the reference for the prompt
 */
export async function storeHistory(
  history: { steps: readonly StepRecord[]; view: HistoryView; after: string; last: StoredHistory | null },
  section: SectionName,
  bodies: BodyCache,
): Promise<StoredHistory> {
  const { steps, last } = history
  const newest = newestSection(steps, section)
  // The very reference that was given last is in the world: what it names is known without reading it.
  const {
    kept,
    sums,
    ids: known,
  } = last !== null && last.ref === newest?.ref
    ? { kept: last.ids.length, sums: sumsOf(steps, last.ids.length, steps.length, last.sums), ids: written(last.sums) }
    : await findPrior(steps, newest?.ref ?? null, (ref) => bodies.text(ref))
  const head: StepsHead = {
    v: 2,
    from: kept === 0 ? null : (newest?.from ?? null),
    more: steps.slice(kept).map(({ id }) => id),
    count: steps.length,
    ids: written(sums),
    view: history.view,
    after: history.after === '' ? '' : linkOf(bodies.make(history.after, 'text/plain')),
  }
  const ids = last === null ? steps.map(({ id }) => id) : [...last.ids]
  for (const { id } of steps.slice(ids.length)) ids.push(id)
  listed.delete(known)
  listed.set(head.ids, { ids, sums })
  const json = JSON.stringify({ ...head, view: numbersOf(head.view) })
  return { ref: wholeRefOf(json, bodies, HEAD_MIME), ids, sums }
}

const linkOf = ({ sha, bytes }: BodyRef): StoredNode => ({ sha, bytes })

/**
 * The newest earlier prompt whose history this one continues. Only calls in the world are looked at, so the chain also
 * continues after a restart and on another node.
 *
 * out     kept: how many of these steps its history ends with; older items of it may be of steps that have left the world
 */
async function findPrior(
  steps: readonly StepRecord[],
  ref: BodyRef | null,
  read: ReadText,
): Promise<{ kept: number; sums: Sums; ids: string }> {
  const head = ref === null ? null : await readHead(ref, read)
  const ids = head?.ids ?? ''
  const known = listed.get(ids)
  const left = known ? leftOf(known, steps) : -1
  if (known && left >= 0) {
    const kept = known.ids.length - left
    // Only a list that begins alike has a hash to continue from.
    const sums = left === 0 ? sumsOf(steps, kept, steps.length, known.sums) : sumsOf(steps, 0, steps.length, NO_SUMS)
    return { kept, sums, ids }
  }
  const count = Math.min(head?.count ?? 0, steps.length)
  const some = sumsOf(steps, 0, count, NO_SUMS)
  const goesOn = head !== null && head.count <= steps.length && head.ids === written(some)
  return { kept: goesOn ? head.count : 0, sums: sumsOf(steps, count, steps.length, some), ids }
}

function newestSection(
  steps: readonly StepRecord[],
  section: SectionName,
): { ref: BodyRef; from: [StepId, number] } | null {
  for (let n = steps.length - 1; n >= 0; n--) {
    const step = steps[n]
    const found = step?.calls.at(-1)?.prompt.sections.find((part) => part.name === section)
    if (step && found) return { ref: found.body, from: [step.id, step.calls.length - 1] }
  }
  return null
}

/** The line after the items, as text. */
export const readAfter = async ({ after }: HistoryHead, read: ReadText): Promise<string> =>
  typeof after === 'string' ? after : read(refOfNode(after, 'text/plain'))

export async function readHead(ref: BodyRef, read: ReadText): Promise<HistoryHead> {
  const head = JSON.parse(await read(ref)) as HistoryHead & { view: HistoryView | number[] }
  return { ...head, view: Array.isArray(head.view) ? viewOf(head.view) : head.view }
}

/** As few characters as it takes: with a short head a prompt's history needs no body of its own. */
const numbersOf = ({ left, wholeFrom, firstWhole, partly }: HistoryView): number[] => [
  ...left,
  wholeFrom,
  firstWhole ? 1 : 0,
  ...(partly ? [partly.item, partly.characters] : []),
]

function viewOf([from = 1, to = 1, wholeFrom = 1, first = 0, item, characters]: number[]): HistoryView {
  const partly = item === undefined || characters === undefined ? null : { item, characters }
  return { left: [from, to], wholeFrom, firstWhole: first === 1, partly }
}

/**
 * All items of a head, in order.
 *
 * in      the section that it is of
 * faults  Error: a prompt that it goes on from is not where it was; what the sources throw
 */
export async function readItems(
  head: HistoryHead,
  section: SectionName,
  { text, step }: HistorySources,
): Promise<HistoryItem[]> {
  const newestFirst: StepId[] = []
  let at = head
  while (at.v === 2) {
    newestFirst.push(...at.more.toReversed())
    if (newestFirst.length >= head.count || at.from === null) break
    const [id, call] = at.from
    const before = (await step(id)).calls[call]?.prompt.sections.find((part) => part.name === section)
    if (before === undefined) throw new Error(`call ${call} of the step ${id} has no ${section}`)
    at = await readHead(before.body, text)
  }
  const items: HistoryItem[] = at.v === 1 ? await readNodes(at, text) : []
  for (const id of newestFirst.toReversed()) {
    const record = await step(id)
    items.push(toItem({ step: record, mark: historyMarkOf(record) }))
  }
  return head.v === 1 ? items : items.slice(-head.count)
}

export const isHistory = (ref: BodyRef): boolean => ref.mime === HEAD_MIME
