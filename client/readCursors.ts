/** How far this person has read at a place, the same on each of their pages. */

import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { PutRead, ReadCursor } from '@/lib/wire/http'
import { call } from './api'
import { getPageClient } from './pageClient'

const SAY_AFTER_MS = 2_000

/** undefined: not asked for yet; null: never there. */
const cursors = createStore<Record<string, number | null>>()(() => ({}))
const pathOf = (place: string): string => `/api/read/${encodeURIComponent(place)}`

/**
 * Up to which entry was read here.
 *
 * out     undefined while it is not known; null: never there
 */
export function useReadCursor(place: string): number | null | undefined {
  const [isAsked, setAsked] = useState(false)
  const known = useStore(cursors, (all) => all[place])
  const heard = useStore(getPageClient().live.reads, (all) => all[place])
  useEffect(() => {
    // Joins what the server keeps: asked anew each time the place is opened, another device may have read on.
    let isOn = true
    void call<ReadCursor>('GET', pathOf(place)).then((answer) => {
      if (!isOn) return
      if (answer.ok) cursors.setState({ [place]: answer.value.seq })
      setAsked(true)
    })
    return () => {
      isOn = false
    }
  }, [place])
  useEffect(() => {
    // Joins the notes of this person's other pages.
    if (heard !== undefined) cursors.setState({ [place]: heard })
  }, [place, heard])
  return isAsked ? known : undefined
}

const waiting = new Map<string, number>()
let timer: ReturnType<typeof setTimeout> | null = null

function flush(): void {
  if (timer !== null) clearTimeout(timer)
  timer = null
  const said = [...waiting]
  waiting.clear()
  for (const [place, seq] of said) void put(place, { seq })
}

async function put(place: string, body: PutRead): Promise<void> {
  const answer = await call<ReadCursor>('PUT', pathOf(place), body)
  if (answer.ok) cursors.setState({ [place]: answer.value.seq })
}

/** This was read, up to this entry. */
export function sayRead(place: string, seq: number): void {
  const known = Math.max(cursors.getState()[place] ?? -1, waiting.get(place) ?? -1)
  if (seq <= known) return
  waiting.set(place, seq)
  timer ??= setTimeout(flush, SAY_AFTER_MS)
}

/** What came after this entry is to be unread again. */
export function sayUnread(place: string, seq: number): void {
  waiting.delete(place)
  cursors.setState({ [place]: seq })
  void put(place, { seq, isBack: true })
}
