/** Following what moves, and going to the next error or wait. */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useKey } from '@/components/shell/keys/keyboard'
import { announce } from '@/components/ui/announce'
import { useStable } from '@/components/ui/useStable'
import { type Followed, followOn, hiddenErrors, type Jump, lineOf, nextHit } from './model/jumps'
import { useRowName } from './rowWords'
import type { TreeData } from './useTreeData'
import { lineIndex, type TreeFocus } from './useTreeFocus'

export type TreeJumps = {
  isFollowing: boolean
  setFollowing: (isFollowing: boolean) => void
  jump: (kind: Jump, step: 1 | -1) => void
}

/** How often it is looked where something moves. */
const FOLLOW_EVERY_MS = 1_000

/** followsAtFirst: the task runs and no line is inspected; null: unknown yet. hasKeys: the page's keys are this tree's. */
export function useTreeJumps(
  { tree, lines, isFetching, showMore }: TreeData,
  { lineWindow: { scrollTo }, current, reveal }: TreeFocus,
  followsAtFirst: boolean | null,
  hasKeys: boolean,
): TreeJumps {
  const t = useTranslations('tree')
  const nameOf = useRowName()
  const [followed, setFollowing] = useState(followsAtFirst)
  if (followed === null && followsAtFirst !== null) setFollowing(followsAtFirst)
  const isFollowing = followed === true
  /** A jump to an error that is repeated when older steps come. */
  const later = useRef<1 | -1 | null>(null)

  const followedStep = useRef<Followed | null>(null)
  const follow = useEffectEvent(() => {
    const next = followOn(tree, followedStep.current)
    followedStep.current = next
    if (next) scrollTo(lineIndex(lines, lineOf(tree, next).id))
  })
  // Joins the scroll position and the clock: while following, what moves is brought into sight.
  useEffect(() => {
    if (!isFollowing) return
    follow()
    const timer = setInterval(follow, FOLLOW_EVERY_MS)
    return () => clearInterval(timer)
  }, [isFollowing])

  const jump = (kind: Jump, step: 1 | -1): void => {
    const hit = nextHit(tree, current, kind, step)
    // Failed steps may be older than the steps in the tree: fetch another page, and jump when it is loaded.
    const hidden = kind === 'error' ? hiddenErrors(tree) : []
    for (const id of hidden) showMore(id)
    const isLater = !hit && (hidden.length > 0 || isFetching)
    later.current = isLater ? step : null
    if (isLater) return
    if (!hit) {
      announce(t(kind === 'error' ? 'noErrors' : 'noWaits'))
      return
    }
    setFollowing(false)
    reveal(hit.id, true)
    announce(nameOf(hit, Date.now()))
  }
  // Joins the pages on their way: a jump that found nothing is repeated when they come.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another tree can hold what was looked for.
  useEffect(() => {
    if (later.current !== null && !isFetching) jump('error', later.current)
  }, [tree, isFetching])
  useKey('e', t('nextError'), hasKeys ? () => jump('error', 1) : null)
  useKey('Shift+e', t('previousError'), hasKeys ? () => jump('error', -1) : null)
  useKey('w', t('nextWait'), hasKeys ? () => jump('wait', 1) : null)
  useKey('Shift+w', t('previousWait'), hasKeys ? () => jump('wait', -1) : null)
  useKey('f', t('followLive'), hasKeys ? () => setFollowing(!isFollowing) : null)
  return { isFollowing, setFollowing, jump: useStable(jump) }
}
