/** The deliveries of a message, receiver by receiver. A lazy file. */
import { useTranslations } from 'use-intl'
import { useNow } from '@/client/clock'
import { AttemptLine } from '@/components/request/card/AttemptLines'
import { remindPending } from '@/components/request/commands'
import { useCommandToast } from '@/components/request/useCommandToast'
import { LiveAvatar, QuietNote } from '@/components/ui/marks/presence'
import { TimeText } from '@/components/ui/marks/Time'
import { Dialog } from '@/components/ui/overlays/Dialog'
import { ServerButton } from '@/components/ui/ServerButton'
import type { MessageOutcome, MessageRecipient } from '@/lib/mas/asks/outcomes'
import type { MessageId, SenderId } from '@/lib/mas/ids'
import type { RequestNote } from '@/lib/mas/records'
import type { Who } from '@/lib/wire/rows'
import {
  bubbleOutcomes,
  isHandled,
  lastRemindedAt,
  pendingRows,
  type ReachedState,
  reachedStates,
  remindedRows,
} from '../fns/deliveries'
import type { Bubble } from '../fns/lines'
import type { TaskWorld } from '../useTaskWorld'

type DeliveriesDialogProps = { bubble: Bubble; task: TaskWorld; onClose: () => void }

export default function DeliveriesDialog({ bubble, task, onClose }: DeliveriesDialogProps) {
  const t = useTranslations('chat')
  const rows = bubbleOutcomes(bubble, task.sources)
  const rest = pendingRows(bubble.type, rows)
  const first = bubble.messages[0]
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={t('deliveries')}
      foot={first?.sender === task.me && rest.length > 0 ? <RemindRest message={first.id} rows={rows} /> : null}
    >
      <DeliveryTable bubble={bubble} rows={rows} who={task.who} />
    </Dialog>
  )
}

/** The server accepts a reminder this often. */
const REMIND_AGAIN_MS = 5 * 60_000

type RemindRestProps = { message: MessageId; rows: readonly MessageRecipient[] }

/** For the sender: reminds the receivers that have not settled the message. */
function RemindRest({ message, rows }: RemindRestProps) {
  const t = useTranslations('chat')
  const run = useCommandToast()
  const now = useNow('minutes')
  const last = lastRemindedAt(rows)
  const isEarly = last !== null && now - last < REMIND_AGAIN_MS
  return (
    <ServerButton
      isDisabled={isEarly}
      reason={t('remindEarly')}
      onClick={() => void run(remindPending(message), t('didRemind', { count: remindedRows(rows).length }))}
    >
      {t('remindRest')}
    </ServerButton>
  )
}

type DeliveryTableProps = {
  bubble: Pick<Bubble, 'type' | 'at'>
  rows: readonly MessageRecipient[]
  who: (id: SenderId) => Who
}

export function DeliveryTable({ bubble: { type, at: sentAt }, rows, who }: DeliveryTableProps) {
  const t = useTranslations('chat')
  return (
    <table className="w-full text-table">
      <thead>
        <tr className="text-left text-t3">
          <th className="py-1 font-normal">{t('receiver')}</th>
          <th className="py-1 font-normal">{t('deliveryState')}</th>
          <th className="py-1 text-right font-normal">{t('deliverySince')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ receiver, outcome }) => {
          const person = who(receiver)
          const reached = outcome ? reachedStates(outcome, outcome.reassigned?.at ?? sentAt) : []
          const last = reached.at(-1)
          return (
            <tr
              key={receiver}
              data-id={receiver}
              data-state={outcome?.state ?? 'queued'}
              className="border-t border-line"
            >
              <td className="py-1.5 pr-3 align-top">
                <span className="flex items-center gap-2 whitespace-nowrap">
                  <LiveAvatar who={person} size={20} isNamed />
                  {person.name}
                </span>
              </td>
              <td className="py-1.5">
                {t(`delivery.${outcome?.state ?? 'queued'}`)}
                {isHandled(type, outcome) ? null : <QuietNote person={receiver} />}
                {outcome ? <TransferNote outcome={outcome} who={who} /> : null}
                {outcome?.note ? <span className="block text-meta text-t3">{outcome.note}</span> : null}
                <Earlier reached={reached.slice(0, -1)} />
                {outcome ? <OutcomeLines outcome={outcome} who={who} /> : null}
              </td>
              <td className="py-1.5 text-right align-top text-t3">
                {last === undefined ? '—' : <TimeText at={last.at} isClock />}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function Earlier({ reached }: { reached: readonly ReachedState[] }) {
  const t = useTranslations('chat')
  if (reached.length === 0) return null
  return (
    <ol aria-label={t('deliveryBefore')} className="text-meta text-t3">
      {reached.map(({ state, at }) => (
        <li key={state} data-state={state}>
          <TimeText at={at} isClock /> {t(`delivery.${state}`)}
        </li>
      ))}
    </ol>
  )
}

/** From whom it was reassigned to this receiver, or to whom it was transferred or offered, and who dealt with it instead. */
function TransferNote({ outcome, who }: { outcome: MessageOutcome; who: (id: SenderId) => Who }) {
  const t = useTranslations()
  const { reassigned, transferredTo, request, receiver, by } = outcome
  const transfer = request?.transfer
  return (
    <span className="block text-meta text-t3 empty:hidden">
      {reassigned ? t(`chat.reassigned.${reassigned.by}`, { who: who(reassigned.from).name }) : null}
      {transferredTo ? t('chat.reassigned.has', { who: who(transferredTo).name }) : null}
      {transfer && transfer.from === receiver ? t('chat.reassigned.offered', { who: who(transfer.to).name }) : null}
      {by !== null && transferredTo === null ? t('request.answeredBy', { who: who(by).name }) : null}
    </span>
  )
}

/** Attempts to reach another are told in the row of that person. */
function OutcomeLines({ outcome, who }: { outcome: MessageOutcome; who: (id: SenderId) => Who }) {
  const t = useTranslations('chat')
  const { request, receiver, reassigned } = outcome
  const noteText = ({ kind, by }: RequestNote): string => {
    switch (kind) {
      case 'reminded':
        return t('note.reminded', { who: who(by).name })
      case 'remindLater':
        return t('note.remindLater')
      case 'raisedAgain':
        return t('note.raisedAgain')
    }
  }
  const notes = (request?.notes ?? [])
    .filter(({ kind, by }) => kind === 'reminded' || by === receiver)
    .map((note) => ({
      at: note.at,
      line: (
        <span key={`${note.kind} ${note.at}`} className="block text-meta text-t3">
          <TimeText at={note.at} isClock /> {noteText(note)}{' '}
          {note.kind === 'remindLater' && note.until !== null ? <TimeText at={note.until} isClock /> : null}
        </span>
      ),
    }))
  const attempts = (request?.attempts ?? [])
    .filter(({ person, channel }) => (channel === 'next' ? reassigned === null : person === receiver))
    .map((attempt) => ({
      at: attempt.at,
      line: (
        <AttemptLine
          key={attempt.id}
          attempt={attempt}
          who={attempt.channel === 'next' ? who(attempt.person).name : null}
        />
      ),
    }))
  return <>{[...notes, ...attempts].sort((a, b) => a.at - b.at).map(({ line }) => line)}</>
}
