/** The hashes over rows. They are on disk: never change one, add a schema. */

import { sha256 } from '../../shared/sha256'

/** What a decision's hash says of it beside its entries. */
export type DecisionHeader = { first: number; last: number; at: number; by: string; command: string }

/**
 * The hash of a decision.
 *
 * in      that of the decision before, in hex (the journal's id before the first); the canonical texts of its entries, in order
 * out     hex
 */
export function chainHash(
  before: string,
  { first, last, at, by, command }: DecisionHeader,
  events: readonly string[],
): string {
  return sha256(`${before}\n${JSON.stringify([first, last, at, by, command])}\n${events.join('\n')}`)
}

/** What may be forgotten of a decision's row, and so is in no chain. */
export const decisionSeal = (last: number, known: number, until: number | null, reply: string | null): number =>
  seal(JSON.stringify([last, known, until, reply]))

/** What the name of a body, which is the hash of its bytes, does not say of it. */
export const bodySeal = (sha: string, mime: string): number => seal(`${sha} ${mime}`)

/** 48 bits: enough to see damage, and an integer everywhere. */
const seal = (text: string): number => Number.parseInt(sha256(text).slice(0, 12), 16)
