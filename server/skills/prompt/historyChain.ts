/** How histories are stored: as a chain, so that the thousandth prompt adds one item and not a thousand. */
import { previewOf } from '@/lib/mas/bodies'
import type { StepId } from '@/lib/mas/ids'
import type { BodyRef, StepRecord } from '@/lib/mas/records'
import { recentMap } from '../../shared/recentMap'
import { wholeRefOf } from '../makeBody'
import type { BodyCache } from '../port'
import type { HistoryItem, ReadText } from './historyItem'
import type { SectionName } from './section'

const CHAIN_MIME = 'application/vnd.convene.history-item+json'
const HEAD_MIME = 'application/vnd.convene.history+json'

/** A stored node: small enough that its length travels with its hash. */
export type StoredNode = { sha: string; bytes: number }
type ChainNode = { before: StoredNode | null; item: HistoryItem }

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

/** What a prompt's section refers to: both ends of its history, and how it was shown. */
export type HistoryHead = {
  v: 1
  /** Those that are over: the newest, each naming the one before; `count` of them, whatever lies before. */
  over: StoredNode | null
  count: number
  /** A hash of the ids of their steps: whether a later history continues this one. */
  ids: string
  /** Those to come: the first, each naming the next. Heads of today have none; older ones are read with theirs. */
  coming: StoredNode | null
  comingCount: number
  view: HistoryView
  /** Lines before and after the items; `after` is the same for many prompts, so a body of its own. */
  before: string
  after: string | StoredNode
}

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
export type StoredHistory = Listed & { ref: BodyRef; over: StoredNode | null }

/** The lists of newest heads, by their newest item: how many of them left since is then seen exactly. */
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

const refOf = (link: StoredNode, mime: string): BodyRef => ({ ...link, preview: '', mime })

/**
 * Store a history and give its head.
 *
 * in      items in order, and whose they are; how they are shown; what was stored last of these steps, if that is known;
 *         the section (tool histories are chains of their own)
 * out     the reference for the prompt; only items that no earlier prompt of this history stored make new bodies
 */
export async function storeHistory(
  history: {
    steps: readonly StepRecord[]
    over: readonly HistoryItem[]
    view: HistoryView
    before: string
    after: string
    last: StoredHistory | null
  },
  section: SectionName,
  bodies: BodyCache,
): Promise<StoredHistory> {
  const { steps, last } = history
  const newest = newestSection(steps, section)
  // The very reference that was given last is in the world: what it names is durable, and known without reading it.
  const { from, kept, sums } =
    last !== null && last.ref === newest
      ? { from: last.over, kept: last.ids.length, sums: sumsOf(steps, last.ids.length, steps.length, last.sums) }
      : await findPrior(steps, newest, (ref) => bodies.text(ref))
  let over = from
  for (const item of history.over.slice(kept)) over = makeNode(over, item, bodies)
  const head: HistoryHead = {
    v: 1,
    over,
    count: steps.length,
    ids: written(sums),
    coming: null,
    comingCount: 0,
    view: history.view,
    before: history.before,
    after: history.after === '' ? '' : linkOf(bodies.make(history.after, 'text/plain')),
  }
  const ids = last === null ? steps.map(({ id }) => id) : [...last.ids]
  for (const { id } of steps.slice(ids.length)) ids.push(id)
  if (from) listed.delete(from.sha)
  if (over) listed.set(over.sha, { ids, sums })
  const json = JSON.stringify({ ...head, view: numbersOf(head.view) })
  const ref = wholeRefOf(json, bodies, HEAD_MIME)
  return { ref, over, ids, sums }
}

const linkOf = ({ sha, bytes }: BodyRef): StoredNode => ({ sha, bytes })

/** Nodes as they were last made: steps to come stay the same for many prompts. */
const nodes = new WeakMap<HistoryItem, { before: string | null; link: StoredNode }>()

function makeNode(before: StoredNode | null, item: HistoryItem, bodies: BodyCache): StoredNode {
  const known = nodes.get(item)
  if (known && known.before === (before?.sha ?? null) && bodies.isKept(known.link.sha)) return known.link
  const node: ChainNode = { before, item: withoutBeginnings(item) }
  const link = linkOf(bodies.make(JSON.stringify(node), CHAIN_MIME))
  nodes.set(item, { before: before?.sha ?? null, link })
  return link
}

/** A text that is a body of its own is kept there alone: its beginning comes back when the chain is read. */
function withoutBeginnings(item: HistoryItem): HistoryItem {
  if (item.result?.text.form !== 'text' || item.result.text.body === null) return item
  return { ...item, result: { ...item.result, text: { ...item.result.text, text: '' } } }
}

async function withBeginnings(item: HistoryItem, read: ReadText): Promise<HistoryItem> {
  const { result } = item
  if (result?.text.form !== 'text' || result.text.body === null || result.text.text !== '') return item
  const whole = await read({ ...result.text.body, preview: '' })
  return { ...item, result: { ...result, text: { ...result.text, text: previewOf(whole) } } }
}

/**
 * The head of the newest earlier prompt whose history this one continues. Its bodies are durable: the world holds the
 * call that names them. Only calls are looked at, so the chain also continues after a restart and on another node.
 *
 * out     kept: how many of these steps its chain ends with; older items of it may be of steps that have left the world
 */
async function findPrior(
  steps: readonly StepRecord[],
  ref: BodyRef | null,
  read: ReadText,
): Promise<{ from: StoredNode | null; kept: number; sums: Sums }> {
  const head = ref === null ? null : await readHead(ref, read)
  const known = head?.over ? listed.get(head.over.sha) : undefined
  const left = known ? leftOf(known, steps) : -1
  if (known && left >= 0) {
    const kept = known.ids.length - left
    // Only a list that begins alike has a hash to continue from.
    const sums = left === 0 ? sumsOf(steps, kept, steps.length, known.sums) : sumsOf(steps, 0, steps.length, NO_SUMS)
    return { from: head?.over ?? null, kept, sums }
  }
  const count = Math.min(head?.count ?? 0, steps.length)
  const some = sumsOf(steps, 0, count, NO_SUMS)
  const goesOn = head !== null && head.count <= steps.length && head.ids === written(some)
  const sums = sumsOf(steps, count, steps.length, some)
  return goesOn ? { from: head.over, kept: head.count, sums } : { from: null, kept: 0, sums }
}

function newestSection(steps: readonly StepRecord[], section: SectionName): BodyRef | null {
  for (let n = steps.length - 1; n >= 0; n--) {
    const found = steps[n]?.calls.at(-1)?.prompt.sections.find((part) => part.name === section)
    if (found) return found.body
  }
  return null
}

/** The line after the items, as text. */
export const readAfter = async ({ after }: HistoryHead, read: ReadText): Promise<string> =>
  typeof after === 'string' ? after : read(refOf(after, 'text/plain'))

export async function readHead(ref: BodyRef, read: ReadText): Promise<HistoryHead> {
  const { view, ...head } = JSON.parse(await read(ref)) as Omit<HistoryHead, 'view'> & { view: HistoryView | number[] }
  return { ...head, view: Array.isArray(view) ? viewOf(view) : view }
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

/** All items of a head, those that are over first, in order. */
export async function readChain(head: HistoryHead, read: ReadText): Promise<HistoryItem[]> {
  const over = await follow(head.over, head.count, read)
  return [...over.reverse(), ...(await follow(head.coming, head.comingCount, read))]
}

async function follow(from: StoredNode | null, count: number, read: ReadText): Promise<HistoryItem[]> {
  const items: HistoryItem[] = []
  // Before these may lie others, whose steps had left the world when this was shown.
  for (let link = from; link !== null && items.length < count; ) {
    const node = JSON.parse(await read(refOf(link, CHAIN_MIME))) as ChainNode
    items.push(await withBeginnings(node.item, read))
    link = node.before
  }
  return items
}

export const isHistory = (ref: BodyRef): boolean => ref.mime === HEAD_MIME

const isMap = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isLink = (value: unknown): value is StoredNode => isMap(value) && typeof value.sha === 'string'

export const isHistoryHead = (value: unknown): value is Pick<HistoryHead, 'over' | 'coming'> =>
  isMap(value) && [value.over, value.coming].every((link) => link === null || isLink(link))

/** The item that a stored item continues. */
export const linksOf = (node: unknown): StoredNode[] => (isMap(node) && isLink(node.before) ? [node.before] : [])
