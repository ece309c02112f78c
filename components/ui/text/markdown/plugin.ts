/** The plugin for react-markdown: our syntax, a tree that keeps all of its source, sources and names of files as elements. */
import type { Root } from 'mdast'
import type { Extension as TreeExtension } from 'mdast-util-from-markdown'
import type { Extension } from 'micromark-util-types'
import { keepAll } from './keepAll'
import { marksInText } from './marksInText'
import { SYNTAX, treeExtensions } from './syntax'

type Options = { source: string; ids: ReadonlySet<string> }

/** Where remark-parse finds extensions. */
type Parsing = { micromarkExtensions?: Extension[]; fromMarkdownExtensions?: (TreeExtension | TreeExtension[])[] }

/** in: source: the text that is parsed; ids: of its sources */
export function consoleMarkdown(this: { data(): object }, { source, ids }: Options): (tree: Root) => void {
  const data: Parsing = this.data()
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), ...SYNTAX]
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), ...treeExtensions(source)]
  return (tree) => {
    keepAll(tree, source)
    marksInText(tree, ids)
  }
}
