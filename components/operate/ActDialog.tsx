/**
 * The question before an operator's act, with the reason that everyone in the task will see.
 *
 * A refusal stays in the dialog.
 */
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useDraft } from '@/client/drafts'
import { ConfirmDialog } from '@/components/ui/overlays/Dialog'
import { showToast } from '@/components/ui/overlays/toast'
import type { Act } from './acts'
import { useSendAct } from './useSendAct'

export type ActQuestion = {
  title: string
  /** What happens, to whom, and whether it can be undone. */
  what: ReactNode
  action: string
  /** Label of the cancelling button, where "Cancel" could be taken for the act. */
  dismiss?: string
  act: Act
  /** The words of the toast; null: none. */
  done: string | null
  /** false: the act is recorded with who did it alone. */
  hasReason?: boolean
  onDone?: () => void
}

type ActDialogProps = { asked: ActQuestion | null; onClose: () => void; focusAfter?: () => HTMLElement | null }

export function ActDialog({ asked, onClose, focusAfter }: ActDialogProps) {
  return asked ? <OpenAct asked={asked} onClose={onClose} focusAfter={focusAfter} /> : null
}

type OpenActProps = { asked: ActQuestion; onClose: () => void; focusAfter?: () => HTMLElement | null }

function OpenAct({ asked, onClose, focusAfter }: OpenActProps) {
  const t = useTranslations('operate')
  const { failure, send } = useSendAct()
  // The question keeps its words while the dialog closes: the row behind it may be gone by then.
  const [{ title, what, action, dismiss, act, done, hasReason = true, onDone }] = useState(asked)
  const draft = useDraft(hasReason ? act.place : null)
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title={title}
      action={action}
      dismiss={dismiss}
      reasonLabel={hasReason ? t('reason') : undefined}
      isReasonNeeded={hasReason}
      draft={draft}
      failure={failure}
      focusAfter={focusAfter}
      onConfirm={async (reason) => {
        if (!(await send(reason, (head) => act(reason, head)))) return
        draft.clear()
        onDone?.()
        onClose()
        if (done !== null) showToast('done', done)
      }}
    >
      {what}
    </ConfirmDialog>
  )
}
