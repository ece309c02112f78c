export type JsonRow = {
  /** JSON pointer: unique, and what "copy path" gives. */
  path: string
  depth: number
  /** Name in its object, index in its list, '' at the root. */
  name: string
  kind: 'object' | 'list' | 'string' | 'number' | 'boolean' | 'null' | 'rest'
  value: unknown
  /** The number of its entries; for the row "rest": how many are not shown. */
  size: number
  isOpen: boolean
}

/** Entries of one object or list shown before "Show all". */
const SHOWN_ENTRIES = 200

const pointer = (parent: string, name: string): string =>
  `${parent}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`

function kindOf(value: unknown): JsonRow['kind'] {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'list'
  const kind = typeof value
  return kind === 'object' || kind === 'string' || kind === 'number' ? kind : 'boolean'
}

const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : []

/** The paths whose name or value holds a text, and their ancestors; null for no text: everything. */
export function pathsWith(value: unknown, text: string): ReadonlySet<string> | null {
  const wanted = text.trim().toLocaleLowerCase()
  if (wanted === '') return null
  const found = new Set<string>()
  const visit = (name: string, path: string, node: unknown): boolean => {
    const entries = entriesOf(node)
    const said = entries.length === 0 && typeof node !== 'object' ? `${name} ${String(node)}` : name
    const inside = entries.map(([key, child]) => visit(key, pointer(path, key), child))
    const fits = inside.includes(true) || said.toLocaleLowerCase().includes(wanted)
    if (fits) found.add(path)
    return fits
  }
  visit('', '', value)
  return found
}

/**
 * The rows to draw.
 *
 * in      isOpen: whether the node at a path is open; isWhole: whether all its entries are shown
 */
export function jsonRows(
  value: unknown,
  isOpen: (path: string, depth: number) => boolean,
  isWhole: (path: string) => boolean,
): JsonRow[] {
  const rows: JsonRow[] = []
  const visit = (name: string, path: string, depth: number, node: unknown): void => {
    const kind = kindOf(node)
    const entries = entriesOf(node)
    const open = entries.length > 0 && isOpen(path, depth)
    rows.push({ path, depth, name, kind, value: node, size: entries.length, isOpen: open })
    if (!open) return
    const shown = isWhole(path) ? entries : entries.slice(0, SHOWN_ENTRIES)
    for (const [key, child] of shown) visit(key, pointer(path, key), depth + 1, child)
    const left = entries.length - shown.length
    if (left > 0)
      rows.push({ path: `${path}/…`, depth: depth + 1, name: '', kind: 'rest', value: path, size: left, isOpen: false })
  }
  visit('', '', 0, value)
  return rows
}
