/** Joins an answer that was cut by the model's length limit with its continuation. */
import { afterThoughts, isOnlyThoughts } from '@/lib/mas/formats'

/** If the continuation starts with this many characters of the answer, the model started over. */
const BEGINNING = 60
const LEAST_BEGINNING = 20
/** Longest repetition before the continuation. Short or uniform overlaps may be part of the text. */
const MOST_OVERLAP = 400
const LEAST_OVERLAP = 6
const LEAST_KINDS = 4

/** Joins without repetition; a complete second answer replaces the first. */
export function joinPieces(before: string, piece: string): string {
  if (isOnlyThoughts(piece)) return before
  const next = withoutThoughts(piece)
  const beginning = withoutThoughts(before).trimStart().slice(0, BEGINNING)
  if (beginning.length >= LEAST_BEGINNING && next.trimStart().startsWith(beginning)) return next
  const rest = withoutOpening(before, next)
  return before + rest.slice(overlapOf(before, rest))
}

const withoutThoughts = (text: string): string => afterThoughts(text) ?? text

function withoutOpening(before: string, next: string): string {
  const [opening, name] = /^\s*<([a-z_]+)>/.exec(next) ?? []
  if (opening === undefined || before.lastIndexOf(`<${name}>`) <= before.lastIndexOf(`</${name}>`)) return next
  return next.slice(opening.length)
}

function overlapOf(before: string, next: string): number {
  for (let length = Math.min(MOST_OVERLAP, before.length, next.length); length >= LEAST_OVERLAP; length -= 1) {
    const again = next.slice(0, length)
    if (before.endsWith(again) && new Set(again).size >= LEAST_KINDS) return length
  }
  return 0
}
