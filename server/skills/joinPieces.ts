/** An answer that the model's length limit cut, and its continuation. */
import { dropReasoning, isOnlyThoughts } from '@/lib/mas/formats'

/** Beginning of an answer that, coming again, shows that the model began anew. */
const BEGINNING = 60
const LEAST_BEGINNING = 20
/** Characters that a model repeats before it continues. Fewer, or always the same ones, may well be the text itself. */
const MOST_OVERLAP = 400
const LEAST_OVERLAP = 6
const LEAST_KINDS = 4

/** Joins a cut answer and its continuation without repetitions; a complete second answer stands alone. */
export function joinPieces(before: string, piece: string): string {
  if (isOnlyThoughts(piece)) return before
  const next = withoutThoughts(piece)
  const beginning = withoutThoughts(before).trimStart().slice(0, BEGINNING)
  if (beginning.length >= LEAST_BEGINNING && next.trimStart().startsWith(beginning)) return next
  const rest = withoutOpening(before, next)
  return before + rest.slice(overlapOf(before, rest))
}

const withoutThoughts = (text: string): string =>
  /^\s*<(?:think|thinking|thoughts?|reasoning|analysis|\|channel\|)>/i.test(text) ? dropReasoning(text, false) : text

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
