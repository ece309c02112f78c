/**
 * Short notices at the lower edge: done (5 s, with undo), info (8 s), error (stays).
 *
 * Never the only place of a fact. Errors are also announced.
 */
import { announce } from './announce'

export type ToastKind = 'done' | 'info' | 'error'
export type ToastAction = { label: string; onPress: () => void }
export type ToastNote = { id: string; kind: ToastKind; text: string; actions: readonly ToastAction[] }

/** Draws and closes notices; handed over by the file that can. */
export type ToastDrawer = { show: (note: ToastNote) => void; close: (id: string) => void }

let drawer: ToastDrawer | null = null
let held: ToastNote[] = []
let wake: (() => void) | null = null
let made = 0

/** Show a notice; returns its id for closeToast. The same `id` again replaces it. */
export function showToast(
  kind: ToastKind,
  text: string,
  options: { actions?: readonly ToastAction[]; id?: string } = {},
): string {
  if (kind === 'error') announce(text, 'assertive')
  made += 1
  const note: ToastNote = { id: options.id ?? `toast-${made}`, kind, text, actions: options.actions ?? [] }
  if (drawer) drawer.show(note)
  else held = [...held.filter((one) => one.id !== note.id), note]
  wake?.()
  return note.id
}

export function closeToast(id: string): void {
  held = held.filter((one) => one.id !== id)
  drawer?.close(id)
}

/** Is a notice on the screen, or about to be? */
export const isToastThere = (): boolean => held.length > 0 || document.querySelector('[data-sonner-toast]') !== null

/** The host asks to be told when the first notice wants to be drawn; null takes it back. */
export function onFirstToast(tell: (() => void) | null): void {
  wake = tell
  if (held.length > 0) tell?.()
}

/** From now on this draws; what was held back is shown. */
export function drawToasts(by: ToastDrawer | null): void {
  drawer = by
  if (!by) return
  for (const note of held) by.show(note)
  held = []
}
