/**
 * The lines that a filter leaves: those that fit, and their ancestors. Pure; the filter is in the address.
 *
 * Steps that ran earlier are searched by the server; those that come later and are not loaded are not searched: the row that
 * stands for them stays.
 */
import type { ChipState } from '@/components/ui/marks/StatusChip'
import { fitsWords } from '@/lib/format/fitsWords'
import type { Who } from '@/lib/wire/rows'
import { isEarlier } from './earlier'
import { ancestorsOf, stageNodes, type Tree, type TreeNode } from './treeModel'

export const FILTER_STATES = ['running', 'waiting', 'blocked', 'failed', 'done', 'idle'] as const satisfies ChipState[]
type FilterState = (typeof FILTER_STATES)[number]
/** text '': all; null: all. */
export type TreeFilter = { text: string; state: FilterState | null; agent: string | null }

export const NO_FILTER: TreeFilter = { text: '', state: null, agent: null }

/** The filter in an address; unknown values are ignored. */
export const readFilter = (text: string | null, state: string | null, agent: string | null): TreeFilter => ({
  text: text ?? '',
  state: FILTER_STATES.find((one) => one === state) ?? null,
  agent: agent === '' ? null : agent,
})

export const isFilter = ({ text, state, agent }: TreeFilter): boolean =>
  text.trim() !== '' || state !== null || agent !== null

/** The tree with fewer nodes; the same object when nothing is filtered. */
export function filterTree(tree: Tree, filter: TreeFilter): Tree {
  if (!isFilter(filter)) return tree
  const fits = fitsOf(filter)
  const kept = new Map<string, TreeNode>()
  const keep = (node: TreeNode): void => void kept.set(node.id, node)
  for (const node of tree.nodes.values()) {
    if (!fits(node)) continue
    for (const id of ancestorsOf(tree, node.id)) {
      const above = tree.nodes.get(id)
      if (above) keep(above)
    }
    keep(node)
  }
  for (const node of tree.nodes.values())
    if (node.kind === 'older' && !isEarlier(node) && node.parent !== null && kept.has(node.parent)) keep(node)
  const children = new Map<string, TreeNode[]>()
  for (const [id, inside] of tree.children)
    if (id === '' || kept.has(id))
      children.set(
        id,
        inside.filter((node) => kept.has(node.id)),
      )
  return { nodes: kept, children }
}

/** The task's own line never fits: it would be left alone. */
function fitsOf({ text, state, agent }: TreeFilter): (node: TreeNode) => boolean {
  const has = fitsWords(text)
  return (node) => {
    if (node.kind === 'task' || node.kind === 'older') return false
    if (agent !== null && node.agent !== agent) return false
    if (state !== null && (node.kind === 'stage' || node.chip !== state)) return false
    return has(node.name, node.executor, node.who?.name)
  }
}

const byName = new Intl.Collator()

/** Members that have lines in the tree, each once, by name. */
export function treeMembersOf(tree: Tree): Who[] {
  const members = new Map<string, Who>()
  for (const stage of stageNodes(tree)) {
    for (const { kind, who } of tree.children.get(stage.id) ?? []) if (kind === 'agent' && who) members.set(who.id, who)
  }
  return [...members.values()].sort((a, b) => byName.compare(a.name, b.name))
}
