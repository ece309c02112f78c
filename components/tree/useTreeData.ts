/** The data of a task's tree: rows of the view, the task's own line, pages of older steps, open lines. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useRow, useRows, useRowsById, useTotals, useViewPages, useViewStatus, type ViewStatus } from '@/client'
import { isSameList } from '@/lib/memo'
import type { Who } from '@/lib/wire/rows'
import { type OlderShown, pagesOf, reachOneMore, withPages } from './model/older'
import { filterTree, isFilter, type TreeFilter, treeMembersOf } from './model/treeFilter'
import {
  openAtFirst,
  stageNodes,
  type Tree,
  type TreeLineModel,
  type TreeNode,
  taskNode,
  treeLinesOf,
  treeOf,
} from './model/treeModel'
import { openChoices } from './openChoices'

const openLines = openChoices('convene_tree_open')

export type TreeData = {
  status: ViewStatus
  tree: Tree
  lines: readonly TreeLineModel[]
  /** Members with lines in the whole tree. */
  members: readonly Who[]
  /** Steps that are in no row and no page. */
  archived: number
  isFetching: boolean
  /** Open or close these lines. */
  turn: (ids: readonly string[], isOpen: boolean) => void
  /** Load one more page of an `older` row. */
  showMore: (id: string) => void
}

/** The same list as long as its members have the same ids and names: rows that come again bring new objects. */
function useMembers(tree: Tree): readonly Who[] {
  const found = useMemo(() => treeMembersOf(tree), [tree])
  const kept = useRef(found)
  const says = (members: readonly Who[]): string[] => members.flatMap(({ id, name }) => [id, name])
  if (!isSameList(says(kept.current), says(found))) kept.current = found
  return kept.current
}

export function useTreeData(taskId: string, filter: TreeFilter): TreeData {
  const view = `tree:${taskId}` as const
  const status = useViewStatus(view)
  const own = useRows(view)
  const ownById = useRowsById(view)
  const totals = useTotals(view)
  const overview = useRow('overview', taskId)
  const [reach, setReach] = useState<OlderShown>({})
  const views = useMemo(() => pagesOf(own, reach), [own, reach])
  const older = useViewPages(views)
  const pages = useMemo(() => older.map((page) => page?.rows ?? []), [older])
  const rows = useMemo(() => withPages(own, pages, reach), [own, pages, reach])

  const [errors, waits] = [totals?.errors ?? 0, totals?.waits ?? 0]
  const task = useMemo(() => (overview ? taskNode(overview, waits, errors) : null), [overview, waits, errors])
  const whole = useMemo(() => treeOf(rows, task, rows === own ? ownById : undefined), [rows, task, own, ownById])

  const choices = openLines.useChoices(taskId)
  const atFirst = useMemo(() => openAtFirst(whole), [whole])
  const { text, state, agent } = filter
  const tree = useMemo(() => filterTree(whole, { text, state, agent }), [whole, text, state, agent])
  const members = useMembers(whole)
  const isAllOpen = isFilter(filter)
  // Matches of a filter are always visible.
  const isOpen = useCallback(
    (node: TreeNode) => isAllOpen || (choices[node.id] ?? atFirst(node)),
    [isAllOpen, choices, atFirst],
  )
  const lines = useMemo(() => treeLinesOf(tree, isOpen), [tree, isOpen])

  // Joins the stored choices: a stage that was open while it ran stays open when it ends, so that lines do not jump.
  useEffect(() => {
    const shown = stageNodes(whole).filter((stage) => choices[stage.id] === undefined && atFirst(stage))
    if (shown.length > 0) openLines.choose(taskId, Object.fromEntries(shown.map((node) => [node.id, true])))
  }, [taskId, whole, choices, atFirst])

  const turn = useCallback(
    (ids: readonly string[], open: boolean) =>
      openLines.choose(taskId, Object.fromEntries(ids.map((id) => [id, open]))),
    [taskId],
  )
  const showMore = useCallback(
    (id: string) => {
      const row = own.find((one) => one.id === id)
      setReach((before) => {
        const to = row ? reachOneMore(row, before) : null
        return to === null ? before : { ...before, [id]: to }
      })
    },
    [own],
  )
  const isFetching = older.includes(null)
  const archived = totals?.archived ?? 0
  return { status, tree, lines, members, archived, isFetching, turn, showMore }
}
