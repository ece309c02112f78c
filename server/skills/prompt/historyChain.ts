/** Storage of histories: a prompt names its new steps, and the step whose prompt holds the earlier ones. */
import type { StepId } from '@/lib/mas/ids'
import type { BodyRef, StepRecord } from '@/lib/mas/records'
import { recentMap } from '../../shared/recentMap'
import { wholeRefOf } from '../makeBody'
import type { BodyCache } from '../port'
import { type HistoryItem, type ReadText, toItem } from './historyItem'
import type { SectionName } from './section'

const HEAD_MIME = 'application/vnd.convene.history+json'

/** Which items are shown how. Numbers start at 1. */
export type HistoryView = {
  /** Items in this range are omitted: from the first to before the second. */
  left: [number, number]
  /** Items below this are cut, except for the first when `firstWhole`. */
  wholeFrom: number
  firstWhole: boolean
  /** The one item that is shown in part, instead of a preview, because it does not fit whole. */
  partly: { item: number; characters: number } | null
}

/** What a prompt's section refers to. All steps of a history are finished, so their items never change. */
type HistoryHead = {
  /** The step whose prompt holds the items before `more`, and the index of its call; null: no earlier items. */
  from: [StepId, number] | null
  /** In order. */
  more: StepId[]
  /** Use only the last so many items. */
  count: number
  /** Hash of the step ids: tells whether a later history continues this one. */
  ids: string
  view: HistoryView
  /** A line after the items. Many prompts share it, so it is a body of its own. */
  after: '' | StoredLine
}
/** A stored body, by its hash and length. */
type StoredLine = { sha: string; bytes: number }

export type HistorySources = { text: ReadText; step(id: StepId): Promise<StepRecord> }

/** Ids are random, so two sums modulo primes distinguish lists. */
const [FIRST_PRIME, SECOND_PRIME] = [4_294_967_291, 4_294_967_279]

function hashOfId({ id }: StepRecord): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193) >>> 0
  return hash
}

/** The hash of a list in a form that can be extended: the two sums. */
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

/** The history stored last: the agent's next prompt continues it. */
export type StoredHistory = Listed & { ref: BodyRef }

/** The list of a recent head, by its hash: allows counting exactly how many steps have left since. */
type Listed = { ids: readonly StepId[]; sums: Sums }
const LISTED_HEADS = 1_000
const listed = recentMap<string, Listed>(LISTED_HEADS)

/** How many leading steps have left the list, when the rest begins this history; -1: it diverges. */
function leftOf({ ids }: Listed, steps: readonly StepRecord[]): number {
  const [first] = steps
  const left = first === undefined ? -1 : ids.indexOf(first.id)
  if (left < 0 || ids.length - left > steps.length) return -1
  for (let n = left; n < ids.length; n++) if (steps[n - left]?.id !== ids[n]) return -1
  return left
}

/**
 * in      steps in order; their view; what was stored last of these steps, if known; the section (tool histories have
 *         chains of their own)
 * out     the reference for the prompt
 */
export async function storeHistory(
  history: { steps: readonly StepRecord[]; view: HistoryView; after: string; last: StoredHistory | null },
  section: SectionName,
  bodies: BodyCache,
): Promise<StoredHistory> {
  const { steps, last } = history
  const newest = newestSection(steps, section)
  // A reference that was given last is in the world, so its content is known without reading.
  const {
    kept,
    sums,
    ids: known,
  } = last !== null && last.ref === newest?.ref
    ? { kept: last.ids.length, sums: sumsOf(steps, last.ids.length, steps.length, last.sums), ids: written(last.sums) }
    : await findPrior(steps, newest?.ref ?? null, (ref) => bodies.text(ref))
  const head: HistoryHead = {
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

const linkOf = ({ sha, bytes }: BodyRef): StoredLine => ({ sha, bytes })

/**
 * The newest earlier prompt that this history continues. Only calls in the world are considered, so the chain also continues
 * after a restart and on another node.
 *
 * out     kept: how many of these steps end its history; its older items may belong to steps that have left the world
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
    // Only a list with the same beginning has a hash to extend.
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

/** The line after the items. */
export const readAfter = async ({ after }: HistoryHead, read: ReadText): Promise<string> =>
  after === '' ? '' : read({ ...after, preview: '', mime: 'text/plain' })

export async function readHead(ref: BodyRef, read: ReadText): Promise<HistoryHead> {
  const head = JSON.parse(await read(ref)) as Omit<HistoryHead, 'view'> & { view: number[] }
  return { ...head, view: viewOf(head.view) }
}

/** Compact, so that the history of a prompt with a short head needs no body. */
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

/** All items of a head, in order. in: the section of the head. Throws Error: a prompt in the chain is missing; errors of the sources */
export async function readItems(
  head: HistoryHead,
  section: SectionName,
  { text, step }: HistorySources,
): Promise<HistoryItem[]> {
  const newestFirst: StepId[] = []
  let at = head
  for (;;) {
    newestFirst.push(...at.more.toReversed())
    if (newestFirst.length >= head.count || at.from === null) break
    const [id, call] = at.from
    const before = (await step(id)).calls[call]?.prompt.sections.find((part) => part.name === section)
    if (before === undefined) throw new Error(`call ${call} of the step ${id} has no ${section}`)
    at = await readHead(before.body, text)
  }
  const items: HistoryItem[] = []
  for (const id of newestFirst.slice(0, head.count).toReversed()) items.push(toItem(await step(id)))
  return items
}

export const isHistory = (ref: BodyRef): boolean => ref.mime === HEAD_MIME
