/** Since when a running step has streamed nothing. */
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { useMe } from '@/client/account/session'
import { pageClock, useNow } from '@/client/clock'
import { useFixtures } from '@/client/fixtures'
import { getPageClient } from '@/client/pageClient'

/** Unless the server configures another time. */
const STALE_AFTER_MS = 45_000
/** A step is followed one tick of the clock earlier, so that its state is known in time. */
const FOLLOW_BEFORE_MS = 15_000

/** units: epoch ms. followedAt: since when it is followed; textAt: its last text since then. */
type StepActivity = { now: number; startedAt: number; followedAt: number | null; textAt: number | null }

/** The text so far arrives within this time. */
const ARRIVES_WITHIN_MS = 1_000

/** in: afterMs: silence after which a step is stale. out: epoch ms of its last text if it is; null: not stale, or unknown yet */
export function staleSince(
  { now, startedAt, followedAt, textAt }: StepActivity,
  afterMs = STALE_AFTER_MS,
): number | null {
  if (followedAt === null || now - followedAt < ARRIVES_WITHIN_MS) return null
  const last = Math.max(startedAt, textAt ?? 0)
  return now - last >= afterMs ? last : null
}

/** The same for a step on screen, checked at the clock's slow ticks. in: startedAt: null: the step is not running */
export function useStaleSince(step: string, startedAt: number | null): number | null {
  const isLive = useFixtures() === null
  const afterMs = useMe()?.staleAfterMs ?? STALE_AFTER_MS
  const now = useNow(startedAt === null ? null : 'minutes')
  const isLong = isLive && startedAt !== null && now - startedAt >= afterMs - FOLLOW_BEFORE_MS
  const [followed, setFollowed] = useState<{ step: string; at: number } | null>(null)
  useEffect(() => {
    // Joins the step's text: only followers receive it.
    if (!isLong) return
    setFollowed({ step, at: pageClock.now() })
    return getPageClient().live.follow(step)
  }, [step, isLong])
  const textAt = useStore(getPageClient().live.textAt, (heard) => heard[step] ?? null)
  // The elements of a line may show another step than at the last drawing.
  const followedAt = followed?.step === step ? followed.at : null
  return isLong ? staleSince({ now, startedAt, followedAt, textAt }, afterMs) : null
}
