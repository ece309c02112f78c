/** Below a snoozed row: until when, and bringing it back at once. A lazy file. */
import { useTranslations } from 'use-intl'
import { sendReminder } from '@/components/request/commands'
import { useCommandToast } from '@/components/request/useCommandToast'
import { TimeText } from '@/components/ui/marks/Time'
import { ServerButton } from '@/components/ui/ServerButton'
import { type OpenRow, reminderOf } from './rows'

export default function SnoozedLine({ row, until }: { row: OpenRow; until: number }) {
  const t = useTranslations('triage')
  const run = useCommandToast()
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-2 pl-4 text-meta text-t3">
      <span>{t.rich('snoozedUntil', { time: () => <TimeText key="t" at={until} isClock /> })}</span>
      <ServerButton look="quiet" onClick={() => void run(sendReminder(reminderOf(row), 0), t('didBringBack'))}>
        {t('bringBack')}
      </ServerButton>
    </p>
  )
}
