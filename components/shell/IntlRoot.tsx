/** Loads the messages of the page's language, keeps <html lang>, and shows a skeleton without words meanwhile. */
import { type ReactNode, useEffect, useState } from 'react'
import { IntlProvider } from 'use-intl'
import { useStore } from 'zustand'
import { readLanguage, useLanguage } from '@/client/account/language'
import { acceptMovedNodes } from '@/client/foreignNodes'
import { laterWords } from '@/components/ui/laterWords'
import { type Locale, loadWithLater, type MessageCatalogue, type WordsOf } from '@/lib/i18n'

// Both pages draw everything below this file. The static page is made without a window.
if (typeof window !== 'undefined') acceptMovedNodes<Node>(Node.prototype)

type Loaded = { locale: Locale; messages: MessageCatalogue; hasLater: boolean }

/** When the other language is fetched after the first, so that switching works offline. */
const OTHER_AFTER_MS = 3_000
/** Delay between attempts to fetch messages; without them nothing can be drawn. */
const AGAIN_AFTER_MS = 2_000

export function IntlRoot({ page, children, skeleton }: { page: WordsOf; children: ReactNode; skeleton: ReactNode }) {
  const locale = useLanguage()
  const hasLater = useStore(laterWords, ({ isWanted }) => isWanted)
  const [loaded, setLoaded] = useState<Loaded | null>(null)

  // Joins the browser's cookie and languages, which prerendering does not know.
  useEffect(readLanguage, [])

  // Joins the file of messages of the chosen language; the last language stays until it is loaded.
  useEffect(() => {
    if (locale === null) return
    let isWanted = true
    let again: ReturnType<typeof setTimeout> | undefined
    document.documentElement.lang = locale
    const fetchWords = (): void =>
      void loadWithLater(locale, page, hasLater).then(
        (messages) => {
          if (isWanted) setLoaded({ locale, messages, hasLater })
        },
        () => {
          if (isWanted) again = setTimeout(fetchWords, AGAIN_AFTER_MS)
        },
      )
    fetchWords()
    const timer = setTimeout(
      () => void loadWithLater(locale === 'zh' ? 'en' : 'zh', page, hasLater).catch(() => undefined),
      OTHER_AFTER_MS,
    )
    return () => {
      isWanted = false
      clearTimeout(timer)
      clearTimeout(again)
    }
  }, [locale, page, hasLater])

  // Joins the screens that wait for them: they are drawn once the page has them.
  useEffect(() => {
    if (loaded?.hasLater) laterWords.setState({ isHere: true })
  }, [loaded])

  if (!loaded) return skeleton
  return (
    <IntlProvider locale={loaded.locale} messages={loaded.messages} onError={(error) => console.error(error.message)}>
      {children}
    </IntlProvider>
  )
}
