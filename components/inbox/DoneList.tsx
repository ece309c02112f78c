import { Inbox } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { HelpLink } from '@/components/help/HelpLink'
import { NoticeItem } from '@/components/notices/NoticeItem'
import { RequestCard } from '@/components/request'
import { EmptyState } from '@/components/ui/States'
import { MessageItem } from './MessageItem'
import type { InboxRow } from './rows'

export function RowList<Row extends InboxRow>({
  rows,
  empty,
  children,
}: {
  rows: readonly Row[]
  empty: { title: string; why: string }
  children: (row: Row) => ReactNode
}) {
  if (rows.length === 0)
    return (
      <EmptyState isInColumn title={empty.title} icon={<Inbox />} action={<HelpLink part="words" />}>
        {empty.why}
      </EmptyState>
    )
  return (
    <ul className="mt-4 flex flex-col gap-2">
      {rows.map((row) => (
        <li key={row.id}>{children(row)}</li>
      ))}
    </ul>
  )
}

export function DoneList({ rows }: { rows: readonly InboxRow[] }) {
  const t = useTranslations('triage')
  return (
    <RowList rows={rows} empty={{ title: t('doneEmpty'), why: t('doneEmptyWhy') }}>
      {(row) =>
        row.kind === 'request' ? (
          <RequestCard shown={row} place="list" isMine={false} />
        ) : row.kind === 'message' ? (
          <MessageItem row={row} isQuiet />
        ) : null
      }
    </RowList>
  )
}

/** "For information": notices and FYI messages, newest first. */
export function Information({ rows }: { rows: readonly InboxRow[] }) {
  const t = useTranslations('triage')
  return (
    <RowList rows={rows} empty={{ title: t('informationEmpty'), why: t('informationEmptyWhy') }}>
      {(row) =>
        row.kind === 'notice' ? <NoticeItem row={row} /> : row.kind === 'message' ? <MessageItem row={row} /> : null
      }
    </RowList>
  )
}
