/** Where this member has something written and not sent: what lists mark with “Draft”. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { CallResult } from './api'

export type DraftMarks = {
  places: StoreApi<Readonly<Record<string, true>>>
  tell: (key: string, isWritten: boolean) => void
  /** Somebody looks at a list: ask the server what other devices left, now and whenever the line is back. */
  watch: () => void
  ask: () => void
}

export function createDraftMarks(parts: {
  list: () => Promise<CallResult<{ drafts: { key: string; isWritten: boolean }[] }>>
  keptHere: () => string[]
  /** This page or this browser knows better than the server. */
  isOurs: (key: string) => boolean
}): DraftMarks {
  const places = createStore<Readonly<Record<string, true>>>()(() =>
    Object.fromEntries(parts.keptHere().map((key) => [key, true])),
  )
  let isWatched = false

  function tell(key: string, isWritten: boolean): void {
    const { [key]: before, ...rest } = places.getState()
    if (isWritten === (before === true)) return
    places.setState(isWritten ? { ...rest, [key]: true } : rest, true)
  }

  function ask(): void {
    if (!isWatched) return
    void parts.list().then((answer) => {
      if (!answer.ok) return
      const there = new Set(answer.value.drafts.filter(({ isWritten }) => isWritten).map(({ key }) => key))
      for (const key of [...there, ...Object.keys(places.getState())]) {
        if (!parts.isOurs(key)) tell(key, there.has(key))
      }
    })
  }

  return {
    places,
    tell,
    ask,
    watch: () => {
      if (isWatched) return
      isWatched = true
      ask()
    },
  }
}
