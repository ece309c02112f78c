/** Requests whose card holds a text that was typed and not sent: they stay on screen after somebody else was first. */
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

type Held = Readonly<Record<string, true>>

const heldStore = createStore<Held>()(() => ({}))

/** Keep this request's card. Holding it again changes nothing: a card says so each time it is drawn. */
export const holdCard = (request: string): void => {
  if (!heldStore.getState()[request]) heldStore.setState({ [request]: true })
}

/** Its text was sent, or is no longer wanted. */
export function letGoOfCard(request: string): void {
  const { [request]: gone, ...rest } = heldStore.getState()
  if (gone) heldStore.setState(rest, true)
}

export const useHeldCards = (): Held => useStore(heldStore)
