/** Loads the messages of the page's language, keeps <html lang>, and shows a skeleton without words meanwhile. */
import { type ReactNode, useEffect, useState } from 'react'
import { IntlProvider } from 'use-intl'
import { readLanguage, useLanguage } from '@/client/account/language'
import { type Locale, loadMessages, type MessageCatalogue, type WordsOf } from '@/lib/i18n'

type Loaded = { locale: Locale; messages: MessageCatalogue }

/** When the other language is fetched after the first, so that switching works offline. */
const OTHER_AFTER_MS = 3_000
/** Delay between attempts to fetch messages; without them nothing can be drawn. */
const AGAIN_AFTER_MS = 2_000

export function IntlRoot({ page, children, skeleton }: { page: WordsOf; children: ReactNode; skeleton: ReactNode }) {
  const locale = useLanguage()
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
      void loadMessages(locale, page).then(
        (messages) => {
          if (isWanted) setLoaded({ locale, messages })
        },
        () => {
          if (isWanted) again = setTimeout(fetchWords, AGAIN_AFTER_MS)
        },
      )
    fetchWords()
    const timer = setTimeout(
      () => void loadMessages(locale === 'zh' ? 'en' : 'zh', page).catch(() => undefined),
      OTHER_AFTER_MS,
    )
    return () => {
      isWanted = false
      clearTimeout(timer)
      clearTimeout(again)
    }
  }, [locale, page])

  if (!loaded) return skeleton
  return (
    <IntlProvider locale={loaded.locale} messages={loaded.messages} onError={(error) => console.error(error.message)}>
      {children}
    </IntlProvider>
  )
}
