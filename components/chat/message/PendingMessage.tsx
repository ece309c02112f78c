/**
 * My messages that are being sent: shown at once, and gone when their entry arrives by the log.
 *
 * Not a lazy file: without a connection it could not be fetched.
 */
import { ArrowRight, Check, CircleX, Clock, Paperclip } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useConnection } from '@/client'
import { type MessageInput, type OutboxItem, retryMessage, takeBackMessage } from '@/client/outbox'
import { Button } from '@/components/ui/Button'
import { copyText } from '@/components/ui/copyText'
import { cx } from '@/components/ui/cx'
import { Avatar, NameCapsule } from '@/components/ui/marks/Avatar'
import { TypeBadge } from '@/components/ui/marks/Badges'
import { MessageText } from '@/components/ui/text/MessageText'
import { useFaultWords } from '@/components/ui/useFaultWords'
import { formatBytes } from '@/lib/format'
import { firstWords } from '@/lib/format/plainText'
import type { TaskId } from '@/lib/mas/ids'
import { restoreToComposer } from '../composer/composerState'
import type { TaskWorld } from '../useTaskWorld'

/**
 * The messages of an outbox, as a conversation draws them.
 *
 * in      place: the composer that a message goes back to when it is edited; taskOf: undefined leaves a message out
 * out     takeBackLast: takes back the last one that failed or waits; timesPutBack: counts those that were edited
 */
export function usePendingMessages(
  items: readonly OutboxItem[],
  place: string,
  taskOf: (task: TaskId) => TaskWorld | undefined,
): { pending: ReactNode[]; takeBackLast: () => MessageInput | null; timesPutBack: number } {
  const { word } = useConnection()
  const [timesPutBack, setTimesPutBack] = useState(0)
  const edit = (message: MessageInput): void => {
    restoreToComposer(place, message)
    setTimesPutBack((times) => times + 1)
  }
  return {
    pending: items.flatMap((item) => {
      const task = taskOf(item.wish.task)
      const isOffline = word === 'offline' || word === 'crowded' || word === 'signed-out'
      return task
        ? [<PendingMessage key={item.localId} item={item} task={task} isOffline={isOffline} onEdit={edit} />]
        : []
    }),
    takeBackLast: () => {
      const last = items.findLast(({ state }) => state === 'failed' || state === 'waiting')
      return last ? takeBackMessage(last.localId) : null
    },
    timesPutBack,
  }
}

type PendingMessageProps = {
  item: OutboxItem
  task: TaskWorld
  isOffline: boolean
  onEdit: (message: MessageInput) => void
}

export function PendingMessage({ item, task, isOffline, onEdit }: PendingMessageProps) {
  const t = useTranslations()
  const faultWords = useFaultWords()
  const { wish: message, state, fault } = item
  const isWaiting = state === 'waiting' || (state === 'sending' && isOffline)
  const words =
    state === 'failed'
      ? fault?.error === 'NO_ANSWER'
        ? t('chat.nobodyKnows')
        : t('chat.notSent', { reason: fault === null ? '' : faultWords(fault) })
      : state === 'sent'
        ? t('chat.sent')
        : isWaiting && isOffline
          ? t('chat.waitsForConnection')
          : t('chat.sending')
  const Icon = state === 'failed' ? CircleX : state === 'sent' ? Check : Clock
  const takeBack = (): void => {
    const back = takeBackMessage(item.localId)
    if (back) onEdit(back)
  }
  return (
    <article
      aria-label={t('chat.pendingArticle', { text: firstWords(message.text), state: words })}
      data-id={item.localId}
      data-kind="outbox"
      data-state={state}
      className={cx(
        'flex gap-2.5 rounded-card border px-3 py-2',
        state === 'failed' ? 'border-failed bg-failed-b' : 'border-transparent',
      )}
    >
      <Avatar who={task.who(task.me)} size={28} className="mt-0.5" />
      <div className="min-w-0 grow">
        <div className="flex flex-wrap items-center gap-1.5">
          <b>{task.who(task.me).name}</b>
          <ArrowRight className="size-3.5 text-t3" />
          {message.receivers === 'all' ? (
            <NameCapsule who={null} />
          ) : (
            message.receivers.map((id) => <NameCapsule key={id} who={task.who(id)} />)
          )}
          <span className="grow" />
          <TypeBadge type={message.type} />
        </div>
        <MessageText text={message.text} />
        <Files files={message.attachments ?? []} />
        <div className="mt-0.5 flex flex-wrap items-center gap-2">
          <span
            className={cx('inline-flex items-center gap-1 text-meta', state === 'failed' ? 'text-failed' : 'text-t3')}
          >
            <Icon aria-hidden className="size-3.5" />
            {words}
          </span>
          {state === 'failed' ? (
            <>
              <Button onClick={() => retryMessage(item.localId)}>{t('common.tryAgain')}</Button>
              <Button look="quiet" onClick={takeBack}>
                {t('chat.edit')}
              </Button>
              <Button look="quiet" onClick={() => copyText(message.text, t('common.copied'))}>
                {t('common.copy')}
              </Button>
            </>
          ) : state === 'waiting' && item.head === null ? (
            <Button look="quiet" onClick={takeBack}>
              {t('common.cancel')}
            </Button>
          ) : null}
        </div>
      </div>
    </article>
  )
}

/** Its attachments. The server has them, and gives them to nobody before the message is sent. */
function Files({ files }: { files: NonNullable<MessageInput['attachments']> }) {
  const t = useTranslations('chat')
  if (files.length === 0) return null
  return (
    <ul aria-label={t('attach.list')} className="mt-1 flex flex-col gap-1">
      {files.map(({ sha, name, bytes, alt }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same file may go along twice; the list never changes.
        <li key={`${sha} ${at}`} className="flex min-w-0 flex-wrap items-center gap-x-2 text-table">
          <Paperclip className="size-4 shrink-0 text-t3" />
          <span className="cut min-w-0">{name}</span>
          <span className="shrink-0 text-meta text-t3">{formatBytes(bytes)}</span>
          {alt ? <span className="basis-full pl-6 text-meta text-t2">{alt}</span> : null}
        </li>
      ))}
    </ul>
  )
}
