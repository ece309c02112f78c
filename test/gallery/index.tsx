/** The gallery: every part of the console in every state, in both themes, both languages and both densities. */
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { IntlProvider, useLocale, useTranslations } from 'use-intl'
import { FixturesContext } from '@/client/fixtures'
import { Link, setSearch, useSearchParam } from '@/client/nav'
import type { ScreenProps } from '@/client/nav/screenProps'
import { cx } from '@/components/ui/cx'
import { PageHeading } from '@/components/ui/PageHeading'
import { ErrorState, Skeleton } from '@/components/ui/States'
import { Segmented } from '@/components/ui/Tabs'
import { type Locale, loadWithLater, type MessageCatalogue } from '@/lib/i18n'
import { LANGUAGES } from '@/lib/language'
import { FAMILIES, FAMILY_NAMES, type FamilyName } from './families'
import { PAGE_FIXTURES } from './fixtures/pageFixtures'

const THEMES = ['light', 'dark'] as const
const DENSITIES = ['comfortable', 'compact'] as const

/** A choice of the address; null: the reader's own. */
function useChoice<Value extends string>(name: string, values: readonly Value[]): Value | null {
  const asked = useSearchParam(name)
  return values.find((value) => value === asked) ?? null
}

/** Set an attribute of <html> while the gallery is open, and restore the reader's own. */
function useMark(name: 'theme' | 'density', value: string | null): void {
  useEffect(() => {
    // Joins <html>, where the style sheet reads it.
    if (value === null) return
    const page = document.documentElement
    const own = page.dataset[name]
    page.dataset[name] = value
    return () => {
      if (own === undefined) delete page.dataset[name]
      else page.dataset[name] = own
    }
  }, [name, value])
}

/** The specimens in another language than the page around them; their times in UTC, so that pictures agree. */
function InLanguage({ language, children }: { language: Locale; children: ReactNode }) {
  const [messages, setMessages] = useState<MessageCatalogue | null>(null)
  useEffect(() => {
    // Joins the file of messages.
    let isWanted = true
    void loadWithLater(language, 'console', true).then((loaded) => {
      if (isWanted) setMessages(loaded)
    })
    return () => {
      isWanted = false
    }
  }, [language])
  return messages === null ? null : (
    <IntlProvider locale={language} messages={messages} timeZone="UTC">
      <div lang={language}>{children}</div>
    </IntlProvider>
  )
}

export default function Gallery({ params, person }: ScreenProps) {
  const t = useTranslations()
  const locale = useLocale()
  const theme = useChoice('theme', THEMES)
  const density = useChoice('density', DENSITIES)
  const language = useChoice('language', LANGUAGES)
  useMark('theme', theme)
  useMark('density', density)
  const name = FAMILY_NAMES.find((one) => one === (params.family ?? 'marks'))
  if (person.access === 'participant' || name === undefined) {
    return (
      <ErrorState isHeading title={t('error.nothingHere')}>
        {t('error.nothingHereWhy')}
      </ErrorState>
    )
  }
  return (
    <div className="min-h-0 grow overflow-y-auto px-5 py-4 max-md:px-4">
      <PageHeading title={[name, t('gallery.title')]}>{t('gallery.title')}</PageHeading>
      <p className="mt-1 max-w-[68ch] text-t2">{t('gallery.what')}</p>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Switch label={t('settings.theme')} name="theme" values={THEMES} value={theme ?? ''} />
        <Switch label={t('settings.density')} name="density" values={DENSITIES} value={density ?? ''} />
        <Switch label={t('settings.language')} name="language" values={LANGUAGES} value={language ?? locale} />
      </div>
      <nav aria-label={t('gallery.families')} className="mt-3 flex flex-wrap gap-x-4 border-b border-line">
        {FAMILY_NAMES.map((one) => (
          <Link
            key={one}
            href={`/gallery/${one}${window.location.search}`}
            aria-current={one === name ? 'page' : undefined}
            className={cx(
              'flex h-9 items-center border-b-2 font-mono text-meta touch:h-11',
              one === name ? 'border-accent text-t1' : 'border-transparent text-t2 hover:text-t1',
            )}
          >
            {one}
          </Link>
        ))}
      </nav>
      <FixturesContext value={PAGE_FIXTURES}>
        <InLanguage language={language ?? (locale === 'zh' ? 'zh' : 'en')}>
          <Family name={name} />
        </InLanguage>
      </FixturesContext>
    </div>
  )
}

function Family({ name }: { name: FamilyName }) {
  const Parts = FAMILIES[name]
  return (
    <Suspense fallback={<Skeleton />}>
      <div data-family={name} className="grid grid-cols-1 items-start gap-x-8 gap-y-5 bg-s1 py-4 xl:grid-cols-2">
        <Parts />
      </div>
    </Suspense>
  )
}

/** A switch whose value is kept in the address. */
function Switch({
  label,
  name,
  values,
  value,
}: {
  label: string
  name: string
  values: readonly string[]
  value: string
}) {
  return (
    <Segmented
      label={label}
      value={value}
      onChange={(next) => setSearch({ [name]: next }, { replace: true })}
      segments={Object.fromEntries(values.map((one) => [one, one]))}
    />
  )
}
