/** Everybody with whom I have a talk or may begin one, the latest first: beside a conversation, and as a page on a phone. */
import { MessageCircle } from 'lucide-react'
import { useLocale, useTranslations } from 'use-intl'
import { useHasDraft, usePresences, useRows, useViewStatus } from '@/client'
import { Link, pathTo } from '@/client/nav'
import type { ScreenProps } from '@/client/nav/screenProps'
import { HelpLink } from '@/components/help/HelpLink'
import { useNames } from '@/components/request/useNames'
import { cx } from '@/components/ui/cx'
import { Avatar, useKindName } from '@/components/ui/marks/Avatar'
import { Badge } from '@/components/ui/marks/Badges'
import { DraftMark } from '@/components/ui/marks/DraftMark'
import { presenceOf, usePresenceWord } from '@/components/ui/marks/presence'
import { TimeText } from '@/components/ui/marks/Time'
import { EmptyState, Skeleton } from '@/components/ui/States'
import { joinParts } from '@/lib/format'
import { firstWords } from '@/lib/format/plainText'
import type { DirectRow, OthersTalkRow } from '@/lib/wire/rows'

export default function DirectList({ params }: ScreenProps) {
  const t = useTranslations('direct')
  return (
    <>
      <p className="flex h-12 shrink-0 items-center border-b border-line px-3 text-table text-t2">{t('listHead')}</p>
      <Members current={params.agentId ?? null} />
    </>
  )
}

export function Members({ current }: { current: string | null }) {
  const t = useTranslations('direct')
  const all = useRows('direct')
  const rows = all.filter((row) => row.kind === 'direct')
  const others = all.filter((row) => row.kind === 'othersTalk')
  const { status } = useViewStatus('direct')
  if (status === 'loading') return <Skeleton lines={6} />
  if (all.length === 0)
    return (
      <EmptyState title={t('nobody')} icon={<MessageCircle />} action={<HelpLink part="start" />}>
        {t('nobodyWhy')}
      </EmptyState>
    )
  return (
    <div className="min-h-0 grow overflow-y-auto py-1">
      <nav aria-label={t('list')}>
        {rows.map((row) => (
          <MemberLink key={row.id} row={row} isCurrent={row.agent === current} />
        ))}
      </nav>
      {others.length === 0 ? null : <OthersTalks rows={others} />}
    </div>
  )
}

/** For who sees all tasks: that others have talks, between whom and when, and nothing of what they say. */
function OthersTalks({ rows }: { rows: readonly OthersTalkRow[] }) {
  const t = useTranslations('direct')
  const namesOf = useNames()
  return (
    <section aria-label={t('others')} className="mt-3 border-t border-line px-3 pt-2 text-table max-md:px-4">
      <h2 className="text-meta font-medium text-t3">{t('others')}</h2>
      <p className="text-meta text-t3">{t('othersWhy')}</p>
      <ul className="mt-1 flex flex-col gap-1">
        {rows.map((row) => (
          <li key={row.id} data-kind="othersTalk" className="flex items-baseline gap-2">
            <span className="cut grow">{namesOf(row.members.map(({ name }) => name))}</span>
            <span className="shrink-0 text-meta text-t3">{t('othersCount', { count: row.messages })}</span>
            <TimeText at={row.at ?? row.createdAt} className="shrink-0 text-meta text-t3" />
          </li>
        ))}
      </ul>
    </section>
  )
}

function MemberLink({ row, isCurrent }: { row: DirectRow; isCurrent: boolean }) {
  const t = useTranslations('direct')
  const tCommon = useTranslations('common')
  const nameOf = useKindName()
  const wordOf = usePresenceWord()
  const presence = usePresences()[row.agent] ?? null
  const { who, last, unread } = row
  const word = who.kind === 'human' ? wordOf(presence) : null
  const place = row.talk === null ? `direct:${row.agent}` : `task:${row.talk}`
  const draft = useHasDraft(place) ? tCommon('draft') : null
  const locale = useLocale()
  const name = [nameOf(who), word, unread > 0 ? t('unread', { count: unread }) : null, draft]
  return (
    <Link
      href={pathTo('talk', { agentId: row.agent })}
      aria-current={isCurrent ? 'page' : undefined}
      aria-label={joinParts(
        name.flatMap((part) => part ?? []),
        locale,
      )}
      data-id={row.agent}
      data-kind="direct"
      data-state={presence?.state ?? ''}
      className={cx(
        'flex min-h-12 items-center gap-2.5 px-3 max-md:px-4 py-1.5 -outline-offset-2 touch:min-h-14',
        isCurrent ? 'bg-sel' : 'hover:bg-hover',
      )}
    >
      <Avatar who={who} size={28} presence={presenceOf(presence)} />
      <span className="min-w-0 grow">
        <span className="flex items-baseline gap-2">
          <span className={cx('cut grow', unread > 0 && 'font-bold')}>{who.name}</span>
          <DraftMark place={place} />
          {last ? <TimeText at={last.at} className="shrink-0 text-meta text-t3" /> : null}
        </span>
        <span className="flex items-center gap-2 text-meta text-t3">
          <span className="cut grow">
            {last ? (last.isMine ? t('mine', { text: firstWords(last.text) }) : firstWords(last.text)) : t('silent')}
          </span>
          {unread > 0 ? <Badge count={unread} look="soft" /> : null}
        </span>
      </span>
    </Link>
  )
}
