/** The rules that a batch obeys before any store looks at it, and the batch as JSON text. */
import { sha256 } from '../../shared/sha256'
import type { BatchItem } from '../interfaces'
import { requireText, requireWhole } from './names'

/** What the archive is asked by. */
export type PlaceKey = 'task' | 'step' | 'request' | 'thread'

/** An item whose fault and reply are text already. */
export type CheckedItem = { item: BatchItem; fault: string | null; reply: string | null }

/**
 * Check a batch, and turn what became of each command into text.
 *
 * faults  TypeError: an id twice, a fault beside events, an event without type or version, a body under a sha not its own,
 *         something that is not JSON
 */
export function checkBatch(batch: BatchItem[]): CheckedItem[] {
  const ids = new Set<string>()
  return batch.map((item) => {
    requireText('command id', item.id)
    requireText('by', item.by)
    if (item.until !== undefined) requireWhole({ until: item.until })
    if (ids.has(item.id)) throw new TypeError(`command ${item.id} is twice in one batch`)
    ids.add(item.id)
    if (item.fault && item.events.length > 0) throw new TypeError(`command ${item.id} has a fault and events`)
    for (const { type, v } of item.events)
      if (typeof type !== 'string' || !Number.isInteger(v)) throw new TypeError('an event has a type and a whole v')
    for (const body of item.bodies ?? []) {
      requireText('mime', body.mime)
      if (sha256(body.bytes) !== body.sha) throw new TypeError(`body ${body.sha} of command ${item.id} has another sha`)
    }
    return {
      item,
      fault: item.fault ? jsonText(item.fault) : null,
      reply: item.reply === undefined ? null : jsonText(item.reply),
    }
  })
}

/** JSON.stringify that refuses what would silently vanish. */
export function jsonText(value: unknown): string {
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) throw new TypeError(`${typeof value} is not JSON`)
  return text
}
