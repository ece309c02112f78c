/** What the menu of a card opens: asking back, handing it over. Fetched with the first press. */
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useLog } from '@/client'
import { useMe } from '@/client/account/session'
import { useDraft } from '@/client/drafts'
import { Select } from '@/components/ui/Choice'
import { Dialog } from '@/components/ui/Dialog'
import { OtherDraft } from '@/components/ui/OtherDraft'
import { ServerButton } from '@/components/ui/ServerButton'
import { TextArea } from '@/components/ui/TextField'
import { draftTextIn } from '@/lib/wire/drafts'
import { sendAskBack, sendTransfer } from './commands'
import type { RequestShown } from './shown'
import { useCommandToast } from './useCommandToast'

export type CardDialog = 'ask' | 'hand'
type Opened = { shown: RequestShown; onClose: () => void }

export default function CardDialogs({ open, ...opened }: Opened & { open: CardDialog }) {
  return open === 'ask' ? <AskBack {...opened} /> : <HandOver {...opened} />
}

function AskBack({ shown, onClose }: Opened) {
  const t = useTranslations('request')
  const said = useCommandToast()
  const draft = useDraft(`request:${shown.request.id}.ask-back`)
  const { text, setText } = draft
  const [isSending, setSending] = useState(false)
  const isOff = text.trim() === '' || isSending
  const send = async (): Promise<void> => {
    setSending(true)
    if (await said(sendAskBack(shown.request.id, text.trim()), t('didAskBack', { who: shown.asker.name }))) {
      draft.clear()
      onClose()
    }
    setSending(false)
  }
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={t('askBackTitle', { who: shown.asker.name })}
      foot={
        <ServerButton look="primary" isDisabled={isOff} reason={t('answerFirst')} onClick={() => void send()}>
          {t('sendQuestion')}
        </ServerButton>
      }
    >
      <p className="mb-3 text-table text-t2">{t('askBackWhy', { who: shown.asker.name })}</p>
      <TextArea label={t('yourQuestion')} minLines={2} value={text} onChange={({ target }) => setText(target.value)} />
      <OtherDraft draft={draft} className="mt-1" />
    </Dialog>
  )
}

const NOBODY = 'nobody yet'

function HandOver({ shown, onClose }: Opened) {
  const t = useTranslations('request')
  const said = useCommandToast()
  const [isSending, setSending] = useState(false)
  const me = useMe()?.person.agent_id ?? null
  const { request } = shown
  const draft = useDraft(`request:${request.id}`)
  const handing = useDraft(`request:${request.id}.hand-over`)
  const to = draftTextIn(handing.more, 'to') ?? NOBODY
  const sentence = handing.text
  const people = useLog(`task:${request.task}`, (world) =>
    (world.tasks[request.task]?.group ?? []).flatMap((id) => {
      const agent = world.agents[id]
      return agent && agent.kind === 'human' && !agent.removed && id !== me ? [agent] : []
    }),
  )
  const isOff = to === NOBODY || sentence.trim() === '' || isSending
  const send = async (): Promise<void> => {
    const chosen = people.find(({ id }) => id === to)
    if (!chosen) return
    setSending(true)
    const begun = draft.text.trim()
    const act = sendTransfer({
      to: chosen.id,
      requests: [request.id],
      sentence: sentence.trim(),
      ...(begun === '' ? {} : { begun: { [request.id]: begun } }),
    })
    if (await said(act, t('didHandOver', { who: chosen.name }))) {
      draft.clear()
      handing.clear()
      onClose()
    }
    setSending(false)
  }
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={t('handOver')}
      foot={
        people.length === 0 ? null : (
          <ServerButton look="primary" isDisabled={isOff} reason={t('handOverFirst')} onClick={() => void send()}>
            {t('handOver')}
          </ServerButton>
        )
      }
    >
      <div className="flex flex-col gap-3">
        {people.length === 0 ? null : <p className="text-table text-t2">{t('handOverWhy')}</p>}
        {people.length === 0 ? (
          <p role="status">{t('nobodyElse')}</p>
        ) : (
          <Select<string>
            label={t('handOverTo')}
            options={[
              { value: NOBODY, label: '—' },
              ...people.map(({ id, name }) => ({ value: id as string, label: name })),
            ]}
            value={people.some(({ id }) => id === to) ? to : NOBODY}
            onChange={(next) => handing.setMore({ to: next === NOBODY ? null : next })}
          />
        )}
        {people.length === 0 ? null : (
          <>
            <TextArea
              label={t('handOverSentence')}
              minLines={1}
              maxLength={1_000}
              value={sentence}
              onChange={({ target }) => handing.setText(target.value)}
            />
            <OtherDraft draft={handing} />
            {draft.text.trim() === '' ? null : <p className="text-table text-t2">{t('begunGoes')}</p>}
          </>
        )}
      </div>
    </Dialog>
  )
}
