/**
 * Since when the connection is lost: what was running then is unknown now.
 *
 * components/shell sets it; chips and buttons that need the server read it.
 */
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

const awayStore = createStore<{ since: number | null }>()(() => ({ since: null }))

/** since: epoch ms of the last sign from the server; null while connected. */
export const reportServerAway = (since: number | null): void => {
  if (awayStore.getState().since !== since) awayStore.setState({ since })
}

/** Epoch ms of the last sign while the connection is lost; null otherwise. */
export const useServerAway = (): number | null => useStore(awayStore, (state) => state.since)
