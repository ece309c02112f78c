/**
 * The focus after an overlay, when the reader was faster. Radix restores it a moment after the overlay is gone, and a key
 * pressed in between has moved it by then.
 */

/** True when an element of the page has the focus: neither the body nor the overlay itself. */
export function hasMovedOn(focused: { tagName: string; matches: (selectors: string) => boolean } | null): boolean {
  return focused !== null && focused.tagName !== 'BODY' && !focused.matches('[role=dialog], [role=alertdialog]')
}

/** For radix' onCloseAutoFocus: back to the trigger, unless the reader has moved the focus. */
export function keepIfMovedOn(event: Event): void {
  if (hasMovedOn(document.activeElement)) event.preventDefault()
}
