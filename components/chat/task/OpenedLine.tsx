import { Lock } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { TimeText } from '@/components/ui/marks/Time'
import type { OpenedFrom } from '@/lib/mas/records'

/** From which file a task was opened, by whom and when. */
export function OpenedLine({ from: { file, by, at, exported } }: { from: OpenedFrom }) {
  const t = useTranslations('chat.opened')
  return (
    <p data-kind="opened" className="flex flex-wrap items-center gap-x-2 gap-y-0.5 py-1.5 text-table text-t2">
      <Lock aria-hidden className="size-4 shrink-0 text-t3" />
      <b className="font-medium text-t1">{t('mark')}</b>
      <span className="min-w-0 break-all">{file}</span>
      <span>
        {t('by', { who: by })} · <TimeText at={at} />
      </span>
      <span>
        {t('exported', { who: exported.by })} · <TimeText at={exported.at} />
      </span>
    </p>
  )
}
