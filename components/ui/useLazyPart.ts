/** A part whose file comes later and must come: it is asked for again until it is there. */
import { type ComponentType, useEffect, useState } from 'react'
import type { LazyFile } from './lazy'

const AGAIN_AFTER_MS = 2_000

/**
 * in      file: the same at every render; isWanted: nothing is asked for before
 * out     the part, at once if its file was fetched before; else null until it came
 */
export function useLazyPart<Props>(
  file: LazyFile<{ default: ComponentType<Props> }>,
  isWanted = true,
): ComponentType<Props> | null {
  const [, setCame] = useState(false)
  const part = isWanted ? (file.here()?.default ?? null) : null
  const isAwaited = isWanted && part === null
  useEffect(() => {
    // Joins the network: a line that was away when it was first asked for takes nothing from the page.
    if (!isAwaited) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const fetchPart = (): void => {
      file.load().then(
        () => isOver || setCame(true),
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
  }, [file, isAwaited])
  return part
}
