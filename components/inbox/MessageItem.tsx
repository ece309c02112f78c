/** A message to me as a row of the inbox; reports itself as shown. */
import { useTranslations } from 'use-intl'
import { useRecords } from '@/client'
import { Link, pathTo } from '@/client/nav'
import { useSightRef } from '@/client/onScreen'
import { endText, messageText, taskTitle } from '@/client/readersWords'
import { AcknowledgeButton, DoneButton, useReportShown } from '@/components/request'
import { AttachedFiles } from '@/components/request/AttachedFiles'
import { DueTime } from '@/components/request/card/DueTime'
import { LazyCardPart } from '@/components/request/card/LazyCardPart'
import { taskResult } from '@/components/result/lazy'
import { Button, LinkButton } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { Lazy } from '@/components/ui/lazyFile'
import { Avatar } from '@/components/ui/marks/Avatar'
import { TypeBadge } from '@/components/ui/marks/Badges'
import { Elapsed, TimeText } from '@/components/ui/marks/Time'
import { isLong, MessageText } from '@/components/ui/text/MessageText'
import { firstWords } from '@/lib/format/plainText'
import type { MessageOutcome } from '@/lib/mas/asks/outcomes'
import { withAnchors } from '@/lib/mas/cited'
import type { TaskId } from '@/lib/mas/ids'
import type { MessageRow } from '@/lib/wire/rows'
import { UrgentAnswer, useUrgentDraft } from './urgent/UrgentAnswer'

const FOLD = { characters: 500, lines: 8, height: 'max-h-36' }
/** Letters of a line; the rest is cut by the width. */
const QUOTED_LENGTH = 160
/** Letters that fit into a line of the list. */
const LINE_LENGTH = 100

/** Whether one line cannot hold it: in a list of lines it opens. */
const isLongMessage = ({ message, ended }: Pick<MessageRow, 'message' | 'ended'>): boolean => {
  const text = messageText(message)
  return ended !== undefined || message.attachments.length > 0 || text.length > LINE_LENGTH || text.includes('\n')
}

/** Whether it is a line that may open by itself: it has more to show, and does not fill the screen, as a result may do. */
export const opensByItself = (row: Pick<MessageRow, 'message' | 'ended'>): boolean =>
  row.ended === undefined && isLongMessage(row) && !isLong(messageText(row.message), FOLD)

type MessageItemProps = {
  row: MessageRow
  isQuiet?: boolean
  fold?: { isOpen: boolean; onTurn: (isOpen: boolean) => void }
}

/** fold: it is in a list of lines; absent: a long text folds by itself */
export function MessageItem({ row, isQuiet = false, fold }: MessageItemProps) {
  const t = useTranslations()
  const { message, outcome, sender, taskName } = row
  const kind = message.type
  const text = messageText(message)
  const isNew = outcome.shownAt === null
  const canFold = fold !== undefined && isLongMessage(row)
  const isLine = canFold && !fold.isOpen
  const isOneLine = fold !== undefined && (isLine || !canFold)
  /** Sender and time are beside its text, if nothing follows below. */
  const isBeside = isOneLine && !outcome.request?.transfer && !outcome.reassigned
  // Who saw only the beginning of it has not read it.
  useReportShown(message.id, isNew && !isQuiet && !isLine ? [message.id] : [])
  const isOpen = outcome.settledAt === null && kind !== 'fyi'
  const isUrgentOpen = kind === 'urgent' && isOpen && !isQuiet && sender.kind !== 'system'
  const draft = useUrgentDraft(isUrgentOpen ? message.id : null)
  const isAlerting = kind === 'urgent' && outcome.acknowledgedAt === null && isOpen
  const who = sender.kind === 'system' ? taskTitle(taskName) : sender.name
  const href = pathTo('message', { taskId: message.task, messageId: message.id })
  return (
    <article
      ref={useSightRef(isLine ? null : message.id)}
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
        'flex flex-wrap items-start gap-x-3 gap-y-2 rounded-card px-4 py-2.5 max-md:px-3.5',
        isAlerting
          ? 'animate-urgent rounded-l-bar border-2 border-l-4 border-urgent bg-urgent-b'
          : kind === 'urgent' && isOpen
            ? 'rounded-l-bar border border-l-4 border-urgent bg-s2'
            : kind === 'action' && isOpen
              ? 'rounded-l-bar border border-l-[3px] border-line border-l-action bg-s2'
              : 'border border-line bg-s2',
        !isNew && kind === 'fyi' && 'text-t2',
      )}
    >
      <div
        className={cx(
          'flex min-w-0 grow basis-64 gap-2.5',
          isOneLine && !isOpen && message.attachments.length === 0 && 'max-md:basis-40',
        )}
      >
        <Avatar who={sender} size={28} className={cx(!isBeside && 'mt-0.5')} />
        <div
          className={cx(
            'min-w-0',
            row.ended !== undefined && 'grow',
            isBeside && 'grow items-baseline gap-x-3 md:flex md:self-center',
          )}
        >
          <div className={isOneLine ? 'flex min-w-0 items-center *:min-w-0 md:items-baseline' : undefined}>
            {message.mention ? (
              <span className="mr-1.5 inline-flex h-5 shrink-0 items-center rounded-person bg-accent px-2 text-meta font-medium text-on-accent">
                {t('kind.me')}
              </span>
            ) : null}
            {isLine ? (
              <LineText row={row} text={text} />
            ) : (
              <MessageText
                text={
                  row.ended !== undefined ? endText(message) : message.cited ? withAnchors(text, message.cited) : text
                }
                citations={message.imported?.citations ?? message.cited?.sources}
                fold={canFold ? null : FOLD}
              />
            )}
          </div>
          <p className={cx('text-meta text-t3', isBeside && 'cut md:w-0 md:min-w-32 md:grow')}>
            {/* First, for a narrow line is cut at its end. */}
            {isOpen && message.due !== undefined ? (
              <>
                <DueTime at={message.due} />
                {' · '}
              </>
            ) : null}
            {sender.kind === 'system' ? null : `${who} · `}
            <Link href={href} className="hover:underline">
              {taskTitle(taskName)}
            </Link>{' '}
            ·{' '}
            {isOpen ? (
              t.rich('request.openFor', { time: () => <Elapsed key="e" since={message.at} /> })
            ) : (
              <TimeText at={message.at} />
            )}
            {!isNew && kind === 'fyi' ? <> · {t('inbox.read')}</> : null}
          </p>
          {row.ended === undefined || isLine ? null : (
            <Lazy
              file={taskResult}
              partProps={{ task: row.ended, className: 'mt-1', otherwise: <MessageText text={text} /> }}
            />
          )}
          {isOpen ? <TransferLines row={row} /> : null}
          {isLine ? null : <AttachedFiles message={message.id} files={message.attachments} />}
        </div>
      </div>
      {isUrgentOpen && draft.text !== '' ? (
        // An answer that was begun in the dialog; it has the row's other buttons beside it.
        <div className="order-last basis-full">
          <UrgentAnswer row={row} />
        </div>
      ) : null}
      <div className="ml-auto flex flex-wrap items-center justify-end gap-2 max-md:gap-x-1">
        {kind === 'urgent' ? (
          // On a phone the heading of the group says it, and leaves room for three buttons.
          <span className={cx('flex', isAlerting && 'max-md:hidden')}>
            <TypeBadge type="urgent" isOpen={isAlerting} />
          </span>
        ) : null}
        {isAlerting && draft.text === '' ? <AcknowledgeButton message={message.id} /> : null}
        {isOpen && !isQuiet ? <DoneButton message={message.id} /> : null}
        {canFold ? (
          <Button
            look="quiet"
            data-fold={isLine ? 'closed' : 'open'}
            aria-expanded={!isLine}
            onClick={() => fold.onTurn(isLine)}
          >
            {isLine ? t('common.showAll') : t('common.showLess')}
          </Button>
        ) : null}
        {row.ended === undefined ? null : (
          <LinkButton href={pathTo('task', { taskId: row.ended })} look="quiet">
            {t('inbox.openTask')}
          </LinkButton>
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

/** The beginning of a message; of the end of a task its headline, which leads to the result. */
function LineText({ row: { ended, headline }, text }: { row: MessageRow; text: string }) {
  const words = firstWords(headline ?? text, QUOTED_LENGTH)
  if (ended === undefined) return <p className="cut">{words}</p>
  return (
    <p className="cut">
      <Link href={pathTo('task', { taskId: ended })} className="font-medium hover:underline">
        {words}
      </Link>
    </p>
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
