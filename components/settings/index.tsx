/** Settings: a page per part, chosen by the address. */
import { type ComponentType, useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { setLanguage, useLanguage } from '@/client/account/language'
import { useMe } from '@/client/account/session'
import { Link, pathTo } from '@/client/nav'
import { ByHandPart } from '@/components/byhand'
import { HelpLink } from '@/components/help/HelpLink'
import { PeoplePart } from '@/components/people'
import type { ScreenProps } from '@/components/shell/screenTypes'
import { TemplatesPart } from '@/components/templates'
import { cx } from '@/components/ui/cx'
import { RadioChoice } from '@/components/ui/fields/Choice'
import { PageHeading } from '@/components/ui/PageHeading'
import { EmptyState, ErrorState } from '@/components/ui/States'
import { LOCALE_NAMES, type Locale } from '@/lib/i18n'
import type { Access } from '@/lib/mas/records'
import { DisplayPart } from './DisplayPart'
import { KeyboardPart } from './KeyboardPart'
import { ModelsPart } from './ModelsPart'
import { NotificationsPart } from './NotificationsPart'
import { ProfilePart } from './ProfilePart'
import { Setting, useKeep } from './Setting'
import { WhatRuns } from './WhatRuns'

const PARTS = {
  profile: ProfilePart,
  notifications: NotificationsPart,
  display: DisplayPart,
  language: LanguagePart,
  keyboard: KeyboardPart,
  templates: TemplatesPart,
  people: PeoplePart,
  system: SystemPart,
  models: ModelsPart,
  'by-hand': ByHandPart,
} satisfies Record<string, ComponentType>

type PartName = keyof typeof PARTS
const NAMES: readonly PartName[] = [
  'profile',
  'notifications',
  'display',
  'language',
  'keyboard',
  'templates',
  'people',
  'system',
  'models',
  'by-hand',
]
/** Who sees a part; parts that are not listed are everybody's. */
const FOR: Partial<Record<PartName, readonly Access[]>> = {
  people: ['operator'],
  system: ['operator'],
  models: ['operator'],
  'by-hand': ['operator', 'developer'],
}

/** Pixels of the previous tab that stay in view. */
const KEEP_BEFORE_PX = 72
const SECTION = 'flex h-9 items-center border-b-2 text-table whitespace-nowrap touch:h-11'
const HERE = 'border-accent font-medium text-t1'
const ELSEWHERE = 'border-transparent text-t2 hover:text-t1'

export default function SettingsScreen({ params, person }: ScreenProps) {
  const t = useTranslations()
  const asked = params.page ?? 'profile'
  const name = NAMES.find((one) => one === asked)
  const Part = name ? PARTS[name] : null
  const sections = useRef<HTMLOListElement>(null)
  useEffect(() => {
    // Joins the scroll position: on a phone not all tabs fit, and the open one is scrolled into view.
    const here = sections.current?.querySelector<HTMLElement>(`[href="/settings/${name}"]`)
    if (sections.current && here) sections.current.scrollLeft = here.offsetLeft - KEEP_BEFORE_PX
  }, [name])
  return (
    <div className="min-h-0 grow overflow-y-auto">
      <div className="mx-auto w-full max-w-[56.5rem] px-4 py-5 md:px-6">
        <PageHeading title={name ? [t(`settings.${name}`), t('settings.title')] : [t('settings.title')]}>
          {t('settings.title')}
        </PageHeading>
        <nav aria-label={t('settings.sections')} className="mt-2 border-b border-line">
          <ol ref={sections} className="flex gap-x-4 max-md:fade-on max-md:overflow-x-auto md:flex-wrap">
            {NAMES.filter((one) => FOR[one]?.includes(person.access) ?? true).map((one) => (
              <li key={one} className="shrink-0">
                <Link
                  href={`/settings/${one}`}
                  aria-current={one === name ? 'page' : undefined}
                  className={cx(SECTION, one === name ? HERE : ELSEWHERE)}
                >
                  {t(`settings.${one}`)}
                </Link>
              </li>
            ))}
            {person.access === 'participant' ? null : (
              <li className="shrink-0">
                <Link href={pathTo('gallery')} className={cx(SECTION, ELSEWHERE)}>
                  {t('gallery.title')}
                </Link>
              </li>
            )}
          </ol>
        </nav>
        <div className="py-5">
          {Part ? <Part /> : <ErrorState title={t('error.nothingHere')}>{t('error.nothingHereWhy')}</ErrorState>}
        </div>
      </div>
    </div>
  )
}

function LanguagePart() {
  const t = useTranslations('settings')
  const locale = useLanguage()
  const keep = useKeep()
  return (
    <Setting name={t('language')} hint={t('languageWhy')}>
      <RadioChoice<Locale>
        label={t('language')}
        value={locale}
        onChange={(chosen) => {
          setLanguage(chosen)
          if (chosen !== 'en-XA') keep({ language: chosen })
        }}
        choices={LOCALE_NAMES.map((one) => ({ value: one.locale, label: one.name, lang: one.locale }))}
      />
    </Setting>
  )
}

function SystemPart() {
  const t = useTranslations('settings')
  const access = useMe()?.person.access
  return access === 'operator' ? (
    <WhatRuns />
  ) : (
    <EmptyState title={t('system')} action={<HelpLink part="docs" />}>
      {t('systemOnly')}
    </EmptyState>
  )
}
