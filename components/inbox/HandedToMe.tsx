/** What somebody handed me and I have not accepted: one card for all of it, “Accept” and “Not me”. */
import { useTranslations } from 'use-intl'
import { firstWords } from '@/components/request'
import { settleHandOver } from '@/components/request/commands'
import { useSaid } from '@/components/request/useSaid'
import { Avatar } from '@/components/ui/Avatar'
import { ServerButton } from '@/components/ui/ServerButton'
import { TimeText } from '@/components/ui/Time'
import type { AgentId } from '@/lib/mas/ids'
import { handedTo, type InboxRow } from './rows'

export function HandedToMe({ rows, person }: { rows: readonly InboxRow[]; person: AgentId }) {
  const t = useTranslations()
  const said = useSaid()
  return handedTo(rows, person).map(({ handing, from, requests }) => {
    const title = t('inbox.handed', { who: from.name, count: requests.length })
    return (
      <article
        key={handing.id}
        aria-label={title}
        tabIndex={-1}
        data-id={handing.id}
        data-kind="hand-over"
        data-state="offered"
        className="mt-5 rounded-card border border-dashed border-wait-line bg-s2 px-4 py-3 max-md:px-3.5"
      >
        <header className="flex items-center gap-2.5">
          <Avatar who={from} size={28} />
          <h2 className="min-w-0 font-medium">{title}</h2>
          <TimeText at={handing.at} isClock className="ml-auto shrink-0 text-meta text-t3" />
        </header>
        <p className="mt-2 max-w-[68ch] break-words">{handing.sentence}</p>
        <ul className="mt-2 flex list-disc flex-col gap-0.5 pl-5 text-table text-t2">
          {requests.map(({ request, taskName }) => (
            <li key={request.id}>
              {taskName}: {firstWords(request.question)}
            </li>
          ))}
        </ul>
        <div className="mt-3 flex flex-wrap gap-2">
          <ServerButton onClick={() => void said(settleHandOver(handing.id, true), t('request.didAccept'))}>
            {t('request.accept')}
          </ServerButton>
          <ServerButton
            look="quiet"
            onClick={() => void said(settleHandOver(handing.id, false), t('request.didDecline', { who: from.name }))}
          >
            {t('request.notMe')}
          </ServerButton>
        </div>
      </article>
    )
  })
}
