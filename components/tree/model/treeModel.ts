/** The rows of a task's tree as a tree, and the visible lines. Pure. */
import { taskTitle } from '@/client/readersWords'
import { rowSeq } from '@/client/views/rowSeq'
import { stateIdOfAgent } from '@/components/inspector/stateIds'
import type { AnyRow, OverviewRow, TreeRow } from '@/lib/wire'
import type { TreeRuler } from '@/lib/wire/http'
import { EMPTY_TREE_ROW } from '@/lib/wire/treeValues'

/** The task itself is no row of the view; it is made from its row in the overview. */
type TaskNode = Omit<TreeRow, 'kind'> & { kind: 'task' }
export type TreeNode = TreeRow | TaskNode

/** Nodes by id. */
type TreeNodes = Pick<ReadonlyMap<string, TreeNode>, 'size' | 'get' | 'has'> & {
  values: () => Iterable<TreeNode>
}

export type Tree = {
  nodes: TreeNodes
  /** Children in order; '' holds the top level. */
  children: ReadonlyMap<string, readonly TreeNode[]>
}

/** One visible line. `place` of `of`: among its siblings, from 1. isOpen null: it has no children. */
export type TreeLineModel = { node: TreeNode; level: number; isOpen: boolean | null; place: number; of: number }

export const TASK_NODE = 'task'
/** The task's own line. */
export function taskNode(row: OverviewRow, waiting: number, failed: number): TaskNode {
  const stuck = row.chip === 'waiting' || row.chip === 'blocked' ? row.stuck : null
  return {
    ...EMPTY_TREE_ROW,
    id: TASK_NODE,
    sort: '',
    kind: 'task',
    parent: null,
    level: 0,
    name: taskTitle(row.name),
    state: row.state,
    chip: row.chip,
    waitsFor: stuck?.on ?? [],
    waitingSince: stuck?.since ?? null,
    startedAt: row.createdAt,
    endedAt: row.endedAt,
    tokens: row.tokens,
    costUsd: row.costUsd,
    counts: { waiting, failed, steps: 0 },
    seq: rowSeq(row) ?? 0,
  }
}

/**
 * Build the tree.
 *
 * in      rows in their order, and by id; task: the top line, or null while it is unknown; failed: beside those in the rows
 * out     rows keep their identity, except steps whose tool call is not there, which hang under their agent, and lines with more
 *         failures; a row whose parent is unknown is left out
 */
export function treeOf(
  received: readonly TreeRow[],
  task: TaskNode | null,
  byId: ReadonlyMap<string, AnyRow> = new Map(received.map((row) => [row.id, row])),
  failed: FailedCounts = new Map(),
): Tree {
  const extra = new Map<string, TreeNode>(task ? [[task.id, task]] : [])
  const children = new Map<string, TreeNode[]>([['', task ? [task] : []]])
  const top = task ? task.id : ''
  let [parent, siblings]: [string | null, TreeNode[]] = [null, []]
  for (const one of received) {
    const row = one.kind === 'step' ? withParent(one, byId) : failed.size > 0 ? withFailed(one, failed) : one
    if (row !== one) extra.set(row.id, row)
    const above = row.parent ?? top
    // Rows of one parent mostly follow each other.
    if (above !== parent) {
      parent = above
      siblings = children.get(above) ?? []
      children.set(above, siblings)
    }
    siblings.push(row)
  }
  return { nodes: treeNodes(received, byId, extra), children }
}

const isTreeRow = (row: AnyRow | undefined): row is TreeRow => row !== undefined && 'parent' in row

/**
 * The rows of the view as they are: to copy 20,000 of them takes a phone 30 ms for each frame.
 *
 * in      extra: what is not among them, or not as it is there
 */
function treeNodes(
  received: readonly TreeRow[],
  byId: ReadonlyMap<string, AnyRow>,
  extra: ReadonlyMap<string, TreeNode>,
): TreeNodes {
  const added = [...extra.values()].filter(({ id }) => !byId.has(id))
  const get = (id: string): TreeNode | undefined => {
    const row = byId.get(id)
    return extra.get(id) ?? (isTreeRow(row) ? row : undefined)
  }
  return {
    size: received.length + added.length,
    get,
    has: (id) => get(id) !== undefined,
    *values() {
      yield* added
      for (const row of received) yield extra.get(row.id) ?? row
    },
  }
}

/** How many failures have left the world, by the id of the line above them. */
type FailedCounts = ReadonlyMap<string, number>

export function failedCounts(ruler: TreeRuler | null): FailedCounts {
  const counts = new Map<string, number>()
  for (const { stage, agent, failed } of ruler?.lanes ?? []) {
    if (failed === 0) continue
    const above = stage ?? '-'
    counts.set(above, (counts.get(above) ?? 0) + failed)
    counts.set(`${above}/${agent}`, failed)
  }
  return counts
}

const withFailed = (row: TreeRow, counts: FailedCounts): TreeRow => {
  const failed = counts.get(row.id)
  return failed === undefined ? row : { ...row, counts: { ...row.counts, failed: row.counts.failed + failed } }
}

/** A step whose tool call is on a page that is not loaded. */
const withParent = (row: TreeRow, nodes: ReadonlyMap<string, AnyRow>): TreeRow =>
  row.parent === null || nodes.has(row.parent)
    ? row
    : { ...row, parent: `${row.stage ?? '-'}/${row.agent ?? ''}`, level: 3 }

const parentOf = (tree: Tree, id: string): string | null => {
  const node = tree.nodes.get(id)
  if (!node || node.kind === 'task') return null
  return node.parent ?? (tree.nodes.has(TASK_NODE) ? TASK_NODE : null)
}

export function ancestorsOf(tree: Tree, id: string): string[] {
  const above: string[] = []
  for (let at = parentOf(tree, id); at !== null && above.length < 10; at = parentOf(tree, at)) above.unshift(at)
  return above
}

export function treeLinesOf(tree: Tree, isOpen: (node: TreeNode) => boolean): TreeLineModel[] {
  const lines: TreeLineModel[] = []
  const visit = (nodes: readonly TreeNode[], level: number): void => {
    let place = 0
    for (const node of nodes) {
      place += 1
      const inside = tree.children.get(node.id)
      const open = inside !== undefined && inside.length > 0 ? isOpen(node) : null
      lines.push({ node, level, isOpen: open, place, of: nodes.length })
      if (open && inside !== undefined) visit(inside, level + 1)
    }
  }
  visit(tree.children.get('') ?? [], 1)
  return lines
}

/** Lines that stay at the top of the window at most: the stage, and the member in it. */
export const MOST_PINNED = 2
/** The first of them: the task's name is in the head of its page. */
const FIRST_PINNED_LEVEL = 2

/**
 * The lines that stay at the top while what is in them scrolls: whose steps these are.
 *
 * in      first: place of the first line in the window
 * out     places in `lines`, from the top down
 */
export function pinnedLines(lines: readonly TreeLineModel[], first: number): number[] {
  const pinned: number[] = []
  while (pinned.length < MOST_PINNED) {
    // The line that the next pinned one would cover.
    const covered = first + pinned.length
    const level = FIRST_PINNED_LEVEL + pinned.length
    const line = lines[covered]
    if (!line || line.level <= level) break
    let above = covered - 1
    while (above >= 0 && lines[above]?.level !== level) above -= 1
    if (above < 0) break
    pinned.push(above)
  }
  return pinned
}

/** The stages, and the group of the steps without one. */
export const stageNodes = (tree: Tree): readonly TreeNode[] =>
  (tree.children.get(tree.nodes.has(TASK_NODE) ? TASK_NODE : '') ?? []).filter(({ kind }) => kind === 'stage')

/** The number of lines with everything open: aria-rowcount. */
export const lineCount = (tree: Tree): number => tree.nodes.size

/** The same with all the steps that single lines stand for. */
export function wholeCount(tree: Tree): number {
  let count = tree.nodes.size
  for (const { kind, counts } of tree.nodes.values()) if (kind === 'older') count += counts.steps - 1
  return count
}

/**
 * What is open at first: the task, agents, stages that run or failed, and the stage that began last, which shows how the
 * work ended.
 */
export function openAtFirst(tree: Tree): (node: TreeNode) => boolean {
  const last = stageNodes(tree).reduce<TreeNode | null>(
    (newest, node) =>
      node.stage !== null && node.startedAt !== null && node.startedAt >= (newest?.startedAt ?? 0) ? node : newest,
    null,
  )
  return (node) =>
    node.kind === 'stage' ? node.stage === null || node.id === last?.id || isLive(node) : node.kind !== 'step'
}

/** Running or failed: not finished, and not yet to come. */
const isLive = (stage: TreeNode): boolean => stage.chip !== 'done' && stage.chip !== 'idle'

/** The StateID of a node; null for a node that is no record. */
export function stateIdOf(node: TreeNode, taskId: string): string | null {
  switch (node.kind) {
    case 'task':
      return `TaskState_${taskId}`
    case 'stage':
      return node.stage === null ? null : `StageState_${node.stage}`
    case 'step':
      return `StepState_${node.id}`
    case 'older':
      return null
    case 'agent':
      return node.who && node.who.kind !== 'system' ? stateIdOfAgent(node.who.kind, node.who.id) : null
  }
}

/** The node of a StateID. in: parent: the line above it, for an agent, which has a line in each stage; otherwise the first is taken */
export function nodeOfStateId(tree: Tree, taskId: string, stateId: string, parent: string | null): string | null {
  const isIt = (node: TreeNode): boolean => stateIdOf(node, taskId) === stateId
  const [task, record] = [tree.nodes.get(TASK_NODE), tree.nodes.get(stateId.slice(stateId.indexOf('_') + 1))]
  if (task && isIt(task)) return task.id
  if (record && isIt(record)) return record.id
  const agents = stageNodes(tree).flatMap((stage) => tree.children.get(stage.id) ?? [])
  return (agents.find((agent) => isIt(agent) && agent.parent === parent) ?? agents.find(isIt))?.id ?? null
}
