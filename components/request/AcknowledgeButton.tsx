/** "Acknowledge" stops sound, title and dialog of an Urgent that stays open; "Done" settles an Action. Both can be undone. */
import { useTranslations } from 'use-intl'
import { useMe } from '@/client/account/session'
import { useNow } from '@/client/clock'
import { showToast } from '@/components/ui/overlays/toast'
import { ActionButton, ServerButton } from '@/components/ui/ServerButton'
import type { MessageId, RequestId } from '@/lib/mas/ids'
import { sendClaim, settleMessage } from './commands'
import { canAcknowledge, type RequestShown } from './shown'
import { useCommandToast } from './useCommandToast'

/** The server accepts an undo for this long. */
const UNDO_MS = 5 * 60_000

const sendUndo = (message: MessageId) => settleMessage(message, 'undo')

/** "Undo", while the server accepts it. `at`: when it was acknowledged or done, epoch ms. */
export function UndoButton({ message, at }: { message: MessageId; at: number }) {
  const t = useTranslations('common')
  const now = useNow('minutes')
  const run = useCommandToast()
  if (now - at >= UNDO_MS) return null
  return (
    <ServerButton look="quiet" onClick={() => void run(sendUndo(message))}>
      {t('undo')}
    </ServerButton>
  )
}

/** out: acknowledges or marks as done, with a toast that offers to undo it; whether the server accepted it */
export function useSettle(): (message: MessageId, act: 'acknowledge' | 'done') => Promise<boolean> {
  const t = useTranslations()
  const run = useCommandToast()
  return async (message, act) => {
    if (!(await run(settleMessage(message, act)))) return false
    showToast('done', act === 'acknowledge' ? t('request.didAcknowledge') : t('request.didDone'), {
      actions: [{ label: t('common.undo'), onPress: () => void run(sendUndo(message)) }],
    })
    return true
  }
}

/** isInactive: just drawn over the page, so that presses do not count yet */
type ButtonLook = { isInactive?: boolean; look?: 'plain' | 'primary' | 'quiet' }
type AcknowledgeButtonProps = ButtonLook & { message: MessageId | null; request?: RequestId | null }

/** `request`: without a message an Urgent is acknowledged by claiming its request, which everybody sees. */
export function AcknowledgeButton({ message, request = null, isInactive = false, look }: AcknowledgeButtonProps) {
  const t = useTranslations('request')
  const settle = useSettle()
  const run = useCommandToast()
  const act = async (): Promise<void> => {
    if (isInactive) return
    if (message !== null) await settle(message, 'acknowledge')
    else if (request !== null) await run(sendClaim(request))
  }
  return (
    <ActionButton look={look} data-act="acknowledge" act={act}>
      {t('acknowledge')}
    </ActionButton>
  )
}

/** Acknowledges an urgent request, while it can be. */
export function AcknowledgeRequest({ shown, ...button }: ButtonLook & { shown: RequestShown }) {
  const me = useMe()?.person.agent_id ?? null
  const { id, message } = shown.request
  if (me === null || !canAcknowledge(shown.request, me)) return null
  return <AcknowledgeButton {...button} message={message} request={id} />
}

export function DoneButton({ message }: { message: MessageId }) {
  const t = useTranslations('request')
  const settle = useSettle()
  return (
    <ActionButton data-act="done" act={() => settle(message, 'done')}>
      {t('markDone')}
    </ActionButton>
  )
}
