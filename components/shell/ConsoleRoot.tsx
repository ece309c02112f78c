'use client'
/** The root of the console: joins address, keyboard, theme and session, then draws the frame or the reason why not. */
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { getLanguage, readLanguage } from '@/client/account/language'
import { askSession, beforeSignOut, useSession } from '@/client/account/session'
import { joinKeyboard } from '@/client/actions/keyboard'
import { joinHistory, matchPath, navigate, useLocation } from '@/client/nav'
import { preloadViews } from '@/client/pageClient'
import { frameSkeletonRef } from '@/client/pageUse'
import { followSystemTheme } from '@/client/theme'
import { ErrorState } from '@/components/ui/States'
import { loadMessages } from '@/lib/i18n'
import type { Me } from '@/lib/wire'
import { ConsoleFrame } from './Frame'
import { IntlRoot } from './IntlRoot'
import { viewCache } from './lazy'
import { preloadScreens } from './preload'
import { SCREENS } from './screens'
import { whenSettled } from './useIsSettled'
import { useShellData } from './useShellData'

// Not in an effect: effects run only after the whole page is mounted. The static page is made without a window.
if (typeof window !== 'undefined') beginEarly()

export function ConsoleRoot() {
  useEffect(joinHistory, [])
  useEffect(joinKeyboard, [])
  useEffect(followSystemTheme, [])
  useEffect(() => {
    // Joins the server: who am I?
    void askSession(restoreCache)
    // Joins the network: preloads every other file after the first screen is drawn.
    return whenSettled(preloadScreens)
  }, [])
  return (
    <IntlRoot page="console" skeleton={<FrameSkeleton />}>
      <Gate />
    </IntlRoot>
  )
}

function Gate() {
  const t = useTranslations('shell')
  const { status, me } = useSession()
  const place = useLocation()
  const data = useShellData(me !== null && (status === 'in' || status === 'unreachable'))
  useViewCache(status === 'in' ? me : null, status === 'out')
  const mustSignIn = status === 'out' && me === null

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
  if (me === null || place === null || home) return <FrameSkeleton />
  return <ConsoleFrame me={me} place={place} data={data} isSignedOut={status === 'out'} />
}

const restoreCache = async (): Promise<Me | null> => (await viewCache()).restoreViewCache()
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
function FrameSkeleton() {
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

/**
 * Requests what the first screen needs while the page is still starting: messages, its file, the connection and its views.
 * One after the other, each would wait for the one before. A request that fails is repeated by the part that needs it.
 */
function beginEarly(): void {
  readLanguage()
  const language = getLanguage()
  if (language !== null) loadMessages(language, 'console').catch(() => undefined)
  const match = matchPath(window.location.pathname)
  const row = match && SCREENS[match.screen]
  row?.main.load().catch(() => undefined)
  preloadViews(['me', ...(match && row?.looksAt ? row.looksAt(match.params) : [])])
}
