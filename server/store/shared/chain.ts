/** The hashes over rows. They are on disk: never change one, add a schema. */
import { sha256 } from '../../shared/sha256'

/** The part of a decision's hash besides its entries. */
export type DecisionHeader = { first: number; last: number; at: number; by: string; command: string }

/** The hash of a decision in hex. in: the previous hash (first: the journal's id); the hashes of its entries in order, in hex. */
export function chainHash(
  before: string,
  { first, last, at, by, command }: DecisionHeader,
  entries: readonly string[],
): string {
  return sha256(`${before}\n${JSON.stringify([first, last, at, by, command])}\n${entries.join('\n')}`)
}

/** The columns of a decision that may be deleted, and so are not in the chain. */
export const decisionSeal = (last: number, known: number, until: number | null, reply: string | null): number =>
  seal(JSON.stringify([last, known, until, reply]))

/** The columns of a body's row without the time of its last write. Where `data` is null its bytes are in a file. */
export type SealedBody = { sha: string; mime: string; bytes: number; packed: number; data: Uint8Array | null }

export const bodySeal = ({ sha, mime, bytes, packed, data }: SealedBody): number =>
  seal(JSON.stringify([sha, mime, bytes, packed, data && seal(data)]))

/** The head row. */
export const headSeal = ({ journal, seq, at, epoch, hash }: SealedHead): number =>
  seal(JSON.stringify([journal, seq, at, epoch, hash]))

type SealedHead = { journal: string; seq: number; at: number; epoch: number; hash: string }

/** The outcome of a command without entries. Texts as stored. */
export const outcomeSeal = ({ id, by, seq, at, until, fault, reply }: SealedOutcome): number =>
  seal(JSON.stringify([id, by, seq, at, until, fault, reply]))

export type SealedOutcome = {
  id: string
  by: string
  seq: number | null
  at: number
  until: number | null
  fault: string | null
  reply: string | null
}

/** 48 bits: enough to detect damage, and an exact integer everywhere. */
const seal = (text: string | Uint8Array): number => Number.parseInt(sha256(text).slice(0, 12), 16)
