/** Checks a batch for every store, and converts it to JSON text. */
import { sha256 } from '../../shared/sha256'
import type { BatchItem } from '../interfaces'
import { requireText, requireWhole } from './names'

/** An item with fault and reply as JSON text. */
export type CheckedItem = { item: BatchItem; fault: string | null; reply: string | null }

/**
 * Check a batch, and convert the outcomes of commands to text.
 *
 * faults  TypeError: a duplicate id, a fault with events, an event without type or version, a body with a wrong sha,
 *         a value that is not JSON
 */
export function checkBatch(batch: BatchItem[]): CheckedItem[] {
  const ids = new Set<string>()
  return batch.map((item) => {
    requireText('command id', item.id)
    requireText('by', item.by)
    if (typeof item.session === 'string') requireText('session', item.session)
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

/** JSON.stringify that refuses values that it would drop. */
export function jsonText(value: unknown): string {
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) throw new TypeError(`${typeof value} is not JSON`)
  return text
}
