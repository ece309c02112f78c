import { useLocale, useTranslations } from 'use-intl'
import { AvatarRow } from '@/components/ui/marks/Avatar'
import { DraftMark } from '@/components/ui/marks/DraftMark'
import { LiveAvatar } from '@/components/ui/marks/presence'
import { StatusChip } from '@/components/ui/marks/StatusChip'
import { formatCost } from '@/lib/format'
import type { OverviewRow } from '@/lib/wire'

export function StateCell({ row }: { row: OverviewRow }) {
  // Whom it waits for stands in the column beside it.
  return (
    <StatusChip
      state={row.chip}
      raw={row.state}
      since={row.chip === 'running' && !row.base ? row.createdAt : null}
      ms={row.endedAt === null ? null : row.endedAt - row.createdAt}
      className="max-w-full"
    />
  )
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

/** Marks after the name: an unsent draft, what needs me. */
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
    </>
  )
}
