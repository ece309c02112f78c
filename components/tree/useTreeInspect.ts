/** What a press on a line does, and showing the line that the address names. */
import { useCallback, useEffect, useRef } from 'react'
import { setSearch, useSearchParam } from '@/client/nav'
import { nodeOfStateId, stateIdOf } from './model/treeModel'
import type { TreeData } from './useTreeData'
import { lineIndex, type TreeFocus } from './useTreeFocus'

/** out: inspected: the StateID of the address, or null; press: inspects a line, opens it, or shows more older steps */
export function useTreeInspect(
  taskId: string,
  { tree, lines, turn, showMore }: TreeData,
  { current, setCurrent, reveal, focusWhenDrawn }: TreeFocus,
): { inspected: string | null; press: (id: string) => void } {
  const inspected = useSearchParam('inspect')
  const shownFor = useRef<string | null>(null)
  // Joins the address: what it names is shown once its line is there.
  useEffect(() => {
    if (inspected === null) {
      shownFor.current = null
      return
    }
    if (shownFor.current === inspected) return
    const id = nodeOfStateId(tree, taskId, inspected, current)
    if (id === null) return
    shownFor.current = inspected
    if (id !== current || lineIndex(lines, id) < 0) reveal(id, false)
  }, [inspected, tree, taskId, current, lines, reveal])

  const act = (id: string): void => {
    const node = tree.nodes.get(id)
    const at = lineIndex(lines, id)
    const stateId = node ? stateIdOf(node, taskId) : null
    if (node?.kind === 'older') {
      // The row goes away: the focus waits on the one beside it.
      const beside = lines[at + (id.endsWith('/earlier') ? 1 : -1)]
      if (beside) focusWhenDrawn(beside.node.id)
      showMore(id)
    } else if (node && stateId === null) turn([id], !(lines[at]?.isOpen ?? true))
    else {
      setCurrent(id)
      if (stateId === null) return
      shownFor.current = stateId
      setSearch({ inspect: stateId })
    }
  }
  // The same function as long as the tree is shown: lines are drawn again with another one.
  const latest = useRef(act)
  latest.current = act
  const press = useCallback((id: string) => latest.current(id), [])
  return { inspected, press }
}
