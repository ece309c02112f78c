import { type RefObject, useLayoutEffect, useState } from 'react'

/** The width of an element in px; 0 before it is drawn. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  // Joins the drawn size.
  useLayoutEffect(() => {
    if (element.current === null) return
    const look = (): void => setWidth(element.current?.clientWidth ?? 0)
    look()
    const observer = new ResizeObserver(look)
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return width
}
