/**
 * How histories are stored: as a chain, so that the thousandth prompt adds one item and not a thousand.
 *
 * Owns: the bodies of a chain (each item with the reference of the one before), the head that a prompt keeps, reading both.
 * Not here: how items look (historyItem.ts), what is cut (historySection.ts).
 */

import type { BodyRef, StepRecord } from '@/lib/mas/records'
import { shaOf } from '../makeBody'
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
  /** SHA-256 of the ids of their steps: whether a later history goes on from here. */
  ids: string
  /** Those to come: the first, each naming the next. */
  coming: Link | null
  comingCount: number
  view: HistoryView
  /** Lines before and after the items. */
  before: string
  after: string
}

type Stored = { step: StepRecord; item: HistoryItem }

const fingerprint = (steps: StepRecord[]): string => shaOf(steps.map((step) => step.id).join('\n'))
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
  const prior = await findPrior(steps, section, (ref) => bodies.text(ref))
  let over: Link | null = prior?.over ?? null
  for (const { item } of history.over.slice(prior?.count ?? 0)) over = makeNode(over, item, bodies)
  let coming: Link | null = null
  for (const item of history.coming.toReversed()) coming = makeNode(coming, item, bodies)
  const head: HistoryHead = {
    v: 1,
    over,
    count: steps.length,
    ids: fingerprint(steps),
    coming,
    comingCount: history.coming.length,
    view: history.view,
    before: history.before,
    after: history.after,
  }
  return { ...bodies.make(JSON.stringify(head), HEAD_MIME), preview: '' }
}

function makeNode(before: Link | null, item: HistoryItem, bodies: BodyDesk): Link {
  const node: ChainNode = { before, item }
  const { sha, bytes } = bodies.make(JSON.stringify(node), CHAIN_MIME)
  return { sha, bytes }
}

/**
 * The head of the newest earlier prompt whose history this one goes on from. Its bodies are durable: the world holds the
 * call that names them. Only calls are looked at, so the chain also goes on after a restart and on another node.
 */
async function findPrior(steps: StepRecord[], section: SectionName, read: ReadText): Promise<HistoryHead | null> {
  const ref = newestSection(steps, section)
  if (ref === null) return null
  const head = await readHead(ref, read)
  const goesOn = head.count <= steps.length && head.ids === fingerprint(steps.slice(0, head.count))
  return goesOn ? head : null
}

function newestSection(steps: StepRecord[], section: SectionName): BodyRef | null {
  for (let n = steps.length - 1; n >= 0; n--) {
    const found = steps[n]?.calls.at(-1)?.prompt.sections.find((part) => part.name === section)
    if (found) return found.body
  }
  return null
}

export async function readHead(ref: BodyRef, read: ReadText): Promise<HistoryHead> {
  return JSON.parse(await read(ref)) as HistoryHead
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
    items.push(node.item)
    link = node.before
  }
  return items
}

export const isHistory = (ref: BodyRef): boolean => ref.mime === HEAD_MIME
