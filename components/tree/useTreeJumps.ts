/** Following what moves, and going to the next error or wait. */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useAction } from '@/client/actions/keyboard'
import { announce } from '@/components/ui/announce'
import { useStable } from '@/components/ui/useStable'
import { hidesFailure } from './model/earlier'
import { type Followed, followOn, type Jump, lineOf, nextHit } from './model/jumps'
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
  { tree, lines, earlier }: TreeData,
  { lineWindow: { scrollTo }, current, reveal }: TreeFocus,
  followsAtFirst: boolean | null,
  hasKeys: boolean,
): TreeJumps {
  const t = useTranslations('tree')
  const nameOf = useRowName()
  const [followed, setFollowing] = useState(followsAtFirst)
  if (followed === null && followsAtFirst !== null) setFollowing(followsAtFirst)
  const isFollowing = followed === true
  /** A jump to a failure whose page has come. */
  const [awaited, setAwaited] = useState<1 | -1 | null>(null)

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

  const goTo = (kind: Jump, step: 1 | -1): void => {
    const hit = nextHit(tree, current, kind, step)
    if (!hit) {
      announce(t(kind === 'error' ? 'noErrors' : 'noWaits'))
      return
    }
    setFollowing(false)
    reveal(hit.id, true)
    announce(nameOf(hit, Date.now()))
  }
  const { ruler, loadFailure } = earlier
  const jump = (kind: Jump, step: 1 | -1): void => {
    // The next failure may be among earlier steps: its page is loaded first, and then it is a line like the others.
    if (kind === 'error' && hidesFailure(ruler, tree.nodes.values())) {
      const from = current === null ? null : (tree.nodes.get(current) ?? null)
      void loadFailure(from, step).then(() => setAwaited(step))
    } else goTo(kind, step)
  }
  const goOn = useEffectEvent((step: 1 | -1) => {
    setAwaited(null)
    goTo('error', step)
  })
  // Joins the page of the next failure: the jump waits for its lines.
  useEffect(() => {
    if (awaited !== null) goOn(awaited)
  }, [awaited])
  const jumping = (kind: Jump, step: 1 | -1) => ({ run: hasKeys ? () => jump(kind, step) : null })
  useAction('nextError', 'tree', jumping('error', 1))
  useAction('previousError', 'tree', jumping('error', -1))
  useAction('nextWait', 'tree', jumping('wait', 1))
  useAction('previousWait', 'tree', jumping('wait', -1))
  useAction('follow', 'tree', { run: hasKeys ? () => setFollowing(!isFollowing) : null })
  return { isFollowing, setFollowing, jump: useStable(jump) }
}
