/** What I sent and is not settled: what became of it at each receiver. */
import { ChevronUp } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { messageText, taskTitle } from '@/client/readersWords'
import { DueTime } from '@/components/request/card/DueTime'
import { IconButton } from '@/components/ui/Button'
import { Avatar } from '@/components/ui/marks/Avatar'
import { TypeBadge } from '@/components/ui/marks/Badges'
import { Elapsed, TimeText } from '@/components/ui/marks/Time'
import { WaitLine } from '@/components/ui/marks/WaitLine'
import { firstWords } from '@/lib/format/plainText'
import type { AgentId } from '@/lib/mas/ids'
import type { WaitingRow } from '@/lib/wire/rows'

export function WaitingDetail({ row, onFold }: { row: WaitingRow; onFold?: () => void }) {
  const t = useTranslations()
  const { message, outcomes, taskName } = row
  const kind = message.type
  const nameOf = (id: AgentId): string => outcomes.find(({ who }) => who.id === id)?.who.name ?? ''
  return (
    <article
      tabIndex={-1}
      aria-label={t('inbox.waitingArticle', { text: firstWords(messageText(message)) })}
      data-id={message.id}
      data-kind="waiting"
      data-seq={message.seq}
      className="rounded-card border border-line bg-s2 px-4 py-3 max-md:px-3.5"
    >
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
        <div className="min-w-0 grow basis-64">
          <p className="max-w-[68ch] break-words whitespace-pre-wrap">{messageText(message)}</p>
          <p className="text-meta text-t3">
            <Link href={pathTo('message', { taskId: message.task, messageId: message.id })} className="hover:underline">
              {taskTitle(taskName)}
            </Link>{' '}
            · <TimeText at={message.at} />
            {message.due !== undefined && outcomes.some(({ settledAt }) => settledAt === null) ? (
              <>
                {' · '}
                <DueTime at={message.due} />
              </>
            ) : null}
          </p>
        </div>
        {kind === 'fyi' ? null : <TypeBadge type={kind} />}
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
      </div>
      <ul className="mt-3 flex flex-col gap-1">
        {outcomes.map(({ who, state, settledAt, reassigned, transferredTo }) => (
          <li key={who.id} className="flex flex-wrap items-center gap-2 text-table" data-state={state}>
            <Avatar who={who} size={20} isNamed />
            <span className="font-medium">{who.name}</span>
            <span className="text-t3">{t(`chat.delivery.${state}`)}</span>
            {reassigned ? (
              <span className="text-meta text-t3">
                {t(`chat.reassigned.${reassigned.by}`, { who: nameOf(reassigned.from) })}
              </span>
            ) : null}
            {transferredTo ? (
              <span className="text-meta text-t3">{t('chat.reassigned.has', { who: nameOf(transferredTo) })}</span>
            ) : settledAt === null ? (
              <WaitLine reach="short">
                <Elapsed since={message.at} />
              </WaitLine>
            ) : (
              <TimeText at={settledAt} className="text-meta text-t3" />
            )}
          </li>
        ))}
      </ul>
    </article>
  )
}
