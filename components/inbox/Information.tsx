/** "For information": notices and FYI messages, newest first. */
import { useTranslations } from 'use-intl'
import { NoticeItem } from '@/components/notices/NoticeItem'
import { EmptyState } from '@/components/ui/States'
import { MessageItem } from './MessageItem'
import type { InboxRow } from './rows'

export function Information({ rows }: { rows: readonly InboxRow[] }) {
  const t = useTranslations('inbox')
  if (rows.length === 0)
    return (
      <EmptyState isInColumn title={t('informationEmpty')}>
        {t('informationEmptyWhy')}
      </EmptyState>
    )
  return (
    <ul className="mt-4 flex flex-col gap-2">
      {rows.map((row) => (
        <li key={row.id}>
          {row.kind === 'notice' ? <NoticeItem row={row} /> : row.kind === 'message' ? <MessageItem row={row} /> : null}
        </li>
      ))}
    </ul>
  )
}
