/** The data of a task's tree: rows of the view, the task's own line, pages of older steps, open lines. */

import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useRow, useRows, useRowsById, useTotals, useViewPages, useViewStatus, type ViewStatus } from '@/client'
import { isSameList } from '@/lib/memo'
import type { Who } from '@/lib/wire/rows'
import { gapOf, withEarlier } from './model/earlier'
import { type LaterShown, pagesOf, reachOneMore, withLater } from './model/later'
import { filterTree, isFilter, type TreeFilter, treeMembersOf } from './model/treeFilter'
import {
  failedCounts,
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
import { type EarlierSteps, useEarlierSteps } from './useEarlierSteps'

const openLines = openChoices('convene_tree_open')

export type TreeData = {
  status: ViewStatus
  tree: Tree
  lines: readonly TreeLineModel[]
  /** Members with lines in the whole tree. */
  members: readonly Who[]
  earlier: EarlierSteps
  /** Open or close these lines. */
  turn: (ids: readonly string[], isOpen: boolean) => void
  /** Load one more page of a row that stands for steps; place: the page with that place of earlier steps. */
  showMore: (id: string, place?: number) => Promise<void>
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
  const [reach, setReach] = useState<LaterShown>({})
  const views = useMemo(() => pagesOf(own, reach), [own, reach])
  const later = useViewPages(views)
  const { errors = 0, waits = 0, archived = 0 } = totals ?? {}
  const earlier = useEarlierSteps(taskId, own, filter, `${errors}/${archived}`)
  const { pages, matches, ruler } = earlier
  const rows = useMemo(() => {
    const laterRows = later.map((page) => page?.rows ?? [])
    return withEarlier(withLater(own, laterRows, reach), pages, matches)
  }, [own, later, reach, pages, matches])

  const hidden = useMemo(() => failedCounts(ruler), [ruler])
  const allErrors = (ruler?.lanes ?? []).reduce((sum, { failed }) => sum + failed, errors)
  const task = useMemo(() => (overview ? taskNode(overview, waits, allErrors) : null), [overview, waits, allErrors])
  const whole = useMemo(
    () => treeOf(rows, task, rows === own ? ownById : undefined, hidden),
    [rows, task, own, ownById, hidden],
  )

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
  const { load } = earlier
  const showMore = useCallback(
    async (id: string, place?: number) => {
      const node = whole.nodes.get(id)
      const row = node && node.kind !== 'task' ? node : null
      const gap = row && gapOf(row)
      if (gap) return load(gap, place)
      const base = own.find((one) => one.id === id)
      setReach((before) => {
        const to = base ? reachOneMore(base, before) : null
        return to === null ? before : { ...before, [id]: to }
      })
    },
    [own, whole, load],
  )
  return { status, tree, lines, members, earlier, turn, showMore }
}
