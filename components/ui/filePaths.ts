/** A remark plugin: what could be the name of a file becomes a `<samp>`. Code, links and raw HTML are left as they are. */
import { splitPaths } from '@/lib/format/filePaths'

/** The part of a Markdown tree that is needed. */
type Node = { type: string; value?: string; children?: Node[]; data?: Record<string, unknown> }

const LEFT = new Set(['link', 'linkReference', 'definition', 'citation'])

export function filePaths(): (tree: Node) => void {
  const walk = (node: Node): void => {
    if (node.children === undefined || node.type === 'filePath' || LEFT.has(node.type)) return
    node.children = node.children.flatMap((child) => (child.type === 'text' ? pieces(child.value ?? '') : [child]))
    for (const child of node.children) walk(child)
  }
  return walk
}

const pieces = (value: string): Node[] =>
  splitPaths(value).map(({ text, path }) =>
    path === null
      ? { type: 'text', value: text }
      : { type: 'filePath', data: { hName: 'samp' }, children: [{ type: 'text', value: text }] },
  )
