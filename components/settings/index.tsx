import { type ComponentType, useEffect, useId, useRef } from 'react'
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
import { cx } from '@/components/ui/cx'
import { Checkbox, RadioChoice } from '@/components/ui/fields/Choice'
import { PageHeading } from '@/components/ui/PageHeading'
import { EmptyState, ErrorState } from '@/components/ui/States'
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

/** The parts by whom they are about. */
const GROUPS: Record<'you' | 'team' | 'system', readonly PartName[]> = {
  you: ['profile', 'notifications', 'display', 'language', 'keyboard'],
  team: ['people', 'models', 'templates', 'by-hand'],
  system: ['system', 'audit'],
}
const GROUP_NAMES = Object.keys(GROUPS) as (keyof typeof GROUPS)[]

/** Pixels of the previous part that stay in view. */
const KEEP_BEFORE_PX = 72

export default function SettingsScreen({ screen, params, person }: ScreenProps) {
  const t = useTranslations()
  const asked = screen === 'audit' ? screen : (params.page ?? 'profile')
  // Its address is another one.
  const name = params.page === 'audit' ? undefined : NAMES.find((one) => one === asked)
  return (
    <div className="page-scroll">
      <div className="page-column page-aside py-5">
        <PageHeading
          title={name ? [t(`settings.${name}`), t('settings.title')] : [t('settings.title')]}
          className="md:col-span-2"
        >
          {t('settings.title')}
        </PageHeading>
        <Sections name={name} access={person.access} />
        <div className="min-w-0 py-5 md:pt-3">
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

/** At the side, in groups; on a phone one row, which scrolls to the open part. */
function Sections({ name, access }: { name: PartName | undefined; access: Access }) {
  const t = useTranslations('settings')
  const row = useRef<HTMLElement>(null)
  const id = useId()
  useEffect(() => {
    // Joins the scroll position: on a phone not all parts fit.
    const here = name && row.current?.querySelector<HTMLElement>(`[href="${hrefOf(name)}"]`)
    if (row.current && here) row.current.scrollLeft = here.offsetLeft - KEEP_BEFORE_PX
  }, [name])
  return (
    <nav
      ref={row}
      aria-label={t('sections')}
      className={cx(
        'mt-2 flex gap-x-4 max-md:relative max-md:fade-on max-md:overflow-x-auto max-md:border-b max-md:border-line',
        'md:sticky md:top-0 md:mt-0 md:flex-col md:gap-y-5 md:py-3 md:[anchor-name:--aside]',
      )}
    >
      {GROUP_NAMES.map((group) => {
        const parts = GROUPS[group].filter((one) => maySee(one, access))
        if (parts.length === 0) return null
        return (
          <div key={group} className="max-md:contents">
            <h2 id={`${id}-${group}`} className="mb-1 px-2 text-meta font-medium text-t3 max-md:hidden">
              {t(`group.${group}`)}
            </h2>
            <ul aria-labelledby={`${id}-${group}`} className="flex gap-x-4 md:flex-col md:gap-y-0.5">
              {parts.map((one) => (
                <li key={one} className="shrink-0">
                  <Link
                    href={hrefOf(one)}
                    aria-current={one === name ? 'page' : undefined}
                    className={cx(LINK, one === name ? OPEN : CLOSED)}
                  >
                    {t(one)}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        )
      })}
    </nav>
  )
}

/** A tab on a phone, a row of the list beside the page elsewhere. */
const LINK =
  'flex h-9 items-center whitespace-nowrap text-table touch:h-11 max-md:border-b-2 md:rounded-control md:px-2'
const OPEN = 'font-medium text-t1 max-md:border-accent md:bg-sel'
const CLOSED = 'text-t2 hover:text-t1 max-md:border-transparent md:hover:bg-hover'

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
