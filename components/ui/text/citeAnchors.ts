/** Anchors of citations in Markdown: each becomes a numbered mark; one without an entry stays text. */
import { splitAnchors } from '@/lib/protocols/harmony/citation'

/** The part of a Markdown tree that is needed. */
type Node = { type: string; value?: string; children?: Node[]; data?: Record<string, unknown> }

/** Raw HTML is never shown, except for this one element. */
const WRITTEN = /<\/?cite\b/i

/**
 * The numbers of a text's sources.
 *
 * out     by id, from 1 in the order of their first mention
 */
export function numbersOf(text: string, ids: ReadonlySet<string>): ReadonlyMap<string, number> {
  return new Map(splitAnchors(text, ids).flatMap((piece) => ('id' in piece ? [[piece.id, piece.number] as const] : [])))
}

/** A remark plugin: anchors become `<cite>` elements with the id of an entry. Code is left as it is. */
export function citeAnchors({ ids }: { ids: ReadonlySet<string> }): (tree: Node) => void {
  const pieces = (value: string): Node[] =>
    splitAnchors(value, ids).map((piece) =>
      'text' in piece
        ? { type: 'text', value: piece.text }
        : { type: 'citation', data: { hName: 'cite', hProperties: { id: piece.id } }, children: [] },
    )
  const changed = (node: Node, isInLine: boolean): Node[] => {
    if (node.type === 'text') return pieces(node.value ?? '')
    if (node.type !== 'html' || !WRITTEN.test(node.value ?? '')) return [node]
    const inLine = pieces(node.value ?? '')
    return isInLine ? inLine : [{ type: 'paragraph', children: inLine }]
  }
  const walk = (node: Node): void => {
    if (node.children === undefined) return
    const isInLine = node.type !== 'root' && node.type !== 'blockquote' && node.type !== 'listItem'
    node.children = node.children.flatMap((child) => changed(child, isInLine))
    for (const child of node.children) walk(child)
  }
  return walk
}
