/** Answering a person's Urgent where it is read. The text is kept until the server has stored the answer. */
import { type ReactNode, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { commandDeadline, newId } from '@/client/api'
import { useDraft } from '@/client/drafts'
import { AcknowledgeButton } from '@/components/request'
import { ActionRow } from '@/components/request/bodies/ActionRow'
import { useRefusalText } from '@/components/request/card/Outcome'
import { onSubmitChord } from '@/components/request/card/useCardKeys'
import { type AnswerRefusal, sendReply } from '@/components/request/commands'
import { OtherDraft } from '@/components/ui/fields/OtherDraft'
import { TextArea } from '@/components/ui/fields/TextField'
import { ServerButton } from '@/components/ui/ServerButton'
import type { MessageId } from '@/lib/mas/ids'
import type { CommandHead } from '@/lib/wire'
import type { MessageRow } from '@/lib/wire/rows'

/** The unsent answer to this message, the same wherever its row is shown. */
export const useUrgentDraft = (message: MessageId | null) => useDraft(message === null ? null : `act:answer.${message}`)

type UrgentAnswerProps = {
  row: MessageRow
  /** Just drawn over the page: presses do not count yet. */
  isDead?: boolean
  children?: ReactNode
}

export function UrgentAnswer({ row: { message, receipt }, isDead = false, children }: UrgentAnswerProps) {
  const t = useTranslations('request')
  const sayRefusal = useRefusalText()
  const draft = useUrgentDraft(message.id)
  const box = useRef<HTMLTextAreaElement>(null)
  const [isSending, setSending] = useState(false)
  const [refusal, setRefusal] = useState<AnswerRefusal | null>(null)
  /** A repeat keeps the id of its command until the server has answered. */
  const sent = useRef<{ head: CommandHead; text: string } | null>(null)
  const text = draft.text.trim()
  const answer = async (): Promise<void> => {
    if (isDead || isSending) return
    if (text === '') return box.current?.focus()
    if (sent.current?.text !== text) sent.current = { head: { id: newId(), until: commandDeadline() }, text }
    setSending(true)
    const outcome = await sendReply(message, text, sent.current.head)
    setSending(false)
    setRefusal(outcome.ok ? null : outcome.refusal)
    if (outcome.ok) draft.clear()
    else if (outcome.refusal.kind !== 'unreachable') sent.current = null
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: one chord for the box and the buttons; each is reachable by itself.
    <div className="mt-3" onKeyDown={onSubmitChord(() => void answer())}>
      <TextArea
        ref={box}
        data-act="reply"
        label={t('yourAnswer')}
        isLabelHidden
        placeholder={t('yourAnswer')}
        minLines={2}
        maxLines={10}
        value={draft.text}
        onChange={({ target }) => {
          draft.setText(target.value)
          setRefusal(null)
        }}
      />
      <OtherDraft draft={draft} className="mt-1" />
      {refusal === null ? null : (
        <p role="alert" className="mt-1.5 text-meta text-failed">
          {sayRefusal(refusal)}
        </p>
      )}
      <ActionRow>
        <ServerButton
          look="primary"
          isDisabled={text === '' || isSending}
          reason={isSending ? t('sending') : t('writeAnswerFirst')}
          onClick={() => void answer()}
        >
          {isSending ? t('sending') : t('answer')}
        </ServerButton>
        {receipt.acknowledgedAt === null ? <AcknowledgeButton message={message.id} isDead={isDead} /> : null}
        {children}
      </ActionRow>
    </div>
  )
}
