/** What a key does in the tree: move the focus, open, close, inspect. Pure. */
import type { TreeLineModel } from './treeModel'

export type TreeAction =
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
    case 'j':
      return go(at + 1)
    case 'ArrowUp':
    case 'k':
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
