'use client'
/** The root of the console: joins address, keyboard, theme and session, then draws the frame or says why not. */
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { askSession, beforeSignOut, useSession } from '@/client/account/session'
import { joinHistory, navigate, useLocation } from '@/client/nav'
import { followSystemTheme } from '@/client/theme'
import { ErrorState } from '@/components/ui/States'
import type { Me } from '@/lib/wire'
import { beginEarly } from './early'
import { ConsoleFrame } from './Frame'
import { FrameSkeleton } from './FrameSkeleton'
import { IntlRoot } from './IntlRoot'
import { joinKeyboard } from './keyboard'
import { known } from './lazyParts'
import { fetchScreens, SCREENS } from './screens'
import { whenSettled } from './useIsSettled'
import { useShellData } from './useShellData'

// Not by an effect: those run when all of the page has been put together.
beginEarly()

export function ConsoleRoot() {
  useEffect(joinHistory, [])
  useEffect(joinKeyboard, [])
  useEffect(followSystemTheme, [])
  useEffect(() => {
    // Joins the server: who am I?
    void askSession(recallKnown)
    // Joins the network: every other file, once the first screen had its turn.
    return whenSettled(fetchScreens)
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
  useKnown(status === 'in' ? me : null, status === 'out')
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
        <ErrorState isHeading title={t('unreachable')} onRetry={() => void askSession(recallKnown)}>
          {t('unreachableWhy')}
        </ErrorState>
      </main>
    )
  }
  if (me === null || place === null || home) return <FrameSkeleton />
  return <ConsoleFrame me={me} place={place} data={data} isSignedOut={status === 'out'} />
}

const recallKnown = async (): Promise<Me | null> => (await known.load()).restoreViewCache()
const forgetKnown = async (): Promise<void> => (await known.load()).clearViewCache()

/** me: who is signed in. What they see is kept for when the server is away, and nothing of it once they are not. */
function useKnown(me: Me | null, isOut: boolean): void {
  useEffect(() => {
    // Joins this browser's own storage, once the first screen had its turn.
    if (me === null) return
    let stop: (() => void) | null = null
    let isOver = false
    const leave = whenSettled(() => {
      known.load().then(
        (file) => {
          // They may have gone while the file came.
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
  useEffect(() => beforeSignOut(forgetKnown), [])
  useEffect(() => {
    // Joins it too: who is told that the session is over may not be who comes next.
    if (isOut) forgetKnown().catch(() => undefined)
  }, [isOut])
}

/** Developers begin with the system at a glance, everyone else with what needs them. */
function homeOf(access: string): string {
  const first = access === 'developer' ? 'tasks' : 'inbox'
  return SCREENS[first] ? `/${first}` : '/settings'
}
