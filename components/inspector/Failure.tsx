/** Why a step failed, in words, and what can be done about it. */
import { CircleX } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { LongText } from '@/components/ui/text/LongText'
import type { StepRecord } from '@/lib/mas/records'
import type { TreeRow } from '@/lib/wire'
import { useMayDirect } from './StepButtons'
import { missingFile } from './stepText'

export function Failure({ step, reason, row }: { step: StepRecord; reason: string; row: TreeRow | null }) {
  const t = useTranslations('inspector')
  const { task, mayDirect } = useMayDirect(step)
  const path = missingFile(reason)
  const next =
    row !== null && row.counts.failed === 0
      ? t('failedOver')
      : task === null || task.endedAt !== null || step.retired
        ? t('failedEnded')
        : step.byHand
          ? t('failedByHand')
          : mayDirect
            ? t('failedRetry')
            : t('failedAsk')
  return (
    <div className="flex gap-2 rounded-control bg-failed-b px-3 py-2 text-table text-failed">
      <CircleX className="mt-0.5 size-4" />
      <div className="flex min-w-0 flex-col gap-1 break-words">
        {path === null ? (
          <p className="whitespace-pre-wrap">
            <LongText text={reason} />
          </p>
        ) : (
          <p className="font-medium">{t('fileNotFound', { path })}</p>
        )}
        <p className="text-t1">{next}</p>
        {path === null ? null : (
          <details>
            <summary>{t('rawError')}</summary>
            <code className="whitespace-pre-wrap">{reason}</code>
          </details>
        )}
      </div>
    </div>
  )
}
