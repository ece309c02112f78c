/** Since when a running step has said nothing. */
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { useMe } from './account/session'
import { pageClock, useNow } from './clock'
import { useFixtures } from './fixtures'
import { getPageClient } from './pageClient'

/** Where the server names no other time. */
const SILENT_AFTER_MS = 45_000
/** It is listened to a tick of the clock earlier, so that the answer is known in time. */
const LISTEN_BEFORE_MS = 15_000

/** units: epoch ms. askedAt: since when it is followed; heardAt: when it last said something since then. */
export type LastSign = { now: number; startedAt: number; askedAt: number | null; heardAt: number | null }

/** Time for what it said so far to come. */
const COMES_WITHIN_MS = 1_000

/** afterMs: so much silence is long. out: epoch ms of its last sign, once that is long ago; null while it speaks, and until that is known. */
export function staleSince({ now, startedAt, askedAt, heardAt }: LastSign, afterMs = SILENT_AFTER_MS): number | null {
  if (askedAt === null || now - askedAt < COMES_WITHIN_MS) return null
  const last = Math.max(startedAt, heardAt ?? 0)
  return now - last >= afterMs ? last : null
}

const NOTHING_HEARD = createStore<Record<string, number>>()(() => ({}))

/**
 * The same for a step on screen.
 *
 * in      startedAt: of a step that runs; null: it does not
 * units   looked at when the page's clock ticks for minutes; only what has run for long is followed
 */
export function useStaleSince(step: string, startedAt: number | null): number | null {
  const isLive = useFixtures() === null && typeof window !== 'undefined'
  const afterMs = useMe()?.staleAfterMs ?? SILENT_AFTER_MS
  const now = useNow(startedAt === null ? null : 'minutes')
  const isLong = isLive && startedAt !== null && now - startedAt >= afterMs - LISTEN_BEFORE_MS
  const [askedAt, setAskedAt] = useState<number | null>(null)
  useEffect(() => {
    // Joins the step's text: whether it still speaks is known to those who follow it.
    if (!isLong) return
    setAskedAt(pageClock.now())
    return getPageClient().live.follow(step)
  }, [step, isLong])
  const heardAt = useStore(isLong ? getPageClient().live.heard : NOTHING_HEARD, (heard) => heard[step] ?? null)
  return isLong ? staleSince({ now, startedAt, askedAt, heardAt }, afterMs) : null
}
