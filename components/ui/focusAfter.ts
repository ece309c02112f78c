/**
 * Where the focus goes after an overlay, when the reader was quicker.
 *
 * Radix gives the focus back a moment after the overlay is gone, and a key pressed in between has moved it by then.
 */

/** True when the focus stands on something by itself: neither nowhere nor on an overlay that only holds it. */
export function hasMovedOn(focused: { tagName: string; matches: (selectors: string) => boolean } | null): boolean {
  return focused !== null && focused.tagName !== 'BODY' && !focused.matches('[role=dialog], [role=alertdialog]')
}

/** For radix' onCloseAutoFocus: back to the trigger, unless the reader has gone elsewhere. */
export function keepIfMovedOn(event: Event): void {
  if (hasMovedOn(document.activeElement)) event.preventDefault()
}
