/** The bodies to which an entry refers: everything that could be a hash, also in the lists of its prompts. */

import { fieldsIn } from '@/lib/json'
import { listsIn } from '../../skills'
import type { Bodies } from '../../store'

/** Everything that could be a hash: what only looks like one keeps a body too many, never one too few. */
export const shasIn = (text: string): string[] => text.match(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g) ?? []

/** The lists of the prompts of the calls in an event, at any position. */
export function promptsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(promptsIn)
  return Object.entries(value).flatMap(([key, inner]) => {
    const { sha } = fieldsIn(inner)
    return key === 'prompt' && typeof sha === 'string' ? [sha] : promptsIn(inner)
  })
}

/**
 * The bodies that an event names, and those that its prompts are read from.
 *
 * in      seen: lists that were looked into before; those of this event are added
 * out     each named hash to `found`, also of bodies that are not stored, some more than once
 */
export async function findNamed(
  event: unknown,
  bodies: Pick<Bodies, 'get'>,
  seen: Set<string>,
  found: (sha: string) => void,
): Promise<void> {
  for (const sha of shasIn(JSON.stringify(event))) found(sha)
  const lists = promptsIn(event)
  for (let sha = lists.pop(); sha !== undefined; sha = lists.pop()) {
    if (seen.has(sha)) continue
    seen.add(sha)
    const body = await bodies.get(sha)
    // Forgotten with an earlier archive.
    if (body === null) continue
    const text = new TextDecoder().decode(body.bytes)
    for (const one of shasIn(text)) found(one)
    lists.push(...listsIn(text))
  }
}
