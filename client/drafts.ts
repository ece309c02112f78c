/** The drafts of whoever is signed in on this page. */

import { useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { NOTHING_WRITTEN } from '@/lib/wire/drafts'
import { getClientSession } from './clientSession'
import type { DraftHandle, DraftState } from './draftsCore'
import { useFixtures } from './fixtures'

export type TextDraft = DraftState & Omit<DraftHandle, 'state'>

const nothing = (): void => {}
/** Before the member is known nothing is kept, and nothing can be written. */
const NOBODY: DraftHandle = {
  state: createStore<DraftState>()(() => ({ ...NOTHING_WRITTEN, other: null, isSaved: true })),
  setText: nothing,
  setMore: nothing,
  put: nothing,
  clear: nothing,
  restoreOther: nothing,
  dropOther: nothing,
}

/** Nothing is written, and nothing can be. */
export const NO_DRAFT: TextDraft = { ...NOBODY.state.getState(), ...NOBODY }

/** The draft at a place, for what is done outside of the parts that show it. */
export const draftAt = (key: string): DraftHandle => getClientSession()?.drafts.open(key) ?? NOBODY

/**
 * What I have written at a place (lib/wire/http.ts names them) and not sent. Every part of the page that opens the same place shows
 * the same. key null: nowhere.
 */
export function useDraft(key: string | null): TextDraft {
  const still = useFixtures()
  const member = still === null ? getClientSession() : null
  const { state, ...acts } = useMemo(
    () => (key === null ? NOBODY : (member?.drafts.open(key) ?? NOBODY)),
    [member, key],
  )
  const kept = useStore(state)
  return { ...kept, text: (key === null ? undefined : still?.drafts[key]) ?? kept.text, ...acts }
}

const NO_PLACES = createStore<Readonly<Record<string, true>>>()(() => ({}))

/** Where something is written and not sent, on any of my devices. */
export function useDraftPlaces(): Readonly<Record<string, true>> {
  const still = useFixtures()
  const marks = still === null ? getClientSession()?.drafts.marks : undefined
  useEffect(() => {
    // Joins the server: what other devices left is known only there.
    marks?.watch()
  }, [marks])
  return useStore(marks?.places ?? NO_PLACES)
}

/** Is something written and not sent at this place? */
export function useHasDraft(place: string): boolean {
  const still = useFixtures()
  return useDraftPlaces()[place] === true || still?.drafts[place] !== undefined
}
