/** Asking for a change of a result: the marked passage, and a comment that is kept until it is sent. A lazy file. */
import { X } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { useTranslations } from 'use-intl'
import { command } from '@/client/api'
import { useDraft } from '@/client/drafts'
import { useSendAct } from '@/components/operate/useSendAct'
import { ActionDialog } from '@/components/ui/ActionDialog'
import { Button } from '@/components/ui/Button'
import { DraftArea } from '@/components/ui/fields/OtherDraft'
import { showToast } from '@/components/ui/overlays/toast'
import { AlertText } from '@/components/ui/States'
import { draftTextIn } from '@/lib/wire/drafts'

/** As the server takes it. */
const PASSAGE_LENGTH = 2_000

type ChangeDialogProps = {
  task: string
  name: string
  /** What was marked; '': nothing, and a passage that was marked before stays. */
  passage: string
  onClose: () => void
}

export default function ChangeDialog({ task, name, passage: marked, onClose }: ChangeDialogProps) {
  const t = useTranslations('result')
  const draft = useDraft(`act:change.${task}`)
  const { failure, forget, send } = useSendAct()
  const begin = useEffectEvent((): void => {
    if (marked !== '') draft.setMore({ passage: marked.slice(0, PASSAGE_LENGTH) })
  })
  // Joins the draft, which keeps the passage with the comment.
  useEffect(() => begin(), [])
  const passage = draftTextIn(draft.more, 'passage') ?? ''
  const comment = draft.text.trim()
  const ask = async (): Promise<boolean> => {
    const body = { comment, passage }
    const isSent = await send(JSON.stringify(body), (head) => command(`/api/tasks/${task}/change`, body, head))
    if (isSent) {
      draft.clear()
      showToast('done', t('changeAsked'))
    }
    return isSent
  }
  return (
    <ActionDialog
      title={t('changeTitle', { name })}
      action={t('sendChange')}
      missing={comment === '' ? t('writeChange') : null}
      act={ask}
      onClose={onClose}
    >
      <p className="mb-3 text-table text-t2">{t('changeWhy')}</p>
      {passage === '' ? null : (
        <figure className="mb-3">
          <figcaption className="flex min-h-7 items-center justify-between gap-2 text-table font-medium">
            {t('passage')}
            <Button look="quiet" icon={<X />} onClick={() => draft.setMore({ passage: null })}>
              {t('dropPassage')}
            </Button>
          </figcaption>
          <blockquote className="max-h-40 overflow-y-auto border-l-2 border-line-strong pl-3 break-words whitespace-pre-wrap text-t2">
            {passage}
          </blockquote>
        </figure>
      )}
      <DraftArea
        draft={draft}
        label={t('comment')}
        minLines={3}
        maxLines={10}
        onText={(text) => {
          draft.setText(text)
          forget()
        }}
      />
      <AlertText text={failure} className="mt-1.5" />
    </ActionDialog>
  )
}
