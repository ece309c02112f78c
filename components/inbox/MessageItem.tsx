/** A message to me, whole, with what it asks of me; reports itself as shown. */
import { ChevronUp } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useRecords } from '@/client'
import { Link, pathTo } from '@/client/nav'
import { useSightRef } from '@/client/onScreen'
import { endText, messageText, taskTitle } from '@/client/readersWords'
import { AcknowledgeButton, DoneButton, useReportShown } from '@/components/request'
import { AttachedFiles } from '@/components/request/AttachedFiles'
import { DueTime } from '@/components/request/card/DueTime'
import { LazyCardPart } from '@/components/request/lazy'
import { TaskResultRegion } from '@/components/result/lazy'
import { IconButton, LinkButton } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { Avatar } from '@/components/ui/marks/Avatar'
import { TypeBadge } from '@/components/ui/marks/Badges'
import { Elapsed, TimeText } from '@/components/ui/marks/Time'
import { MessageText } from '@/components/ui/text/MessageText'
import { firstWords } from '@/lib/format/plainText'
import type { MessageOutcome } from '@/lib/mas/asks/outcomes'
import { withAnchors } from '@/lib/mas/cited'
import type { TaskId } from '@/lib/mas/ids'
import type { MessageRow } from '@/lib/wire/rows'
import { UrgentAnswer } from './urgent/UrgentAnswer'

type MessageItemProps = {
  row: MessageRow
  /** It is settled or for information: it asks nothing more. */
  isQuiet?: boolean
  /** It stands in its list and can be closed there. */
  onFold?: () => void
}

export function MessageItem({ row, isQuiet = false, onFold }: MessageItemProps) {
  const t = useTranslations()
  const { message, outcome, sender, taskName } = row
  const kind = message.type
  const text = messageText(message)
  useReportShown(message.id, outcome.shownAt === null && !isQuiet ? [message.id] : [])
  const isOpen = outcome.settledAt === null && kind !== 'fyi'
  const isAlerting = kind === 'urgent' && outcome.acknowledgedAt === null && isOpen
  const isAnsweredHere = kind === 'urgent' && isOpen && !isQuiet && sender.kind !== 'system'
  const task = taskTitle(taskName)
  const who = sender.kind === 'system' ? task : sender.name
  const href = pathTo('message', { taskId: message.task, messageId: message.id })
  const taskLink = (name: React.ReactNode): React.ReactNode => (
    <Link key="a" href={href} className="text-t2 hover:underline">
      {name}
    </Link>
  )
  return (
    <article
      ref={useSightRef(message.id)}
      tabIndex={-1}
      aria-label={t('inbox.article', {
        type: t(`type.${kind === 'fyi' ? 'message' : kind}`),
        who,
        text: firstWords(text),
      })}
      data-id={message.id}
      data-href={href}
      data-kind="message"
      data-state={outcome.state}
      data-seq={message.seq}
      className={cx(
        'min-w-0 rounded-card px-4 py-3 max-md:px-3.5',
        isAlerting
          ? 'animate-urgent rounded-l-bar border-2 border-l-4 border-urgent bg-urgent-b'
          : kind === 'urgent' && isOpen
            ? 'rounded-l-bar border border-l-4 border-urgent bg-s2'
            : kind === 'action' && isOpen
              ? 'rounded-l-bar border border-l-[3px] border-line border-l-action bg-s2'
              : 'border border-line bg-s2',
      )}
    >
      <header className="mb-2.5 flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="flex min-w-0 grow basis-56 items-center gap-2.5">
          <Avatar who={sender} size={28} />
          <div className="min-w-0">
            <p className="cut">
              {sender.kind === 'system'
                ? taskLink(<b>{task}</b>)
                : t.rich('request.inTask', { who, task, b: (name) => <b key="b">{name}</b>, a: taskLink })}
            </p>
            <p className="text-meta text-t3">
              {isOpen ? (
                t.rich('request.openFor', { time: () => <Elapsed key="e" since={message.at} /> })
              ) : (
                <TimeText at={message.at} />
              )}
              {isOpen && message.due !== undefined ? (
                <>
                  {' · '}
                  <DueTime at={message.due} />
                </>
              ) : null}
            </p>
          </div>
        </div>
        {kind === 'fyi' ? null : <TypeBadge type={kind} isOpen={isAlerting} />}
        {onFold ? (
          <IconButton
            data-fold="open"
            aria-expanded
            className="-mr-1.5"
            icon={<ChevronUp />}
            label={t('common.showLess')}
            onClick={onFold}
          />
        ) : null}
      </header>
      <MessageText
        text={row.ended !== undefined ? endText(message) : message.cited ? withAnchors(text, message.cited) : text}
        citations={message.imported?.citations ?? message.cited?.sources}
        fold={null}
      />
      {row.ended === undefined ? null : (
        <TaskResultRegion task={row.ended} className="mt-1" otherwise={<MessageText text={text} />} />
      )}
      {isOpen ? <TransferLines row={row} /> : null}
      <AttachedFiles message={message.id} files={message.attachments} />
      {isAnsweredHere ? <UrgentAnswer row={row} /> : null}
      <div className="mt-2.5 flex flex-wrap items-center gap-2 empty:hidden">
        {isAlerting && !isAnsweredHere ? <AcknowledgeButton message={message.id} /> : null}
        {isOpen && !isQuiet ? <DoneButton message={message.id} /> : null}
        {row.ended === undefined ? null : (
          <LinkButton href={pathTo('task', { taskId: row.ended })}>{t('inbox.openTask')}</LinkButton>
        )}
        {sender.kind === 'system' || isQuiet ? null : (
          <LinkButton
            data-act="reply"
            href={`${pathTo('task', { taskId: message.task })}?reply=${message.id}`}
            look="quiet"
          >
            {t('inbox.reply')}
          </LinkButton>
        )}
      </div>
    </article>
  )
}

/** That it was reassigned to me, or is offered to somebody. */
function TransferLines({ row: { message, outcome } }: { row: MessageRow }) {
  return outcome.request?.transfer || outcome.reassigned ? (
    <LoadedTransferLines task={message.task} outcome={outcome} />
  ) : null
}

function LoadedTransferLines({ task, outcome }: { task: TaskId; outcome: MessageOutcome }) {
  const { reassigned, request } = outcome
  const transfer = request?.transfer ?? null
  const from = useRecords(`task:${task}`, (world) => world.agents[reassigned?.from ?? outcome.receiver]?.name ?? '')
  return (
    <>
      {transfer ? <LazyCardPart part="transfer" task={task} transfer={transfer} isOfferAbove /> : null}
      {/* While it is only offered, the line above says so. */}
      {reassigned && !transfer ? <LazyCardPart part="reassigned" by={reassigned.by} who={from} /> : null}
    </>
  )
}
