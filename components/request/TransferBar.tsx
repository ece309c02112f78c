/** Lines of a card about its transfer: the offer with its buttons, where an item came from, the draft of an answer by somebody else. */
import { useTranslations } from 'use-intl'
import { useRecords } from '@/client'
import { useMe } from '@/client/account/session'
import { Button } from '@/components/ui/Button'
import { ServerButton } from '@/components/ui/ServerButton'
import type { PassedTransfer } from '@/lib/mas/asks/outcomes'
import type { TaskId } from '@/lib/mas/ids'
import type { RequestRecord, TransferRecord } from '@/lib/mas/records'
import { settleTransfer } from './commands'
import { useCommandToast } from './useCommandToast'

type TransferBarProps = { task: TaskId; transfer: TransferRecord | null | undefined; isOfferAbove?: boolean }

/**
 * An offer that is not settled, as both people see it.
 *
 * in      isOfferAbove: a card for the whole transfer is above and has the receiver's buttons
 */
export function TransferBar({ task, transfer, isOfferAbove = false }: TransferBarProps) {
  const t = useTranslations('request')
  const run = useCommandToast()
  const me = useMe()?.person.agent_id ?? null
  const [from = '', to = ''] = useRecords(`task:${task}`, (world) =>
    [transfer?.from, transfer?.to].map((id) => (id === undefined ? '' : (world.agents[id]?.name ?? ''))),
  )
  if (!transfer) return null
  const isToMe = transfer.to === me
  return (
    <div className="my-2 rounded-control border border-dashed border-wait-line px-2.5 py-1.5 text-table">
      <p className="break-words">
        <b>{isToMe ? t('handedToYou', { who: from }) : t('handedTo', { from, to })}</b> {transfer.sentence}
      </p>
      <div className="mt-1.5 flex gap-2 empty:hidden">
        {isToMe && !isOfferAbove ? (
          <OfferButtons transfer={transfer} from={from} />
        ) : transfer.from === me ? (
          <ServerButton look="quiet" onClick={() => void run(settleTransfer(transfer.id, false), t('didTakeBack'))}>
            {t('takeBack')}
          </ServerButton>
        ) : null}
      </div>
    </div>
  )
}

/** For the receiver of an offer. from: the name of who offers it */
export function OfferButtons({ transfer, from }: { transfer: TransferRecord; from: string }) {
  const t = useTranslations('request')
  const run = useCommandToast()
  const settle = (accept: boolean, done: string): void => void run(settleTransfer(transfer.id, accept), done)
  return (
    <>
      <ServerButton onClick={() => settle(true, t('didAccept'))}>{t('accept')}</ServerButton>
      <ServerButton look="quiet" onClick={() => settle(false, t('didDecline', { who: from }))}>
        {t('notMe')}
      </ServerButton>
    </>
  )
}

/** Why a message to somebody else is mine to settle. who: the name of the other */
export function ReassignedLine({ by, who }: { by: PassedTransfer['by']; who: string }) {
  const t = useTranslations('request')
  return <p className="mt-1 text-meta text-t3">{t(`reassigned.${by}`, { who })}</p>
}

type InheritedDraftProps = {
  task: TaskId
  draft: NonNullable<RequestRecord['draft']>
  text: string
  onUse: (text: string) => void
}

/** What an earlier assignee had begun to answer. */
export function InheritedDraft({ task, draft, text, onUse }: InheritedDraftProps) {
  const t = useTranslations('request')
  const who = useRecords(`task:${task}`, (world) => world.agents[draft.by]?.name ?? '')
  if (text.includes(draft.text)) return null
  return (
    <div className="mt-2 rounded-control bg-s3 px-2.5 py-1.5 text-table">
      <p className="break-words whitespace-pre-wrap">
        <span className="text-t3">{t('begunBy', { who })}</span> {draft.text}
      </p>
      <Button
        look="quiet"
        className="mt-1 -ml-2.5"
        onClick={() => onUse(text.trim() === '' ? draft.text : `${text}\n\n${draft.text}`)}
      >
        {t('useBegun')}
      </Button>
    </div>
  )
}
