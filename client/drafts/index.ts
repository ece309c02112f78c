import { useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { getClientSession } from '@/client/clientSession'
import { useFixtures } from '@/client/fixtures'
import { NOTHING_WRITTEN } from '@/lib/wire/drafts'
import type { DraftHandle, DraftState } from './draftsCore'

export type TextDraft = DraftState & Omit<DraftHandle, 'state'>

const nothing = (): void => {}
/** While nobody is signed in: stores nothing. */
const NO_HANDLE: DraftHandle = {
  state: createStore<DraftState>()(() => ({ ...NOTHING_WRITTEN, other: null })),
  setText: nothing,
  setMore: nothing,
  put: nothing,
  clear: nothing,
  restoreOther: nothing,
  dropOther: nothing,
}

export const NO_DRAFT: TextDraft = { ...NO_HANDLE.state.getState(), ...NO_HANDLE }

/** The draft at a place, for code outside of components. */
export const draftAt = (key: string): DraftHandle => getClientSession()?.drafts.open(key) ?? NO_HANDLE

/** My unsent text at a place, shared by all parts of the page. key: as lib/wire/http/messages.ts names places; null: none */
export function useDraft(key: string | null): TextDraft {
  const fixtures = useFixtures()
  const member = fixtures === null ? getClientSession() : null
  const { state, ...acts } = useMemo(
    () => (key === null ? NO_HANDLE : (member?.drafts.open(key) ?? NO_HANDLE)),
    [member, key],
  )
  const kept = useStore(state)
  return { ...kept, text: (key === null ? undefined : fixtures?.drafts[key]) ?? kept.text, ...acts }
}

const NO_PLACES = createStore<Readonly<Record<string, true>>>()(() => ({}))

/** Places with an unsent text on any of my devices. */
export function useDraftPlaces(): Readonly<Record<string, true>> {
  const fixtures = useFixtures()
  const marks = fixtures === null ? getClientSession()?.drafts.marks : undefined
  useEffect(() => {
    // Joins the server, which knows the drafts of other devices.
    marks?.watch()
  }, [marks])
  return useStore(marks?.places ?? NO_PLACES)
}

export function useHasDraft(place: string): boolean {
  const fixtures = useFixtures()
  return useDraftPlaces()[place] === true || fixtures?.drafts[place] !== undefined
}
