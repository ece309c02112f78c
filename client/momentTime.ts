/** The time of the moment that a part of the page shows: there nothing depends on the clock. */
import { createContext } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

/** Epoch ms; null: what is now. */
export const MomentTimeContext = createContext<number | null>(null)

const timeStore = createStore<{ at: number | null }>()(() => ({ at: null }))

/** in: at: epoch ms of the moment that the page shows, as soon as it is known */
export const setMomentTime = (at: number | null): void => timeStore.setState({ at })

/** For the provider of MomentTimeContext. */
export const useMomentTime = (): number | null => useStore(timeStore, ({ at }) => at)
