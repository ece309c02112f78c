/**
 * Requests whose card holds a text that was typed and not sent: they stay on screen after somebody else was first.
 *
 * Owns: the store of those requests as they were last shown. Not here: the text itself (the draft).
 */
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { RequestShown } from './shown'

const heldStore = createStore<Record<string, RequestShown>>()(() => ({}))

/** Keep this request's card. */
export const holdCard = (shown: RequestShown): void => {
  if (heldStore.getState()[shown.request.id] !== shown) heldStore.setState({ [shown.request.id]: shown })
}

/** Its text was sent, or is no longer wanted. */
export function letGoOfCard(request: string): void {
  const { [request]: gone, ...rest } = heldStore.getState()
  if (gone) heldStore.setState(rest, true)
}

export const useHeldCards = (): Readonly<Record<string, RequestShown>> => useStore(heldStore)
