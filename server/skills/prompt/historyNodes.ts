/** Histories of an earlier form, read only: a chain of bodies, each an item and the link to the one before it. */
import { previewOf } from '@/lib/mas/bodies'
import type { BodyRef } from '@/lib/mas/records'
import type { HistoryItem, ReadText } from './historyItem'

const NODE_MIME = 'application/vnd.convene.history-item+json'

/** A stored body, named by its hash and its length. */
export type StoredNode = { sha: string; bytes: number }
type ChainNode = { before: StoredNode | null; item: HistoryItem }

/** Both ends of a history: those that are over, the newest first, and in the oldest ones those to come. */
export type NodeEnds = {
  over: StoredNode | null
  count: number
  coming: StoredNode | null
  comingCount: number
}

export const refOfNode = (link: StoredNode, mime: string): BodyRef => ({ ...link, preview: '', mime })

/** All items, those that are over first, in order. */
export async function readNodes(
  { over, count, coming, comingCount }: NodeEnds,
  read: ReadText,
): Promise<HistoryItem[]> {
  const ended = await follow(over, count, read)
  return [...ended.reverse(), ...(await follow(coming, comingCount, read))]
}

async function follow(from: StoredNode | null, count: number, read: ReadText): Promise<HistoryItem[]> {
  const items: HistoryItem[] = []
  // Before these may lie others, whose steps had left the world when this was shown.
  for (let link = from; link !== null && items.length < count; ) {
    const node = JSON.parse(await read(refOfNode(link, NODE_MIME))) as ChainNode
    items.push(await withBeginnings(node.item, read))
    link = node.before
  }
  return items
}

/** A text that is a body of its own was kept there alone. */
async function withBeginnings(item: HistoryItem, read: ReadText): Promise<HistoryItem> {
  const { result } = item
  if (result?.text.form !== 'text' || result.text.body === null || result.text.text !== '') return item
  const whole = await read({ ...result.text.body, preview: '' })
  return { ...item, result: { ...result, text: { ...result.text, text: previewOf(whole) } } }
}

const isMap = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isLink = (value: unknown): value is StoredNode => isMap(value) && typeof value.sha === 'string'

export const hasEnds = (head: unknown): head is Pick<NodeEnds, 'over' | 'coming'> =>
  isMap(head) && [head.over, head.coming].every((link) => link === null || isLink(link))

/** The item that a stored item continues. */
export const linksOf = (node: unknown): StoredNode[] => (isMap(node) && isLink(node.before) ? [node.before] : [])
