/**
 * A message of mine on its way: shown at once, settled when its entry comes back by the log.
 *
 * It comes with the chat: without a line nothing could be fetched.
 */

import { ArrowRight, Check, CircleX, Clock, Paperclip } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { type MessageInput, type OutboxItem, retryMessage, takeBackMessage } from '@/client/outbox'
import { Avatar, NameCapsule } from '@/components/ui/Avatar'
import { TypeBadge } from '@/components/ui/Badges'
import { Button } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { showToast } from '@/components/ui/toast'
import { formatBytes } from '@/lib/format'
import { firstWords } from '@/lib/format/plainText'
import { MessageText } from './MessageText'
import type { TaskWorld } from './useTaskWorld'

export function PendingMessage({
  item,
  task,
  isOffline,
  onEdit,
}: {
  item: OutboxItem
  task: TaskWorld
  isOffline: boolean
  /** Put it back into the composer. */
  onEdit: (wish: MessageInput) => void
}) {
  const t = useTranslations()
  const { wish, state, fault } = item
  const isWaiting = state === 'waiting' || (state === 'sending' && isOffline)
  const words =
    state === 'failed'
      ? fault?.error === 'NO_ANSWER'
        ? t('chat.nobodyKnows')
        : t('chat.notSent', { reason: fault?.message ?? '' })
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
      aria-label={t('chat.pendingArticle', { text: firstWords(wish.text), state: words })}
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
          <ArrowRight aria-hidden className="size-3.5 text-t3" />
          {wish.receivers === 'all' ? (
            <NameCapsule who={null} />
          ) : (
            wish.receivers.map((id) => <NameCapsule key={id} who={task.who(id)} />)
          )}
          <span className="grow" />
          <TypeBadge type={wish.type} />
        </div>
        <MessageText text={wish.text} isMarkdown={false} />
        <Files files={wish.attachments ?? []} />
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
              <Button
                look="quiet"
                onClick={() =>
                  void navigator.clipboard?.writeText(wish.text).then(() => showToast('done', t('common.copied')))
                }
              >
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

/** What goes along. It stands at the server already, but is nobody's to fetch before its message is sent. */
function Files({ files }: { files: NonNullable<MessageInput['attachments']> }) {
  const t = useTranslations('chat')
  if (files.length === 0) return null
  return (
    <ul aria-label={t('attach.list')} className="mt-1 flex flex-col gap-1">
      {files.map(({ sha, name, bytes, alt }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same file may go along twice; the list never changes.
        <li key={`${sha} ${at}`} className="flex min-w-0 flex-wrap items-center gap-x-2 text-table">
          <Paperclip aria-hidden className="size-4 shrink-0 text-t3" />
          <span className="cut min-w-0">{name}</span>
          <span className="shrink-0 text-meta text-t3">{formatBytes(bytes)}</span>
          {alt ? <span className="basis-full pl-6 text-meta text-t2">{alt}</span> : null}
        </li>
      ))}
    </ul>
  )
}
