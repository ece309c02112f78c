/**
 * Requests what the first screen needs while the page is still starting: messages, its file, the connection and its views.
 * One after the other, each would wait for the one before.
 */
import { getLanguage, readLanguage } from '@/client/account/language'
import { matchPath } from '@/client/nav'
import { preloadViews } from '@/client/pageClient'
import { loadMessages } from '@/lib/i18n'
import { SCREENS } from './screens'

let hasBegun = false

/** Start once; a request that fails is repeated by the part that needs it. */
export function beginEarly(): void {
  if (hasBegun || typeof window === 'undefined') return
  hasBegun = true
  readLanguage()
  const language = getLanguage()
  if (language !== null) loadMessages(language, 'console').catch(() => undefined)
  const match = matchPath(window.location.pathname)
  const row = match && SCREENS[match.screen]
  row?.main.load().catch(() => undefined)
  preloadViews(['me', ...(match && row?.looksAt ? row.looksAt(match.params) : [])])
}
