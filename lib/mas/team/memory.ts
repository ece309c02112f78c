/** Keys of persistent memory: the UTC second, with a number behind it when that second already has a note. */
import type { MemoryNote } from '../records'

const two = (n: number): string => String(n).padStart(2, '0')

/** The key of a new note: `YYYYMMDDTHHMMSS`, with `_2`, `_3` … where that second already has a note. */
export function memoryKey(atMs: number, notes: readonly MemoryNote[]): string {
  const at = new Date(atMs)
  const key = `${at.getUTCFullYear()}${two(at.getUTCMonth() + 1)}${two(at.getUTCDate())}T${two(at.getUTCHours())}${two(at.getUTCMinutes())}${two(at.getUTCSeconds())}`
  const taken = new Set(notes.map((note) => note.key))
  if (!taken.has(key)) return key
  let n = 2
  while (taken.has(`${key}_${n}`)) n += 1
  return `${key}_${n}`
}
