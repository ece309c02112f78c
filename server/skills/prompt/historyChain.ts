/** Storage of histories: a prompt names its new steps, and the step whose prompt holds the earlier ones. */
import type { StepId } from '@/lib/mas/ids'
import type { BodyRef, StepRecord } from '@/lib/mas/records'
import { recentMap } from '../../shared/recentMap'
import { sha256 } from '../../shared/sha256'
import { wholeRefOf } from '../makeBody'
import type { BodyCache } from '../port'
import { type HistoryItem, type ReadText, toItem } from './historyItem'
import { type NodeEnds, readNodes, refOfNode, type StoredNode } from './historyNodes'
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
type StepsHead = HeadParts & {
  v: 2
  /** The step whose prompt holds the items before `more`, and the index of its call; null: no earlier items. */
  from: [StepId, number] | null
  /** In order. */
  more: StepId[]
}
type NodesHead = HeadParts & NodeEnds & { v: 1; before: string }
type HeadParts = {
  /** Use only the last so many items. */
  count: number
  /** Hash of the step ids: tells whether a later history continues this one. */
  ids: string
  view: HistoryView
  /** A line after the items. Many prompts share it, so it is a body of its own. */
  after: string | StoredNode
}
type HistoryHead = StepsHead | NodesHead

export type HistorySources = { text: ReadText; step(id: StepId): Promise<StepRecord> }

/** Tells whether a later history continues this list of steps. in: before: the mark of the list that these ids continue */
const markOf = (ids: readonly StepId[], before = ''): string =>
  ids.reduce((mark, id) => sha256(`${mark}${id}`).slice(0, 16), before)

/** The lists of recent heads, by their marks: the steps that have left since can be counted only with the list itself. */
const listed = recentMap<string, readonly StepId[]>(1_000)

/** How many leading steps have left the list, when the rest begins this history; -1: it diverges. */
function leftOf(list: readonly StepId[], ids: readonly StepId[]): number {
  const [first] = ids
  const left = first === undefined ? -1 : list.indexOf(first)
  return left >= 0 && list.slice(left).every((id, n) => ids[n] === id) ? left : -1
}

/**
 * in      steps in order; their view; a line after them; the section (tool histories have chains of their own)
 * out     the reference for the prompt
 */
export async function storeHistory(
  { steps, view, after }: { steps: readonly StepRecord[]; view: HistoryView; after: string },
  section: SectionName,
  bodies: BodyCache,
): Promise<BodyRef> {
  const ids = steps.map(({ id }) => id)
  const newest = newestSection(steps, section)
  const prior = newest && (await readHead(newest.ref, (ref) => bodies.text(ref)))
  const kept = prior ? keptIn(prior, ids) : 0
  const head: StepsHead = {
    v: 2,
    from: kept === 0 ? null : (newest?.from ?? null),
    more: ids.slice(kept),
    count: ids.length,
    ids: prior?.count === kept ? markOf(ids.slice(kept), prior.ids) : markOf(ids),
    view,
    after: after === '' ? '' : linkOf(bodies.make(after, 'text/plain')),
  }
  listed.set(head.ids, ids)
  return wholeRefOf(JSON.stringify({ ...head, view: numbersOf(view) }), bodies, HEAD_MIME)
}

const linkOf = ({ sha, bytes }: BodyRef): StoredNode => ({ sha, bytes })

/** How many of these steps end the history of an earlier prompt, whose older items may belong to steps that have left the world. */
function keptIn(head: HistoryHead, ids: readonly StepId[]): number {
  const list = listed.get(head.ids)
  const left = list ? leftOf(list, ids) : -1
  if (list && left >= 0) return list.length - left
  return head.count <= ids.length && head.ids === markOf(ids.slice(0, head.count)) ? head.count : 0
}

/** Only calls in the world are considered, so the chain also continues after a restart and on another node. */
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
  typeof after === 'string' ? after : read(refOfNode(after, 'text/plain'))

export async function readHead(ref: BodyRef, read: ReadText): Promise<HistoryHead> {
  const head = JSON.parse(await read(ref)) as HistoryHead & { view: HistoryView | number[] }
  return { ...head, view: Array.isArray(head.view) ? viewOf(head.view) : head.view }
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
    items.push(toItem(record))
  }
  return head.v === 1 ? items : items.slice(-head.count)
}

export const isHistory = (ref: BodyRef): boolean => ref.mime === HEAD_MIME
