/** The next error and the next wait, also in closed lines. Pure. */
import { type Tree, type TreeNode, treeLinesOf } from './treeModel'

export type Jump = 'error' | 'wait'

const isHit = (node: TreeNode, jump: Jump): boolean => (jump === 'error' ? isFailure(node) : isWaiting(node))

export const isWaiting = (node: TreeNode): boolean => node.chip === 'waiting' || node.chip === 'blocked'

/** A step that was tried again, or did not stop its part, is no error any more. */
export const isFailure = (node: TreeNode): boolean =>
  node.chip === 'failed' && (node.kind !== 'step' || node.counts.failed > 0)

/** The innermost hits: a step rather than its agent, an agent rather than its stage. */
export function hitsOf(tree: Tree, jump: Jump): TreeNode[] {
  const hasHit = (node: TreeNode): boolean =>
    (tree.children.get(node.id) ?? []).some((child) => isHit(child, jump) || hasHit(child))
  return treeLinesOf(tree, () => true)
    .map((line) => line.node)
    .filter((node) => node.kind !== 'older' && node.kind !== 'task' && isHit(node, jump) && !hasHit(node))
}

export function nextHit(tree: Tree, from: string | null, jump: Jump, step: 1 | -1): TreeNode | null {
  const hits = hitsOf(tree, jump)
  if (hits.length === 0) return null
  const order = new Map(treeLinesOf(tree, () => true).map((line, at) => [line.node.id, at]))
  const here = from === null ? (step > 0 ? -1 : Number.POSITIVE_INFINITY) : (order.get(from) ?? -1)
  const placeOf = (node: TreeNode): number => order.get(node.id) ?? 0
  const found = step > 0 ? hits.find((node) => placeOf(node) > here) : hits.findLast((node) => placeOf(node) < here)
  return found ?? (step > 0 ? hits[0] : hits.at(-1)) ?? null
}

/** The step that changed last; of a tool call the call itself. */
export function newestLive(tree: Tree): TreeNode | null {
  let newest: TreeNode | null = null
  for (const node of tree.nodes.values()) {
    if (node.kind !== 'step' || node.startedAt === null) continue
    if (node.seq >= (newest?.seq ?? 0)) newest = node
  }
  const above = newest?.parent ? tree.nodes.get(newest.parent) : undefined
  return above?.kind === 'step' ? above : newest
}

/** The `older` rows that hide failed steps which no page has loaded yet. */
export function hiddenErrors(tree: Tree): string[] {
  return [...tree.nodes.values()].flatMap((node) => {
    if (node.kind !== 'agent') return []
    const inside = tree.children.get(node.id) ?? []
    const known = inside.flatMap((child) => [child, ...(tree.children.get(child.id) ?? [])]).filter(isFailure).length
    return node.counts.failed > known ? inside.filter((child) => child.kind === 'older').map((child) => child.id) : []
  })
}
