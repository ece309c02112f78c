import type { KeyboardEvent } from 'react'

/** True while an input method composes: Enter then picks a candidate and must never send. */
export const isComposing = (event: KeyboardEvent): boolean => event.nativeEvent.isComposing || event.keyCode === 229

/** True for the key press that sends: Enter or ⌘/Ctrl+Enter, as the reader chose; never while composing. */
export function isSubmit(event: KeyboardEvent, sendKey: 'enter' | 'mod-enter'): boolean {
  if (event.key !== 'Enter' || isComposing(event)) return false
  const isMod = event.metaKey || event.ctrlKey
  return isMod || (sendKey === 'enter' && !event.shiftKey && !event.altKey)
}

/** Moves the focus along these elements and stops at the ends; with none of them focused, to the first. */
export function moveFocus(all: readonly HTMLElement[], step: number): void {
  const at = all.findIndex((one) => one.contains(document.activeElement))
  all[at < 0 ? 0 : Math.max(0, Math.min(all.length - 1, at + step))]?.focus()
}
