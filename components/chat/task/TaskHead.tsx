/** The head of a task: name, state, members, cost, menu. On a phone the top bar shows the name. */
import { Coins, FileDown, History, Users } from 'lucide-react'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { useRow } from '@/client'
import { pathTo, withSearch } from '@/client/nav'
import { taskTitle } from '@/client/readersWords'
import { ExportDialog } from '@/components/result/lazy'
import { TaskChip } from '@/components/tasks/progress'
import { cx } from '@/components/ui/cx'
import { AvatarRow } from '@/components/ui/marks/Avatar'
import { LiveAvatar } from '@/components/ui/marks/presence'
import { StatusChip } from '@/components/ui/marks/StatusChip'
import type { MenuEntry } from '@/components/ui/overlays/Menu'
import { PageHeading } from '@/components/ui/PageHeading'
import { useCopyLinkEntry } from '@/components/ui/useCopyLink'
import { formatCost, formatTokens } from '@/lib/format'
import type { TaskWorld } from '../useTaskWorld'
import { useTimeTravel } from '../useTimeTravel'
import { LevelMenu } from './LevelMenu'
import { TaskButtons } from './TaskButtons'

export function TaskHead({ task: whole, tab }: { task: TaskWorld; tab: string }) {
  const { task, who, me } = whole
  const t = useTranslations('chat')
  const locale = useLocale()
  const [isExporting, setExporting] = useState(false)
  const copyLink = useCopyLinkEntry()
  const row = useRow('overview', task?.id ?? null)
  const turnTime = useTimeTravel(whole.id)
  if (task === null) return <PageHeading title={[t('task'), tab]}>{t('task')}</PageHeading>
  const paused = task.paused
  // On a phone the stage that runs and the strip say it.
  const isSaidBelow = row?.chip === 'running' || row?.chip === 'waiting' || row?.chip === 'idle'
  const hasRail = !whole.isBase && whole.stages.length > 0
  const people = task.group.filter(whole.isPerson).length
  const cost = row?.costUsd != null && row.costUsd > 0 ? formatCost(row.costUsd) : null
  const inspect = (aspect: string): string => withSearch({ inspect: `TaskState_${task.id}`, tab: aspect })
  const details: MenuEntry[] = [
    {
      kind: 'link',
      label: t('whoIsIn', { agents: task.group.length - people, people }),
      icon: <Users />,
      href: inspect('people'),
    },
    {
      kind: 'link',
      label: t('costNow', { cost: cost ?? t('tokens', { count: formatTokens(row?.tokens ?? null, locale) }) }),
      icon: <Coins />,
      href: inspect('cost'),
    },
    copyLink(pathTo('task', { taskId: task.id })),
    ...(turnTime === null
      ? []
      : task.opened !== undefined
        ? [
            {
              label: t('timeTravel'),
              icon: <History />,
              onSelect: turnTime,
              isDisabled: true,
              reason: t('openedNoMoments'),
            },
          ]
        : [{ kind: 'action' as const, action: 'moment' as const, label: t('timeTravel'), onSelect: turnTime }]),
    // Its file is what it was opened from.
    ...(task.opened === undefined
      ? [{ label: t('export'), icon: <FileDown />, onSelect: () => setExporting(true), isAct: true }]
      : []),
  ]
  const members = [...task.group].sort((a, b) => Number(a === me) - Number(b === me)).map(who)
  return (
    <div
      className={cx(
        'flex min-h-9 items-center gap-x-3 max-md:min-h-0 max-md:flex-wrap',
        hasRail ? 'max-md:order-last max-md:ml-auto' : 'max-md:grow',
      )}
    >
      {/* A cut name is shown whole on hover and focus, over what is at its right. */}
      <span
        data-whole={taskTitle(task.name)}
        className="relative flex min-w-0 after:pointer-events-none after:absolute after:top-0 after:left-0 after:z-popover after:w-max after:max-w-[calc(100cqw-2.5rem)] after:rounded-control after:bg-s1 after:pr-2 after:text-title after:font-bold after:tracking-tight after:break-words md:hover:after:content-[attr(data-whole)] md:has-focus-visible:after:content-[attr(data-whole)]"
      >
        <PageHeading title={[taskTitle(task.name), tab]} className="cut max-md:sr-only">
          {taskTitle(task.name)}
        </PageHeading>
      </span>
      {paused ? (
        <StatusChip
          state="blocked"
          raw={task.state}
          detail={t('pausedBy', { who: who(paused.by).name })}
          since={paused.at}
        />
      ) : row === null ? null : (
        <TaskChip row={row} className={hasRail && isSaidBelow ? 'max-md:hidden' : undefined} />
      )}
      <span className="ml-auto flex shrink-0 items-center gap-3 max-md:pl-3">
        <span className="hidden items-center gap-3 max-md:hidden! @min-[40rem]/main:flex">
          <AvatarRow people={members} max={7} Face={LiveAvatar} />
          {cost !== null ? (
            <span title={t('cost')}>{cost}</span>
          ) : row?.tokens != null ? (
            <span className="hidden text-t3 @min-[48rem]/main:inline">
              {t('tokens', { count: formatTokens(row.tokens, locale) })}
            </span>
          ) : null}
        </span>
        <span className="flex shrink-0 items-center gap-1.5">
          {task.opened === undefined ? <LevelMenu task={task.id} /> : null}
          <TaskButtons world={whole} details={details} />
          {isExporting ? <ExportDialog task={task.id} name={task.name} onClose={() => setExporting(false)} /> : null}
        </span>
      </span>
    </div>
  )
}
