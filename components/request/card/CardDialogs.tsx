/** The dialogs that a card's menu opens: asking back, transfer, a rule for its tool. A lazy file. */
import { useTranslations } from 'use-intl'
import { useRecords } from '@/client'
import { useMe } from '@/client/account/session'
import { useDraft } from '@/client/drafts'
import { ToolRulesDialog } from '@/components/operate/ToolRules'
import { ActionDialog } from '@/components/ui/ActionDialog'
import { DraftArea } from '@/components/ui/fields/OtherDraft'
import { Dialog } from '@/components/ui/overlays/Dialog'
import { SYSTEM_TASK } from '@/lib/mas/ids'
import { sendAskBack, sendTransfer } from '../commands'
import type { RequestShown } from '../shown'
import { receiverIn, TransferFields } from '../TransferFields'
import { useCommandToast } from '../useCommandToast'

export type CardDialog = 'ask' | 'hand' | 'rule'
type Opened = { shown: RequestShown; onClose: () => void }

export default function CardDialogs({ open, ...opened }: Opened & { open: CardDialog }) {
  switch (open) {
    case 'ask':
      return <AskBack {...opened} />
    case 'hand':
      return <TransferDialog {...opened} />
    case 'rule':
      return <RuleTool {...opened} />
  }
}

function RuleTool({ shown: { request }, onClose }: Opened) {
  const { call, asker, task } = request
  if (call === null || asker === SYSTEM_TASK) return null
  return <ToolRulesDialog task={task} of={{ ...call, agent: asker }} onClose={onClose} />
}

function AskBack({ shown, onClose }: Opened) {
  const t = useTranslations('request')
  const run = useCommandToast()
  const draft = useDraft(`request:${shown.request.id}.ask-back`)
  const text = draft.text.trim()
  const who = shown.asker.name
  const send = async (): Promise<boolean> => {
    const isSent = await run(sendAskBack(shown.request.id, text), t('didAskBack', { who }))
    if (isSent) draft.clear()
    return isSent
  }
  return (
    <ActionDialog
      title={t('askBackTitle', { who })}
      action={t('sendQuestion')}
      missing={text === '' ? t('answerFirst') : null}
      act={send}
      onClose={onClose}
    >
      <p className="mb-3 text-table text-t2">{t('askBackWhy', { who })}</p>
      <DraftArea draft={draft} label={t('yourQuestion')} minLines={2} />
    </ActionDialog>
  )
}

function TransferDialog({ shown: { request }, onClose }: Opened) {
  const t = useTranslations('request')
  const run = useCommandToast()
  const me = useMe()?.person.agent_id ?? null
  const answer = useDraft(`request:${request.id}`)
  const draft = useDraft(`request:${request.id}.hand-over`)
  const people = useRecords(`task:${request.task}`, (world) =>
    (world.tasks[request.task]?.group ?? []).flatMap((id) => {
      const agent = world.agents[id]
      return agent && agent.kind === 'human' && !agent.removed && id !== me ? [agent] : []
    }),
  )
  const to = receiverIn(draft, people)
  const begun = answer.text.trim()
  const send = async (): Promise<boolean> => {
    if (to === undefined) return false
    const sent = sendTransfer({
      to: to.id,
      requests: [request.id],
      sentence: draft.text.trim(),
      ...(begun === '' ? {} : { begun: { [request.id]: begun } }),
    })
    const isSent = await run(sent, t('didHandOver', { who: to.name }))
    if (isSent) for (const one of [answer, draft]) one.clear()
    return isSent
  }
  if (people.length === 0)
    return (
      <Dialog isOpen onOpenChange={onClose} title={t('handOver')} foot={null}>
        <p role="status">{t('nobodyElse')}</p>
      </Dialog>
    )
  return (
    <ActionDialog
      title={t('handOver')}
      action={t('handOver')}
      missing={to === undefined || draft.text.trim() === '' ? t('handOverFirst') : null}
      act={send}
      onClose={onClose}
    >
      <div className="flex flex-col gap-3">
        <p className="text-table text-t2">{t('handOverWhy')}</p>
        <TransferFields people={people} draft={draft} />
        {begun === '' ? null : <p className="text-table text-t2">{t('begunGoes')}</p>}
      </div>
    </ActionDialog>
  )
}
