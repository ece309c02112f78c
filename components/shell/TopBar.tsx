/**
 * The bar at the top: the way home, the connection, the member.
 *
 * Owns: the bar. Not here: the member's menu (MemberMenu.tsx), the connection (ConnectionChip.tsx).
 */
import { PanelLeft } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { ConnectionState } from '@/client/connection'
import { Link } from '@/client/nav'
import { IconButton } from '@/components/ui/Button'
import { OpenLater } from '@/components/ui/OpenLater'
import type { Me } from '@/lib/wire'
import { ConnectionChip } from './ConnectionChip'
import { Logo } from './Logo'
import { MemberButton } from './MemberButton'

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
      <OpenLater
        load={loadMenu}
        partProps={{ me }}
        opens="menu"
        button={(props) => <MemberButton name={me.person.name} id={me.person.agent_id} {...props} />}
      />
    </header>
  )
}

const loadMenu = () => import('./MemberMenu')
