import { useLayoutEffect, useRef, useState } from 'react'
import { type Room, roomOf } from './room'

/**
 * The height of a line (28 px, 44 for touch) and its width; measured, because text size and the pane's width change it.
 *
 * out     probe: an element as high as a line, in the one that is as wide
 */
export function useLineSize() {
  const probe = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState(28)
  const [room, setRoom] = useState<Room>(null)
  // Joins the drawn sizes of the probe and of the tree around it.
  useLayoutEffect(() => {
    const element = probe.current
    const tree = element?.parentElement
    if (!element || !tree) return
    const look = (): void => {
      setHeight(element.getBoundingClientRect().height || 28)
      setRoom(roomOf(tree.getBoundingClientRect().width))
    }
    look()
    const observer = new ResizeObserver(look)
    observer.observe(element)
    observer.observe(tree)
    return () => observer.disconnect()
  }, [])
  return { probe, height, room }
}
