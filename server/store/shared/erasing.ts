/** Entries of an erased task, emptied in slices: a process that ends in between leaves the first of them whole. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ErasedEntries } from '../interfaces'
import { requireText, requireWhole } from './names'

/** Numbers of entries that one transaction looks at, some ms of work. */
const AT_ONCE = 1_000

/** in: slice: one transaction, of the entries from..to. out: how many it emptied. The one with the first entry is the last. */
export async function eraseInSlices(
  { task, from, to, by }: ErasedEntries,
  slice: (from: number, to: number, isLast: boolean) => Promise<number> | number,
): Promise<number> {
  requireText('task', task)
  requireWhole({ from, to, by })
  if (from < 1 || to < from || by <= to) throw new TypeError(`entries ${from} to ${to} cannot be erased by ${by}`)
  let count = 0
  for (let end = to; end >= from; end -= AT_ONCE) {
    const start = Math.max(from, end - AT_ONCE + 1)
    count += await slice(start, end, start === from)
    await nextTurn()
  }
  return count
}
