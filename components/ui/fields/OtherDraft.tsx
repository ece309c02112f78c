/** “Restore other draft”: a text typed on another page that did not know of this one. Under every field that has drafts. */
import type { ComponentProps } from 'react'
import { useTranslations } from 'use-intl'
import type { TextDraft } from '@/client/drafts'
import { Button } from '../Button'
import { cx } from '../cx'
import { useFaultWords } from '../useFaultWords'
import { TextArea } from './TextField'

type OtherDraftProps = {
  draft: Pick<TextDraft, 'text' | 'other' | 'refused' | 'restoreOther' | 'dropOther'>
  className?: string
}

export function OtherDraft({ draft, className }: OtherDraftProps) {
  const t = useTranslations('common')
  const faultWords = useFaultWords()
  const { other, refused, restoreOther, dropOther } = draft
  if (refused !== undefined && draft.text !== '')
    return (
      <p role="status" className={cx('text-meta text-t3', className)}>
        {t('draftRefused', { why: faultWords(refused) })}
      </p>
    )
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

type DraftAreaProps = Omit<ComponentProps<typeof TextArea>, 'value' | 'onChange'> & {
  draft: TextDraft
  /** What was typed, where more happens than that the draft keeps it. */
  onText?: (text: string) => void
}

/** A box of many lines for the text of a draft, with the other draft below it. */
export function DraftArea({ draft, onText = draft.setText, ...area }: DraftAreaProps) {
  return (
    <>
      <TextArea {...area} value={draft.text} onChange={({ target }) => onText(target.value)} />
      <OtherDraft draft={draft} className="mt-1" />
    </>
  )
}
