/** What is drawn of the console once it is known who is signed in: the frame, or why it is not there. */
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { askSession, beforeSignOut, useSession } from '@/client/account/session'
import { navigate, useLocation } from '@/client/nav'
import { frameSkeletonRef } from '@/client/pageUse'
import { ErrorState } from '@/components/ui/States'
import type { Me } from '@/lib/wire'
import { ConsoleFrame, NothingHere } from './Frame'
import { viewCache } from './lazy'
import { whenSettled } from './useIsSettled'
import { useShellData } from './useShellData'

export function Gate() {
  const t = useTranslations('shell')
  const { status, me } = useSession()
  const place = useLocation()
  const data = useShellData(me !== null && (status === 'in' || status === 'unreachable'))
  useViewCache(status === 'in' ? me : null, status === 'out')
  const isNowhere = place !== null && place.screen === null
  const mustSignIn = status === 'out' && me === null && place !== null && !isNowhere

  useEffect(() => {
    // Joins the browser's address: the sign-in page is another document.
    if (mustSignIn)
      window.location.replace(`/login?next=${encodeURIComponent(window.location.pathname + window.location.search)}`)
  }, [mustSignIn])

  const home = place?.screen === 'home' && me ? homeOf(me.person.access) : null
  useEffect(() => {
    // Joins the address: "/" has no screen of its own.
    if (home) navigate(home, { replace: true })
  }, [home])

  if (status === 'unreachable' && me === null) {
    return (
      <main className="h-dvh overflow-y-auto">
        <ErrorState isHeading title={t('unreachable')} onRetry={() => void askSession(restoreCache)}>
          {t('unreachableWhy')}
        </ErrorState>
      </main>
    )
  }
  // The same page for people who are not signed in.
  if (status === 'out' && me === null && isNowhere)
    return (
      <main className="h-dvh overflow-y-auto">
        <NothingHere />
      </main>
    )
  if (me === null || place === null || home) return <FrameSkeleton />
  return <ConsoleFrame me={me} place={place} data={data} isSignedOut={status === 'out'} />
}

export const restoreCache = async (): Promise<Me | null> => (await viewCache()).restoreViewCache()
const clearCache = async (): Promise<void> => (await viewCache()).clearViewCache()

/** me: who is signed in. Their views are cached for offline use, and deleted when they sign out. */
function useViewCache(me: Me | null, isOut: boolean): void {
  useEffect(() => {
    // Joins this browser's storage, after the first screen is drawn.
    if (me === null) return
    let stop: (() => void) | null = null
    let isOver = false
    const leave = whenSettled(() => {
      viewCache().then(
        (file) => {
          // They may have signed out while the file was loading.
          if (!isOver) stop = file.startViewCache(me)
        },
        () => undefined,
      )
    })
    return () => {
      isOver = true
      leave()
      stop?.()
    }
  }, [me])
  useEffect(() => beforeSignOut(clearCache), [])
  useEffect(() => {
    // Joins the storage: after an expired session somebody else may sign in here.
    if (isOut) clearCache().catch(() => undefined)
  }, [isOut])
}

/** Developers start with all tasks, everyone else with the inbox. */
const homeOf = (access: string): string => (access === 'developer' ? '/tasks' : '/inbox')

/** The frame without words: the content of the static page, shown until messages and session are loaded. */
export function FrameSkeleton() {
  return (
    <div ref={frameSkeletonRef} aria-busy="true" className="flex h-dvh flex-col">
      <div className="h-12 shrink-0 border-b border-line" />
      <div className="flex min-h-0 grow flex-col-reverse md:flex-row">
        <div className="h-14 shrink-0 border-line max-md:border-t md:h-auto md:w-14 md:border-r xl:w-[4.5rem]" />
        <div className="min-h-0 grow bg-s1" />
      </div>
    </div>
  )
}
