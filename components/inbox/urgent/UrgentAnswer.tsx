/** Answering a person's Urgent where it is read. The text is kept until the server has stored the answer. */
import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useDraft } from '@/client/drafts'
import { useSendAct } from '@/components/operate/useSendAct'
import { AcknowledgeButton } from '@/components/request'
import { ActionRow } from '@/components/request/bodies/ActionRow'
import { onSubmitChord } from '@/components/request/card/useCardKeys'
import { sendReply } from '@/components/request/commands'
import { DraftArea } from '@/components/ui/fields/OtherDraft'
import { ServerButton } from '@/components/ui/ServerButton'
import { AlertText } from '@/components/ui/States'
import type { MessageId } from '@/lib/mas/ids'
import type { MessageRow } from '@/lib/wire/rows'

/** The unsent answer to this message, the same wherever its row is shown. */
export const useUrgentDraft = (message: MessageId | null) => useDraft(message === null ? null : `act:answer.${message}`)

type UrgentAnswerProps = {
  row: MessageRow
  /** Just drawn over the page: presses do not count yet. */
  isInactive?: boolean
}

export function UrgentAnswer({ row: { message, outcome }, isInactive = false }: UrgentAnswerProps) {
  const t = useTranslations('request')
  const draft = useUrgentDraft(message.id)
  const box = useRef<HTMLTextAreaElement>(null)
  const { failure, isSending, forget, send } = useSendAct()
  const text = draft.text.trim()
  const answer = async (): Promise<void> => {
    if (isInactive || isSending) return
    if (text === '') return box.current?.focus()
    if (await send(text, (head) => sendReply(message, text, head))) draft.clear()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: one chord for the box and the buttons; each is reachable by itself.
    <div className="mt-2.5" onKeyDown={onSubmitChord(() => void answer())}>
      <DraftArea
        draft={draft}
        ref={box}
        data-act="reply"
        label={t('yourAnswer')}
        isLabelHidden
        placeholder={t('yourAnswer')}
        minLines={2}
        maxLines={10}
        onText={(text) => {
          draft.setText(text)
          forget()
        }}
      />
      <AlertText text={failure} className="mt-1.5 text-meta" />
      <ActionRow>
        <ServerButton
          look="primary"
          isDisabled={text === '' || isSending}
          reason={isSending ? t('sending') : t('writeAnswerFirst')}
          onClick={() => void answer()}
        >
          {isSending ? t('sending') : t('answer')}
        </ServerButton>
        {outcome.acknowledgedAt === null ? <AcknowledgeButton message={message.id} isInactive={isInactive} /> : null}
      </ActionRow>
    </div>
  )
}
