/**
 * How histories are stored: as a chain, so that the thousandth prompt adds one item and not a thousand.
 *
 * Owns: the bodies of a chain (each item with the reference of the one before), the head that a prompt keeps, reading both.
 * Not here: how items look (historyItem.ts), what is cut (historySection.ts).
 */

import { previewOf, wholeOf } from '@/lib/mas/bodies'
import type { BodyRef, StepRecord } from '@/lib/mas/records'
import { refOf as refOfText } from '../makeBody'
import type { BodyDesk } from '../port'
import type { HistoryItem, ReadText } from './historyItem'
import type { SectionName } from './section'

const CHAIN_MIME = 'application/vnd.convene.history-item+json'
const HEAD_MIME = 'application/vnd.convene.history+json'

/** A stored node: small enough that its length travels with its hash. */
type Link = { sha: string; bytes: number }
type ChainNode = { before: Link | null; item: HistoryItem }

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
  /** Those that are over: the newest, each naming the one before. */
  over: Link | null
  count: number
  /** A hash of the ids of their steps: whether a later history goes on from here. */
  ids: string
  /** Those to come: the first, each naming the next. */
  coming: Link | null
  comingCount: number
  view: HistoryView
  /** Lines before and after the items; `after` is the same for many prompts, so a body of its own. */
  before: string
  after: string | Link
}

type Stored = { step: StepRecord; item: HistoryItem }

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

/** The hashes of a list's first `count` ids and of all of them, in one walk. */
function fingerprints(steps: StepRecord[], count: number): { some: string; all: string } {
  let [one, two] = [7, 11]
  let some = ''
  const written = (): string => `${one.toString(36)}-${two.toString(36)}`
  for (const [n, step] of steps.entries()) {
    if (n === count) some = written()
    const hash = hashOfId(step)
    one = (one * 65_599 + hash) % FIRST_PRIME
    two = (two * 69_069 + hash) % SECOND_PRIME
  }
  const all = written()
  return { some: count === steps.length ? all : some, all }
}

const refOf = (link: Link, mime: string): BodyRef => ({ ...link, preview: '', mime })

/**
 * Store a history and give its head.
 *
 * in      items that are over, in order; those to come, in order; how they are shown; the section (tool histories are
 *         chains of their own)
 * out     the reference for the prompt; only items that no earlier prompt of this history stored make new bodies
 */
export async function storeHistory(
  history: { over: Stored[]; coming: HistoryItem[]; view: HistoryView; before: string; after: string },
  section: SectionName,
  bodies: BodyDesk,
): Promise<BodyRef> {
  const steps = history.over.map(({ step }) => step)
  const { prior, ids } = await findPrior(steps, section, (ref) => bodies.text(ref))
  let over: Link | null = prior?.over ?? null
  for (const { item } of history.over.slice(prior?.count ?? 0)) over = makeNode(over, item, bodies)
  let coming: Link | null = null
  for (const item of history.coming.toReversed()) coming = makeNode(coming, item, bodies)
  const head: HistoryHead = {
    v: 1,
    over,
    count: steps.length,
    ids,
    coming,
    comingCount: history.coming.length,
    view: history.view,
    before: history.before,
    after: history.after === '' ? '' : linkOf(bodies.make(history.after, 'text/plain')),
  }
  const json = JSON.stringify({ ...head, view: numbersOf(head.view) })
  const ref = refOfText(json, HEAD_MIME)
  return wholeOf(ref) === null ? { ...bodies.make(json, HEAD_MIME), preview: '' } : ref
}

const linkOf = ({ sha, bytes }: BodyRef): Link => ({ sha, bytes })

function makeNode(before: Link | null, item: HistoryItem, bodies: BodyDesk): Link {
  const node: ChainNode = { before, item: withoutBeginnings(item) }
  return linkOf(bodies.make(JSON.stringify(node), CHAIN_MIME))
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
 * The head of the newest earlier prompt whose history this one goes on from. Its bodies are durable: the world holds the
 * call that names them. Only calls are looked at, so the chain also goes on after a restart and on another node.
 */
async function findPrior(
  steps: StepRecord[],
  section: SectionName,
  read: ReadText,
): Promise<{ prior: HistoryHead | null; ids: string }> {
  const ref = newestSection(steps, section)
  const head = ref === null ? null : await readHead(ref, read)
  const { some, all } = fingerprints(steps, head?.count ?? 0)
  const goesOn = head !== null && head.count <= steps.length && head.ids === some
  return { prior: goesOn ? head : null, ids: all }
}

function newestSection(steps: StepRecord[], section: SectionName): BodyRef | null {
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
  const over = await follow(head.over, read)
  return [...over.reverse(), ...(await follow(head.coming, read))]
}

async function follow(from: Link | null, read: ReadText): Promise<HistoryItem[]> {
  const items: HistoryItem[] = []
  for (let link = from; link !== null; ) {
    const node = JSON.parse(await read(refOf(link, CHAIN_MIME))) as ChainNode
    items.push(await withBeginnings(node.item, read))
    link = node.before
  }
  return items
}

export const isHistory = (ref: BodyRef): boolean => ref.mime === HEAD_MIME
