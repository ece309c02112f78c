/** The keys of the treegrid: arrows, cells, typing a name. */
import { type KeyboardEvent, useRef } from 'react'
import { isPageKey } from '@/components/shell/keys/keyboard'
import { findByName, keyActionOf, type TreeAction } from './model/treeKeys'
import type { TreeData } from './useTreeData'
import type { TreeFocus } from './useTreeFocus'

const TYPING_MS = 700

/** Ctrl with an arrow goes from cell to cell of the line, back before the first to the line itself. out: whether it was that */
function goByCell({ key, target }: KeyboardEvent): boolean {
  if ((key !== 'ArrowRight' && key !== 'ArrowLeft') || !(target instanceof Element)) return false
  const row = target.closest<HTMLElement>('[role=row]')
  if (row === null) return false
  // Cells that are hidden at this width do not count.
  const cells = [...row.querySelectorAll<HTMLElement>('[role=gridcell]')].filter((cell) => cell.offsetParent !== null)
  const at = cells.findIndex((cell) => cell.contains(target))
  const next = cells[Math.min(at + (key === 'ArrowRight' ? 1 : -1), cells.length - 1)]
  ;(next ?? row).focus()
  return true
}

export function useTreeKeyDown(
  { lines, turn }: TreeData,
  { lineWindow: { room }, current, reveal }: TreeFocus,
  height: number,
  press: (id: string) => void,
  onMove: () => void,
): (event: KeyboardEvent) => void {
  const typed = useRef({ text: '', at: 0 })
  const run = (action: TreeAction): void => {
    switch (action.do) {
      case 'focus':
        onMove()
        reveal(action.id, true)
        break
      case 'open':
        turn(action.ids, true)
        break
      case 'close':
        turn([action.id], false)
        break
      case 'inspect':
        press(action.id)
        break
    }
  }
  return (event) => {
    if (event.ctrlKey && !event.metaKey && !event.altKey && goByCell(event)) event.preventDefault()
    if (event.metaKey || event.altKey || event.ctrlKey) return
    const here = current ?? lines[0]?.node.id ?? null
    const pageSize = Math.max(1, Math.floor(room / height) - 1)
    const action = keyActionOf(lines, here, event.key, pageSize)
    if (action) {
      event.preventDefault()
      run(action)
      return
    }
    // Typing a name: letters that are no key of the page, and any letter once a name has begun.
    const isGoingOn = event.timeStamp - typed.current.at < TYPING_MS && typed.current.text !== ''
    if (event.key.length !== 1 || event.key === ' ' || (!isGoingOn && isPageKey(event.nativeEvent))) return
    typed.current = { text: (isGoingOn ? typed.current.text : '') + event.key, at: event.timeStamp }
    const found = findByName(lines, here, typed.current.text)
    event.preventDefault()
    if (found) run({ do: 'focus', id: found })
  }
}
