import type { KeyboardEvent } from 'react'

/** True while an input method composes: Enter then picks a candidate and must never send. */
export const isComposing = (event: KeyboardEvent): boolean => event.nativeEvent.isComposing || event.keyCode === 229

/** True for the key press that sends: Enter or ⌘/Ctrl+Enter, as the reader chose; never while composing. */
export function isSubmit(event: KeyboardEvent, sendKey: 'enter' | 'mod-enter'): boolean {
  if (event.key !== 'Enter' || isComposing(event)) return false
  const isMod = event.metaKey || event.ctrlKey
  return isMod || (sendKey === 'enter' && !event.shiftKey && !event.altKey)
}
