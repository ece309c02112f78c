/** Anchors in texts of agents: removed when a message is sent, inserted again where its sources are shown. */
import { fieldsIn } from '../json'
import type { Cited, Json } from './records'

/** `[cit_8]`: item 8 of the writer's history; `[cit_8:4]`: line 4 of it. Also in the form of a tag. */
const ANCHOR = / ?(?:\[cit_(\d{1,9})(?::(\d{1,9}))?\]|<cite\s+id="cit_(\d{1,9})(?::(\d{1,9}))?"\s*\/>)/g

type Anchor = { id: string; step: number; line: number | null }

/** out: the anchors of a text, each once, in their order. */
export function anchorsIn(text: string): Anchor[] {
  const found = [...text.matchAll(ANCHOR)].map(anchorOf)
  return [...new Map(found.map((anchor) => [anchor.id, anchor])).values()]
}

function anchorOf([, step, line, tagStep, tagLine]: RegExpMatchArray): Anchor {
  const [number, at] = [step ?? tagStep ?? '', line ?? tagLine ?? null]
  return {
    id: at === null ? `cit_${number}` : `cit_${number}:${at}`,
    step: Number(number),
    line: at === null ? null : Number(at),
  }
}

/** The text without the anchors of known sources, and their positions. An anchor without a source stays. */
export function liftAnchors(text: string, sources: Cited['sources']): { text: string; at: Cited['at'] } {
  const at: Cited['at'] = []
  let [lifted, from] = ['', 0]
  for (const found of text.matchAll(ANCHOR)) {
    const { id } = anchorOf(found)
    if (!Object.hasOwn(sources, id)) continue
    lifted += text.slice(from, found.index)
    from = found.index + found[0].length
    at.push({ offset: lifted.length, id })
  }
  return { text: lifted + text.slice(from), at }
}

/** The text without the anchors that have no source. */
export function withoutUnknown(text: string, sources: Cited['sources']): string {
  let [kept, from] = ['', 0]
  for (const found of text.matchAll(ANCHOR)) {
    if (Object.hasOwn(sources, anchorOf(found).id)) continue
    kept += text.slice(from, found.index)
    from = found.index + found[0].length
  }
  return kept + text.slice(from)
}

/** The text without any anchor, of known sources or not. */
export const withoutAnchors = (text: string): string => text.replace(ANCHOR, '')

/** The text with an anchor at each place, as Harmony writes them. */
export function withAnchors(text: string, { at }: Pick<Cited, 'at'>): string {
  let [whole, from] = ['', 0]
  for (const { offset, id } of at) {
    whole += `${text.slice(from, offset)}<cite id="${id}"/>`
    from = Math.max(from, offset)
  }
  return whole + text.slice(from)
}

/** The text for readers without a panel: after the words, the name of their source and its line. */
export function withSourceNames(text: string, { at, sources }: Cited): string {
  let [whole, from] = ['', 0]
  for (const { offset, id } of at) {
    const line = lineOf(id, sources[id])
    whole += `${text.slice(from, offset)} (${nameOf(sources[id]) ?? id}${line === null ? '' : `, line ${line}`})`
    from = Math.max(from, offset)
  }
  return whole + text.slice(from)
}

/** The line of the source itself: that of a joined result is a line of one of its files. */
const lineOf = (id: string, source: Json | undefined): number | null => {
  const { line_number } = fieldsIn(fieldsIn(source).location)
  const written = /:(\d+)$/.exec(id)?.[1]
  return typeof line_number === 'number' ? line_number : written === undefined ? null : Number(written)
}

const nameOf = (source: Json | undefined): string | null => {
  const { source_name } = fieldsIn(source)
  return typeof source_name === 'string' ? source_name : null
}
