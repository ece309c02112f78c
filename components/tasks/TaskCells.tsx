/** Cells of a task: its state, what blocks it, its members. */
import { useLocale, useTranslations } from 'use-intl'
import { AvatarRow } from '@/components/ui/Avatar'
import { DraftMark } from '@/components/ui/DraftMark'
import { LiveAvatar } from '@/components/ui/presence'
import { StatusChip } from '@/components/ui/StatusChip'
import { formatCost } from '@/lib/format'
import type { OverviewRow, Who } from '@/lib/wire'
import { taskChip } from './taskList'

export function StateCell({ row }: { row: OverviewRow }) {
  const t = useTranslations('tasks')
  const chip = taskChip(row)
  const isLive = row.state === 'running' && !row.base
  return (
    <StatusChip
      state={chip}
      raw={row.state}
      detail={row.paused && row.endedAt === null ? t('paused') : undefined}
      since={isLive ? row.createdAt : null}
      ms={row.endedAt === null ? null : row.endedAt - row.createdAt}
      className="max-w-full"
    />
  )
}

function useOn(me: string): (on: readonly Who[]) => string | undefined {
  const t = useTranslations()
  return (on) => {
    if (on.length === 0) return undefined
    if (on.some((who) => who.id === me))
      return on.length === 1 ? t('common.you') : t('tasks.youAnd', { count: on.length - 1 })
    return on.length === 1 ? on[0]?.name : t('tasks.people', { count: on.length })
  }
}

/** What blocks it; nothing when it is not blocked. */
export function StuckCell({ row, me }: { row: OverviewRow; me: string }) {
  const t = useTranslations('tasks')
  const onWords = useOn(me)
  const { stuck } = row
  if (stuck === null) return null
  switch (stuck.kind) {
    case 'waiting':
    case 'blocked':
      return (
        <span title={stuck.what} className="flex min-w-0">
          <StatusChip
            state={stuck.kind}
            raw={row.state}
            on={onWords(stuck.on)}
            detail={stuck.why === null ? undefined : t(`why.${stuck.why}`)}
            since={stuck.since}
            className="max-w-full"
          />
        </span>
      )
    case 'failed':
      return (
        <span title={stuck.what} className="cut block text-failed">
          {stuck.what}
        </span>
      )
  }
}

export function StageCell({ row }: { row: OverviewRow }) {
  const t = useTranslations('tasks')
  if (row.stage === null || row.base) return '—'
  return (
    <span title={row.stage.intention}>
      {t('stageOf', { number: String(row.stage.number), count: String(row.stage.of) })}
    </span>
  )
}

export const WhoCell = ({ row }: { row: OverviewRow }) => (
  <AvatarRow
    people={[...row.members].sort((a, b) => Number(a.kind === 'human') - Number(b.kind === 'human'))}
    size={20}
    max={7}
    Face={LiveAvatar}
  />
)

export function TaskCostCell({ row }: { row: OverviewRow }) {
  const locale = useLocale()
  return formatCost(row.costUsd, locale)
}

/** Marks after the name: an unsent draft, what needs me, a load test. */
export function TaskMarks({ row }: { row: OverviewRow }) {
  const t = useTranslations('tasks')
  return (
    <>
      <DraftMark place={`task:${row.task}`} />
      {row.mine > 0 ? (
        <span
          title={t('mine', { count: row.mine })}
          className="shrink-0 rounded-control bg-accent-soft px-1.5 text-meta font-medium text-accent"
        >
          {t('mine', { count: row.mine })}
        </span>
      ) : null}
      {row.load ? (
        <span className="shrink-0 rounded-control border border-dashed border-line-strong px-1.5 text-meta text-t3">
          {t('load')}
        </span>
      ) : null}
    </>
  )
}
