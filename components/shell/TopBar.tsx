import { ArrowLeft, PanelLeft, Search } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useActionLook } from '@/client/actions/actionLook'
import { menuSigns } from '@/client/actions/keySigns'
import { useRecords, useRow } from '@/client/hooks'
import { Link, pathTo } from '@/client/nav'
import { taskTitle } from '@/client/readersWords'
import { NoticesButton } from '@/components/notices/NoticesButton'
import { DndButton } from '@/components/notify/DndButton'
import { IconButton } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { FromPress } from '@/components/ui/lazyPart'
import type { TaskId } from '@/lib/mas/ids'
import type { Me } from '@/lib/wire'
import { ConnectionChip } from './connection/ConnectionChip'
import { Logo } from './Logo'
import { MemberMenu } from './lazy'
import { MemberButton } from './MemberButton'
import type { MemberMenuProps } from './MemberMenu'
import { NoticeSlot, useNotice } from './NoticeBar'

type TopBarProps = {
  me: Me
  hasList: boolean
  onToggleList: () => void
  taskId: string | null
  onPalette: () => void
}

export function TopBar({ me, hasList, onToggleList, taskId, onPalette }: TopBarProps) {
  const t = useTranslations()
  const row = useRow(taskId === null ? null : 'overview', taskId)
  // An archived task is in no list; its name comes from its own view.
  const [nameOnPage] = useRecords(taskId === null ? null : `task:${taskId}`, ({ tasks }) => [
    tasks[taskId as TaskId]?.name,
  ])
  const name = row?.name ?? nameOnPage
  const task = name === undefined ? undefined : taskTitle(name)
  const isTask = task !== undefined
  const notice = useNotice()
  const palette = useActionLook()('palette', 'page')
  const hasNotice = notice !== undefined
  // On a phone an Urgent, which stays until it is acknowledged, takes less room than other notices.
  const inMenu = isTask || (hasNotice && notice !== 'urgent') ? 'all' : hasNotice ? 'rest' : 'nothing'
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: outside of articles and sections a header is the banner.
    <header
      data-pane="banner"
      data-notice={hasNotice ? '' : undefined}
      tabIndex={-1}
      aria-label={t('common.product')}
      className={cx(
        'group/top flex h-12 shrink-0 items-center gap-2 border-b border-line pr-2 pl-4 max-md:gap-0',
        'focus-visible:-outline-offset-2 md:pr-3 xl:pl-[1.375rem]',
      )}
    >
      {task === undefined ? null : (
        <>
          <Link
            href={pathTo('tasks')}
            aria-label={t('chat.toTasks')}
            className="-ml-2.5 grid size-11 shrink-0 place-items-center text-t2 md:hidden"
          >
            <ArrowLeft className="size-5" />
          </Link>
          <span aria-hidden className="cut text-question font-bold md:hidden max-md:group-data-notice/top:hidden">
            {task}
          </span>
        </>
      )}
      <Link
        href="/"
        className={cx(
          'flex min-w-0 items-center gap-2.5 rounded-control text-question font-bold touch:h-11',
          isTask && 'max-md:hidden',
          'max-md:group-data-notice/top:hidden',
        )}
      >
        <Logo />
        <span className="cut max-md:sr-only">{t('common.product')}</span>
      </Link>
      {hasList ? (
        <IconButton
          className="max-md:hidden lg:hidden"
          icon={<PanelLeft />}
          label={t('shell.showList')}
          onClick={onToggleList}
        />
      ) : null}
      <button
        type="button"
        aria-keyshortcuts={palette.shortcuts}
        className={cx(
          'ml-3 flex h-8 w-[26rem] items-center gap-2 rounded-control border border-line-strong bg-s2 px-2.5',
          'text-table text-t3 hover:bg-hover max-xl:hidden group-data-notice/top:hidden',
        )}
        onClick={onPalette}
      >
        <Search className="size-4" />
        <span className="cut grow text-left">{t('palette.open')}</span>
        {/* No <kbd>: every page would fetch its typeface for these letters. */}
        <span aria-hidden className="rounded-control border border-line bg-s1 px-1 text-meta">
          {menuSigns(palette.key)}
        </span>
      </button>
      {hasNotice ? null : <span className="grow" />}
      <span className={cx('contents', !hasNotice && 'xl:hidden', inMenu === 'all' && 'max-md:hidden')}>
        <IconButton icon={<Search />} label={t('palette.open')} onClick={onPalette} />
      </span>
      <NoticeSlot />
      <ConnectionChip />
      {/* On a phone the name of a task, or a notice, takes the room; what it hides is in the member's menu. */}
      <span className={cx('contents', inMenu !== 'nothing' && 'max-md:hidden')}>
        <DndButton />
      </span>
      <span className={cx('contents', inMenu === 'all' && 'max-md:hidden')}>
        <NoticesButton />
      </span>
      <LazyMemberMenu me={me} inMenu={inMenu} />
    </header>
  )
}

/** From the first press on, the fetched menu draws its button too. */
function LazyMemberMenu(props: MemberMenuProps) {
  const { name, agent_id: id } = props.me.person
  const [isPressed, setPressed] = useState(false)
  return (
    <FromPress
      part={MemberMenu}
      partProps={props}
      isPressed={isPressed}
      onLost={() => setPressed(false)}
      button={
        <MemberButton
          name={name}
          id={id}
          aria-haspopup="menu"
          aria-expanded={isPressed}
          onClick={() => setPressed(true)}
        />
      }
    />
  )
}
