/** What a press on a line does, and showing the line that the address names. */
import { useEffect, useMemo, useRef } from 'react'
import { setSearch, useSearchParam } from '@/client/nav'
import { useStable } from '@/components/ui/useStable'
import { isEarlier } from './model/earlier'
import { nodeOfStateId, stateIdOf } from './model/treeModel'
import type { TreeData } from './useTreeData'
import { lineIndex, type TreeFocus } from './useTreeFocus'

/**
 * out     selected: the line that the address names; null: it names none, or one that is not there · press: inspects a line,
 *         opens it, or shows more older steps
 */
export function useTreeInspect(
  taskId: string,
  { tree, lines, turn, showMore }: TreeData,
  { current, setCurrent, reveal, focusWhenDrawn }: TreeFocus,
): { isInspecting: boolean; selected: string | null; press: (id: string) => void } {
  const [inspected, stage] = [useSearchParam('inspect'), useSearchParam('stage')]
  const selected = useMemo(
    () => (inspected === null ? null : nodeOfStateId(tree, taskId, inspected, stage)),
    [inspected, stage, tree, taskId],
  )
  const shown = useRef<string | null>(null)
  // Joins the address: what it names is shown once its line is there.
  useEffect(() => {
    if (shown.current === selected) return
    shown.current = selected
    if (selected !== null && (selected !== current || lineIndex(lines, selected) < 0)) reveal(selected, false)
  }, [selected, current, lines, reveal])

  // The same function as long as the tree is shown: lines are drawn again with another one.
  const press = useStable((id: string): void => {
    const node = tree.nodes.get(id)
    const at = lineIndex(lines, id)
    const stateId = node ? stateIdOf(node, taskId) : null
    if (node?.kind === 'older') {
      // The row goes away: the focus waits on the one beside it.
      const beside = lines[at + (isEarlier(node) ? 1 : -1)]
      if (beside) focusWhenDrawn(beside.node.id)
      void showMore(id)
    } else if (node && stateId === null) turn([id], !(lines[at]?.isOpen ?? true))
    else {
      setCurrent(id)
      if (stateId === null) return
      shown.current = id
      // An agent has a line in each stage.
      setSearch({ inspect: stateId, stage: node?.kind === 'agent' ? node.parent : null })
    }
  })
  return { isInspecting: inspected !== null, selected, press }
}
