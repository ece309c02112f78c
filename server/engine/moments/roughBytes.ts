/** Estimates of memory: what a record made of an event holds, and what a world holds that an earlier one does not. */
import type { World } from '@/lib/mas/records'

/** Of V8 on 64 bits: a string without its characters, a property, an object, a record that was copied with a change. */
const STRING = 24
const PROPERTY = 16
const OBJECT = 48
const COPY = 320

/** The memory of a JSON value. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return STRING + value.length
  if (typeof value !== 'object' || value === null) return 0
  let sum = OBJECT
  for (const held of Object.values(value)) sum += PROPERTY + bytesOf(held)
  return sum
}

/** Maps of maps of records: the deepest are by task, agent and step. */
const DEEPEST = 4

/** The memory of maps and copied records that `now` does not share with `before`. */
export const bytesBetween = (before: World, now: World): number => between(before, now, DEEPEST)

function between(before: unknown, now: unknown, depth: number): number {
  if (before === now || typeof now !== 'object' || now === null) return 0
  if (depth === 0) return COPY
  const old: Record<string, unknown> = typeof before === 'object' && before !== null ? { ...before } : {}
  let sum = OBJECT
  for (const [key, held] of Object.entries(now)) sum += PROPERTY * 2 + between(old[key], held, depth - 1)
  return sum
}
