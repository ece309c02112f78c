import { type ComponentType, useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { setLanguage, useLanguage } from '@/client/account/language'
import { useActionLook } from '@/client/actions/actionLook'
import { Link, pathTo } from '@/client/nav'
import type { ScreenProps } from '@/client/nav/screenProps'
import { setDisplay, useDisplay } from '@/client/theme'
import { AuditPart } from '@/components/audit'
import { ByHandPart } from '@/components/byhand'
import { HelpLink } from '@/components/help/HelpLink'
import { PeoplePart } from '@/components/people'
import { Checkbox, RadioChoice } from '@/components/ui/fields/Choice'
import { PageHeading } from '@/components/ui/PageHeading'
import { EmptyState, ErrorState } from '@/components/ui/States'
import { tabClass } from '@/components/ui/Tabs'
import { LOCALE_NAMES, type Locale } from '@/lib/i18n'
import type { Access } from '@/lib/mas/records'
import { Schedules } from '../templates/Schedules'
import { Templates } from '../templates/Templates'
import { DisplayPart } from './DisplayPart'
import { ModelsPart } from './ModelsPart'
import { NotificationsPart } from './NotificationsPart'
import { OwnKeysPart } from './OwnKeys'
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
  system: WhatRuns,
  audit: AuditPart,
  models: ModelsPart,
  'by-hand': ByHandPart,
} satisfies Record<string, ComponentType>

type PartName = keyof typeof PARTS
const NAMES = Object.keys(PARTS) as PartName[]
/** Who sees a part; the others are everybody's. */
const FOR: Record<'people' | 'system' | 'audit' | 'models' | 'by-hand', readonly Access[]> = {
  people: ['operator'],
  system: ['operator'],
  audit: ['operator'],
  models: ['operator'],
  'by-hand': ['operator', 'developer'],
}
const isRestricted = (name: PartName): name is keyof typeof FOR => Object.hasOwn(FOR, name)
const maySee = (name: PartName, access: Access): boolean => !isRestricted(name) || FOR[name].includes(access)

const hrefOf = (name: PartName): string => (name === 'audit' ? pathTo('audit') : pathTo('settings', { page: name }))

/** Pixels of the previous tab that stay in view. */
const KEEP_BEFORE_PX = 72

export default function SettingsScreen({ screen, params, person }: ScreenProps) {
  const t = useTranslations()
  const asked = screen === 'audit' ? screen : (params.page ?? 'profile')
  // Its address is another one.
  const name = params.page === 'audit' ? undefined : NAMES.find((one) => one === asked)
  const sections = useRef<HTMLOListElement>(null)
  useEffect(() => {
    // Joins the scroll position: on a phone not all tabs fit, and the open one is scrolled into view.
    const here = name && sections.current?.querySelector<HTMLElement>(`[href="${hrefOf(name)}"]`)
    if (sections.current && here) sections.current.scrollLeft = here.offsetLeft - KEEP_BEFORE_PX
  }, [name])
  return (
    <div className="page-scroll">
      <div className="page-column py-5">
        <PageHeading title={name ? [t(`settings.${name}`), t('settings.title')] : [t('settings.title')]}>
          {t('settings.title')}
        </PageHeading>
        <nav aria-label={t('settings.sections')} className="mt-2 border-b border-line">
          <ol ref={sections} className="flex gap-x-4 max-md:fade-on max-md:overflow-x-auto md:flex-wrap">
            {NAMES.filter((one) => maySee(one, person.access)).map((one) => (
              <li key={one} className="shrink-0">
                <Link
                  href={hrefOf(one)}
                  aria-current={one === name ? 'page' : undefined}
                  className={tabClass(one === name)}
                >
                  {t(`settings.${one}`)}
                </Link>
              </li>
            ))}
            {person.access === 'participant' ? null : (
              <li className="shrink-0">
                <Link href={pathTo('gallery')} className={tabClass(false)}>
                  {t('gallery.title')}
                </Link>
              </li>
            )}
          </ol>
        </nav>
        <div className="py-5">
          {name ? (
            <Part name={name} access={person.access} />
          ) : (
            <ErrorState title={t('error.nothingHere')}>{t('error.nothingHereWhy')}</ErrorState>
          )}
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

function Part({ name, access }: { name: PartName; access: Access }) {
  const t = useTranslations('settings')
  if (isRestricted(name) && !maySee(name, access))
    return (
      <EmptyState title={t(name)} action={<HelpLink part="docs" />}>
        {t(`notForYou.${name}`)}
      </EmptyState>
    )
  const Shown = PARTS[name]
  return <Shown />
}

function KeyboardPart() {
  const t = useTranslations('settings')
  const singleKeys = useDisplay((display) => display.singleKeys)
  const help = useActionLook()('help', 'page').key
  const send = useDisplay((display) => display.send)
  const keep = useKeep()
  return (
    <>
      <Setting name={t('singleKeys')}>
        <Checkbox
          label={t('singleKeysWhy')}
          isChecked={singleKeys}
          onChange={(next) => {
            setDisplay({ singleKeys: next })
            keep({ singleKeys: next })
          }}
        />
      </Setting>
      <Setting name={t('send')}>
        <RadioChoice
          label={t('send')}
          value={send}
          onChange={(next) => setDisplay({ send: next })}
          choices={[
            { value: 'enter', label: t('sendEnter') },
            { value: 'mod-enter', label: t('sendMod') },
          ]}
        />
      </Setting>
      <Setting
        name={t('keyboard')}
        hint={[t('keysHere'), ...(help === '' ? [] : [t('keysHelp', { key: help })])].join(' ')}
      >
        <OwnKeysPart />
      </Setting>
    </>
  )
}

function TemplatesPart() {
  const t = useTranslations('templates')
  return (
    <div className="flex flex-col gap-8">
      <section aria-label={t('title')}>
        <Templates />
      </section>
      <section aria-label={t('schedules')}>
        <Schedules />
      </section>
    </div>
  )
}
