/** Requests whose card holds an unsent text: it stays on screen after the request has left its list. */
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

type PinnedCards = Readonly<Record<string, true>>

const pinnedStore = createStore<PinnedCards>()(() => ({}))

export const pinCard = (request: string): void => {
  if (!pinnedStore.getState()[request]) pinnedStore.setState({ [request]: true })
}

export function unpinCard(request: string): void {
  const { [request]: gone, ...rest } = pinnedStore.getState()
  if (gone) pinnedStore.setState(rest, true)
}

export const usePinnedCards = (): PinnedCards => useStore(pinnedStore)
