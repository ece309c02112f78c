/** The next error and the next wait, also in closed lines. Pure. */
import type { Tree, TreeNode } from './treeModel'

export type Jump = 'error' | 'wait'

const isHit = (node: TreeNode, jump: Jump): boolean => (jump === 'error' ? isFailure(node) : isWaiting(node))

export const isWaiting = (node: TreeNode): boolean => node.chip === 'waiting' || node.chip === 'blocked'

/** A step that was tried again, or did not stop its part, is no error any more. */
export const isFailure = (node: TreeNode): boolean =>
  node.chip === 'failed' && (node.kind !== 'step' || node.counts.failed > 0)

/** All nodes from the top down, also in closed lines. */
function* nodesOf(tree: Tree, parent = ''): Generator<TreeNode> {
  for (const node of tree.children.get(parent) ?? []) {
    yield node
    yield* nodesOf(tree, node.id)
  }
}

/** The innermost hits: a step rather than its agent, an agent rather than its stage. */
function innermostHit(tree: Tree, jump: Jump): (node: TreeNode) => boolean {
  const hasHit = (node: TreeNode): boolean =>
    (tree.children.get(node.id) ?? []).some((child) => isHit(child, jump) || hasHit(child))
  return (node) => isHit(node, jump) && node.kind !== 'older' && node.kind !== 'task' && !hasHit(node)
}

/**
 * The next hit from the current node; after the last comes the first.
 *
 * in      from: the current node, or null; step: 1 next, -1 previous
 */
export function nextHit(tree: Tree, from: string | null, jump: Jump, step: 1 | -1): TreeNode | null {
  const isInnermost = innermostHit(tree, jump)
  const hits: TreeNode[] = []
  /** How many hits come before the current node; null: it is not in the tree. */
  let before: number | null = null
  for (const node of nodesOf(tree)) {
    if (node.id === from) before = hits.length
    if (isInnermost(node)) hits.push(node)
  }
  if (before === null) return (step > 0 ? hits[0] : hits.at(-1)) ?? null
  const next = hits[before]?.id === from ? before + 1 : before
  return (step > 0 ? (hits[next] ?? hits[0]) : (hits[before - 1] ?? hits.at(-1))) ?? null
}

/** in: agent: of this one alone. out: the step that changed last */
function newestStep(tree: Tree, agent: string | null): TreeNode | null {
  let newest: TreeNode | null = null
  for (const node of tree.nodes.values()) {
    if (node.kind !== 'step' || node.startedAt === null || (agent !== null && node.agent !== agent)) continue
    if (node.seq >= (newest?.seq ?? 0)) newest = node
  }
  return newest
}

/** The step in sight while following; quiet: for how many looks nothing of its agent has changed. */
export type Followed = { step: TreeNode; quiet: number }

/** Looks after which an agent whose step runs on is left for one that moves. */
const MOST_QUIET = 3

/**
 * One look at what moves. Where many agents work at once, what changed last is elsewhere each time, and nobody can read lines that
 * jump there: an agent is followed as long as it moves.
 *
 * in      before: what the last look gave
 */
export function followOn(tree: Tree, before: Followed | null): Followed | null {
  const own = before && newestStep(tree, before.step.agent)
  if (before && own) {
    if (own.seq > before.step.seq) return { step: own, quiet: 0 }
    if (own.chip === 'running' && before.quiet + 1 < MOST_QUIET) return { step: own, quiet: before.quiet + 1 }
  }
  const newest = newestStep(tree, null)
  return newest && { step: newest, quiet: 0 }
}

/** Its line: of a tool call the call itself. */
export function lineOf(tree: Tree, { step }: Followed): TreeNode {
  const above = step.parent === null ? undefined : tree.nodes.get(step.parent)
  return above?.kind === 'step' ? above : step
}
