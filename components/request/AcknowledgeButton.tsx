/** "Acknowledge": stops sound, title and dialog; what waits goes on waiting. Can be taken back for five minutes. */
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useNow } from '@/client/clock'
import { ServerButton } from '@/components/ui/ServerButton'
import { showToast } from '@/components/ui/toast'
import type { MessageId, RequestId } from '@/lib/mas/ids'
import { type AnswerRefusal, sendClaim, settleMessage } from './commands'
import { useRefusalText } from './Outcome'

/** What was acknowledged or marked as done can be taken back for so long; the server holds to it. */
const UNDO_MS = 5 * 60_000

/** "Undo", while it can still be taken back. `at`: when it was acknowledged or done. */
export function UndoButton({ message, at }: { message: MessageId; at: number }) {
  const t = useTranslations()
  const now = useNow('minutes')
  const sayRefusal = useRefusalText()
  if (now - at >= UNDO_MS) return null
  return (
    <ServerButton
      look="quiet"
      onClick={() =>
        void settleMessage(message, 'undo').then((back) => {
          if (!back.ok)
            showToast('error', back.refusal.kind === 'over' ? t('request.isOver') : sayRefusal(back.refusal))
        })
      }
    >
      {t('common.undo')}
    </ServerButton>
  )
}

/** Send acknowledge or done, say what came of it, offer to take it back. */
export function useSettle(): (message: MessageId, act: 'acknowledge' | 'done') => Promise<boolean> {
  const t = useTranslations()
  const sayRefusal = useRefusalText()
  const failed = (refusal: AnswerRefusal): void => {
    showToast('error', refusal.kind === 'over' ? t('request.isOver') : sayRefusal(refusal))
  }
  return async (message, act) => {
    const came = await settleMessage(message, act)
    if (!came.ok) {
      failed(came.refusal)
      return false
    }
    const undo = (): void => {
      void settleMessage(message, 'undo').then((back) => {
        if (!back.ok) failed(back.refusal)
      })
    }
    showToast('done', act === 'acknowledge' ? t('request.didAcknowledge') : t('request.didDone'), {
      actions: [{ label: t('common.undo'), onPress: undo }],
    })
    return true
  }
}

/** `request`: what came without a message is acknowledged by taking it, which everybody sees. */
export function AcknowledgeButton({
  message,
  request = null,
  isDead = false,
  look = 'plain',
}: {
  message: MessageId | null
  request?: RequestId | null
  isDead?: boolean
  look?: 'plain' | 'primary' | 'quiet'
}) {
  const t = useTranslations('request')
  const settle = useSettle()
  const sayRefusal = useRefusalText()
  const [isSending, setSending] = useState(false)
  const take = async (id: RequestId): Promise<void> => {
    const came = await sendClaim(id)
    if (!came.ok) showToast('error', came.refusal.kind === 'over' ? t('isOver') : sayRefusal(came.refusal))
  }
  return (
    <ServerButton
      look={look}
      data-act="acknowledge"
      isDisabled={isSending}
      onClick={() => {
        if (isDead) return
        setSending(true)
        const act = message !== null ? settle(message, 'acknowledge') : request !== null ? take(request) : null
        void act?.finally(() => setSending(false))
      }}
    >
      {t('acknowledge')}
    </ServerButton>
  )
}

export function DoneButton({ message }: { message: MessageId }) {
  const t = useTranslations('request')
  const settle = useSettle()
  const [isSending, setSending] = useState(false)
  return (
    <ServerButton
      data-act="done"
      isDisabled={isSending}
      onClick={() => {
        setSending(true)
        void settle(message, 'done').finally(() => setSending(false))
      }}
    >
      {t('markDone')}
    </ServerButton>
  )
}
