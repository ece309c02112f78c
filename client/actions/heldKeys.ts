/** Keys typed while a part that was opened is still loading. */
import { useEffect, useState } from 'react'
import { chordOf, isSingle } from './chords'

/**
 * Collect what is typed while a part that was opened is still loading.
 *
 * in      onEscape: the reader cancelled the part
 * out     stops collecting and gives the typed text; can be called again
 */
export function holdKeys(onEscape: () => void): () => string {
  let typed = ''
  const onKeyDown = (event: KeyboardEvent): void => {
    const chord = chordOf(event)
    if (chord === null || !(isSingle(chord) || chord === 'Escape')) return
    event.preventDefault()
    event.stopPropagation()
    if (chord === 'Escape') onEscape()
    else if (event.key === 'Backspace') typed = typed.slice(0, -1)
    else if (event.key.length === 1) typed += event.key
  }
  window.addEventListener('keydown', onKeyDown, true)
  return () => {
    window.removeEventListener('keydown', onKeyDown, true)
    return typed
  }
}

/** typed: stops collecting and gives the text typed since the part was opened. */
export type Called = { typed: () => string }

/** A part that is a lazy file: text typed while it loads is kept for it. */
export function useCalledPart(): { called: Called | null; call: () => void; leave: () => void } {
  const [called, setCalled] = useState<Called | null>(null)
  const leave = (): void => {
    called?.typed()
    setCalled(null)
  }
  const call = (): void => {
    if (called !== null) return
    const typed = holdKeys(() => {
      typed()
      setCalled(null)
    })
    setCalled({ typed })
  }
  // Joins the window: on unmount the keys are the page's again.
  useEffect(() => () => void called?.typed(), [called])
  return { called, call, leave }
}
