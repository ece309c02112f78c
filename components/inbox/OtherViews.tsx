/** What I wait for, notices and FYI messages, what is done: each in the order of its rows. A lazy file. */
import { Inbox } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { HelpLink } from '@/components/help/HelpLink'
import { EmptyState } from '@/components/ui/States'
import type { AgentId } from '@/lib/mas/ids'
import { ItemList } from './ItemList'
import type { InboxRow, InboxTab } from './rows'

type View = Exclude<InboxTab, 'needs-me'>

const SHOWS: Record<View, (row: InboxRow) => boolean> = {
  waiting: ({ kind }) => kind === 'waiting',
  fyi: ({ group }) => group === 'info',
  done: ({ group }) => group === 'done',
}
const EMPTY = {
  waiting: { title: 'waitingEmpty', why: 'waitingEmptyWhy' },
  fyi: { title: 'informationEmpty', why: 'informationEmptyWhy' },
  done: { title: 'doneEmpty', why: 'doneEmptyWhy' },
} as const satisfies Record<View, unknown>

type OtherViewsProps = { view: View; rows: readonly InboxRow[]; me: AgentId; isBeside: boolean }

export default function OtherViews({ view, rows, me, isBeside }: OtherViewsProps) {
  const t = useTranslations('triage')
  const shown = rows.filter(SHOWS[view])
  if (shown.length === 0)
    return (
      <EmptyState title={t(EMPTY[view].title)} icon={<Inbox />} action={<HelpLink part="words" />}>
        {t(EMPTY[view].why)}
      </EmptyState>
    )
  return <ItemList key={view} groups={[{ id: view, head: null, rows: shown }]} me={me} isBeside={isBeside} />
}
