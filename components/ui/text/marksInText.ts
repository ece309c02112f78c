/** Marks in the text of Markdown: citations as numbers, one without an entry stays text; names of files. */
import { splitPaths } from '@/lib/format/filePaths'
import { splitAnchors } from '@/lib/protocols/harmony/citation'

/** The part of a Markdown tree that is needed. */
type Node = { type: string; value?: string; children?: Node[]; data?: Record<string, unknown> }

/** Raw HTML is never shown, except for this one element. */
const WRITTEN = /<\/?cite\b/i
const LINKS = new Set(['link', 'linkReference', 'definition'])

/**
 * The numbers of a text's sources.
 *
 * out     by id, from 1 in the order of their first mention
 */
export function numbersOf(text: string, ids: ReadonlySet<string>): ReadonlyMap<string, number> {
  return new Map(splitAnchors(text, ids).flatMap((piece) => ('id' in piece ? [[piece.id, piece.number] as const] : [])))
}

/**
 * A remark plugin: anchors become `<cite>` elements with the id of an entry, names of files outside of links `<samp>`. Code is left
 * as it is.
 */
export function marksInText({ ids }: { ids: ReadonlySet<string> }): (tree: Node) => void {
  const files = (value: string): Node[] =>
    splitPaths(value).map(({ text, paths }) =>
      paths.length === 0
        ? { type: 'text', value: text }
        : { type: 'filePath', data: { hName: 'samp' }, children: [{ type: 'text', value: text }] },
    )
  const pieces = (value: string, isLink: boolean): Node[] =>
    splitAnchors(value, ids).flatMap((piece) => {
      if ('id' in piece)
        return [{ type: 'citation', data: { hName: 'cite', hProperties: { id: piece.id } }, children: [] }]
      return isLink ? [{ type: 'text', value: piece.text }] : files(piece.text)
    })
  const walk = (node: Node, isLink: boolean): void => {
    if (node.children === undefined) return
    const isInLine = node.type !== 'root' && node.type !== 'blockquote' && node.type !== 'listItem'
    node.children = node.children.flatMap((child): Node[] => {
      const { type, value = '' } = child
      if (type === 'text') return pieces(value, isLink)
      if (type === 'html' && WRITTEN.test(value)) {
        const inLine = pieces(value, isLink)
        return isInLine ? inLine : [{ type: 'paragraph', children: inLine }]
      }
      walk(child, isLink || LINKS.has(type))
      return [child]
    })
  }
  return (tree) => walk(tree, false)
}
