/** The sources of a text, and its anchors: `<cite id="cit_01"/>`, or `[cit_01]` when the map has that id. */
import * as z from 'zod/mini'

const Location = z.looseObject({
  page_number: z.optional(z.number()),
  /** x1, y1, x2, y2 on that page. */
  bbox: z.optional(z.array(z.number()).check(z.length(4))),
  /** The quoted words, for checking the source. */
  text_snippet: z.optional(z.string()),
})

const WebCitation = z.looseObject({
  source_type: z.literal('web_search'),
  url: z.string(),
  access_date: z.optional(z.string()),
})
const DocumentCitation = z.looseObject({
  source_type: z.string().check(z.minLength(1)),
  source_id: z.optional(z.string()),
  source_name: z.optional(z.string()),
  location: z.optional(Location),
  /** Relevance, 0 to 1. */
  score: z.optional(z.number()),
  url: z.optional(z.string()),
  access_date: z.optional(z.string()),
})
export const HarmonyCitation = z.union([WebCitation, DocumentCitation])
export type HarmonyCitation = z.infer<typeof DocumentCitation>
export const CitationMap = z.record(z.string(), HarmonyCitation)
export type CitationMap = z.infer<typeof CitationMap>

type AnchoredPiece = { text: string } | { id: string; number: number }

const ANCHOR = /<cite\s+id="([^"<>]{1,128})"\s*\/>|\[([A-Za-z][\w.:-]{0,127})\]/g

/** A text split at its anchors; joining the pieces restores it. Anchors are numbered from 1 by their first mention. */
export function splitAnchors(text: string, ids: ReadonlySet<string>): AnchoredPiece[] {
  const pieces: AnchoredPiece[] = []
  const numbers = new Map<string, number>()
  let from = 0
  for (const found of text.matchAll(ANCHOR)) {
    const id = found[1] ?? found[2]
    if (id === undefined || !ids.has(id)) continue
    if (found.index > from) pieces.push({ text: text.slice(from, found.index) })
    const number = numbers.get(id) ?? numbers.size + 1
    numbers.set(id, number)
    pieces.push({ id, number })
    from = found.index + found[0].length
  }
  if (from < text.length) pieces.push({ text: text.slice(from) })
  return pieces
}
