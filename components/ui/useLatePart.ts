/**
 * A part whose file comes later and must come: it is asked for again until it is there.
 *
 * Owns: the asking. Not here: screens, which say that they could not be fetched (components/shell/Pane.tsx), and buttons (OpenLater.tsx).
 */
import { type ComponentType, useEffect, useState } from 'react'

const AGAIN_AFTER_MS = 2_000

/**
 * in      load: the same function at every render; isWanted: nothing is asked for before
 * out     the part; null until its file came
 */
export function useLatePart<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  isWanted = true,
): ComponentType<Props> | null {
  const [Part, setPart] = useState<ComponentType<Props> | null>(null)
  useEffect(() => {
    // Joins the network: a line that was away when it was first asked for takes nothing from the page.
    if (!isWanted) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const fetchPart = (): void => {
      load().then(
        (file) => isOver || setPart(() => file.default),
        () => {
          if (!isOver) timer = setTimeout(fetchPart, AGAIN_AFTER_MS)
        },
      )
    }
    fetchPart()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [load, isWanted])
  return Part
}
