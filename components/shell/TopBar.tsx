/**
 * The bar at the top: the way home, the connection, the member.
 *
 * Owns: the bar and the member's menu. Not here: the connection's words (ConnectionChip.tsx).
 */
import { Keyboard, LogOut, PanelLeft, User } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { setLanguage, useLanguage } from '@/client/account/language'
import { keepSettings, signOut } from '@/client/account/session'
import type { ConnectionState } from '@/client/connection'
import { Link } from '@/client/nav'
import { setDisplay, type Theme, useDisplay } from '@/client/theme'
import { Avatar } from '@/components/ui/Avatar'
import { buttonClass, IconButton } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { Menu } from '@/components/ui/Menu'
import { showToast } from '@/components/ui/toast'
import { isLocale, LANGUAGES } from '@/lib/i18n'
import type { Me } from '@/lib/wire'
import { ConnectionChip } from './ConnectionChip'
import { Logo } from './Logo'

export function TopBar({
  me,
  connection,
  hasList,
  onToggleList,
}: {
  me: Me
  connection: ConnectionState
  hasList: boolean
  onToggleList: () => void
}) {
  const t = useTranslations()
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: outside of articles and sections a header is the banner.
    <header
      data-pane="banner"
      tabIndex={-1}
      aria-label={t('common.product')}
      className="flex h-12 shrink-0 items-center gap-2 border-b border-line pr-2 pl-4 focus-visible:-outline-offset-2 md:pr-3 xl:pl-[1.375rem]"
    >
      <Link href="/" className="flex min-w-0 items-center gap-2.5 rounded-control text-question font-bold">
        <Logo />
        <span className="cut">{t('common.product')}</span>
      </Link>
      {hasList ? (
        <IconButton
          className="max-md:hidden lg:hidden"
          icon={<PanelLeft aria-hidden />}
          label={t('shell.showList')}
          onClick={onToggleList}
        />
      ) : null}
      <span className="grow" />
      <ConnectionChip connection={connection} />
      <MemberMenu me={me} />
    </header>
  )
}

const THEMES: readonly Theme[] = ['system', 'light', 'dark']

function MemberMenu({ me }: { me: Me }) {
  const t = useTranslations()
  const theme = useDisplay((display) => display.theme)
  const locale = useLanguage() ?? 'en'
  const { name, agent_id } = me.person
  const words = { system: t('settings.themeSystem'), light: t('settings.themeLight'), dark: t('settings.themeDark') }
  return (
    <Menu
      label={name}
      align="end"
      trigger={
        <button
          type="button"
          aria-label={t('shell.member', { name })}
          className={cx(buttonClass('quiet'), 'px-1.5! text-t1! touch:px-2!')}
        >
          <Avatar who={{ id: agent_id, name, kind: 'human' }} size={24} />
          <span className="max-lg:hidden">{name}</span>
        </button>
      }
      entries={[
        { kind: 'link', label: t('shell.profile'), icon: <User aria-hidden />, href: '/settings/profile' },
        { kind: 'link', label: t('shell.keyboard'), icon: <Keyboard aria-hidden />, href: '/settings/keyboard' },
        { kind: 'line' },
        {
          kind: 'choice',
          label: t('shell.theme'),
          value: theme,
          options: THEMES.map((value) => ({ value, label: words[value] })),
          onChange: (value) => {
            const chosen = THEMES.find((one) => one === value)
            if (!chosen) return
            setDisplay({ theme: chosen })
            void keepSettings({ theme: chosen })
          },
        },
        {
          kind: 'choice',
          label: t('shell.language'),
          value: locale,
          options: LANGUAGES.map((one) => ({ value: one.locale, label: one.name, lang: one.locale })),
          onChange: (value) => {
            if (!isLocale(value)) return
            setLanguage(value)
            if (value !== 'en-XA') void keepSettings({ language: value })
          },
        },
        { kind: 'line' },
        {
          kind: 'action',
          label: t('shell.signOut'),
          icon: <LogOut aria-hidden />,
          onSelect: () =>
            void signOut().then((answer) => {
              if (!answer.ok && answer.status !== 401) showToast('error', t('error.server'))
            }),
        },
      ]}
    />
  )
}
