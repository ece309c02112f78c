/**
 * Toasts at the lower left: done (5 s, with undo), info (8 s), error (stays, and is announced).
 *
 * A toast never holds the only copy of a fact.
 */
import { createStore } from 'zustand/vanilla'
import { announce } from '../announce'

export type ToastKind = 'done' | 'info' | 'error'
type ToastAction = { label: string; onPress: () => void }
export type ToastNote = { id: string; kind: ToastKind; text: string; actions: readonly ToastAction[] }

/** Draws and closes toasts; set by the lazy file that can. */
type ToastDrawer = { show: (note: ToastNote) => void; close: (id: string) => void }

let drawer: ToastDrawer | null = null
let held: ToastNote[] = []
let wake: (() => void) | null = null
let made = 0

/** Show a toast; returns its id for closeToast. The same `id` again replaces it. */
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

/** How many toasts are on the screen. */
export const drawnToasts = createStore<number>()(() => 0)

/** A ref for the text of each of them. */
export function toastRef(element: Element | null): (() => void) | undefined {
  if (element === null) return
  drawnToasts.setState(drawnToasts.getState() + 1, true)
  return () => drawnToasts.setState(drawnToasts.getState() - 1, true)
}

/** Whether a toast is on the screen, or waits for the list. */
export const isToastThere = (): boolean => held.length > 0 || drawnToasts.getState() > 0

/** Called when the first toast wants to be drawn; null unsubscribes. */
export function onFirstToast(tell: (() => void) | null): void {
  wake = tell
  if (held.length > 0) tell?.()
}

/** Sets what draws toasts, and shows those that waited. */
export function drawToasts(by: ToastDrawer | null): void {
  drawer = by
  if (!by) return
  for (const note of held) by.show(note)
  held = []
}
