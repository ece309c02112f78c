import { type RefObject, useEffect, useRef } from 'react'

/** Scrolls to an element each time that what it says changes: the outcome of a form may come below the edge of its dialog. */
export function useShown<Part extends HTMLElement>(says: unknown): RefObject<Part | null> {
  const part = useRef<Part>(null)
  const isFirst = useRef(true)
  useEffect(() => {
    // Joins the dialog's scroll position.
    if (!isFirst.current && says !== null) part.current?.scrollIntoView({ block: 'nearest' })
    isFirst.current = false
  }, [says])
  return part
}
