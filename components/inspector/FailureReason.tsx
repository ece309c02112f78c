/** Why a step failed, in words; the raw error of a missing file is folded. */
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { LongText } from '@/components/ui/text/LongText'
import { missingFile } from '@/lib/mas/steps/failureCause'

/** children: between the words and the raw error. */
export function FailureReason({ reason, children }: { reason: string; children?: ReactNode }) {
  const t = useTranslations()
  const path = missingFile(reason)
  if (path === null) {
    return (
      <>
        <p className="whitespace-pre-wrap">
          <LongText text={reason} />
        </p>
        {children}
      </>
    )
  }
  return (
    <>
      <p className="font-medium">{t('tree.fileNotFound', { path })}</p>
      {children}
      <details>
        <summary>{t('inspector.rawError')}</summary>
        <code className="whitespace-pre-wrap">{reason}</code>
      </details>
    </>
  )
}
