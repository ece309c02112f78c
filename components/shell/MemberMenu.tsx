/**
 * The member's menu: profile, keys, theme, language, sign-out. A lazy file.
 * On a phone it also holds what has no room in the bar.
 */
import { Bell, CircleHelp, Keyboard, LogOut, Moon, Search, User } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { setLanguage, useLanguage } from '@/client/account/language'
import { pathTo } from '@/client/nav'
import { dndWith, useDnd } from '@/client/notify/useDnd'
import { type Display, setDisplay, useDisplay } from '@/client/theme'
import { useNotices } from '@/components/notices/notices'
import { useKeep } from '@/components/settings/Setting'
import { useSignOut } from '@/components/settings/useSignOut'
import { Menu, type MenuEntry } from '@/components/ui/overlays/Menu'
import { useIsNarrow } from '@/components/ui/useIsNarrow'
import { useSaveSettings } from '@/components/ui/useSaveSettings'
import { isLocale, LOCALE_NAMES } from '@/lib/i18n'
import type { Me } from '@/lib/wire'
import { MemberButton } from './MemberButton'

const THEMES: readonly Display['theme'][] = ['system', 'light', 'dark']

/** all: search, notices and do not disturb; rest: do not disturb alone. */
type InMenu = 'nothing' | 'rest' | 'all'

export type MemberMenuProps = { me: Me; inMenu: InMenu }

export default function MemberMenu({ me, inMenu }: MemberMenuProps) {
  const t = useTranslations()
  const { signOut, question } = useSignOut()
  const keep = useKeep()
  const [isOpen, setOpen] = useState(true)
  const theme = useDisplay((display) => display.theme)
  const locale = useLanguage() ?? 'en'
  const { name, agent_id } = me.person
  const isNarrow = useIsNarrow()
  const instead = useInsteadOfBar(inMenu)
  const words = { system: t('settings.themeSystem'), light: t('settings.themeLight'), dark: t('settings.themeDark') }
  return (
    <>
      <Menu
        label={name}
        isOpen={isOpen}
        onOpenChange={setOpen}
        trigger={<MemberButton name={name} id={agent_id} />}
        entries={[
          ...(isNarrow ? instead : []),
          { kind: 'link', label: t('shell.profile'), icon: <User />, href: '/settings/profile' },
          { kind: 'link', label: t('shell.keyboard'), icon: <Keyboard />, href: '/settings/keyboard' },
          { kind: 'link', label: t('shell.help'), icon: <CircleHelp />, href: pathTo('help') },
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
              keep({ theme: chosen })
            },
          },
          {
            kind: 'choice',
            label: t('shell.language'),
            value: locale,
            options: LOCALE_NAMES.map((one) => ({ value: one.locale, label: one.name, lang: one.locale })),
            onChange: (value) => {
              if (!isLocale(value)) return
              setLanguage(value)
              if (value !== 'en-XA') keep({ language: value })
            },
          },
          { kind: 'line' },
          {
            label: t('shell.signOut'),
            icon: <LogOut />,
            onSelect: signOut,
          },
        ]}
      />
      {question}
    </>
  )
}

/** The entries that have no room in the bar. */
function useInsteadOfBar(inMenu: InMenu): readonly MenuEntry[] {
  const t = useTranslations()
  const { fresh } = useNotices()
  const { isResting } = useDnd()
  const save = useSaveSettings()
  if (inMenu === 'nothing') return []
  const search: MenuEntry = { kind: 'link', label: t('shell.search'), icon: <Search />, href: pathTo('search') }
  const notices: MenuEntry = {
    kind: 'link',
    label: fresh > 0 ? t('notices.new', { count: fresh }) : t('notices.title'),
    icon: <Bell />,
    href: pathTo('notices'),
  }
  return [
    ...(inMenu === 'all' ? [search, notices] : []),
    {
      label: isResting ? t('palette.restOff') : t('palette.restOn'),
      icon: <Moon />,
      onSelect: () => void save(dndWith({ isOn: !isResting, until: null })),
    },
    { kind: 'line' },
  ]
}
