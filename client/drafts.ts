/**
 * The drafts of whoever is signed in on this page.
 *
 * Owns: the hook. Not here: keeping and conflicts (draftsCore.ts).
 */

import { useMemo } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { DraftHandle, DraftState } from './draftsCore'
import { theMember } from './member'
import { useStill } from './still'

export type Draft = DraftState & Omit<DraftHandle, 'state'>

/** Before the member is known nothing is kept, and nothing can be written. */
const NOBODY: DraftHandle = {
  state: createStore<DraftState>()(() => ({ text: '', other: null, isSaved: true })),
  setText: () => {},
  clear: () => {},
  restoreOther: () => {},
  dropOther: () => {},
}

/** My text at a place: `task:<id>` or `request:<id>`. Every part of the page that opens the same place shows the same. */
export function useDraft(key: string): Draft {
  const still = useStill()
  const member = still === null ? theMember() : null
  const { state, ...acts } = useMemo(() => member?.drafts.open(key) ?? NOBODY, [member, key])
  const kept = useStore(state)
  return { ...kept, text: still?.drafts[key] ?? kept.text, ...acts }
}
