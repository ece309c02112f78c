/** Histories of an older format, read only: a linked list of bodies, each with an item and the link to the previous one. */
import { fieldsIn, isJsonObject } from '@/lib/json'
import { previewOf } from '@/lib/mas/bodies'
import type { BodyRef } from '@/lib/mas/records'
import type { HistoryItem, ReadText } from './historyItem'

const NODE_MIME = 'application/vnd.convene.history-item+json'

/** A stored body, by its hash and length. */
export type StoredNode = { sha: string; bytes: number }
type ChainNode = { before: StoredNode | null; item: HistoryItem }

/** Both ends of a history: finished items from the newest, and in the oldest formats the coming ones. */
export type NodeEnds = {
  over: StoredNode | null
  count: number
  coming: StoredNode | null
  comingCount: number
}

export const refOfNode = (link: StoredNode, mime: string): BodyRef => ({ ...link, preview: '', mime })

/** All items in order, finished ones first. */
export async function readNodes(
  { over, count, coming, comingCount }: NodeEnds,
  read: ReadText,
): Promise<HistoryItem[]> {
  const ended = await follow(over, count, read)
  return [...ended.reverse(), ...(await follow(coming, comingCount, read))]
}

async function follow(from: StoredNode | null, count: number, read: ReadText): Promise<HistoryItem[]> {
  const items: HistoryItem[] = []
  // Earlier nodes belong to steps that had left the world when this was shown.
  for (let link = from; link !== null && items.length < count; ) {
    const node = JSON.parse(await read(refOfNode(link, NODE_MIME))) as ChainNode
    items.push(await withBeginnings(node.item, read))
    link = node.before
  }
  return items
}

/** Texts with a body of their own were stored without a preview. */
async function withBeginnings(item: HistoryItem, read: ReadText): Promise<HistoryItem> {
  const { result } = item
  if (result?.text.form !== 'text' || result.text.body === null || result.text.text !== '') return item
  const whole = await read({ ...result.text.body, preview: '' })
  return { ...item, result: { ...result, text: { ...result.text, text: previewOf(whole) } } }
}

const isLink = (value: unknown): value is StoredNode => typeof fieldsIn(value).sha === 'string'

export const hasEnds = (head: unknown): head is Pick<NodeEnds, 'over' | 'coming'> =>
  isJsonObject(head) && [head.over, head.coming].every((link) => link === null || isLink(link))

/** The item that a stored item follows. */
export function linksOf(node: unknown): StoredNode[] {
  const { before } = fieldsIn(node)
  return isLink(before) ? [before] : []
}
