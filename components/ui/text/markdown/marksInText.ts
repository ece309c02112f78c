/** Anchors of sources and names of files in a Markdown tree, as elements. Code is left as it is. */
import type { Nodes, PhrasingContent, Root, RootContent } from 'mdast'
import { splitPaths } from '@/lib/format/filePaths'
import { splitAnchors } from '@/lib/protocols/harmony/citation'

/** An element of that name around the parts. */
const element = (hName: string, children: PhrasingContent[], hProperties = {}): PhrasingContent => ({
  type: 'emphasis',
  children,
  data: { hName, hProperties },
})

const EMAIL = /([\w.+-]{1,64}@[A-Za-z\d-]{1,63}(?:\.[A-Za-z\d-]{1,63})+)/u

/** in: ids: of the sources. Anchors become `<cite>` with the id of an entry, names of files outside of links `<samp>` */
export function marksInText(tree: Root, ids: ReadonlySet<string>): void {
  const addresses = (value: string): PhrasingContent[] =>
    value.split(EMAIL).map((text, at) => {
      const child = { type: 'text', value: text } as const
      return at % 2 === 0 ? child : { type: 'link', url: `mailto:${text}`, children: [child] }
    })
  const files = (value: string): PhrasingContent[] =>
    splitPaths(value).flatMap(({ text, paths }) =>
      paths.length === 0 ? addresses(text) : [element('samp', [{ type: 'text', value: text }])],
    )
  const pieces = (value: string, isLink: boolean): PhrasingContent[] =>
    splitAnchors(value, ids).flatMap((piece) => {
      if ('id' in piece) return [element('cite', [], { id: piece.id })]
      return isLink ? [{ type: 'text', value: piece.text }] : files(piece.text)
    })
  const walk = (node: Nodes, isInLink: boolean): void => {
    if (!('children' in node)) return
    const children = node.children.flatMap((child): RootContent[] => {
      if (child.type === 'text') return pieces(child.value, isInLink)
      walk(child, isInLink || child.type === 'link' || child.type === 'linkReference')
      return [child]
    })
    Object.assign(node, { children })
  }
  walk(tree, false)
}
