/**
 * Since when the page has heard nothing: what was running then is no longer known to run.
 *
 * The frame tells it (components/shell); chips and buttons that need the server ask.
 */
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

const silenceStore = createStore<{ since: number | null }>()(() => ({ since: null }))

/** since: epoch ms of the last sign from the server; null while it is heard. */
export const reportServerAway = (since: number | null): void => {
  if (silenceStore.getState().since !== since) silenceStore.setState({ since })
}

/** Epoch ms of the last sign while the server is away; null otherwise. */
export const useServerAway = (): number | null => useStore(silenceStore, (state) => state.since)
