/**
 * What else can be done with a request that is open: ask back, take it, be reminded, hand it over.
 *
 * Owns: the menu and the two small dialogs. The request stays open through all of these. Not here: what was offered (HandingBar.tsx).
 */
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useLog } from '@/client'
import { useMe } from '@/client/account/session'
import { pageClock } from '@/client/clock'
import { useDraft } from '@/client/drafts'
import { IconButton } from '@/components/ui/Button'
import { Select } from '@/components/ui/Choice'
import { Dialog } from '@/components/ui/Dialog'
import { Menu } from '@/components/ui/Menu'
import { OtherDraft } from '@/components/ui/OtherDraft'
import { ServerButton } from '@/components/ui/ServerButton'
import { TextArea } from '@/components/ui/TextField'
import { SYSTEM_TASK } from '@/lib/mas/ids'
import { textIn } from '@/lib/wire/drafts'
import { askBack, claimRequest, handOver, REMINDERS, remindMe } from './commands'
import type { RequestShown } from './shown'
import { useSaid } from './useSaid'

export function CardMore({ shown }: { shown: RequestShown }) {
  const t = useTranslations('request')
  const said = useSaid()
  const [open, setOpen] = useState<'ask' | 'hand' | null>(null)
  const me = useMe()?.person.agent_id ?? null
  const { request, asker } = shown
  const isMine = me !== null && request.asked.includes(me)
  if (!isMine) return null
  const isTakenByMe = request.claimed?.by === me
  // From somebody who is at it, it is taken over by its own line, which asks for the reason.
  const isTaken = request.claimed !== null && request.claimed.until > pageClock.now()
  return (
    <>
      <Menu
        label={t('more')}
        align="end"
        trigger={<IconButton icon={<Ellipsis aria-hidden />} label={t('more')} />}
        entries={[
          ...(asker.id === SYSTEM_TASK
            ? []
            : [{ kind: 'action' as const, label: t('askBack'), onSelect: () => setOpen('ask') }]),
          {
            kind: 'action',
            label: t('takeIt'),
            isDisabled: isTaken,
            reason: isTaken ? (isTakenByMe ? t('takenByYou') : t('takenByOther')) : undefined,
            onSelect: () => void said(claimRequest(request.id), t('didTake')),
          },
          { kind: 'action', label: t('handOver'), onSelect: () => setOpen('hand') },
          { kind: 'line' },
          ...REMINDERS.map((minutes) => ({
            kind: 'action' as const,
            label: t('remindIn', { minutes }),
            onSelect: () =>
              void said(remindMe({ request: request.id, message: null }, minutes), t('didRemind', { minutes })),
          })),
        ]}
      />
      {open === 'ask' ? <AskBack shown={shown} onClose={() => setOpen(null)} /> : null}
      {open === 'hand' ? <HandOver shown={shown} onClose={() => setOpen(null)} /> : null}
    </>
  )
}

function AskBack({ shown, onClose }: { shown: RequestShown; onClose: () => void }) {
  const t = useTranslations('request')
  const said = useSaid()
  const draft = useDraft(`request:${shown.request.id}.ask-back`)
  const { text, setText } = draft
  const [isSending, setSending] = useState(false)
  const isOff = text.trim() === '' || isSending
  const send = async (): Promise<void> => {
    setSending(true)
    if (await said(askBack(shown.request.id, text.trim()), t('didAskBack', { who: shown.asker.name }))) {
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

function HandOver({ shown, onClose }: { shown: RequestShown; onClose: () => void }) {
  const t = useTranslations('request')
  const said = useSaid()
  const [isSending, setSending] = useState(false)
  const me = useMe()?.person.agent_id ?? null
  const { request } = shown
  const draft = useDraft(`request:${request.id}`)
  const handing = useDraft(`request:${request.id}.hand-over`)
  const to = textIn(handing.more, 'to') ?? NOBODY
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
    const act = handOver({
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
        <ServerButton look="primary" isDisabled={isOff} reason={t('handOverFirst')} onClick={() => void send()}>
          {t('handOver')}
        </ServerButton>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="text-table text-t2">{t('handOverWhy')}</p>
        {people.length === 0 ? (
          <p role="status" className="text-table">
            {t('nobodyElse')}
          </p>
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
        <TextArea
          label={t('handOverSentence')}
          minLines={1}
          maxLength={1_000}
          value={sentence}
          onChange={({ target }) => handing.setText(target.value)}
        />
        <OtherDraft draft={handing} />
        {draft.text.trim() === '' ? null : <p className="text-table text-t2">{t('begunGoes')}</p>}
      </div>
    </Dialog>
  )
}
