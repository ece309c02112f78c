import { Bell } from 'lucide-react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { HelpLink } from '@/components/help/HelpLink'
import { moveFocus } from '@/components/ui/fields/keyboard'
import { EmptyState } from '@/components/ui/States'
import { NoticeItem } from './NoticeItem'
import { useNotices } from './notices'

export function NoticeList({ onOpen }: { onOpen?: () => void }) {
  const t = useTranslations('notices')
  const { rows, isNew, sawAll } = useNotices()
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const fresh = rows.filter(isNew).map(({ id }) => id)
  const key = fresh.join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the notices, or which of them are new, change.
  useEffect(() => {
    // Joins the read cursor: an open list has been read, also while it is not known yet how far.
    if (rows.length === 0) return
    if (key !== '') setMarked((before) => new Set([...before, ...key.split(' ')]))
    sawAll()
  }, [rows.length, key])
  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    moveFocus([...event.currentTarget.querySelectorAll('a')], step)
  }
  if (rows.length === 0)
    return (
      <EmptyState isInColumn title={t('empty')} icon={<Bell />} action={<HelpLink part="words" />}>
        {t('emptyWhy')}
      </EmptyState>
    )
  return (
    <ul aria-label={t('title')} onKeyDown={onKeyDown} className="flex flex-col">
      {rows.map((row) => (
        <li key={row.id}>
          <NoticeItem row={row} isNew={marked.has(row.id)} onOpen={onOpen} />
        </li>
      ))}
    </ul>
  )
}
