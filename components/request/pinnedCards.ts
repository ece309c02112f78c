/** Requests whose card holds a text that was typed and not sent: they stay on screen after somebody else was first. */
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

type PinnedCards = Readonly<Record<string, true>>

const pinnedStore = createStore<PinnedCards>()(() => ({}))

/** Keep this request's card. Holding it again changes nothing: a card says so each time it is drawn. */
export const pinCard = (request: string): void => {
  if (!pinnedStore.getState()[request]) pinnedStore.setState({ [request]: true })
}

/** Its text was sent, or is no longer wanted. */
export function unpinCard(request: string): void {
  const { [request]: gone, ...rest } = pinnedStore.getState()
  if (gone) pinnedStore.setState(rest, true)
}

export const usePinnedCards = (): PinnedCards => useStore(pinnedStore)
