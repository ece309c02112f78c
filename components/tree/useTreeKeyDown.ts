/** The keys of the treegrid: arrows, cells, typing a name. */
import { type KeyboardEvent, useRef } from 'react'
import { gridKey, isPageKey } from '@/client/actions/keyboard'
import type { TreeLineModel } from './model/treeModel'
import type { TreeData } from './useTreeData'
import type { TreeFocus } from './useTreeFocus'

const TYPING_MS = 700

/** Ctrl with an arrow goes from cell to cell of the line, back before the first to the line itself. out: whether it was that */
export function goByCell({ key, target }: KeyboardEvent): boolean {
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
    const action = keyActionOf(lines, here, gridKey(event), pageSize)
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

type TreeAction =
  | { do: 'focus'; id: string }
  | { do: 'open'; ids: readonly string[] }
  | { do: 'close'; id: string }
  | { do: 'inspect'; id: string }

/**
 * The action of a key press.
 *
 * in      lines on screen; current: the row with the focus; pageSize: rows that fit
 * out     null when the key is not the tree's
 */
export function keyActionOf(
  lines: readonly TreeLineModel[],
  current: string | null,
  key: string,
  pageSize: number,
): TreeAction | null {
  const at = lines.findIndex((line) => line.node.id === current)
  const line = lines[at]
  const go = (to: number): TreeAction | null => {
    const target = lines[Math.max(0, Math.min(lines.length - 1, to))]
    return target ? { do: 'focus', id: target.node.id } : null
  }
  switch (key) {
    case 'ArrowDown':
      return go(at + 1)
    case 'ArrowUp':
      return go(at - 1)
    case 'Home':
      return go(0)
    case 'End':
      return go(lines.length - 1)
    case 'PageDown':
      return go(at + pageSize)
    case 'PageUp':
      return go(at - pageSize)
    case 'ArrowRight':
      if (!line) return go(0)
      if (line.isOpen === false) return { do: 'open', ids: [line.node.id] }
      return line.isOpen ? go(at + 1) : null
    case 'ArrowLeft': {
      if (!line) return go(0)
      if (line.isOpen) return { do: 'close', id: line.node.id }
      const above = lines.findLastIndex((other, place) => place < at && other.level < line.level)
      return above < 0 ? null : go(above)
    }
    case '*':
      return line
        ? {
            do: 'open',
            ids: siblingsOf(lines, at)
              .filter((one) => one.isOpen === false)
              .map((one) => one.node.id),
          }
        : null
    case 'Enter':
      return line ? { do: 'inspect', id: line.node.id } : null
    default:
      return null
  }
}

/** Lines of the same level under the same parent. */
function siblingsOf(lines: readonly TreeLineModel[], at: number): TreeLineModel[] {
  const level = lines[at]?.level ?? 0
  const from = lines.findLastIndex((line, place) => place < at && line.level < level) + 1
  const after = lines.findIndex((line, place) => place > at && line.level < level)
  return lines.slice(from, after < 0 ? lines.length : after).filter((line) => line.level === level)
}

/** The next line whose name begins with the typed text; one repeated letter cycles through its lines. */
export function findByName(lines: readonly TreeLineModel[], current: string | null, typed: string): string | null {
  const letters = [...typed.toLocaleLowerCase()]
  const isOneLetter = letters.every((letter) => letter === letters[0])
  const text = isOneLetter ? (letters[0] ?? '') : letters.join('')
  if (text.trim() === '') return null
  const at = Math.max(
    0,
    lines.findIndex((line) => line.node.id === current),
  )
  // With more letters the current line may still fit.
  const start = isOneLetter ? at + 1 : at
  for (let step = 0; step < lines.length; step += 1) {
    const { node } = lines[(start + step) % lines.length] ?? { node: null }
    if (node?.name.toLocaleLowerCase().startsWith(text)) return node.id
  }
  return null
}
