/** The places where this person has an unsent text; lists mark them with “Draft”. */
import { createStore } from 'zustand/vanilla'
import type { ApiResult } from '@/client/api'

export function createDraftMarks(parts: {
  list: () => Promise<ApiResult<{ drafts: { key: string; isWritten: boolean }[] }>>
  storedKeys: () => string[]
  /** The copy of this page or browser is newer than the server's. */
  isKnownHere: (key: string) => boolean
}) {
  const places = createStore<Readonly<Record<string, true>>>()(() =>
    Object.fromEntries(parts.storedKeys().map((key) => [key, true])),
  )
  let isWatched = false

  function set(key: string, isWritten: boolean): void {
    const { [key]: before, ...rest } = places.getState()
    if (isWritten === (before === true)) return
    places.setState(isWritten ? { ...rest, [key]: true } : rest, true)
  }

  function refresh(): void {
    if (!isWatched) return
    void parts.list().then((answer) => {
      if (!answer.ok) return
      const there = new Set(answer.value.drafts.filter(({ isWritten }) => isWritten).map(({ key }) => key))
      for (const key of [...there, ...Object.keys(places.getState())]) {
        if (!parts.isKnownHere(key)) set(key, there.has(key))
      }
    })
  }

  return {
    places,
    set,
    refresh,
    /** A list is shown: ask the server for drafts of other devices, now and after each reconnect. */
    watch: (): void => {
      if (isWatched) return
      isWatched = true
      refresh()
    },
  }
}

export type DraftMarks = ReturnType<typeof createDraftMarks>
