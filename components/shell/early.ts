/**
 * What the first screen needs, asked for while the page itself is still being put together: its words, its file, the line to the
 * server and what it looks at. One after the other, each would wait for the one before.
 */
import { getLanguage, readLanguage } from '@/client/account/language'
import { matchPath } from '@/client/nav'
import { preloadViews } from '@/client/pageClient'
import { loadMessages } from '@/lib/i18n'
import { fetchPart } from './Pane'
import { SCREENS } from './screens'

let hasBegun = false

/** Begin; what fails is asked for again by whoever draws it. */
export function beginEarly(): void {
  if (hasBegun || typeof window === 'undefined') return
  hasBegun = true
  readLanguage()
  const language = getLanguage()
  if (language !== null) loadMessages(language, 'console').catch(() => undefined)
  const match = matchPath(window.location.pathname)
  const row = match?.screen ? SCREENS[match.screen] : undefined
  if (row) fetchPart(row.main).catch(() => undefined)
  preloadViews(['me', ...(match && row?.looksAt ? row.looksAt(match.params) : [])])
}
