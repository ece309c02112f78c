'use client'
/** The root of the console: joins address, keyboard, theme and session. */
import { useEffect } from 'react'
import { getLanguage, readLanguage } from '@/client/account/language'
import { askSession } from '@/client/account/session'
import { joinKeyboard } from '@/client/actions/keyboard'
import { joinHistory, matchPath } from '@/client/nav'
import { preloadViews } from '@/client/pageClient'
import { followSystemTheme } from '@/client/theme'
import { loadMessages } from '@/lib/i18n'
import { FrameSkeleton, Gate, restoreCache } from './Gate'
import { IntlRoot } from './IntlRoot'
import { preloadScreens } from './preload'
import { SCREENS } from './screens'
import { whenSettled } from './useIsSettled'

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
