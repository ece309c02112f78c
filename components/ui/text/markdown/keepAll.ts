/**
 * Changes a Markdown tree so that nothing of its source is missing on the screen, except for the marks of what is really
 * emphasis, a heading, a list, a link or code.
 */
import type { Definition, Link, ListItem, Nodes, Parent, PhrasingContent, Root, RootContent, Table, Text } from 'mdast'
import { safeHref } from '../safeHref'

const textNode = (value: string): Text => ({ type: 'text', value })
const sourceOf = (node: Nodes, source: string): string =>
  source.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0)

/** in: source: the text of the tree. The tree is changed in place */
export function keepAll(tree: Root, source: string): void {
  keepIn(tree, { source, followed: followedIn(tree) }, false)
}

/** followed: identifiers of definitions whose address may be followed. */
type Kept = { source: string; followed: ReadonlySet<string> }

function followedIn(node: Nodes): Set<string> {
  if (node.type === 'definition') return new Set(safeHref(node.url) === null ? [] : [node.identifier])
  return new Set('children' in node ? node.children.flatMap((child) => [...followedIn(child)]) : [])
}

function keepIn(parent: Parent, kept: Kept, isInLink: boolean): void {
  parent.children = parent.children.flatMap((child): RootContent[] => {
    const isLink = child.type === 'link' || child.type === 'linkReference'
    if ('children' in child) keepIn(child, kept, isInLink || isLink)
    // An address in the words of a link.
    return isInLink && child.type === 'link' ? child.children : keepNode(child, parent, kept)
  })
}

function keepNode(node: RootContent, parent: Parent, { source, followed }: Kept): RootContent[] {
  switch (node.type) {
    case 'text':
      return inLines(node.value)
    case 'html':
      return isInLine(parent) ? inLines(node.value) : [{ type: 'paragraph', children: inLines(node.value) }]
    case 'emphasis':
    case 'strong':
    case 'delete':
      return isMark(node, source) ? [node] : withMarks(node, source)
    case 'link':
      return keepLink(node, source)
    case 'linkReference':
      return followed.has(node.identifier) ? [node] : inLines(sourceOf(node, source))
    case 'image':
      node.alt = [node.alt, node.title].filter(Boolean).join(' ')
      return [node]
    case 'definition':
      return [node, { type: 'paragraph', children: definitionAsText(node, source) }]
    case 'listItem':
      addNumber(node, parent, source)
      return [node]
    case 'table':
      widen(node)
      return [node]
    case 'inlineCode':
      return node.value.split(/\r\n|[\n\r]/).flatMap((value, at) => {
        const line: RootContent = { type: 'inlineCode', value }
        return at === 0 ? [line] : [{ type: 'break' }, line]
      })
    case 'code': {
      const info = [node.lang, node.meta].filter(Boolean).join(' ')
      if (info !== '') node.data = { ...node.data, hProperties: { dataInfo: info } }
      return [node]
    }
    default:
      return [node]
  }
}

const isInLine = ({ type }: Parent): boolean =>
  type !== 'root' && type !== 'blockquote' && type !== 'listItem' && type !== 'footnoteDefinition'

/** A line of the source stays a line. */
const inLines = (value: string): PhrasingContent[] =>
  value.split(/\r\n|[\n\r]/).flatMap((line, at) => (at === 0 ? [textNode(line)] : [{ type: 'break' }, textNode(line)]))

type Marked = Extract<RootContent, { type: 'emphasis' | 'strong' | 'delete' }>

/** The mark at the beginning of an emphasis, as it was written. */
const markOf = (node: Marked, source: string): string =>
  /^(?:\*{1,2}|_{1,2}|~{2})/.exec(sourceOf(node, source))?.[0] ?? ''

/** `100*2*3`, `长*2*宽`, `2**3**4` and `__init__` have no emphasis: the marks stand in a word or a product, or make a word. */
function isMark(node: Marked, source: string): boolean {
  const start = node.position?.start.offset ?? 0
  const end = node.position?.end.offset ?? 0
  const mark = markOf(node, source)
  const inner = source.slice(start + mark.length, end - mark.length)
  if (mark === '__' && /^\w+$/.test(inner)) return false
  const isBetween =
    /[\p{L}\p{N})）]$/u.test(source.slice(Math.max(0, start - 2), start)) &&
    /^[\p{L}\p{N}(（]/u.test(source.slice(end, end + 2))
  if (mark === '*' && isBetween && /^[\d.,%]+$/.test(inner)) return false
  const isWordBefore = /[A-Za-z0-9)\]]/.test(source.charAt(start - 1)) && /^[A-Za-z0-9]/.test(inner)
  const isWordAfter = /[A-Za-z0-9]/.test(source.charAt(end)) && /[A-Za-z0-9]$/.test(inner)
  return !isWordBefore && !isWordAfter
}

function withMarks(node: Marked, source: string): PhrasingContent[] {
  const mark = textNode(markOf(node, source))
  return [mark, ...node.children, mark]
}

/** A link leads somewhere; of any other the address is shown. */
function keepLink(node: Link, source: string): PhrasingContent[] {
  if (safeHref(node.url) !== null) {
    const isEmpty = node.children.every((child) => child.type === 'text' && child.value.trim() === '')
    if (isEmpty) node.children = [textNode(node.url)]
    return [node]
  }
  const written = sourceOf(node, source)
  if (!written.startsWith('[')) return inLines(written)
  return [...node.children, textNode(` (${[node.url, node.title ?? ''].filter(Boolean).join(' ')})`)]
}

/** `[1]: https://example.com "Title"`: its address is a link, its words are there. */
function definitionAsText(node: Definition, source: string): PhrasingContent[] {
  const written = sourceOf(node, source)
  const at = written.indexOf(node.url, written.indexOf(']:'))
  if (at < 0 || node.url === '' || safeHref(node.url) === null) return inLines(written)
  const link: Link = { type: 'link', url: node.url, children: [textNode(node.url)] }
  return [...inLines(written.slice(0, at)), link, ...inLines(written.slice(at + node.url.length))]
}

/** The number of an entry as it was written: `3.` after `1.` is the third, `2019.` begins a sentence. */
function addNumber(item: ListItem, list: Parent, source: string): void {
  if (list.type !== 'list' || !('ordered' in list) || list.ordered !== true) return
  const [number] = /^\d+[.)]/.exec(sourceOf(item, source)) ?? []
  if (number === undefined) return
  const mark: PhrasingContent = { type: 'strong', children: [textNode(number)], data: { hName: 'data' } }
  const [first] = item.children
  if (first?.type === 'paragraph' || first?.type === 'heading') first.children.unshift(mark, textNode(' '))
  else item.children.unshift({ type: 'paragraph', children: [mark] })
}

/** A row with more cells than the head: the table becomes that wide, and nothing is cut off. */
function widen(table: Table): void {
  const width = Math.max(...table.children.map(({ children }) => children.length))
  const align = table.align ?? []
  table.align = Array.from({ length: width }, (_, at) => align[at] ?? null)
}
