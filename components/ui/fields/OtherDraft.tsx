/** “Restore other draft”: a text typed on another page that did not know of this one. Under every field that has drafts. */
import { useTranslations } from 'use-intl'
import type { TextDraft } from '@/client/drafts'
import { Button } from '../Button'
import { cx } from '../cx'

type OtherDraftProps = { draft: Pick<TextDraft, 'text' | 'other' | 'restoreOther' | 'dropOther'>; className?: string }

export function OtherDraft({ draft, className }: OtherDraftProps) {
  const t = useTranslations('common')
  const { other, restoreOther, dropOther } = draft
  if (other === null || (other === draft.text && other !== '')) return null
  return (
    <p className={cx('flex flex-wrap items-center gap-2 text-meta text-t3', className)}>
      {t('otherDraft')}
      <Button look="quiet" title={other} onClick={restoreOther}>
        {t('restoreDraft')}
      </Button>
      <Button look="quiet" onClick={dropOther}>
        {t('dropDraft')}
      </Button>
    </p>
  )
}
